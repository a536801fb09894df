"""Features of lists, texts and dicts: their names are the Python that computes them."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formulas import bound

from learn2fix.domain import Domain, call_domain
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.model import Ending, Example, Input, Kind, Observation, Outcome, Variable
from learn2fix.oracles.formula import ABSENT, conjunction
from learn2fix.oracles.registry import learner
from learn2fix.oracles.smtlib import script
from learn2fix.oracles.value_features import MOST_FEATURES, Features, value_features


def lens(*examples: str, parameters: str) -> tuple[Domain, Features]:
    domain = call_domain(list(examples), parameters.split())
    return domain, value_features(domain, [domain.parse(text) for text in examples])


def shown(features: Features, values: tuple[Any, ...]) -> dict[str, Any]:
    return {v.name: value for v, value in zip(features.variables, features.values(values), strict=True)}


def test_lists_of_numbers() -> None:
    _, features = lens("[3, 1, 2], 3", parameters="xs k")
    found = shown(features, ([3, 1, 3], 3))
    assert found["len(xs)"] == 3
    assert (found["xs[0]"], found["xs[-1]"], found["min(xs)"], found["max(xs)"]) == (3, 3, 1, 3)
    assert found["xs == sorted(xs)"] == 0
    assert found["len(set(xs)) == len(xs)"] == 0
    assert found["k in xs"] == 1
    assert found["xs.count(k)"] == 2
    assert found["k"] == 3
    assert found["xs is None"] == 0


def test_what_is_not_there_is_absent() -> None:
    _, features = lens("[3, 1]", parameters="xs")
    found = shown(features, ([],))
    assert found["len(xs)"] == 0
    assert found["xs[0]"] == found["max(xs)"] == ABSENT
    assert found["xs == sorted(xs)"] == 1
    assert shown(features, (None,))["xs is None"] == 1
    assert shown(features, (None,))["len(xs)"] == ABSENT


def test_texts_dicts_and_nested_lists() -> None:
    _, texts = lens("'Anna'", parameters="t")
    found = shown(texts, ("Level",))
    assert (found["len(t)"], found["t == t.lower()"], found["t == t[::-1]"]) == (5, 0, 0)
    assert found["'A' in t"] == 0
    _, dicts = lens("{'a': 1, 'b': 5}", parameters="d")
    assert shown(dicts, ({"a": 4},)) | {} == {
        "d is None": 0,
        "len(d)": 1,
        "max(d.values())": 4,
        "min(d.values())": 4,
        "sum(d.values())": 4,
        "'a' in d": 1,
        "'b' in d": 0,
    }
    _, nested = lens("[[1, 9], [2, 3]]", parameters="xs")
    assert shown(nested, ([[1, 9], [2, 3]],))["xs[0][1]"] == 9


def test_records_grids_and_characters() -> None:
    _, records = lens("[(1, 5, 'x'), (4, 2, 'y')]", parameters="rows")
    found = shown(records, ([(3, 3, "a"), (9, 1, "a")],))
    assert (found["rows[0][0]"], found["max(x[0] for x in rows)"], found["sum(x[1] for x in rows)"]) == (
        3,
        9,
        4,
    )
    assert found["any(x[0] == x[1] for x in rows)"] == 1
    assert found["len(set(x[2] for x in rows))"] == 1
    _, table = lens("[[1, 2], [3, 4]]", parameters="g")
    found = shown(table, ([[1, 2, 3], [4, 5, 6]],))
    assert (found["len(g)"], found["len(g[0])"], found["len(g) == len(g[0])"]) == (2, 3, 0)
    assert (found["sum(map(sum, g))"], found["max(map(max, g))"]) == (21, 6)
    _, grid = lens("['.#', '##']", parameters="g")
    assert shown(grid, (["##", "#."],))["sum(x.count('#') for x in g)"] == 3
    _, text = lens("'abca'", parameters="s")
    found = shown(text, ("caac",))
    assert (
        found["s[0] == s[-1]"],
        found["s.count('a')"],
        found["any(x == y for x, y in zip(s, s[1:]))"],
    ) == (
        1,
        2,
        1,
    )


def test_lists_beside_a_number() -> None:
    _, features = lens("[3, 1, 2], 2", parameters="a k")
    found = shown(features, ([5, 5, 9], 2))
    assert (found["a[k]"], found["a[k - 1]"], found["sum(x > k for x in a)"]) == (9, 5, 3)
    assert (found["a[0] == max(a)"], found["a[-1] == max(a)"], found["a[0] == min(a)"]) == (0, 1, 1)
    assert found["any(x == y for x, y in zip(a, a[1:]))"] == 1
    assert shown(features, ([5], 2))["a[k]"] == ABSENT


def test_the_last_input_gets_its_features_too() -> None:
    _, features = lens("[1, 2], [3, 4], [5, 6], 'ab'", parameters="a b c s")
    names = {v.name for v in features.variables}
    assert len(names) == MOST_FEATURES
    assert names >= {"len(a)", "len(c)", "c[0]", "len(s)", "s[0] == s[-1]", "len(a) == len(b)"}


def test_what_a_program_reads_has_the_features_of_arguments() -> None:
    domain = FormLayout(read_form("n, a[n], s:word")).domain()
    given = domain.parse("3\n2 4 3\nabc\n")
    features = value_features(domain, [given])
    found = shown(features, given.values)
    assert (found["len(a)"], found["max(a)"], found["len(s)"]) == (3, 4, 3)
    assert "n" not in found
    assert "a is None" not in found


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-20, 20) | st.floats() | st.text("ab A1|\\'\"é", max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3),
    st.lists(st.tuples(VALUES, VALUES), max_size=3),
)
def test_names_are_the_python_that_computes_them(seen: list[Any], others: list[Any]) -> None:
    domain = Domain((Variable("xs", Kind.ANY), Variable("k", Kind.ANY)), layout=None)  # type: ignore[arg-type]
    features = value_features(domain, [Input(repr(values), values) for values in seen])
    assert len({v.name for v in features.variables}) == len(features.variables)
    for values in [*seen, *others]:
        for variable, value in zip(features.variables, features.values(values), strict=True):
            try:
                real = eval(variable.name, {"xs": values[0], "k": values[1]})
            except Exception:
                assert value == ABSENT
                continue
            if variable.kind is Kind.BOOL:
                assert bool(real) == bool(value), variable
            elif isinstance(real, int) or (isinstance(real, float) and real - real == 0):
                assert Fraction(str(real) if isinstance(real, float) else real) == value, variable
            else:
                assert value == ABSENT


def test_a_condition_over_features_is_python_and_smtlib() -> None:
    _, features = lens("[3, 1, 2]", parameters="xs")
    names = [v.name for v in features.variables]
    long = bound(names.index("len(xs)"), ">", 2)
    unsorted = bound(names.index("xs == sorted(xs)"), "==", 0)
    formula = conjunction([long, unsorted])
    text = formula.text(features.variables)
    assert text == "len(xs) > 2 and xs != sorted(xs)"
    for xs in ([1, 2, 3], [3, 1, 2], [2, 1]):
        assert eval(text) == formula.holds(features.values((xs,)))
    assert "|len(xs)|" in script(formula, features.variables)


def test_a_condition_is_learned() -> None:
    """Even length and the first larger than the last, from sixty examples, in words of Python."""
    domain, features = lens("[3, 1]", parameters="xs")
    seen = domain.with_lens(features)
    rng = random.Random(3)
    examples = []
    for _ in range(60):
        xs = [rng.randint(0, 9) for _ in range(rng.randint(1, 6))]
        observation = Observation(domain.render((xs,)), Outcome(Ending.EXITED, b"x"))
        failing = len(xs) % 2 == 0 and xs[0] > xs[-1]
        examples.append(Example(seen.point(observation)[: len(seen.seen_variables)], failing))
    oracle = learner("smt").learn(seen.seen_variables, examples, random.Random(1))
    assert oracle.formula is not None
    text = oracle.formula.text(seen.seen_variables)
    wrong = 0
    for _ in range(300):
        xs = [rng.randint(0, 9) for _ in range(rng.randint(1, 6))]
        wrong += eval(text, {"xs": xs}) != (len(xs) % 2 == 0 and xs[0] > xs[-1])
    assert wrong <= 6, text


def test_numbers_alone_need_no_lens() -> None:
    domain = call_domain(["1, 2"], ["a", "b"])
    assert domain.numeric
    assert domain.seen_variables == domain.variables
    lensed = domain.with_lens(value_features(domain, [domain.parse("1, 2")]))
    assert lensed.seen_variables == domain.variables

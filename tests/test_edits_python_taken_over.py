"""What is taken over from elsewhere in a function, what variables hold, and changes under a condition."""

from __future__ import annotations

from fractions import Fraction

import libcst as cst
import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.atoms import atoms
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.edits.kinds import MAPPING, NUMBER, SEQUENCE, TEXT, UNKNOWN
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.samples import arguments
from learn2fix.languages.python.edits.terms import terms
from learn2fix.model import Candidate
from learn2fix.repair.stages import differences

SPANS = b"""\
def merge(spans, names, limit):
    joined = []
    for start, end in sorted(spans):
        for name, count in names.items():
            first = spans[0]
            joined.append((start, end, name, count, first))
    return joined
"""
GIVEN = ("[(1, 2)], {'a': [3]}, None",)


def kinds(source: bytes, *given: str) -> dict[str, str]:
    program = Program(source, Hints(given=given, function="merge"))
    return program.scope(program.names.functions["merge"]).types


def test_a_failing_call_tells_what_variables_hold() -> None:
    found = kinds(SPANS, *GIVEN)
    wanted = {
        "spans": SEQUENCE,
        "start": NUMBER,
        "end": NUMBER,
        "names": MAPPING,
        "name": TEXT,
        "count": SEQUENCE,
        "first": SEQUENCE,
    }
    assert {name: found[name] for name in wanted} == wanted
    assert found["limit"] == UNKNOWN


def test_without_a_call_nothing_is_made_up() -> None:
    found = kinds(SPANS)
    assert found["start"] == found["name"] == found["count"] == UNKNOWN


@pytest.mark.parametrize("text", ["", "(", "f(x)", "open('x')", "*a", "1 +", "x=", "\0"])
def test_calls_that_say_nothing_are_no_trouble(text: str) -> None:
    assert arguments([text], ["a", "b"]) == {}


def test_an_empty_value_gives_way_to_one_that_says_more() -> None:
    assert arguments(["[], b=1", "[2], b=None"], ["a", "b"]) == {"a": [2], "b": 1}


def test_what_changes_something_is_not_computed_twice() -> None:
    source = (
        b"def f(xs, n):\n    if len(xs) > n:\n        x = xs.pop()\n        return xs[n] + x\n    return 0\n"
    )
    program = Program(source, Hints(function="f"))
    last = program.every(cst.Return)[-1]
    texts = {program.of(node) for node, _ in terms(program, last)}
    assert {"len(xs)", "xs[n]"} <= texts
    assert not any("pop" in text for text in texts)


def test_terms_read_only_what_is_there() -> None:
    source = b"def f(xs):\n    print(xs)\n    for i in range(3):\n        print(xs[i])\n"
    program = Program(source, Hints(function="f"))
    body = next(node for node in program.statements if program.of(node).strip() == "print(xs)")
    assert "xs[i]" not in {program.of(node) for node, _ in terms(program, body)}


def test_conditions_are_asked_about_items_and_as_elsewhere() -> None:
    source = (
        b"def f(grid, x, y, seen):\n    if (x, y) in seen:\n        return 0\n"
        b"    total = grid[y][x]\n    return total\n"
    )
    program = Program(source, Hints(given=("[[1]], 0, 0, []",), function="f"))
    last = program.statements[-1]
    found = {atom for atom, _ in atoms(program, last)}
    assert "(x, y) in seen" in found
    assert "not ((x, y) in seen)" in found or "not (x, y) in seen" in found
    assert "grid[y][x] > 0" in found


def texts_of(candidates: list[Candidate], source: bytes) -> list[str]:
    return [candidate.apply(source).decode() for candidate in candidates]


MINUTES = b"""\
def minutes(first, last):
    if last == 0:
        last = 1440
    return last - first
"""


def seed(part: str, source: bytes, **hints: object) -> Candidate:
    found = PythonEdits().candidates(source, Hints(**hints))  # type: ignore[arg-type]
    return next(each for each in found if part in each.apply(source).decode())


def test_a_statement_that_is_right_on_some_inputs_gets_a_condition() -> None:
    added = seed("1440\n    last = 1440\n    return", MINUTES, function="minutes")
    made = texts_of(list(PythonPairs([added]).candidates(MINUTES, Hints(function="minutes"))), MINUTES)
    wanted = "    if first > last:\n        last = 1440\n    return last - first\n"
    assert any(text.endswith(wanted) for text in made)


def test_a_changed_statement_is_changed_only_where_a_condition_holds() -> None:
    changed = seed("return last + first", MINUTES, function="minutes")
    made = texts_of(list(PythonPairs([changed]).candidates(MINUTES, Hints(function="minutes"))), MINUTES)
    wanted = "    if first > last:\n        return last + first\n    else:\n        return last - first\n"
    assert any(text.endswith(wanted) for text in made)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_changes_under_a_condition_are_valid_python_in_any_layout(newline: str) -> None:
    text = "def f(größe, n):\n\tif n:\n\t\tn = größe\n\tn = n - 1\n\treturn n\n".replace("\n", newline)
    source = text.encode()
    singles = list(PythonEdits().candidates(source, Hints(function="f")))
    seeds = [each for each in singles if each.kind in ("statement copied", "other arithmetic operator")]
    assert seeds
    made = [each for each in PythonPairs(seeds).candidates(source, Hints()) if "conditional" in each.kind]
    assert made
    for candidate in made:
        compile(candidate.apply(source), "f.py", "exec")


def test_seeds_that_are_conditions_already_get_no_other() -> None:
    guarded = seed("if first == 0:\n        return", MINUTES, function="minutes")
    assert guarded.kind in ("early return", "base case")
    made = PythonPairs([guarded]).candidates(MINUTES, Hints(function="minutes"))
    assert not [each for each in made if each.kind.endswith(", conditional")]


def test_a_variable_without_a_first_value_gets_one() -> None:
    source = b"def f(xs):\n    for x in xs:\n        total += x\n    return total\n"
    best = list(PythonEdits().candidates(source, Hints(function="f")))[:40]
    assert any("    total = 0\n    for x in xs" in text for text in texts_of(best, source))


def test_what_an_answer_lacks_is_a_useful_constant() -> None:
    assert differences([("45", "-1395"), ("0.5", "0"), ("3", "3"), ("[1]", "2"), ("1", "⟨raises E⟩")]) == (
        1440,
        Fraction(1, 2),
    )
    source = b"def f(a, b):\n    return b - a\n"
    hints = Hints(given=("1, 2",), missing=(1440,), function="f")
    added = [each for each in PythonEdits().candidates(source, hints) if each.kind == "what is missing added"]
    assert "def f(a, b):\n    b += 1440\n    return b - a\n" in texts_of(added, source)


def made(source: str, *expected: str, given: str = "") -> set[str]:
    hints = Hints(given=(given,), expected=expected, function="f")
    return {each.apply(source.encode()).decode() for each in PythonEdits().candidates(source.encode(), hints)}


def test_lengths_are_compared_with_each_other_before_a_result() -> None:
    source = "def f(needs: dict, order: list):\n    order.sort()\n    return order\n"
    early = "    if len(needs) != len(order):\n        return None\n    return order\n"
    assert any(text.endswith(early) for text in made(source, "None"))


def test_a_table_is_asked_for_the_key_that_it_is_about_to_be_given() -> None:
    source = "def f(words: list):\n    t = {}\n    for w in words:\n        t[len(w)] = []\n    return t\n"
    guard = "        if len(w) not in t:\n            t[len(w)] = []\n"
    assert any(guard in text for text in made(source))


@pytest.mark.parametrize(
    ("expected", "result"), [("'101'", "str(n)"), ("[5]", "[n]"), ("[[1], [2]]", "[[]]")]
)
def test_a_base_case_returns_what_is_expected_of_the_function(expected: str, result: str) -> None:
    texts = made("def f(n: int):\n    return f(n // 2)\n", expected)
    assert any(f"    if n == 0:\n        return {result}\n" in text for text in texts)


def test_items_of_several_kinds_are_of_none() -> None:
    """What a list of numbers and lists holds may be a list: a function may have to call itself on it."""
    source = "def f(xs):\n    t = []\n    for x in xs:\n        t.extend(x)\n    return t\n"
    assert source.replace("extend(x)", "extend(f(x))") in made(source, given="[1, [2, [3]]]")
    assert source.replace("extend(x)", "extend(f(x))") not in made(source, given="[1, 2, 3]")

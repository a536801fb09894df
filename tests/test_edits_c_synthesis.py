"""Expressions fitted to values, and repairs that no edit of what stands there gives."""

from __future__ import annotations

import tomllib
from contextlib import closing
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.synthesis import fitting, synthesis
from learn2fix.languages.c.synthesis.synthesis import CSynthesis
from learn2fix.model import Input, Requirement, Response

ZOO = Path(__file__).parent / "zoo"
CONSTANTS = {"0": 0, "1": 1, "2": 2, "17": 17}
NUMBERS = st.integers(-20, 20)


class C(int):
    """A whole number that divides as C does."""

    def __add__(self, other: int) -> C:
        return C(int(self) + int(other))

    def __sub__(self, other: int) -> C:
        return C(int(self) - int(other))

    def __mul__(self, other: int) -> C:
        return C(int(self) * int(other))

    def __neg__(self) -> C:
        return C(-int(self))

    def __truediv__(self, other: int) -> C:
        sign = -1 if (self < 0) != (other < 0) else 1
        return C(sign * (abs(int(self)) // abs(int(other))))

    def __mod__(self, other: int) -> C:
        return C(int(self) - int(other) * int(self / C(other)))

    __radd__ = __rmul__ = None  # type: ignore[assignment]


def value(text: str, row: dict[str, int]) -> int:
    """The value of a C expression: an evaluator of our own, so that fitting is not checked by itself."""
    words = fitting_words(text)
    result, rest = _ternary(words, row)
    assert not rest, text
    return int(result)


def fitting_words(text: str) -> list[str]:
    import re

    return re.findall(r"\w+|<=|>=|==|!=|&&|\|\||[-+*/%<>()?:]", text)


BINARY = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


def _ternary(words: list[str], row: dict[str, int]) -> tuple[C, list[str]]:
    condition, words = _binary(words, row, 0)
    if words[:1] != ["?"]:
        return condition, words
    yes, words = _ternary(words[1:], row)
    assert words[0] == ":"
    no, words = _ternary(words[1:], row)
    return (yes if condition else no), words


def _binary(words: list[str], row: dict[str, int], level: int) -> tuple[C, list[str]]:
    if level == len(BINARY):
        return _unary(words, row)
    left, words = _binary(words, row, level + 1)
    while words and words[0] in BINARY[level]:
        operator = words[0]
        right, words = _binary(words[1:], row, level + 1)
        left = C(
            {
                "||": lambda a, b: bool(a) or bool(b),
                "&&": lambda a, b: bool(a) and bool(b),
                "==": lambda a, b: int(a) == int(b),
                "!=": lambda a, b: int(a) != int(b),
                "<": lambda a, b: int(a) < int(b),
                "<=": lambda a, b: int(a) <= int(b),
                ">": lambda a, b: int(a) > int(b),
                ">=": lambda a, b: int(a) >= int(b),
                "+": lambda a, b: a + b,
                "-": lambda a, b: a - b,
                "*": lambda a, b: a * b,
                "/": lambda a, b: a / b,
                "%": lambda a, b: a % b,
            }[operator](left, right)
        )
    return left, words


def _unary(words: list[str], row: dict[str, int]) -> tuple[C, list[str]]:
    if words[0] == "-":
        found, rest = _unary(words[1:], row)
        return -found, rest
    if words[0] == "(":
        found, rest = _ternary(words[1:], row)
        assert rest[0] == ")"
        return found, rest[1:]
    return C(row[words[0]]) if words[0] in row else C(int(words[0])), words[1:]


ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=7, unique=True)


@settings(max_examples=15, deadline=None)
@given(rows=ROWS, seed=st.data())
def test_what_is_fitted_has_an_accepted_value_in_every_row(
    rows: list[tuple[int, int]], seed: st.DataObject
) -> None:
    accepted = [frozenset(seed.draw(st.sets(NUMBERS, min_size=1, max_size=3))) for _ in rows]
    columns = {"a": tuple(row[0] for row in rows), "b": tuple(row[1] for row in rows)}
    for fit in islice(fitting.values(columns, CONSTANTS, accepted), 200):
        for row, wanted in zip(rows, accepted, strict=True):
            assert value(fit.text, {"a": row[0], "b": row[1]}) in wanted, fit.text


@settings(max_examples=15, deadline=None)
@given(rows=ROWS, seed=st.data())
def test_a_fitted_condition_is_true_where_wanted(rows: list[tuple[int, int]], seed: st.DataObject) -> None:
    wanted = [seed.draw(st.booleans()) for _ in rows]
    original = [seed.draw(st.booleans()) for _ in rows]
    columns = {"a": tuple(row[0] for row in rows), "b": tuple(row[1] for row in rows)}
    for way, fit in islice(fitting.conditions(columns, CONSTANTS, wanted, original), 200):
        for row, right, before in zip(rows, wanted, original, strict=True):
            truth = bool(value(fit.text, {"a": row[0], "b": row[1]}))
            whole = {"only": truth, "&&": before and truth, "||": before or truth}[way]
            assert whole is right, (way, fit.text)


def test_many_terms_are_fitted_where_there_are_enough_rows() -> None:
    rows = [(2, 2, 2), (1, 2, 3), (2, 7, 3), (10, 1, 10), (4, 5, 9), (1, 3, 10), (6, 1, 1), (3, 3, 8)]
    columns = {name: tuple(row[i] for row in rows) for i, name in enumerate("abc")}
    accepted = [frozenset((a * b + b * c + a * c - a - b - c + 1,)) for a, b, c in rows]
    fits = [fit.text for fit in fitting.values(columns, CONSTANTS, accepted)]
    assert "a * b + a * c + b * c + 1 - a - b - c" in fits


@pytest.mark.parametrize(
    "formula",
    [
        "2 * a * b - 3 * a + 1",
        "(a * a + a) / 2",
        "(a - b) * (a + 2)",
        "(a - 1) * (b - 1)",
        "a % 17 - b",
        "a < b ? a : b",
        "a * 2 > b + 17 ? a * 2 : b + 17",
    ],
)
def test_the_formula_itself_is_among_the_first_fits(formula: str) -> None:
    rows = [(1, 2), (4, 5), (20, 3), (7, 1), (3, 9), (40, 5), (10, 10), (6, 19), (33, 2), (8, 8)]
    accepted = [frozenset((value(formula, {"a": a, "b": b}),)) for a, b in rows]
    columns = {"a": tuple(row[0] for row in rows), "b": tuple(row[1] for row in rows)}
    fresh = [(13, 4), (2, 31), (18, 18), (50, 7)]
    fits = list(islice(fitting.values(columns, CONSTANTS, accepted), 5))
    assert any(
        all(value(f.text, {"a": a, "b": b}) == value(formula, {"a": a, "b": b}) for a, b in fresh)
        for f in fits
    )


@given(zero=NUMBERS, step=NUMBERS, wanted=NUMBERS)
def test_along_a_line_the_value_is_known(zero: int, step: int, wanted: int) -> None:
    printed = [Response.read(str(zero)), Response.read(str(zero + step))]
    if step:
        assert synthesis.solved(printed, Response.read(str(zero + wanted * step))) == wanted
    assert synthesis.solved(printed, Response.read(f"{zero} {wanted}")) is None
    value = synthesis.solved(printed, Response.read(str(wanted)))
    assert value is None or zero + value * step == wanted


@given(
    columns=st.lists(st.tuples(*[NUMBERS] * 4), min_size=1, max_size=3),
    weights=st.lists(st.fractions(max_denominator=4), min_size=3, max_size=3),
)
def test_solving_gives_the_weights_back(columns: list[tuple[int, ...]], weights: list[Fraction]) -> None:
    sums = [sum(w * c[i] for w, c in zip(weights, columns, strict=False)) for i in range(4)]
    scale = 1
    for each in sums:
        scale *= Fraction(each).denominator
    found = fitting.solve(columns, tuple(int(each * scale) for each in sums))
    if found is not None:
        assert found == [w * scale for w in weights[: len(columns)]]


def required_by(name: str) -> list[Requirement]:
    about = tomllib.loads((ZOO / name / "subject.toml").read_text())
    inputs = [Input(text) for text in (*about["failing"], *about["passing"])]
    with closing(CEvaluator((ZOO / name / "golden.c").read_bytes())) as golden:
        return [Requirement(i, answer) for i, answer in zip(inputs, golden.original(inputs), strict=True)]


@pytest.mark.parametrize("name", ["fence", "parking"])
def test_values_lead_where_single_edits_and_pairs_do_not(name: str) -> None:
    source = (ZOO / name / "buggy.c").read_bytes()
    requirements = required_by(name)
    with closing(CEvaluator(source)) as evaluator, closing(CEvaluator(source)) as prober:
        evaluator.add(list(CEdits().candidates(source, Hints())))
        evaluator.add(list(islice(CPairs().candidates(source, Hints()), 3_000)))
        assert not evaluator.judge(requirements).survivors
        made = list(CSynthesis(prober, requirements).candidates(source, Hints()))
        ids = evaluator.add(made)
        survivors = evaluator.judge(requirements, ids).survivors
        assert survivors
        best = min(survivors, key=lambda number: made[number - ids.start].cost)
        fresh = [Input(text) for text in ("4 9 2", "9 4 7", "2 7 7", "6 5 3", "3 3 3", "8 1 4", "1 9 9")]
        with closing(CEvaluator((ZOO / name / "golden.c").read_bytes())) as golden:
            right = golden.original(fresh)
        printed = [next(iter(groups)) for groups in evaluator.outputs(fresh, [best])]
        assert printed == right, made[best - ids.start]


def test_the_same_tests_give_the_same_candidates() -> None:
    source = (ZOO / "fence" / "buggy.c").read_bytes()
    requirements = required_by("fence")
    found = []
    for _ in range(2):
        with closing(CEvaluator(source)) as prober:
            found.append(list(CSynthesis(prober, requirements).candidates(source, Hints())))
    assert found[0] == found[1] != []


def test_nothing_is_made_where_no_value_repairs_or_no_time_is_left() -> None:
    source = (ZOO / "fence" / "buggy.c").read_bytes()
    impossible = [Requirement(Input("1 2 3"), Response.read("hello"))]
    with closing(CEvaluator(source)) as prober:
        assert not list(CSynthesis(prober, impossible).candidates(source, Hints()))
        assert not list(CSynthesis(prober, required_by("fence"), lambda: False).candidates(source, Hints()))
        assert not list(CSynthesis(prober, []).candidates(source, Hints()))


LONG = b"""#include <stdio.h>
int main(void) {
    int n, k = 0;
    scanf("%%d", &n);
    %s
    for (int i = 0; i < 30; i++) { if (i * n > 9000) k++; }
    printf("%%d %%d", v39, k);
    return 0;
}
""" % b" ".join([b"int v0 = n;", *(b"int v%d = v%d;" % (i, i - 1) for i in range(1, 40))])


def test_many_places_and_many_visits_are_bounded_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of forty values would repair the program, and the condition is met 30 times on each test."""
    fitted: list[int] = []
    values = fitting.values

    def counted(columns: dict[str, tuple[int, ...]], *others: Any) -> Any:
        fitted.append(len(next(iter(columns.values()))))
        return values(columns, *others)

    monkeypatch.setattr(fitting, "values", counted)
    requirements = [Requirement(Input(str(n)), Response.read(f"{n + 1} 0")) for n in range(2, 5)]
    with closing(CEvaluator(LONG)) as prober:
        made = list(CSynthesis(prober, requirements).candidates(LONG, Hints()))
        survivors = prober.judge(requirements, prober.add(made)).survivors
    assert survivors
    assert len(made) <= synthesis.MADE
    assert 0 < len(fitted) <= 2 * synthesis.FITTED


def test_of_many_visits_the_first_of_every_run_are_fitted_failing_ones_before() -> None:
    runs = [[(run, visit, 0, 1) for visit in range(30)] for run in range(10)]
    wishes = [synthesis.Wish(tuple(rows), (frozenset((1,)),) * 30) for rows in runs]
    every = dict.fromkeys(row[:-2] for rows in runs for row in rows)
    kept = synthesis._first(every, wishes)
    assert len(kept) == synthesis.ROWS
    assert kept[:11] == [*((run, 0) for run in range(9, -1, -1)), (9, 1)]
    few = dict(list(every.items())[: synthesis.ROWS])
    assert synthesis._first(few, wishes[:4]) == list(few)

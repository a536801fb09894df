"""Which inputs make sense: conditions as people write them, and conditions that are learned."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeProgram, problem_of

from learn2fix.conversation.loop import converse
from learn2fix.domain.where import FUNCTIONS, parse_where
from learn2fix.errors import UsageError
from learn2fix.fuzzing.sense import in_words, learned
from learn2fix.guided.strategy import Guided
from learn2fix.model import Answer, Question, Verdict

NAMES = ("n", "m", "a")
TERMS = st.recursive(
    st.sampled_from(["n", "m", "len(a)", "max(a)", "sum(a)", "0", "1", "7", "-3"]),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner),
        st.builds("abs({})".format, inner),
    ),
    max_leaves=4,
)
COMPARED = st.builds("{} {} {}".format, TERMS, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), TERMS)
CONDITIONS = st.recursive(
    st.one_of(COMPARED, st.builds("{} <= {} < {}".format, TERMS, TERMS, TERMS), st.just("a == sorted(a)")),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=4,
)


@given(CONDITIONS, st.integers(-9, 9), st.integers(-9, 9), st.lists(st.integers(-9, 9), max_size=4))
def test_a_condition_means_what_it_means_in_python(text: str, n: int, m: int, a: list[int]) -> None:
    try:
        wanted = bool(eval(text, {"__builtins__": {}, **FUNCTIONS}, {"n": n, "m": m, "a": a}))
    except (ValueError, ArithmeticError):
        wanted = False
    assert parse_where(text, NAMES).holds((n, m, a)) is wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n >",
        "x > 1",
        "n.real > 1",
        "[n]",
        "open('f')",
        "n ** 99 > 1",
        "lambda: 1",
        "len(a, key=1)",
        "n if m else a",
    ],
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError):
        parse_where(text, NAMES)


@given(st.text(max_size=20))
def test_no_text_does_harm(text: str) -> None:
    with contextlib.suppress(UsageError):
        parse_where(text, NAMES).holds((1, 2, [3]))


def test_what_cannot_be_computed_does_not_hold() -> None:
    assert not parse_where("len(n) > 1", NAMES).holds((1, 2, []))
    assert not parse_where("max(a) > 1", NAMES).holds((1, 2, []))


@pytest.mark.parametrize(
    ("sensible", "senseless", "words"),
    [
        ([(3, 5, [1]), (1, 2, [4])], [(0, 5, [1])], "n >= 1"),
        ([(3, 5, [1]), (0, 2, [4])], [(-1, 5, [1])], "n >= 0"),
        ([(3, 5, [1]), (1, 2, [4])], [(4, 5, [])], "len(a) >= 1"),
        ([(3, 5, [1]), (1, 2, [4])], [(6, 5, [2])], "n <= m"),
        ([(3, 5, [1]), (1, 2, [4])], [(0, 5, [1]), (9, 5, [2])], "n >= 1 and n <= m"),
        ([(3, 1, [0, 1]), (1, 2, [4, 2])], [(3, 1, [-5, 1])], "min(a) >= 0"),
    ],
)
def test_the_weakest_condition_that_tells_them_apart_is_learned(
    sensible: list[Any], senseless: list[Any], words: str
) -> None:
    assert in_words(learned(NAMES, sensible, senseless)) == words


VALUES = st.tuples(
    st.integers(-20, 2000),
    st.one_of(st.integers(-5, 5), st.fractions(-5, 5)),
    st.lists(st.integers(-9, 9), max_size=3),
)


@given(st.lists(VALUES, min_size=1, max_size=5), st.lists(VALUES, max_size=5))
def test_what_made_sense_is_never_excluded(sensible: list[Any], senseless: list[Any]) -> None:
    found = learned(NAMES, sensible, senseless)
    assert all(each.holds(values) for each in found for values in sensible)
    assert len(found) <= len(senseless)
    assert all(parse_where(each.text, NAMES) == each for each in found)


def test_names_that_are_no_words_are_not_spoken_of() -> None:
    assert learned(("a b", "if", "n"), [(1, 1, Fraction(1, 2))], [(0, 0, Fraction(1, 2))]) == ()


def share() -> FakeProgram:
    """What each of b people pays of a; with nobody there it prints something all the same."""
    return FakeProgram(
        lambda a, b: a // b + 1 if b > 0 else 7,
        {
            "right": lambda a, b: -(-a // b) if b > 0 else 7,
            "right too": lambda a, b: -(-a // b) if b > 0 else 8,
            "down": lambda a, b: a // b if b > 0 else 9,
            "up to nobody": lambda a, b: -(-a // b) if b > 0 else a - b,
        },
    )


def test_what_makes_no_sense_is_asked_once_or_twice_and_refutes_nothing() -> None:
    def reply(question: Question) -> Answer:
        a, b = question.observation.input.values
        if b < 1:
            return Answer(Verdict.INVALID)
        wanted = str(-(-a // b))
        right = str(question.observation.outcome.response) == wanted
        return Answer(Verdict.OK) if right else Answer(Verdict.BUG, wanted)

    strategy = Guided(problem_of(share(), "12 3", "4"), share())
    conversation = converse(strategy, labels=10, late=lambda: False)
    asked: list[Question] = []
    try:
        asked.append(next(conversation))
        while True:
            asked.append(conversation.send(reply(asked[-1])))
    except StopIteration:
        found = strategy.findings()
    strategy.close()
    senseless = [question for question in asked if question.observation.input.values[1] < 1]
    assert len(senseless) <= 2
    assert found.patches[0].candidate.edits[0].text == b"right"
    if senseless:
        assert found.where in ("b >= 0", "b >= 1", "b >= 0 and b >= 1", "b != 0")


def test_a_condition_of_the_user_keeps_questions_out() -> None:
    problem = problem_of(share(), "12 3", "4")
    problem = type(problem)(
        problem.subject,
        problem.domain.with_where(["b >= 2"]),
        problem.options,
        problem.known,
        problem.clock,
        problem.deadline,
        problem.end,
        problem.emit,
    )
    strategy = Guided(problem, share())
    for question in converse(strategy, labels=1, late=lambda: False):
        assert question.observation.input.values[1] >= 2
        break
    found = strategy.findings()
    strategy.close()
    assert found.where == "b >= 2"
    assert all(observation.input.values[1] >= 2 for observation in found.generated)


@pytest.mark.parametrize(
    ("sensible", "senseless", "wanted"),
    [
        ([(1, 1, [1, -1])], [(1, 1, [2, 0])], "max(a) <= n"),
        ([(3, 1, [1, -1])], [(3, 1, [2, -7])], "min(a) >= -n"),
        ([(9, 9, [4, 5, 6, 7])], [(9, 9, [4, 5, 6])], "len(a) >= 4"),
        ([(9, 9, [12, 40])], [(9, 9, [12, 11])], "a == sorted(a)"),
        ([(4, 2, [5, 5])], [(4, 2, [5, 5, 5]), (4, 2, [9, 9, 9])], "len(a) <= 2"),
    ],
)
def test_what_is_learned_of_lists(sensible: list[Any], senseless: list[Any], wanted: str) -> None:
    found = learned(NAMES, sensible, senseless)
    assert in_words(found) == wanted

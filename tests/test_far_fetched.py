"""Patches that look made for the answers at hand, and what looks wrong although all fixes agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeProgram, problem_of

from learn2fix.conversation.loop import converse
from learn2fix.guided.far_fetched import expected_text, own_numbers, removes_block
from learn2fix.guided.strategy import Guided
from learn2fix.model import Answer, Candidate, Edit, Input, Question, Verdict

SOURCE = b"""def leap(year):
    for part in (4, 100):
        if year % part:
            return "no"
    return "yes"
"""


def patch(old: bytes, new: bytes) -> Candidate:
    at = SOURCE.index(old)
    return Candidate((Edit(at, at + len(old), new),), "test", 1.0)


LOOP = SOURCE[SOURCE.index(b"    for") : SOURCE.index(b'    return "yes"')]


@pytest.mark.parametrize(
    ("changed", "block", "numbers", "text"),
    [
        (patch(LOOP, b""), True, False, False),
        (patch(LOOP, b"    if year % 4:\n        return 'no'\n"), False, False, False),
        (patch(b"year % part", b"year % part or year == 2100"), False, True, False),
        (patch(b"year % part", b"year % part or year > 2099"), False, True, False),
        (patch(b"year % part", b"year % part or year > 1999"), False, False, False),
        (patch(b"year % part", b"year % part or year == 100"), False, False, False),
        (patch(b"year % part", b"year % part or year == 1"), False, False, False),
        (patch(b'"yes"', b'"maybe"'), False, False, True),
        (patch(b'"yes"', b'"no"'), False, False, False),
    ],
)
def test_what_makes_a_patch_far_fetched(changed: Candidate, block: bool, numbers: bool, text: bool) -> None:
    assert removes_block(SOURCE, changed) is block
    assert own_numbers(SOURCE, changed, [Input("2100", (2100,))]) is numbers
    assert expected_text(SOURCE, changed, ["maybe", "no"]) is text


@given(st.binary(max_size=30), st.data(), st.binary(max_size=12))
def test_any_bytes_can_be_looked_at(source: bytes, data: st.DataObject, new: bytes) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    candidate = Candidate((Edit(start, end, new),), "test", 1.0)
    removes_block(source, candidate)
    own_numbers(source, candidate, [Input("1 2", (1, 2.5))])
    expected_text(source, candidate, ["abc", ""])
    if new == source[start:end]:
        assert not removes_block(source, candidate)
        assert not own_numbers(source, candidate, [Input("777", (777,))])


def middle(a: int, b: int, c: int) -> object:
    """The middle one of three; nothing where two are equal, which is a bug of its own."""
    return sorted((a, b, c))[1] if len({a, b, c}) == 3 else ""


def test_what_looks_wrong_by_itself_is_asked_about_once_although_all_fixes_agree() -> None:
    program = FakeProgram(
        lambda a, b, c: max(a, b) if min(a, b) < c < max(a, b) and len({a, b, c}) == 3 else middle(a, b, c),
        {"right but for ties": middle},
    )

    def reply(question: Question) -> Answer:
        wanted = str(sorted(question.observation.input.values)[1])
        right = str(question.observation.outcome.response) == wanted
        return Answer(Verdict.OK) if right else Answer(Verdict.BUG, wanted)

    strategy = Guided(problem_of(program, "10 90 40", "40"), program)
    conversation = converse(strategy, labels=10, late=lambda: False)
    asked: list[Question] = []
    try:
        asked.append(next(conversation))
        while True:
            asked.append(conversation.send(reply(asked[-1])))
    except StopIteration:
        found = strategy.findings()
    strategy.close()
    ties = [question for question in asked if len(set(question.observation.input.values)) < 3]
    assert ties
    assert not found.patches, "no fix is right about ties, and a tie was asked about"

"""What answers that are taken back, or left out, do to the space of candidates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.test_guided import given_input, said, space_of

from learn2fix.model import Requirement


def test_what_only_one_answer_refutes_is_found_again() -> None:
    space = space_of((b"second", b"sum", b"larger"))
    for values, expected in (((3, 5), "5"), ((5, 3), "3"), ((9, 2), "9")):
        space.require(Requirement(given_input(*values), said(expected)))
    space.open_stage()
    space.widen(10)
    assert not space.survivors
    assert {space.candidates[n].edits[0].text for n in space.without(1, 10)} == {b"larger"}
    assert {space.candidates[n].edits[0].text for n in space.without(2, 10)} == {b"second"}
    assert space.without(0, 10) == []


ANSWERS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 6))


@given(st.lists(ANSWERS, max_size=4), st.lists(ANSWERS, max_size=4), st.integers(0, 5))
def test_an_answer_taken_back_leaves_no_trace(
    before: list[tuple[int, int, int]], after: list[tuple[int, int, int]], judged: int
) -> None:
    def requirements(answers: list[tuple[int, int, int]]) -> list[Requirement]:
        return [Requirement(given_input(a, b), said(str(right))) for a, b, right in answers]

    changed, fresh = space_of(), space_of()
    for space, answers in ((changed, before), (fresh, after)):
        for requirement in requirements(answers):
            space.require(requirement)
        space.open_stage()
        space.widen(judged)
    changed.restate(requirements(after))
    assert (changed.survivors, changed.fallen) == (fresh.survivors, fresh.fallen)
    assert changed.widen(10) == fresh.widen(10)
    assert changed.survivors == fresh.survivors

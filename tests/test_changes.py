"""What a fix does to an answer, and that it is asked about where it was not seen yet."""

from __future__ import annotations

import pytest
from tests.fake_program import observed, said
from tests.test_choosing import state_of

from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.guided.changes import kind_of_change
from learn2fix.guided.choosing import prospect
from learn2fix.guided.confirming import confirmation
from learn2fix.guided.state import Expectation
from learn2fix.guided.tuning import Tuning
from learn2fix.model import Answer, Ending, Label, Outcome, Verdict

RAISED = Outcome(Ending.RAISED, detail="IndexError").response


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("3", "5"), ("5", "3")),
        (("[1, 2]", "[1]"), ("[1]", "[1, 2]")),
        (("[1, 2]", "[1, 3]"), ("[1, 2]", "[1, 1]")),
        (("'ab'", "'abc'"), ("'ab'", "'a'")),
        (("'ab'", "'ba'"), ("'ab'", "'abb'")),
        (("3", "None"), ("None", "3")),
    ],
)
def test_ways_of_changing_an_answer_differ(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert kind_of_change(*map(said, one)) != kind_of_change(*map(said, other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("3", "5"), ("70", "800")),
        (("[1, 2]", "[1]"), ("[(4, 4), (5, 5)]", "[(4, 4)]")),
        (("'ab'", "'abc'"), ("'x y'", "'x y z'")),
    ],
)
def test_changes_of_one_way_are_alike(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert kind_of_change(*map(said, one)) == kind_of_change(*map(said, other))


def test_an_answer_for_an_exception_is_a_change_of_its_own() -> None:
    kinds = {
        kind_of_change(RAISED, said("3")),
        kind_of_change(said("3"), RAISED),
        kind_of_change(said("3"), said("4")),
    }
    assert len(kinds) == 3


def test_where_a_program_says_only_yes_or_no_both_directions_count() -> None:
    words = frozenset({"yes", "no"})
    yes, no = said("yes"), said("no")
    assert kind_of_change(yes, no, words) != kind_of_change(no, yes, words)


def test_a_fix_that_made_numbers_larger_is_asked_about_where_it_makes_one_smaller() -> None:
    """The program answers with its first number, the fix with its second."""
    rows = {(3, 6): {0: "6"}, (90, 800): {0: "800"}, (4, 7): {0: "7"}, (9, 2): {0: "2"}}
    bugs = [Label(observed(*v), Answer(Verdict.BUG, str(v[1]))) for v in ((3, 6), (90, 800), (4, 7))]
    held = [Expectation(1.0, True, True)] * 3
    asked = confirmation(state_of(rows, bugs, held), Tuning())
    assert isinstance(asked, Ask), "enough predictions held, but none about a smaller number"
    assert asked.observation.input.text == "9 2"
    known = Label(observed(9, 2), Answer(Verdict.BUG, "2"))
    assert isinstance(confirmation(state_of(rows, [*bugs, known], [*held, held[0]]), Tuning()), Stop)


def test_what_fixes_were_cut_on_is_no_question() -> None:
    state = state_of({(3, 6): {0: "6", 1: "6"}, (90, 800): {0: "800", 1: "800"}})
    never = Outcome(Ending.TIMEOUT).response
    state.printed.record("90 800", {never: [0, 1]})
    ended, cut = (prospect(state, each) for each in state.pool)
    assert ended.sense == 1.0
    assert cut.sense == pytest.approx(0.0)

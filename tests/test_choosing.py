"""Choosing and confirming: pure functions of the state, on programs that are plain functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.fake_program import FakeProgram, given_input, observed, problem_of, said

from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.domain.outputs import same_output
from learn2fix.guided.choosing import (
    best_question,
    farthest,
    prospects,
    question_without_fixes,
    sense,
    still_unexplained,
    with_choices,
)
from learn2fix.guided.confirming import confirmation
from learn2fix.guided.state import Expectation, State
from learn2fix.guided.strategy import Guided
from learn2fix.guided.tuning import Tuning
from learn2fix.model import (
    Answer,
    Ending,
    Label,
    Observation,
    Outcome,
    Point,
    Question,
    Response,
    Verdict,
)
from learn2fix.oracles.patch_committee import Printed


class Numbers:
    numeric = True

    def point(self, observation: Observation) -> Point:
        return (*observation.input.values, 0)


def state_of(
    rows: dict[tuple[int, int], dict[int, str]],
    asked: Sequence[Label] = (),
    expectations: Sequence[Expectation | None] = (),
    **options: object,
) -> State:
    """`rows`: for each input what each candidate prints; candidate 0 is the likeliest."""
    printed = Printed()
    pool = tuple(observed(*values) for values in rows)
    for each, row in zip(pool, rows.values(), strict=True):
        groups: dict[Response, list[int]] = {}
        for number, text in row.items():
            groups.setdefault(said(text), []).append(number)
        printed.record(each.input.text, groups)
    members = sorted({number for row in rows.values() for number in row})
    behaviours = printed.behaviours([p.input.text for p in pool], members, {n: 1 + n / 10 for n in members})
    known = (Label(observed(3, 5), Answer(Verdict.BUG, "5")),)
    return State(
        Numbers(),
        known,
        tuple(asked),
        pool,
        behaviours,
        printed,
        len(members),
        tuple(expectations),
        **options,  # type: ignore[arg-type]
    )


def test_the_input_on_which_fixes_disagree_is_chosen() -> None:
    state = state_of({(1, 2): {0: "2", 1: "2"}, (7, 2): {0: "7", 1: "2"}})
    chosen = best_question(state)
    assert chosen is not None
    assert chosen.prospect.observation.input.text == "7 2"
    assert best_question(state) == chosen


def test_what_a_likely_fix_has_no_answer_to_is_asked_about_last() -> None:
    rows = {(1, 1): {0: "⟨crash: SIGSEGV⟩", 1: "2"}, (40, 60): {0: "-7", 1: "-8"}}
    chosen = best_question(state_of(rows))
    assert chosen is not None
    assert chosen.prospect.observation == observed(40, 60)


def test_nothing_is_chosen_where_all_agree() -> None:
    assert best_question(state_of({(1, 2): {0: "2", 1: "2"}})) is None


def test_a_failing_input_without_an_expected_output_is_worth_asking_about() -> None:
    state = state_of({(7, 2): {0: "7", 1: "7"}})
    unknown = State(Numbers(), (Label(observed(3, 5), Answer(Verdict.BUG)),), printed=state.printed)
    assert [p.observation.input.text for p in prospects(unknown)] == ["3 5"]


def test_what_makes_less_sense_is_asked_about_less() -> None:
    fine, near = observed(4, 6), observed(400, 600)
    senseless = Label(observed(401, 600), Answer(Verdict.INVALID))
    crashed = Observation(given_input(8, 8), Outcome(Ending.SIGNALLED, status=11))
    state = state_of(
        {}, [senseless], [None], undefined=frozenset({"9 9"}), usual=lambda i: max(i.values) < 1000
    )
    assert sense(state, fine) == 1.0
    assert sense(state, near) < 1.0
    assert sense(state, crashed) < 0.5
    assert sense(state, observed(9, 9)) < 0.5
    assert sense(state, observed(5000, 1)) < 1.0


def test_where_the_bug_is_that_nothing_is_printed_other_such_inputs_make_sense() -> None:
    silent = Observation(given_input(8, 8), Outcome(Ending.EXITED))
    quiet = Label(Observation(given_input(9, 9), Outcome(Ending.EXITED)), Answer(Verdict.BUG, "9"))
    assert sense(state_of({}), silent) < 0.5
    assert sense(state_of({}, [quiet], [None]), silent) == 1.0


def test_an_exception_is_an_answer_where_some_input_should_raise() -> None:
    raised = Observation(given_input(4, 4), Outcome(Ending.RAISED, detail="ValueError"))
    assert sense(state_of({}), raised) < 0.5
    assert sense(state_of({}, raising=True), raised) == 1.0


def test_confirmations_are_far_from_what_was_answered_and_end() -> None:
    rows = {(3, 6): {0: "6"}, (90, 800): {0: "800"}, (7, 2): {0: "7"}, (70, 20): {0: "70"}}
    first = confirmation(state_of(rows), Tuning())
    assert isinstance(first, Ask)
    assert first.observation.input.text == "90 800"
    held = [Expectation(1.0, True, True), Expectation(1.0, True, True)]
    bugs = [
        Label(observed(90, 800), Answer(Verdict.BUG, "800")),
        Label(observed(3, 6), Answer(Verdict.BUG, "6")),
    ]
    second = confirmation(state_of(rows, bugs, held), Tuning())
    assert isinstance(second, Ask)
    assert second.observation.input.text == "70 20"
    fine = Label(observed(70, 20), Answer(Verdict.OK))
    done = confirmation(state_of(rows, [*bugs, fine], [*held, Expectation(0.0, False, True)]), Tuning())
    assert isinstance(done, Stop)
    assert done.reason == "one possible fix is left"


def test_what_a_refuted_fix_foresaw_confirms_nothing() -> None:
    rows = {(90, 800): {0: "800"}, (70, 20): {0: "70"}, (5, 60): {0: "60"}}
    bugs = [Label(observed(*values), Answer(Verdict.BUG, "9")) for values in ((1, 2), (1, 3), (1, 4))]
    held, failed = Expectation(1.0, True, True), Expectation(1.0, True, False)
    asked = confirmation(state_of(rows, bugs, [held, held, failed]), Tuning())
    assert isinstance(asked, Ask)
    assert asked.observation.input.text == "90 800"


def test_a_fix_that_changes_every_answer_is_confirmed_as_often_as_others() -> None:
    rows = {(90, 800): {0: "800"}, (5, 60): {0: "60"}}
    bugs = [Label(observed(*values), Answer(Verdict.BUG, "9")) for values in ((1, 2), (1, 3))]
    assert isinstance(confirmation(state_of(rows, bugs, [Expectation(1.0, True, True)] * 2), Tuning()), Ask)
    bugs.append(Label(observed(1, 4), Answer(Verdict.BUG, "9")))
    done = confirmation(state_of(rows, bugs, [Expectation(1.0, True, True)] * 3), Tuning())
    assert isinstance(done, Stop)


def test_a_fix_is_confirmed_where_fixes_that_were_nearly_right_go_wrong() -> None:
    rows = {(3, 6): {0: "6"}, (90, 800): {0: "800"}, (4, 7): {0: "7"}}
    asked = confirmation(state_of(rows), Tuning(), contested={"3 6": 0.9, "4 7": 0.2, "90 800": 0.1})
    assert isinstance(asked, Ask)
    assert asked.observation.input.text == "3 6"


def test_a_fix_is_confirmed_on_statements_that_no_known_bug_executes() -> None:
    rows = {(3, 6): {0: "6"}, (90, 800): {0: "800"}, (4, 7): {0: "7"}}
    paths = {"3 5": {1}, "3 6": {1}, "90 800": {1}, "4 7": {1, 2}}
    lines = {text: frozenset(path) for text, path in paths.items()}
    first = confirmation(state_of(rows, paths=lines), Tuning())
    assert isinstance(first, Ask)
    assert first.observation.input.text == "4 7", "the others are farther, but on statements that are known"
    bugs = [
        Label(observed(*values), Answer(Verdict.BUG, str(values[1])))
        for values in ((3, 6), (90, 800), (9, 9))
    ]
    held = [Expectation(1.0, True, True)] * 3
    last = confirmation(state_of(rows, bugs, held, paths=lines), Tuning())
    assert isinstance(last, Ask), "confirmed often enough, but nowhere on statement 2"
    assert last.observation.input.text == "4 7"
    bugs.append(Label(observed(4, 7), Answer(Verdict.BUG, "7")))
    assert isinstance(confirmation(state_of(rows, bugs, [*held, held[0]], paths=lines), Tuning()), Stop)


def test_fixes_that_count_as_one_are_compared_until_an_input_parts_them() -> None:
    """An input that parts two behaviours which are known to differ is no reason to stop looking."""
    fixes = {
        "less one": lambda a, b: a + b - 1,
        "less one up to a million": lambda a, b: a + b - (a < 10**6),
        "the larger": lambda a, b: max(a, b),
    }
    program = FakeProgram(lambda a, b: a + b, fixes)
    strategy = Guided(problem_of(program, "3 0", "2"), program)
    asked = []
    while isinstance(chosen := strategy.choose(), Ask) and len(asked) < 10:
        a, b = chosen.observation.input.values
        asked.append(a)
        question = Question(len(asked), 10, chosen.observation)
        strategy.record(question, Answer(Verdict.BUG, str(a + b - 1)) if a < 10**6 else Answer(Verdict.OK))
    strategy.finish()
    assert any(a >= 10**6 for a in asked)
    assert "up to a million" in strategy.findings().patches[0].diff
    strategy.close()


def test_trust_grows_with_predictions_that_held_and_is_lost_with_one_that_did_not() -> None:
    rows = {(7, 2): {0: "7"}}
    label, unsure = Label(observed(1, 1), Answer(Verdict.OK)), Label(observed(2, 2), Answer(Verdict.UNSURE))
    held, missed = Expectation(0.0, False, True), Expectation(0.0, False, False)
    trusts = [
        state_of(rows, [label] * len(seen), seen).trust for seen in ([], [held], [held, held], [held, missed])
    ]
    assert trusts[0] < trusts[1] < trusts[2]
    assert trusts[3] == trusts[0]
    assert state_of(rows, [label, unsure], [held, None]).streak == 1
    assert state_of({}, [label], [held]).trust == 0.0


def test_without_a_fix_the_question_is_where_labels_leave_it_open() -> None:
    class Halves:
        formula = None

        def chance(self, point: Point) -> float:
            return 0.5 if point[0] == 7 else 0.0

    state = state_of({(7, 2): {}, (6, 2): {}})
    chosen = question_without_fixes(state, Halves())
    assert isinstance(chosen, Ask)
    assert chosen.observation.input.text == "7 2"
    assert isinstance(question_without_fixes(state_of({}), Halves()), Stop)


def test_the_farthest_is_far_from_every_label() -> None:
    state = state_of({(3, 6): {0: "6"}, (500, 6): {0: "500"}})
    assert farthest(state, prospects(state)).input.text == "500 6"


def test_nobody_is_offered_an_exception_that_a_fix_runs_into() -> None:
    raised = Outcome(Ending.RAISED, detail="TypeError: no").response
    for raising in (False, True):
        state = state_of({(7, 2): {0: "8", 1: "9"}}, raising=raising)
        state.printed.record("7 2", {said("8"): [0], raised: [1]})
        asked = with_choices(state, Ask(state.pool[0], "why"))
        assert (raised in asked.choices) is raising
        assert {said("8"), said("7")} <= set(asked.choices)


MANY = {number: str(20 + number) for number in range(1, 13)}
HALVES = {number: "7" if number % 2 else "2" for number in range(1, 13)}


def test_who_only_recognises_what_is_right_is_asked_where_few_responses_are_possible() -> None:
    """Where every fix prints something else, "none of these" says nearly nothing."""
    rows = {(1, 2): MANY, (7, 2): HALVES}
    typing, choosing = best_question(state_of(rows)), best_question(state_of(rows, offered=2))
    assert typing is not None
    assert choosing is not None
    assert typing.prospect.observation.input.text == "1 2"
    assert choosing.prospect.observation.input.text == "7 2"
    assert choosing.gain < typing.gain


def test_what_is_offered_decides_what_a_question_is_worth() -> None:
    """All that is printed can be chosen: choosing tells as much as typing."""
    row = {(7, 2): {0: "7", 1: "2", 2: "9"}}
    typing, choosing = best_question(state_of(row)), best_question(state_of(row, offered=4))
    assert typing is not None
    assert choosing is not None
    assert choosing.gain == pytest.approx(typing.gain)


def test_more_is_offered_to_who_cannot_type() -> None:
    ask = Ask(observed(1, 2))
    assert len(with_choices(state_of({(1, 2): MANY}), ask).choices) == 4
    assert len(with_choices(state_of({(1, 2): MANY}, offered=8), ask).choices) == 8


def test_a_crash_is_not_offered_as_what_may_be_right() -> None:
    state = state_of(
        {(1, 2): {0: "7", 1: "⟨crash: SIGFPE⟩", 2: "⟨no answer in time⟩", 3: "⟨raises KeyError⟩"}},
        raising=True,
    )
    offered = {str(each) for each in with_choices(state, Ask(observed(1, 2))).choices}
    assert offered == {"7", "⟨raises KeyError⟩", str(observed(1, 2).outcome.response)}


def test_other_responses_are_offered_once_where_none_was_right_on_the_reported_input() -> None:
    none = Answer(Verdict.BUG, rejected=("1", "2"))
    reported, other = Label(observed(3, 5), none), Label(observed(4, 5), none)
    state = state_of({(1, 2): MANY}, [reported, other], [None, None], offered=3)
    assert still_unexplained(state) == [observed(3, 5)]
    twice = Label(observed(3, 5), Answer(Verdict.BUG, rejected=("1", "2", "3", "4")))
    assert not still_unexplained(state_of({(1, 2): MANY}, [twice], [None], offered=3))
    typed = Label(observed(3, 5), Answer(Verdict.BUG, "5"))
    assert not still_unexplained(state_of({(1, 2): MANY}, [typed], [None], offered=3))
    assert not still_unexplained(state_of({(1, 2): MANY}, [reported], [None]))


def test_what_no_answer_tells_apart_is_not_asked() -> None:
    """Who expects 7 is content with 7.000000: both fixes would be left, and the next question the same."""
    rows = {(7, 2): {0: "7", 1: "7.000000"}, (1, 8): {0: "8", 1: "8.000000"}}
    assert best_question(state_of(rows)) is not None
    assert best_question(state_of(rows, same=same_output)) is None
    apart = best_question(state_of({**rows, (4, 9): {0: "9", 1: "4.000000"}}, same=same_output))
    assert apart is not None
    assert apart.prospect.observation.input.text == "4 9"


def test_what_prints_more_than_anybody_reads_is_asked_about_only_where_nothing_else_can_be() -> None:
    state = state_of({(4, 5): {0: "1", 1: "2"}, (6, 7): {0: "1", 1: "2"}})
    short = state.pool[1]
    long = replace(state.pool[0], outcome=Outcome(Ending.EXITED, b"7 " * 900))

    def asked(*pool: Observation) -> list[Observation]:
        return [each.observation for each in prospects(replace(state, pool=pool))]

    assert asked(long, short) == [short]
    assert asked(long) == [long]

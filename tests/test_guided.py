"""The parts of the guided strategy, each by itself, on programs that are plain functions."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeEvaluator, FakeProgram, outcome, problem_of

from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.domain import Domain
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.guided.background import Background
from learn2fix.guided.choosing import best_question, farthest, prospects, question_without_fixes, sense
from learn2fix.guided.committee import Committee
from learn2fix.guided.confirming import confirmation
from learn2fix.guided.inputs import Inputs
from learn2fix.guided.search import Search
from learn2fix.guided.smaller_start import smaller_start
from learn2fix.guided.state import Expectation, State
from learn2fix.guided.strategy import Guided
from learn2fix.guided.tuning import Tuning
from learn2fix.languages.evaluator import WORK_LIMIT
from learn2fix.model import (
    Answer,
    Candidate,
    Edit,
    Ending,
    Input,
    Label,
    Observation,
    Outcome,
    Point,
    Question,
    Requirement,
    Response,
    Verdict,
)
from learn2fix.oracles.patch_committee import Printed
from learn2fix.repair.space import Space

FUNCTIONS = {
    b"second": lambda a, b: b,
    b"sum": lambda a, b: a + b,
    b"larger": max,
    b"larger, again": lambda a, b: a if a > b else b,
    b"crash": lambda a, b: a // 0,
}


def said(text: str) -> Response:
    return Response.read(text)


def given_input(*values: int) -> Input:
    return Input(" ".join(map(str, values)), values)


def observed(*values: int) -> Observation:
    given = given_input(*values)
    return Observation(given, outcome(lambda a, b: a, given))


def candidates(names: Sequence[bytes]) -> list[Candidate]:
    return [Candidate((Edit(0, 0, name),), "fake", 1 + i / 10) for i, name in enumerate(names)]


def space_of(names: Sequence[bytes] = tuple(FUNCTIONS), *stages: Sequence[bytes], **options: object) -> Space:
    made = [lambda space, names=names: iter(candidates(names)) for names in (names, *stages)]
    return Space(FakeEvaluator(FUNCTIONS), made, clock=lambda: 0.0, **options)  # type: ignore[arg-type]


def names_of(space: Space) -> set[bytes]:
    return {space.candidates[number].edits[0].text for number in space.survivors}


# The space.


def test_answers_shrink_the_space_and_widening_grows_it() -> None:
    space = space_of((b"second", b"sum"), (b"larger", b"larger, again", b"no such text"))
    space.require(Requirement(given_input(3, 5), said("5")))
    assert space.open_stage()
    assert space.widen(10) == 2
    assert names_of(space) == {b"second"}
    space.require(Requirement(given_input(5, 3), said("5")))
    assert not space.survivors
    assert space.stage_done
    assert space.open_stage()
    space.widen(10)
    assert names_of(space) == {b"larger", b"larger, again"}
    assert space.exhausted
    assert space.uncompilable == 1


def test_near_misses_are_remembered_by_how_far_they_came() -> None:
    space = space_of((b"second", b"sum", b"larger"))
    for values, expected in (((3, 5), "5"), ((5, 3), "5")):
        space.require(Requirement(given_input(*values), said(expected)))
    space.open_stage()
    space.widen(10)
    assert {space.candidates[n].edits[0].text: met for n, met in space.fallen.items()} == {
        b"second": 1,
        b"sum": 0,
    }


def test_what_is_known_is_not_run_again() -> None:
    evaluator = FakeEvaluator(FUNCTIONS)
    space = Space(evaluator, [lambda space: iter(candidates((b"second", b"larger")))], clock=lambda: 0.0)
    space.open_stage()
    space.widen(10)
    before = evaluator.runs
    space.require(Requirement(given_input(5, 3), said("5")), {0: False, 1: True})
    assert evaluator.runs == before
    assert names_of(space) == {b"larger"}


def test_responses_that_are_the_same_are_one_group() -> None:
    functions = {b"whole": lambda a, b: 3, b"real": lambda a, b: 3.0, b"other": lambda a, b: 4}
    space = Space(
        FakeEvaluator(functions),
        [lambda space: iter(candidates(list(functions)))],
        clock=lambda: 0.0,
        normal=lambda response: Response(response.ending, response.text.removesuffix(".0")),
    )
    space.open_stage()
    space.widen(3)
    assert space.outputs([given_input(1, 2)], [0, 1, 2]) == [{said("3"): (0, 1), said("4"): (2,)}]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=6))
def test_shares_do_not_change_what_survives(shares: list[int]) -> None:
    whole, slow = space_of(), space_of()
    for space in (whole, slow):
        space.require(Requirement(given_input(3, 5), said("5")))
        space.open_stage()
    whole.widen(100)
    while not slow.stage_done:
        for share in shares:
            slow.widen(share)
    assert slow.survivors == whole.survivors
    assert slow.judged == whole.judged


# The search.


def test_what_is_due_is_judged_in_slices_and_stays_in_its_stage() -> None:
    names = [b"sum"] * 1200
    space = space_of(names, (b"larger",))
    space.open_stage()
    search = Search(space, 40_000, lambda: False)
    search.owe(1100)
    assert list(search.steps()) == [500, 500, 100]
    search.owe(500)
    assert sum(search.steps()) == 100
    search.owe(500)
    assert not list(search.steps())
    assert search.round(10)
    assert not search.round(10)


def test_no_more_than_the_most_and_nothing_when_it_is_late() -> None:
    late = [False]
    space = space_of([b"sum"] * 100)
    space.require(Requirement(given_input(3, 5), said("5")))
    search = Search(space, 30, lambda: late[0])
    assert search.round(50)
    assert space.judged == 30
    assert not search.round(50)
    search.persist(60)
    assert space.judged == 60
    late[0] = True
    assert not search.round(50)


# The thread behind the question.


def test_required_steps_are_done_and_optional_ones_may_be_cut_short() -> None:
    background, done = Background(), []
    begun, go_on = threading.Event(), threading.Event()

    def required() -> Iterator[None]:
        for number in range(3):
            done.append(number)
            yield

    def optional() -> Iterator[None]:
        begun.set()
        go_on.wait()
        yield
        done.append(99)
        yield

    background.start(required(), optional())
    begun.wait()
    background._hurry.set()
    go_on.set()
    background.finish()
    assert done == [0, 1, 2]
    background.close()


def test_what_goes_wrong_behind_the_question_is_raised_before_the_next() -> None:
    background = Background()

    def wrong() -> Iterator[None]:
        raise ValueError("on purpose")
        yield

    background.start(wrong())
    with pytest.raises(ValueError, match="on purpose"):
        background.finish()
    background.close()


# The committee.


def committee_of(space: Space) -> Committee:
    space.open_stage()
    space.widen(100)
    return Committee(space, lambda: 0.0, math.inf, few=2, wide=10, size=10)


POOL = [observed(3, 5), observed(5, 3), observed(4, 4)]


def test_fixes_that_print_the_same_are_one_behaviour() -> None:
    space = space_of((b"second", b"sum", b"larger", b"larger, again"))
    committee = committee_of(space)
    committee.explore(POOL)
    texts = [{space.candidates[m].edits[0].text for m in b.members} for b in committee.behaviours]
    assert {b"larger", b"larger, again"} in texts
    assert len(texts) == 3


def test_foresight_prints_what_the_next_question_needs_and_changes_no_group() -> None:
    space = space_of((b"second", b"sum", b"larger"))
    committee = committee_of(space)
    committee.explore(POOL)
    before = committee.behaviours
    for _ in committee.foresee(POOL, observed(9, 1), [said("9"), said("1")]):
        pass
    assert committee.behaviours == before
    assert set(committee.printed.row("9 1")) == {0, 1, 2}


def test_who_is_known_to_meet_a_requirement() -> None:
    committee = committee_of(space_of((b"second", b"larger")))
    committee.explore(POOL)
    asked = Requirement(given_input(5, 3), said("5"))
    assert committee.meet(asked, lambda a, b: a == b) == {0: False, 1: True}
    # 5 is forbidden and 5.0 is the same number: only a run tells which of them a candidate prints.
    forbidden = Requirement(given_input(5, 3), forbidden=frozenset({said("5.0")}))
    known = committee.meet(forbidden, lambda a, b: float(a.text) == float(b.text))
    assert known == {0: True}
    # 5 was printed, 5.0 is wanted: what is noted as 5 may have been either.
    spelled = Requirement(given_input(5, 3), said("5.0"), frozenset({said("5")}))
    assert committee.meet(spelled, lambda a, b: float(a.text) == float(b.text)) == {0: False}


# Inputs.


def inputs_of(program: FakeProgram, failing: str = "30 50", small: Observation | None = None) -> Inputs:
    problem = problem_of(program, failing)
    return Inputs(problem, program, program.evaluator(problem.clock), random.Random(1), small)


def test_inputs_that_work_long_are_left_out_by_count() -> None:
    program = FakeProgram(lambda a, b: a, {}, work_of=lambda given: 10**6 if given.values[0] > 35 else 10)
    inputs = inputs_of(program)
    inputs.generate(40)
    assert len(inputs.pool) == 40
    assert all(each.input.values[0] <= 35 for each in inputs.pool)


def test_where_most_inputs_take_long_it_stops_looking() -> None:
    program = FakeProgram(lambda a, b: a, {}, work_of=lambda given: 10 if given.text == "30 50" else 10**6)
    inputs = inputs_of(program)
    inputs.generate(40)
    assert not inputs.pool
    assert inputs.weary


def test_where_the_failing_input_never_ends_others_may_take_what_is_light() -> None:
    program = FakeProgram(
        lambda a, b: a, {}, work_of=lambda given: 10**9 if given.text == "30 50" else given.values[0] * 10
    )
    inputs = inputs_of(program)
    inputs.generate(30)
    assert all(each.input.values[0] <= 100 for each in inputs.pool)
    assert len(inputs.pool) == 30


def test_inputs_of_other_magnitudes_are_answered_and_different() -> None:
    inputs = inputs_of(FakeProgram(lambda a, b: a, {}))
    made = inputs.distant(20)
    assert made
    assert {each.input.text for each in made}.isdisjoint(each.input.text for each in inputs.pool)
    inputs.keep(made)
    assert inputs.pool == made


def test_a_slow_failing_input_is_made_smaller() -> None:
    program = FakeProgram(lambda a, b: a, {}, work_of=lambda given: given.values[0])
    problem = problem_of(program, "900000 5")
    small = smaller_start(problem, program.evaluator(problem.clock), 900_000)
    assert small is not None
    assert small.input.values[0] == 900
    assert smaller_start(problem, program.evaluator(problem.clock), 4_000) is None


class ListProgram(FakeProgram):
    def domain(self, examples: Sequence[str]) -> Domain:
        return FormLayout(read_form("n, a[n]")).domain()


def test_a_long_list_that_takes_long_is_made_shorter() -> None:
    program = ListProgram(max, {}, work_of=lambda given: 1000 * len(given.values[0]))
    numbers = [10**6 + place for place in range(400)]
    problem = problem_of(program, f"400\n{' '.join(map(str, numbers))}\n")
    small = smaller_start(problem, program.evaluator(problem.clock), 900_000)
    assert small is not None
    assert small.input.text == f"3\n{' '.join(map(str, numbers[:3]))}\n"


def test_a_short_list_that_takes_for_ever_does_not_rule_out_longer_ones() -> None:
    program = ListProgram(max, {}, work_of=lambda given: WORK_LIMIT if len(given.values[0]) == 1 else 10)
    inputs = inputs_of(program, "3\n1 5 2\n")
    inputs.generate(12)
    assert inputs.distant(6)


# Choosing and confirming: pure functions of the state.


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


def test_a_fix_is_confirmed_on_lines_that_no_known_bug_executes() -> None:
    rows = {(3, 6): {0: "6"}, (90, 800): {0: "800"}, (4, 7): {0: "7"}}
    paths = {"3 5": {1}, "3 6": {1}, "90 800": {1}, "4 7": {1, 2}}
    lines = {text: frozenset(path) for text, path in paths.items()}
    first = confirmation(state_of(rows, paths=lines), Tuning())
    assert isinstance(first, Ask)
    assert first.observation.input.text == "4 7", "the others are farther, but on lines that are known"
    bugs = [
        Label(observed(*values), Answer(Verdict.BUG, str(values[1])))
        for values in ((3, 6), (90, 800), (9, 9))
    ]
    held = [Expectation(1.0, True, True)] * 3
    last = confirmation(state_of(rows, bugs, held, paths=lines), Tuning())
    assert isinstance(last, Ask), "confirmed often enough, but nowhere on line 2"
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

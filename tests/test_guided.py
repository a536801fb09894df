"""The parts of the guided strategy, each by itself, on programs that are plain functions."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import FakeEvaluator, FakeProgram, given_input, observed, problem_of, said

from learn2fix.domain import Domain
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.guided.background import Background
from learn2fix.guided.committee import Committee
from learn2fix.guided.inputs import Inputs
from learn2fix.guided.search import Search
from learn2fix.guided.smaller_start import smaller_start
from learn2fix.languages.evaluator import WORK_LIMIT
from learn2fix.model import (
    Answer,
    Candidate,
    Edit,
    Label,
    Observation,
    Requirement,
    Response,
    Verdict,
)
from learn2fix.repair.space import Space

FUNCTIONS = {
    b"second": lambda a, b: b,
    b"sum": lambda a, b: a + b,
    b"larger": max,
    b"larger, again": lambda a, b: a if a > b else b,
    b"crash": lambda a, b: a // 0,
}


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


def test_what_is_taken_is_judged_before_what_waits() -> None:
    space = space_of((b"second", b"sum"))
    space.require(Requirement(given_input(3, 5), said("5")))
    space.open_stage()
    space.take(candidates((b"larger", b"no such text")))
    assert names_of(space) == {b"larger"}
    assert space.judged == 2
    space.widen(10)
    assert names_of(space) == {b"larger", b"second"}


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


def test_what_is_led_by_answers_is_opened_again_after_another_one() -> None:
    led: list[int] = []

    def again(space: Space) -> Iterator[Candidate]:
        led.append(len(space.requirements))
        return iter(candidates((b"larger",)))

    space = space_of((b"second",), again=again)
    space.require(Requirement(given_input(3, 5), said("5")))
    space.open_stage()
    space.widen(10)
    assert space.exhausted
    space.require(Requirement(given_input(5, 3), said("5")))
    assert not space.exhausted
    assert space.open_stage()
    space.widen(10)
    assert names_of(space) == {b"larger"}
    assert space.exhausted
    assert not space.open_stage()
    assert led == [2]


def test_who_meets_what() -> None:
    space = space_of((b"second", b"sum", b"larger"))
    space.open_stage()
    space.widen(10)
    wanted = [Requirement(given_input(3, 5), said("5")), Requirement(given_input(5, 3), said("5"))]
    assert space.met([0, 1, 2], wanted) == {0: {0}, 1: set(), 2: {0, 1}}


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
    search = Search(space, 40_000, 40_000, lambda: False)
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
    space = space_of([b"larger"] * 100)
    space.require(Requirement(given_input(3, 5), said("5")))
    search = Search(space, 30, 60, lambda: late[0])
    assert search.round(50)
    assert space.judged == 50, "as long as nothing agrees with every answer there is no reason to stop"
    assert not search.round(50)
    space.require(Requirement(given_input(3, 5), said("8")))
    search.persist()
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


def test_inputs_that_differ_from_a_known_bug_in_one_value_are_made_once() -> None:
    program = ListProgram(lambda *values: sum(values[-1]), {})
    inputs = inputs_of(program, "3\n5 1 9\n")
    made = inputs.changed_singly(6)
    assert len(made) == 6
    for each in made:
        assert sum(a != b for a, b in zip(each.input.values[-1], [5, 1, 9], strict=True)) == 1
    more = inputs.changed_singly(100)
    assert more
    assert inputs.singles == [*made, *more]
    assert len({each.input.text for each in inputs.singles}) == len(inputs.singles)
    assert not inputs.changed_singly(100)
    (seen,) = inputs.observe([program.domain([]).parse("1\n7\n")])
    inputs.told(Label(seen, Answer(Verdict.BUG)))
    assert [each.input.values[-1] for each in inputs.changed_singly(100)] == [[8], [6]]


def test_what_made_no_sense_is_compared_on_no_more_wherever_it_came_from() -> None:
    inputs = inputs_of(FakeProgram(lambda a, b: a, {}))
    inputs.generate(8)
    far, near = inputs.distant(4)[0], inputs.pool[0]
    inputs.singles.append(near)
    for each in (near, far):
        inputs.told(Label(each, Answer(Verdict.INVALID)))
        assert not inputs.allowed(each.input)
        assert each not in (*inputs.pool, *inputs.far, *inputs.singles)
    assert inputs.allowed(inputs.pool[0].input)


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


def test_inputs_on_which_the_program_stumbles_are_few_unless_that_is_the_bug() -> None:
    def halved(a: int, b: int) -> int:
        return 10 // (a % 2) + b

    program = FakeProgram(halved, {})
    odd = inputs_of(program, "3 5")
    odd.generate(80)
    stumbled = [each for each in odd.pool if not each.outcome.completed]
    assert len(odd.pool) == 80
    assert 0 < len(stumbled) <= 24, "every other input would divide by zero"
    even = inputs_of(program, "4 5")
    even.generate(80)
    assert sum(not each.outcome.completed for each in even.pool) > 24


def test_a_function_is_compared_where_an_argument_is_zero_once() -> None:
    program = FakeProgram(lambda a, b: a + b, {}, function="add")
    inputs = inputs_of(program, "3 5")
    assert [each.input.text for each in inputs.corners()] == ["0 5", "3 0"]
    inputs.keep(inputs.corners()[:1])
    assert [each.input.text for each in inputs.corners()] == ["3 0"]
    assert inputs_of(FakeProgram(lambda a, b: a + b, {}), "3 5").corners() == []

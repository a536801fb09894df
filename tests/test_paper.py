"""The paper's strategy does what docs/paper.md says of it."""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fake_program import problem_of
from tests.line_domain import integers
from tests.strategy_conformance import program
from tests.test_learning import drive, learn, setup

from learn2fix.cli.options import options_of
from learn2fix.conversation.options import Options
from learn2fix.domain.inputs import words_domain
from learn2fix.errors import UsageError
from learn2fix.fuzzing import Fuzzer
from learn2fix.fuzzing.published import mutant
from learn2fix.labels.learning import Learning
from learn2fix.labels.published import as_published
from learn2fix.model import Answer, Ending, Kind, Label, Observation, Outcome, Question, Verdict
from learn2fix.oracles.incal import IncalLra
from learn2fix.oracles.work import UNLIMITED
from learn2fix.querying import Ask, Case, Skip
from learn2fix.querying.paper import AsRunRule
from learn2fix.session import Session
from learn2fix.session.session import strategy_for

ROOT = Path(__file__).parent.parent


def test_every_function_that_the_page_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.py):(\w+)`", (ROOT / "docs/paper.md").read_text())
    assert len(named) > 25
    for path, name in named:
        text = (ROOT / "src/learn2fix" / path).read_text()
        assert re.search(rf"^\s*(def|class) {name}\b|^{name}\b", text, re.MULTILINE), f"{path}:{name}"


def test_its_learner_is_incal_and_its_first_oracle_true() -> None:
    problem = problem_of(program(), "3 5", strategy="paper", only_learn=True)
    strategy = strategy_for(problem)
    assert strategy.findings().oracle_kind == "incal"
    inputs = [problem.domain.parse(text) for text in ("3 5", "9 1", "0 0")]
    assert strategy.chances(problem.observe(inputs)) == [1.0, 1.0, 1.0]
    ours = strategy_for(problem_of(program(), "3 5", strategy="paper", learner="smt", only_learn=True))
    assert ours.findings().oracle_kind == "smt"


def test_the_given_failing_test_is_the_first_of_its_labels() -> None:
    assert Options(labels=10).questions == 10
    assert Options(labels=10, strategy="paper").questions == 9
    assert Options(labels=0, strategy="paper").questions == 0
    assert Options(labels=10, strategy="paper", as_run=True).questions == 10
    assert Options(labels=10, strategy="paper", asks=False).questions == 0


def test_neighbours_are_made_from_the_very_test() -> None:
    learning = Learning(setup("paper", line=integers(2)))
    given = integers(2).render((4_000, 7_000_000))
    case = Case(Observation(given, Outcome(Ending.EXITED, b"1")), (4_000, 7_000_000, 1))
    made = [each.observation.input.values for each in learning.around(case, 10)]
    assert len(made) == 10
    assert sum(a == 4_000 or b == 7_000_000 for a, b in made) >= 5
    assert all((a, b) != (4_000, 7_000_000) for a, b in made)


def test_a_discarded_test_may_come_again_and_a_labelled_one_never() -> None:
    line = integers(1, 0, 9)
    fuzzer = Fuzzer(line, [line.render((5,))], random.Random(2), again=True)
    seen = [next(fuzzer).values[0] for _ in range(60)]
    assert 5 not in seen
    assert len(set(seen)) < len(seen)
    fuzzer.exclude(line.render((4,)))
    assert 4 not in [next(fuzzer).values[0] for _ in range(60)]


Numbers = st.integers(-(10**9), 10**9) | st.fractions(-100, 100, max_denominator=10)


@given(st.lists(Numbers, min_size=1, max_size=5), st.integers(0, 10**6))
def test_its_fuzzer_changes_at_least_one_position_and_no_type(values: list[Any], seed: int) -> None:
    rng = random.Random(seed)
    made = [mutant(tuple(values), rng) for _ in range(20)]
    assert all(len(each) == len(values) for each in made)
    assert any(each != tuple(values) for each in made)
    assert all(
        isinstance(new, int)
        for each in made
        for new, old in zip(each, values, strict=True)
        if type(old) is int
    )


def test_its_fuzzer_goes_near_and_far_and_leaves_some_positions() -> None:
    rng = random.Random(1)
    made = [mutant((1000, 7, 7), rng) for _ in range(2000)]
    assert 0.2 < sum(each[0] == 1000 for each in made) / len(made) < 0.4
    assert sum(abs(each[0] - 1000) in (1, 10) for each in made) > 50
    assert any(each[0] < 0 for each in made)
    assert any(each[0] > 20_000 for each in made)


@pytest.mark.parametrize(
    ("printed", "seen"), [("17", 17), ("YES", 1), ("no", 0), ("", 0), ("out of memory", 0), ("1 2", 0)]
)
def test_its_learner_sees_a_number_whatever_is_printed(printed: str, seen: int) -> None:
    numbers, failing = as_seen("Yes")
    assert [variable.kind for variable in numbers.all_variables] == [Kind.INT, Kind.INT]
    observation = replace(failing, outcome=Outcome(Ending.EXITED, printed.encode()))
    assert numbers.point(observation) == (5, seen)


def test_words_stay_words_where_a_program_prints_words() -> None:
    words, failing = as_seen("scalene")
    assert words.point(failing) == (5, "scalene")


def as_seen(printed: str) -> tuple[Any, Observation]:
    outcome = Outcome(Ending.EXITED, printed.encode())
    domain = words_domain(["5"]).with_output(outcome)
    failing = Observation(domain.parse("5"), outcome)
    return as_published(domain, (Label(failing, Answer(Verdict.BUG)),)), failing


def test_as_run_a_test_of_numbers_that_one_label_holds_is_skipped() -> None:
    learning = Learning(setup("as-run", line=integers(2)))
    known = learning.examples[0].point
    given = integers(2).render(known[1::-1])
    case = Case(Observation(given, Outcome(Ending.EXITED, b"1")), (known[1], known[0], known[2]))
    assert isinstance(AsRunRule().choose(learning.state(), [case]), Skip)
    other = Case(case.observation, (123_456, *case.point[1:]))
    assert isinstance(AsRunRule().choose(learning.state(), [other]), Ask)


def test_as_run_half_of_the_tests_are_made_from_the_first_failing_one() -> None:
    line = integers(2)
    seeds = [line.render((10**6 * n, 10**6 * n)) for n in range(1, 11)]
    shares = []
    for first in (0.0, 0.5):
        fuzzer = Fuzzer(line, seeds, random.Random(3), again=True, first=first)
        made = [new.values for new in fuzzer.take(400)]
        shares.append(sum(10**6 in values for values in made) / len(made))
    assert shares[0] < 0.2 < 0.3 < shares[1]


def test_when_the_time_is_up_the_last_oracle_stays() -> None:
    late = [False]
    prepared = setup("paper", labels=9, late=lambda: late[0], steps=UNLIMITED)
    learning = Learning(replace(prepared, learner=IncalLra(covers=False)))
    before = learning.oracle
    chosen = learning.choose()
    assert isinstance(chosen, tuple)
    late[0] = True
    learning.record(Answer(Verdict.OK))
    assert learning.oracle is before
    assert len(learning.learned().examples) == 2


def test_nothing_but_labels_and_time_ends_it_and_senseless_inputs_stay_as_likely() -> None:
    ticks = iter(range(500))

    def senseless(question: Question) -> Answer:
        return Answer(Verdict.INVALID) if question.number == 1 else Answer(Verdict.OK)

    prepared = setup("paper", labels=50, late=lambda: next(ticks, None) is None, avoids_nonsense=False)
    questions, learned = drive(learn(prepared), senseless)
    assert len(questions) < 50
    assert len(learned.generated) > 100


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({}, 600.0),
        ({"strategy": "paper"}, 1200.0),
        ({"strategy": "paper", "timeout": 90.0}, 90.0),
        ({"strategy": "paper", "asks": False}, 600.0),
    ],
)
def test_learning_and_repair_have_ten_minutes_each(given: dict[str, object], seconds: float) -> None:
    assert options_of(given).timeout == seconds
    assert options_of({"strategy": "paper"}, only_learn=True).timeout == 600.0


def test_as_run_is_about_the_paper() -> None:
    with pytest.raises(UsageError, match="--as-run"):
        options_of({"strategy": "guided", "as_run": True})


def test_repair_has_its_own_half_of_the_time(tmp_path: Path) -> None:
    source = tmp_path / "twice.py"
    source.write_text("n = int(input())\nsum = 2 * n\nif n:\n    sum = sum + 1\nprint(sum)\n")
    passed = [0.0]
    options = Options(labels=9, strategy="paper", timeout=100.0, expected="6", seed=1)
    with Session.create(str(source), ["3"], options, clock=lambda: time.monotonic() + passed[0]) as session:
        conversation = session.conversation()
        question = next(conversation)
        passed[0] = 60.0
        wanted = 2 * question.observation.input.values[0]
        with pytest.raises(StopIteration) as stop:
            conversation.send(Answer(Verdict.BUG, str(wanted)))
    assert stop.value.value.reason == "the time is up"
    assert stop.value.value.status == "repaired"

"""A job from end to end: the golden program answers, the row says what came of it."""

from __future__ import annotations

import random
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from learn2fix.experiments.folder import read_folder
from learn2fix.experiments.isolation import run_isolated
from learn2fix.experiments.job import (
    FRESH,
    MADE,
    CpuClock,
    Stopwatch,
    answered_inputs,
    fitting,
    run_job,
    with_tests,
)
from learn2fix.experiments.plan import Job, Setting, plan
from learn2fix.experiments.programs import GoldenProgram
from learn2fix.experiments.rows import Row
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source
from learn2fix.languages.opening import open_subject
from learn2fix.model import Response
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent / "zoo"
EFFORT = ("learn_seconds", "repair_seconds", "cpu_seconds", "candidates", "executions")


def job(subject: FolderSubject, labels: tuple[int, ...], setting: Setting | None = None) -> Job:
    return plan([subject.name], 1, labels, setting or Setting(timeout=60), seed=1)[0]


def without_effort(row: Row) -> Row:
    return replace(row, **dict.fromkeys(EFFORT, 0))


@pytest.fixture(scope="module")
def triangle() -> FolderSubject:
    subject = read_folder(ZOO / "triangle")
    tests = tuple(
        RecordedTest(f"input-{text}", text, answer)
        for text, answer in {"2 2 2": "1", "3 3 3": "1", "3 4 5": "3", "2 2 3": "2", "5 5 5": "1"}.items()
    )
    return replace(subject, training=tests[:2], heldout=tests[2:])


@pytest.fixture(scope="module")
def rows(triangle: FolderSubject) -> list[Row]:
    return list(run_job(job(triangle, (2, 6)), triangle))


@pytest.fixture(scope="module")
def alone(triangle: FolderSubject) -> Row:
    (row,) = run_job(job(triangle, (2,)), triangle)
    return row


def test_a_row_for_each_budget(rows: list[Row], triangle: FolderSubject) -> None:
    assert [row.labels for row in rows] == [2, 6]
    assert [row.key for row in rows] == [job(triangle, (2, 6)).key(labels) for labels in (2, 6)]
    for row in rows:
        assert row.questions <= row.labels
        assert row.labelled <= row.questions
        assert row.labelled_failing <= row.labelled <= row.generated
        assert row.val_total == 5
        assert row.val_failing == 3
        assert row.val_failing_correct <= row.val_correct <= row.val_total
        assert row.heldout_total == 3
        assert row.cpu_seconds > 0
    assert rows[0].cpu_seconds <= rows[1].cpu_seconds


def test_the_triangle_is_repaired_and_the_patch_measured(rows: list[Row]) -> None:
    last = rows[-1]
    assert last.status == "repaired"
    assert last.repaired == 1
    assert last.heldout_passed == last.heldout_total
    assert 0 < last.golden_total <= FRESH
    assert last.golden_agree >= 0.9 * last.golden_total
    assert last.val_correct == last.val_total


def test_a_small_budget_is_the_beginning_of_a_large_one(rows: list[Row], alone: Row) -> None:
    assert without_effort(alone) == without_effort(rows[0])


def test_a_job_in_a_process_of_its_own_says_the_same(alone: Row, triangle: FolderSubject) -> None:
    ended = run_isolated(run_job, job(triangle, (2,)), triangle, limit=300)
    assert ended.status == "done", ended.detail
    assert [without_effort(row) for row in ended.rows] == [without_effort(alone)]


def test_the_papers_strategy_runs_too(triangle: FolderSubject) -> None:
    setting = Setting("paper", "smt", "verdict", timeout=60)
    (row,) = run_job(job(triangle, (5,), setting), triangle)
    assert (row.strategy, row.learner, row.feedback) == ("paper", "smt", "verdict")
    assert row.questions == 4  # the given failing test is the first label
    assert row.val_total == 5


def test_a_subject_that_cannot_be_run_is_a_row_with_an_error(triangle: FolderSubject) -> None:
    passing = triangle.failing_on("3 4 5")
    ended = run_isolated(run_job, job(passing, (2,)), passing, limit=300)
    assert [row.status for row in ended.rows] == ["error"]
    assert "expected" in ended.detail


def test_a_session_is_about_inputs_of_one_form() -> None:
    subject = read_folder(ZOO / "maximum")
    assert len({len(text.split()) for text in subject.failing}) > 1
    with Sandbox() as sandbox, closing(open_subject(str(ZOO / "maximum" / "golden.c"), sandbox)) as golden:
        domain = golden.domain(subject.failing[:1])
        assert fitting(domain, ["2\n1 x", *subject.failing, "3\n1 2"]) == list(subject.failing)


SUM = '#include <stdio.h>\nint main(){int a,b;if(scanf("%d %d",&a,&b)!=2)return 1;BODY return 0;}\n'


def program(folder: Path, body: str) -> Path:
    path = folder / "golden.c"
    path.write_text(SUM.replace("BODY", body))
    return path


def test_the_golden_program_has_no_answer_where_it_crashes_or_prints_nothing(tmp_path: Path) -> None:
    body = 'if(a==1)return 0; if(a==2)__builtin_trap(); printf("%d",a+b);'
    with Sandbox() as sandbox, closing(open_subject(str(program(tmp_path, body)), sandbox)) as subject:
        golden = GoldenProgram(subject)
        domain = subject.domain(["3 4"])
        inputs = [domain.parse(text) for text in ("1 1", "2 2", "3 4", "1 1")]
        assert golden.answers(inputs) == [None, None, Response.read("7"), None]
        fresh = answered_inputs(domain, inputs[2:3], random.Random(1), 50, golden, {"3 4", "3 5"})
        assert len({given.text for given, _ in fresh}) == len(fresh) == 50
        assert not {"3 4", "3 5"} & {given.text for given, _ in fresh}
        assert all(int(right.text) == sum(given.values) for given, right in fresh)


def test_a_subject_without_tests_gets_the_same_ones_each_time(tmp_path: Path) -> None:
    right, wrong = 'printf("%d",a+b);', 'printf("%d",a>50?a-b:a+b);'
    buggy = tmp_path / "buggy.c"
    buggy.write_text(SUM.replace("BODY", wrong))
    subject = FolderSubject("made", Source("buggy.c", b""), Source("golden.c", b""), ("60 4",))
    with Sandbox() as sandbox:
        golden = open_subject(str(program(tmp_path, right)), sandbox)
        broken = open_subject(str(buggy), sandbox)
        with closing(golden), closing(broken):
            domain = golden.domain(["60 4"])
            made = [with_tests(subject, domain, broken, GoldenProgram(golden)) for _ in range(2)]
    assert made[0] == made[1]
    tests = made[0].training + made[0].heldout
    assert len({test.input for test in tests}) == len(tests) == MADE + 1
    assert made[0].training[0] == RecordedTest("failing-1", "60 4", "64")
    assert len(made[0].training) == MADE // 3 + 1
    assert all(int(test.output) == sum(map(int, test.input.split())) for test in tests)
    fails = [int(test.input.split()[0]) > 50 and test.input.split()[1] != "0" for test in tests]
    assert 0.3 <= sum(fails) / len(fails) <= 0.7


def test_a_limit_on_cpu_time_does_not_count_waiting() -> None:
    watch = Stopwatch(CpuClock())
    begun = watch()
    time.sleep(0.3)
    waited = watch() - begun
    while watch() - begun < waited + 0.2:
        sum(range(1000))
    assert waited < 0.3


def test_measuring_takes_none_of_the_sessions_time() -> None:
    times = [10.0]
    watch = Stopwatch(lambda: times[0])
    times[0] = 12.0
    with watch.unnoticed():
        times[0] = 15.0
        assert watch() == 15
    assert watch() == 12
    times[0] = 16.0
    assert watch() == 13

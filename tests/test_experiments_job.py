"""A job from end to end: the golden program answers, the row says what came of it."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from learn2fix.experiments.folder import read_folder
from learn2fix.experiments.isolation import run_isolated
from learn2fix.experiments.job import MADE, GoldenProgram, Stopwatch, answered_inputs, run_job, with_tests
from learn2fix.experiments.plan import Job, Setting, plan
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source
from learn2fix.sandbox import Sandbox
from learn2fix.subject import open_subject

ZOO = Path(__file__).parent / "zoo"


def job(subject: FolderSubject, labels: tuple[int, ...], setting: Setting | None = None) -> Job:
    return plan([subject.name], 1, labels, setting or Setting(timeout=60), seed=1)[0]


@pytest.fixture(scope="module")
def triangle() -> FolderSubject:
    subject = read_folder(ZOO / "triangle")
    tests = tuple(
        RecordedTest(f"input-{text}", text, answer)
        for text, answer in {"2 2 2": "1", "3 3 3": "1", "3 4 5": "3", "2 2 3": "2", "5 5 5": "1"}.items()
    )
    return replace(subject, training=tests[:2], heldout=tests[2:])


def test_a_subject_that_cannot_be_run_is_a_row_with_an_error(triangle: FolderSubject) -> None:
    passing = triangle.failing_on("3 4 5")
    ended = run_isolated(run_job, job(passing, (2,)), passing, limit=300)
    assert [row.status for row in ended.rows] == ["error"]
    assert "expected" in ended.detail


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
        assert golden.answers(inputs) == [None, None, "7", None]
        fresh = answered_inputs(domain, inputs[2:3], random.Random(1), 50, golden, {"3 4", "3 5"})
        assert len({given.text for given, _ in fresh}) == len(fresh) == 50
        assert not {"3 4", "3 5"} & {given.text for given, _ in fresh}
        assert all(int(right) == sum(given.values) for given, right in fresh)


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
    assert len({test.input for test in tests}) == len(tests) == MADE
    assert len(made[0].training) == MADE // 3
    assert all(int(test.output) == sum(map(int, test.input.split())) for test in tests)
    fails = [int(test.input.split()[0]) > 50 and test.input.split()[1] != "0" for test in tests]
    assert 0.3 <= sum(fails) / len(fails) <= 0.7


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

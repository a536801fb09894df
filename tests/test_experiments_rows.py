"""Results files: exact columns, appended whole, repaired after a crash, never written by two."""

from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.experiments.plan import Job, Setting, job_seed, missing, parse_labels, plan, sample
from learn2fix.experiments.rows import COLUMNS, HEADER, Results, Row, parse_row, read_rows

CONTRACT = (
    "subject,run,seed,strategy,learner,feedback,labels,status,generated,labelled,generated_failing,"
    "labelled_failing,val_total,val_correct,val_failing,val_failing_correct,repaired,heldout_passed,"
    "heldout_total,golden_agree,golden_total,questions,candidates,executions,learn_seconds,repair_seconds,"
    "cpu_seconds"
)


def row(subject: str = "1-A-bug-1-2", labels: int = 10, **changes: int) -> Row:
    return replace(Row(subject, 1, 7, "guided", "patches", "output", labels, "learned"), **changes)


def test_the_columns_are_those_of_the_contract() -> None:
    assert ",".join(COLUMNS) == CONTRACT


@given(
    st.text(string.printable, min_size=1).filter(lambda text: "\r" not in text and "\0" not in text),
    st.integers(0, 10**15),
    st.floats(0, 1e6),
)
def test_a_row_is_read_back(subject: str, count: int, seconds: float) -> None:
    written = replace(row(subject, executions=count), cpu_seconds=round(seconds, 3))
    assert parse_row(written.cells()) == written


def test_rows_are_appended_once_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.csv"
    with Results(path) as results:
        assert results.append([row(labels=10), row(labels=20)]) == [row(labels=10), row(labels=20)]
        assert results.append([row(labels=20), row(labels=30)]) == [row(labels=30)]
    with Results(path) as results:
        assert [found.labels for found in results.rows] == [10, 20, 30]
        assert results.append([row(labels=10)]) == []
    assert path.read_bytes().count(b"\n") == 4
    assert read_rows(path) == [row(labels=labels) for labels in (10, 20, 30)]


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 400))
def test_a_file_cut_anywhere_keeps_its_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "results.csv"
    with Results(path) as results:
        results.append([row(labels=10), row(labels=20)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - min(cut, len(whole))])
    kept = max(0, path.read_bytes().count(b"\n") - 1)
    with Results(path) as results:
        assert len(results.rows) == kept
        results.append([row(labels=10), row(labels=20)])
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


@pytest.mark.parametrize("content", [b"a,b,c\n1,2,3\n", b"x", b"subject,run\n", HEADER[:-1] + b",more\n"])
def test_another_file_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with pytest.raises(UsageError):
        Results(path)
    assert path.read_bytes() == content


def test_a_damaged_row_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(HEADER + b"only,three,cells\n")
    with pytest.raises(UsageError, match="line 2"):
        read_rows(path)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with Results(tmp_path / "results.csv"), pytest.raises(UsageError, match="another run"):
        Results(tmp_path / "results.csv")


def test_failed_rows_can_be_dropped_to_run_again(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    with Results(path) as results:
        results.append([row(labels=10), replace(row(labels=20), status="timeout")])
        assert results.drop_failed() == 1
        with pytest.raises(UsageError, match="another run"):
            Results(path)
        results.append([row(labels=20)])
    assert read_rows(path) == [row(labels=10), row(labels=20)]


def test_every_subject_runs_once_before_any_runs_twice() -> None:
    jobs = plan(["a", "b"], 2, (30, 10), Setting(), seed=1)
    assert [(job.subject, job.run) for job in jobs] == [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert all(job.labels == (10, 30) for job in jobs)
    assert len({job.seed for job in jobs}) == len({job.id for job in jobs}) == 4


def test_seeds_belong_to_subject_and_run_alone() -> None:
    assert job_seed(1, "a", 1) == job_seed(1, "a", 1)
    assert len({job_seed(seed, name, run) for seed in (1, 2) for name in "ab" for run in (1, 2)}) == 8


def test_only_missing_budgets_are_left() -> None:
    (job,) = plan(["a"], 1, (10, 20, 30), Setting(), seed=1)
    assert missing([job], {job.key(10), job.key(30)}) == [replace(job, labels=(20,))]
    assert missing([job], {job.key(labels) for labels in job.labels}) == []
    other = plan(["a"], 1, (10,), Setting(noise=0.05), seed=1)
    assert missing(other, {job.key(10)}) == other
    mutated = plan(["a"], 1, (10,), Setting(mutations="extended"), seed=1)
    assert missing(mutated, {job.key(10)}) == mutated


def test_a_job_without_an_end_has_a_row_for_each_budget() -> None:
    job = Job("a", 1, 5, Setting(), (10, 20))
    made = replace(job.row(10, "repaired"), questions=10)
    rows = job.unfinished([made], "timeout", 3.0)
    assert rows == [made, replace(job.row(20, "timeout"), cpu_seconds=3.0)]
    assert [found.failed for found in rows] == [False, True]


@given(st.lists(st.text("abc", min_size=1), unique=True), st.integers(0, 20), st.randoms())
def test_a_sample_does_not_depend_on_order(names: list[str], count: int, rng: object) -> None:
    chosen = sample(names, count, seed=3)
    rng.shuffle(names)  # type: ignore[attr-defined]
    assert sample(names, count, seed=3) == chosen
    assert len(chosen) == min(count, len(names))


def test_label_budgets_are_read() -> None:
    assert parse_labels("30,10,20") == (10, 20, 30)
    for text in ("", "a", "10,,20", "-1"):
        with pytest.raises(UsageError):
            parse_labels(text)

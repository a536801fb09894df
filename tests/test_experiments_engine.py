"""Jobs in processes, on this machine and on a cluster: nothing is lost, nothing is doubled."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import experiment_work
from experiment_work import gone, make_subject
from learn2fix.errors import UsageError
from learn2fix.experiments.bench import ErrorLog, ProgressLine, RunProgress, progress_text, run_plan
from learn2fix.experiments.engine import DaskEngine, Engine, LocalEngine, open_engine
from learn2fix.experiments.isolation import run_isolated
from learn2fix.experiments.plan import Job, Setting, plan
from learn2fix.experiments.processes import cpu_seconds, descendants, kill_tree
from learn2fix.experiments.rows import Results, Row, read_rows


@pytest.fixture(autouse=True)
def _folder_of_jobs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEARN2FIX_TEST_FOLDER", str(tmp_path))


def one_job(name: str, labels: tuple[int, ...] = (10, 20)) -> Job:
    return plan([name], 1, labels, Setting(), seed=1)[0]


def run(
    path: Path, names: list[str], engine: Engine, runs: int = 1, labels: tuple[int, ...] = (10, 20)
) -> list[Row]:
    jobs = plan(names, runs, labels, Setting(), seed=1)
    with Results(path) as results:
        run_plan(jobs, {name: make_subject(name) for name in names}, results, engine, experiment_work.work)
    return read_rows(path)


def wait_until(condition: object, most: float = 60) -> bool:
    deadline = time.monotonic() + most
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        ("crash", "error", "-6"),
        ("raise", "error", "RuntimeError: this job raises"),
        ("silent", "error", "without a row"),
        ("fine", "done", ""),
    ],
)
def test_however_a_job_ends_it_has_a_row_for_each_budget(kind: str, status: str, words: str) -> None:
    job = one_job(kind)
    ended = run_isolated(experiment_work.work, job, make_subject(kind), limit=60)
    assert ended.status == status
    assert words in ended.detail
    assert [row.labels for row in ended.rows] == [10, 20]
    assert ended.rows[0].status == "learned"
    assert ended.rows[1].status == ("learned" if kind == "fine" else status)


def test_a_job_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    limit = 2.0
    while not (tmp_path / "hang.pid").exists():  # a busy machine may not have started it in time
        limit *= 2
        ended = run_isolated(experiment_work.work, one_job("hang"), make_subject("hang"), limit)
    assert [row.status for row in ended.rows] == ["learned", "timeout"]
    assert gone(int((tmp_path / "hang.pid").read_text()))
    assert not list(scratch.iterdir())


def test_a_job_ends_when_the_one_who_wanted_it_is_killed(tmp_path: Path) -> None:
    program = (
        "import experiment_work as w; from learn2fix.experiments.isolation import run_isolated;"
        "from learn2fix.experiments.plan import *;"
        "run_isolated(w.work, plan(['hang'],1,(10,20),Setting(),1)[0], w.make_subject('hang'), 600)"
    )
    path = os.pathsep.join(filter(None, sys.path))
    parent = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path})
    file = tmp_path / "hang.pid"
    assert wait_until(lambda: file.exists() and file.read_text())
    below = descendants(parent.pid)
    assert len(below) == 2
    parent.kill()
    parent.wait()
    assert wait_until(lambda: all(gone(pid) for pid in below))


def test_cpu_time_counts_children_that_have_ended_since_they_were_looked_up() -> None:
    before = cpu_seconds(os.getpid(), ())
    child = subprocess.Popen([sys.executable, "-c", "import time\nwhile time.process_time() < .3: pass"])
    below = descendants(os.getpid())
    assert child.pid in below
    child.wait()
    assert cpu_seconds(os.getpid(), below) >= before + 0.25


def test_cpu_time_counts_children_that_still_run() -> None:
    program = "import time\nwhile time.process_time() < .3: pass\nprint('x', flush=True)\ntime.sleep(600)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert child.stdout is not None
        child.stdout.readline()
        assert cpu_seconds(child.pid) >= 0.25
        assert cpu_seconds(os.getpid()) >= 0.25
    finally:
        kill_tree(child.pid)
        child.wait()


def test_results_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    names = ["fine-1", "fine-2", "raise-3"]
    one, three = (run(tmp_path / f"{jobs}.csv", names, LocalEngine(jobs)) for jobs in (1, 3))
    assert {replace(row, cpu_seconds=0) for row in one} == {replace(row, cpu_seconds=0) for row in three}
    assert len(one) == 6


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path, names = tmp_path / "results.csv", [f"slow-{i}" for i in range(6)]
    program = (
        "import pathlib, test_experiments_engine as t;"
        "from learn2fix.experiments.engine import LocalEngine;"
        f"t.run(pathlib.Path({str(path)!r}), {names!r}, LocalEngine(2))"
    )
    path_of_modules = os.pathsep.join(filter(None, sys.path))
    killed = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": path_of_modules}
    )
    assert wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = read_rows(path)
    assert 2 <= len(before) < 12
    after = run(path, names, LocalEngine(2))
    assert after[: len(before)] == before
    assert Counter(row.key for row in after) == Counter(
        job.key(labels) for job in plan(names, 1, (10, 20), Setting(), 1) for labels in (10, 20)
    )


class Cluster:
    """A real scheduler and workers, as processes that talk over loopback."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._where = ["--host", "127.0.0.1", "--scheduler-file", str(self._file)]
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s",
        }
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--port", "0", "--no-dashboard", "--no-jupyter")
        assert wait_until(self._file.exists)

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:], *self._where],
            env=self.environment,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    @property
    def address(self) -> str:
        return str(json.loads(self._file.read_text())["address"])

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--nthreads", "1", "--no-dashboard", "--no-nanny")

    def close(self) -> None:
        for process in reversed(self.processes):
            kill_tree(process.pid)
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    running = Cluster(tmp_path)
    try:
        yield running
    finally:
        running.close()


def test_nothing_is_lost_and_nothing_doubled_when_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path
) -> None:
    victim, _ = cluster.worker(), cluster.worker()
    names = [f"slow-{i}" for i in range(8)]
    engine = DaskEngine(cluster.address, 1)
    engine._client.wait_for_workers(2, timeout=60)
    jobs = plan(names, 1, (10, 20), Setting(), seed=1)
    path = tmp_path / "results.csv"
    killed = []

    def begun() -> int:
        return sum(file.read_text().splitlines().count("10") for file in tmp_path.glob("*.started"))

    def kill_one(standing: RunProgress) -> None:
        if standing.done == 2 and not killed:
            # In the middle of a job: both workers have begun their third one.
            assert wait_until(lambda: begun() >= standing.done + 2 and descendants(victim.pid))
            killed.append(descendants(victim.pid))
            victim.kill()
            victim.wait()

    try:
        with Results(path) as results:
            subjects = {name: make_subject(name) for name in names}
            run_plan(jobs, subjects, results, engine, experiment_work.work, on_progress=kill_one)
    finally:
        engine.close()
    assert killed
    assert wait_until(lambda: all(gone(pid) for pid in killed[0]))
    rows = read_rows(path)
    assert Counter(row.key for row in rows) == Counter(job.key(labels) for job in jobs for labels in (10, 20))
    assert {row.status for row in rows} == {"learned"}
    # At least one job was begun twice, and still has its rows once.
    starts = [file.read_text().splitlines().count("10") for file in tmp_path.glob("*.started")]
    assert max(starts) >= 2
    # The same rows come from processes of this machine.
    assert set(run(tmp_path / "local.csv", names, LocalEngine(2))) == set(rows)


def test_a_scheduler_that_is_not_there_is_one_clear_line() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="cannot reach"):
        DaskEngine("tcp://127.0.0.1:1", 1, patience=1)
    with pytest.raises(UsageError, match="--engine dask"):
        open_engine("local", 1, "tcp://127.0.0.1:1")


def test_progress_says_how_much_time_is_left() -> None:
    assert progress_text(RunProgress(0, 4, 0.0, 0)) == "0/4 jobs, 0 s so far"
    assert progress_text(RunProgress(1, 4, 50.0, 1, "a run 1")) == (
        "1/4 jobs, 50 s so far, 2 min 30 s left, 1 failed · a run 1"
    )
    assert "1 h 00 min left" in progress_text(RunProgress(1, 2, 3600.0, 0))


def test_progress_without_a_terminal_is_a_line_now_and_then() -> None:
    stream, times = io.StringIO(), iter([0.0, 1.0, 20.0, 21.0])
    line = ProgressLine(stream, lambda: next(times))
    for done in range(4):
        line(RunProgress(done, 3, float(done), 0))
    assert [text.split()[0] for text in stream.getvalue().splitlines()] == ["0/3", "2/3", "3/3"]


def test_reasons_are_kept_beside_the_results(tmp_path: Path) -> None:
    stream = io.StringIO()
    log = ErrorLog(tmp_path / "results.csv", stream)
    log(run_isolated(experiment_work.work, one_job("raise"), make_subject("raise"), limit=60))
    assert "this job raises" in (tmp_path / "results.csv.errors.txt").read_text()
    assert "raise run 1: error" in stream.getvalue()

"""What every engine of experiments must do, wherever its jobs run. Subclass it, and say how to open one:

class TestMyEngine(EngineConformance):
    def open(self) -> AbstractContextManager[Engine]:
        return closing(MyEngine())
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

import experiment_work
from experiment_work import gone, make_subject
from learn2fix.experiments.bench import run_plan
from learn2fix.experiments.engine import Engine
from learn2fix.experiments.isolation import JobOutcome, run_isolated
from learn2fix.experiments.plan import Setting, plan
from learn2fix.experiments.rows import Results, Row, read_rows

BUDGETS = (10, 20)
HOWEVER = ["fine-1", "crash-2", "raise-3", "silent-4", "fine-5"]
"""A job of every ending; the others are not to notice."""


class EngineConformance:
    """Tests that hold for every engine. One engine serves them all, as one serves many plans."""

    @staticmethod
    def open() -> AbstractContextManager[Engine]:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def folder(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
        """Where jobs say what they did; known before the engine starts processes of its own."""
        folder = tmp_path_factory.mktemp("jobs")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LEARN2FIX_TEST_FOLDER", str(folder))
            yield folder

    @pytest.fixture(scope="class")
    @classmethod
    def engine(cls, folder: Path) -> Iterator[Engine]:
        with cls.open() as engine:
            yield engine

    def ended(self, engine: Engine, names: Sequence[str], limit: float = 60) -> list[JobOutcome]:
        jobs = plan(names, 1, BUDGETS, Setting(), seed=1)
        tasks = [(job, make_subject(job.subject)) for job in jobs]
        return list(engine.run(tasks, experiment_work.work, limit))

    def rows(
        self, engine: Engine, path: Path, names: Sequence[str], budgets: tuple[int, ...] = BUDGETS
    ) -> list[Row]:
        subjects = {name: make_subject(name) for name in names}
        with Results(path) as results:
            jobs = plan(names, 1, budgets, Setting(), seed=1)
            run_plan(jobs, subjects, results, engine, experiment_work.work)
        return read_rows(path)

    def test_nothing_to_do_is_done_at_once(self, engine: Engine) -> None:
        assert self.ended(engine, []) == []

    def test_every_job_comes_out_once_however_it_ends(self, engine: Engine) -> None:
        found = self.ended(engine, HOWEVER)
        assert Counter(each.job.subject for each in found) == Counter(HOWEVER)
        status = {each.job.subject.split("-")[0]: each.status for each in found}
        assert status == {"fine": "done", "crash": "error", "raise": "error", "silent": "error"}
        for each in found:
            assert [row.labels for row in each.rows] == list(BUDGETS)
            assert bool(each.detail) == (each.status == "error")

    def test_a_job_comes_out_as_if_it_had_run_alone(self, engine: Engine) -> None:
        for each in self.ended(engine, HOWEVER):
            alone = run_isolated(experiment_work.work, each.job, make_subject(each.job.subject), 60)
            assert each.status == alone.status
            timeless = [[replace(row, cpu_seconds=0) for row in one.rows] for one in (each, alone)]
            assert timeless[0] == timeless[1]

    def test_a_job_that_hangs_is_ended_with_all_that_it_started(self, engine: Engine, folder: Path) -> None:
        pid, limit = folder / "hang-1.pid", 3.0
        while not pid.exists():  # a busy machine may not have started it in time
            limit *= 2
            found = {each.job.subject: each for each in self.ended(engine, ["hang-1", "fine-2"], limit)}
        assert [row.status for row in found["hang-1"].rows] == ["learned", "timeout"]
        assert found["fine-2"].status == "done"
        assert gone(int(pid.read_text()))

    def test_a_second_call_runs_only_what_is_missing(
        self, engine: Engine, folder: Path, tmp_path: Path
    ) -> None:
        path = tmp_path / "results.csv"
        first = self.rows(engine, path, ["slow-1"])
        second = self.rows(engine, path, ["slow-1", "slow-2"], (10, 20, 30))
        assert second[:2] == first
        assert Counter((row.subject, row.labels) for row in second) == Counter(
            (name, labels) for name in ("slow-1", "slow-2") for labels in (10, 20, 30)
        )
        # The first subject ran again for its missing budget alone.
        started = sorted(file.read_text() for file in folder.glob("*.started"))
        assert started == ["10\n20\n", "10\n20\n30\n", "30\n"]

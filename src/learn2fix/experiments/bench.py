"""Runs the missing jobs of a plan: finished jobs are on disk, and a second call runs only the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from learn2fix.experiments.engine import Engine
from learn2fix.experiments.isolation import JobOutcome, Work
from learn2fix.experiments.plan import Job, missing
from learn2fix.experiments.rows import Results
from learn2fix.experiments.subjects import FolderSubject

MEASURING = 300.0
"""Seconds for building and measuring, on top of the session's own time."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a run."""

    done: int
    total: int
    elapsed: float
    failed: int
    last: str = ""

    @property
    def left(self) -> float | None:
        """Estimated seconds to the end; None before the first job has ended."""
        return self.elapsed / self.done * (self.total - self.done) if self.done else None


def time_limit(job: Job) -> float:
    """Wall seconds after which a job is ended: a session, a repair at each budget, and the measuring."""
    return job.setting.timeout * (1 + len(job.labels)) + MEASURING


def run_plan(
    jobs: Sequence[Job],
    subjects: Mapping[str, FolderSubject],
    results: Results,
    engine: Engine,
    work: Work,
    *,
    limit: float | None = None,
    on_progress: Callable[[RunProgress], None] = lambda progress: None,
    on_failure: Callable[[JobOutcome], None] = lambda ended: None,
) -> None:
    """Calls `on_progress` after each job, and `on_failure` with each job that failed."""
    left = missing(jobs, results.keys)
    if not left:
        return
    begun, failed = time.monotonic(), 0
    on_progress(RunProgress(0, len(left), 0.0, 0))
    tasks = [(job, subjects[job.subject]) for job in left]
    most = max(map(time_limit, left)) if limit is None else limit
    for done, ended in enumerate(engine.run(tasks, work, most), 1):
        results.append(ended.rows)
        if ended.status != "done":
            failed += 1
            on_failure(ended)
        elapsed, last = time.monotonic() - begun, f"{ended.job.subject} run {ended.job.run}"
        on_progress(RunProgress(done, len(left), elapsed, failed, last))


class ProgressLine:
    """Progress on stderr: a status line on a terminal, a line now and then elsewhere."""

    EVERY = 15.0

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._terminal = stream.isatty()
        self._shown: float | None = None

    def __call__(self, standing: RunProgress) -> None:
        now, last = self._clock(), standing.done == standing.total
        if not self._terminal and not last and self._shown is not None and now - self._shown < self.EVERY:
            return
        self._shown = now
        line = progress_text(standing)
        self._stream.write(f"\r\x1b[K{line}" + ("\n" if last else "") if self._terminal else line + "\n")
        self._stream.flush()


def progress_text(standing: RunProgress) -> str:
    parts = [f"{standing.done}/{standing.total} jobs", f"{duration(standing.elapsed)} so far"]
    if standing.left is not None and standing.done < standing.total:
        parts.append(f"{duration(standing.left)} left")
    if standing.failed:
        parts.append(f"{standing.failed} failed")
    return ", ".join(parts) + (f" · {standing.last}" if standing.last else "")


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


class ErrorLog:
    """Logs why jobs failed in a file beside the results, whose rows have no column for it."""

    def __init__(self, results: Path, stream: TextIO) -> None:
        self.path = results.with_name(results.name + ".errors.txt")
        self._stream = stream

    def __call__(self, ended: JobOutcome) -> None:
        job, words = ended.job, ended.detail.strip() or ended.status
        with open(self.path, "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{job.subject} run {job.run} seed {job.seed}: {ended.status}: {words}\n")
        self._stream.write(f"\n{job.subject} run {job.run}: {ended.status}: {words.splitlines()[-1][:200]}\n")

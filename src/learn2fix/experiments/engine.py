"""Engines that run jobs: local processes, or the workers of a Dask cluster, with the same results."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from learn2fix.errors import UsageError
from learn2fix.experiments.isolation import JobOutcome, Work, run_isolated
from learn2fix.experiments.plan import Job
from learn2fix.experiments.subjects import FolderSubject

Task = tuple[Job, FolderSubject]


class Engine(Protocol):
    """Yields exactly one JobOutcome for each job, in the order in which they end."""

    def run(self, tasks: Sequence[Task], work: Work, limit: float) -> Iterator[JobOutcome]: ...


class LocalEngine:
    """Runs jobs in processes of this machine."""

    def __init__(self, jobs: int) -> None:
        if jobs < 1:
            raise UsageError(f"--jobs {jobs}: at least one process is needed")
        self._jobs = jobs

    def run(self, tasks: Sequence[Task], work: Work, limit: float) -> Iterator[JobOutcome]:
        stop = threading.Event()
        waiting = iter(tasks)
        # Threads only wait here: the work is in the processes that they start.
        with ThreadPoolExecutor(self._jobs) as pool:
            running: set[Future[JobOutcome]] = set()

            def start(count: int) -> None:
                for _, (job, subject) in zip(range(count), waiting, strict=False):
                    running.add(pool.submit(run_isolated, work, job, subject, limit, stop))

            try:
                start(self._jobs)
                while running:
                    ended, _ = wait(running, return_when=FIRST_COMPLETED)
                    running -= ended
                    start(len(ended))
                    for future in ended:
                        yield future.result()
            finally:
                stop.set()


class DaskEngine:
    """Runs jobs on a Dask cluster: an existing one, or a temporary one on this machine."""

    AHEAD = 2
    """Jobs submitted per thread of the cluster, so that its memory does not grow with the plan."""

    def __init__(self, scheduler: str | None, jobs: int, patience: float = 30.0) -> None:
        try:
            import distributed as dask
        except ImportError:
            raise UsageError(
                "the dask engine is not installed", "pip install 'learn2fix[cluster]', or --engine local"
            ) from None
        self._distributed: Any = dask
        self._cluster: Any = None
        try:
            if scheduler is None:
                self._cluster = self._distributed.LocalCluster(
                    n_workers=jobs, threads_per_worker=1, dashboard_address=None
                )
            self._client = self._distributed.Client(self._cluster or scheduler, timeout=patience)
        except (OSError, TimeoutError, ValueError) as problem:
            raise UsageError(f"cannot reach the Dask scheduler {scheduler}: {problem}") from None

    def run(self, tasks: Sequence[Task], work: Work, limit: float) -> Iterator[JobOutcome]:
        client, waiting = self._client, iter(tasks)
        of_future: dict[Any, Job] = {}
        arriving = self._distributed.as_completed()

        def hand_over() -> None:
            threads = sum(client.nthreads().values())
            while len(of_future) < max(1, self.AHEAD * threads):
                task = next(waiting, None)
                if task is None:
                    return
                job, subject = task
                # The key is the job's identity: the cluster itself never holds one job twice. When a worker
                # is lost the scheduler gives its jobs to another one.
                future = client.submit(run_isolated, work, job, subject, limit, key=f"job-{job.id}")
                of_future[future] = job
                arriving.add(future)

        try:
            hand_over()
            while of_future:
                future = next(arriving)
                job = of_future.pop(future)
                yield self._ended(future, job)
                future.release()
                hand_over()
        finally:
            with contextlib.suppress(Exception):
                client.cancel(list(of_future))

    def _ended(self, future: Any, job: Job) -> JobOutcome:
        try:
            ended = future.result()
        except self._distributed.KilledWorker as problem:
            # The job killed several workers: that is its outcome.
            return JobOutcome(
                job, tuple(job.unfinished((), "error")), "error", f"the cluster gave up: {problem}"
            )
        except Exception as problem:
            raise UsageError(
                f"the cluster could not run a job: {problem or type(problem).__name__}",
                "the rows so far are kept; the same call goes on from there",
            ) from problem
        if not isinstance(ended, JobOutcome):
            raise TypeError(f"the cluster answered with {type(ended).__name__}")
        return ended

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def open_engine(
    name: str, jobs: int, scheduler: str | None = None
) -> contextlib.AbstractContextManager[Engine]:
    if name == "dask":
        return contextlib.closing(DaskEngine(scheduler, jobs))
    if scheduler is not None:
        raise UsageError("--scheduler is for the dask engine", "add --engine dask")
    return contextlib.nullcontext(LocalEngine(jobs))

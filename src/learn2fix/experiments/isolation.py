"""One job in a process of its own: whatever it does, it ends in one recorded outcome.

The process is a plain `python -m`, not a multiprocessing child: those may not be started from the workers of
a cluster. It is handed its job on stdin, writes its rows on stdout as they come, and ends itself when stdin
is closed, so that nothing is left running when the process that asked for it is killed.
"""

from __future__ import annotations

import json
import os
import pickle
import selectors
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from learn2fix.experiments.plan import Job
from learn2fix.experiments.processes import cpu_seconds, kill_tree
from learn2fix.experiments.rows import Row, parse_row
from learn2fix.experiments.subjects import FolderSubject

Work = Callable[[Job, FolderSubject], Iterator[Row]]
"""Runs a job and yields a row at each of its label budgets; pickled by name, so it must be importable."""

LOOK = 0.2
"""Seconds between checks of the deadline and of the stop event."""
SIZE = 8
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""A job has one core. With a thread for each core, fitting a small network takes fifty times as long."""


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The outcome of a job: a row for each of its budgets, and the reason if it failed."""

    job: Job
    rows: tuple[Row, ...]
    status: str
    """`done`, `error`, `timeout` or `stopped`; a stopped job has no rows and is still to do."""
    detail: str = ""
    seconds: float = 0.0


def run_isolated(
    work: Work, job: Job, subject: FolderSubject, limit: float, stop: threading.Event | None = None
) -> JobOutcome:
    """Runs one job until it ends, crashes, exceeds `limit` wall seconds or is stopped."""
    begun = time.monotonic()
    # A job that is killed cannot clean up: what it leaves goes with a folder that is all its own. Programs in
    # the sandbox run under another user and must get through it.
    with (
        tempfile.TemporaryDirectory(prefix="learn2fix-", ignore_cleanup_errors=True) as scratch,
        tempfile.TemporaryFile() as errors,
    ):
        os.chmod(scratch, 0o755)
        child = subprocess.Popen(
            [sys.executable, "-m", "learn2fix.experiments.isolation"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env={
                **os.environ,
                **ONE_THREAD,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "TMPDIR": scratch,
            },
        )
        rows: list[Row] = []
        status, detail, used = "error", "", 0.0
        try:
            for message in _messages(child, (work, job, subject), begun + limit, stop):
                if "row" in message:
                    rows.append(parse_row(message["row"], job.row_type))
                else:
                    status, detail = message["status"], message.get("detail", "")
                    used = message.get("cpu", 0.0)
            if status in ("timeout", "stopped"):
                used = cpu_seconds(child.pid)
        finally:
            kill_tree(child.pid)
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()
        if status == "error" and not detail:
            detail = f"the process of the job ended with {child.returncode}: {_tail(errors)}"
    seconds = time.monotonic() - begun
    if status == "stopped":
        return JobOutcome(job, (), status, detail, seconds)
    if status == "done" and [row.labels for row in rows] != list(job.labels):
        status, detail = "error", "the job ended without a row for each label budget"
    if status != "done":
        return JobOutcome(job, tuple(job.unfinished(rows, status, used)), status, detail, seconds)
    return JobOutcome(job, tuple(rows), status, "", seconds)


def _messages(
    child: subprocess.Popen[bytes], payload: object, deadline: float, stop: threading.Event | None
) -> Iterator[dict[str, Any]]:
    """The messages of the process, until it ends or its time is over."""
    assert child.stdin is not None
    assert child.stdout is not None
    data = pickle.dumps(payload)
    try:
        child.stdin.write(len(data).to_bytes(SIZE, "little") + data)
        child.stdin.flush()
    except BrokenPipeError:
        return
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        pending = b""
        while True:
            if stop is not None and stop.is_set():
                yield {"status": "stopped"}
                return
            left = deadline - time.monotonic()
            if left <= 0:
                yield {"status": "timeout", "detail": "the job's time was over"}
                return
            if not selector.select(min(left, LOOK)):
                continue
            chunk = os.read(child.stdout.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)


def _tail(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - 2000))
    return errors.read().decode("utf-8", "replace").strip()


def _end_with_parent() -> None:
    """Waits until stdin is closed, which is when the process that wants the result is gone."""
    while os.read(0, 1):
        pass
    kill_tree(os.getpid())


def main() -> None:
    """The process of one job."""
    stdin = sys.stdin.buffer
    data = stdin.read(int.from_bytes(stdin.read(SIZE), "little"))
    # What a library prints must not end up among the rows.
    said = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(**message: object) -> None:
        said.write(json.dumps(message) + "\n")
        said.flush()

    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        work, job, subject = pickle.loads(data)
        for row in work(job, subject):
            say(row=row.cells())
    except BaseException as problem:
        say(status="error", detail="".join(traceback.format_exception(problem)), cpu=cpu_seconds(os.getpid()))
    else:
        say(status="done")


if __name__ == "__main__":
    main()

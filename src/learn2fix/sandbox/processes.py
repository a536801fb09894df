"""Processes in the sandbox: how one is started, and ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from learn2fix.errors import IsolationError
from learn2fix.sandbox.memory import guard

START_SECONDS = 30.0
END_SECONDS = 5.0


def inherited_file(data: bytes) -> int:
    """A descriptor from which a child reads `data`."""
    fd = os.memfd_create("learn2fix-configuration", 0)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _readable(fd: int, seconds: float) -> bool:
    """Whether something can be read, or the other end is closed, within this time."""
    poll = select.poll()  # select() takes no descriptor above 1023
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


class Process(subprocess.Popen[bytes]):
    """A process in the sandbox. To kill it is to kill all that it started, and to wait for their end."""

    status = -1
    """Open at the other end for as long as a supervisor lives."""

    def kill(self) -> None:
        guard(os.getpid()).remove(self.pid)
        # What we started is the supervisor: it ends the tree, and then itself, when asked to.
        if self.poll() is None:
            self.terminate()
        if self.status >= 0:
            if not _readable(self.status, END_SECONDS):
                super().kill()
            os.close(self.status)
            self.status = -1


@cache
def _launcher(process: int) -> ThreadPoolExecutor:
    """The thread of this process that starts everything.

    A sandbox ends when the thread that started it does, so that nothing outlives us. A caller's thread may
    well end before the caller is done with the sandbox; this one ends with the process.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="learn2fix-launcher")


def start(command: list[str], configuration: bytes, *, memory: int) -> Process:
    """Start the runner and wait until it says that every layer is in place. `memory`: of all processes."""
    # Whoever does not start may have been killed, stopped or out of memory: a second one is as good.
    process, word = _start(command, configuration)
    if word != "ok":
        process, word = _start(command, configuration)
    if word != "ok":
        raise IsolationError(f"the sandbox did not start: {word or 'the runner died'}")
    guard(os.getpid()).add(process.pid, memory)
    return process


def _start(command: list[str], configuration: bytes) -> tuple[Process, str]:
    """The process, and what it says; it has ended unless that is "ok"."""
    config = inherited_file(configuration)
    status, status_end = os.pipe()
    try:
        process = (
            _launcher(os.getpid())
            .submit(
                Process,
                [*command, str(config), str(status_end)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                env={},
                pass_fds=(config, status_end),
            )
            .result()
        )
    finally:
        os.close(config)
        os.close(status_end)
    process.status = status
    word = read_status(status)
    if word != "ok":
        stop(process)
    return process, word


def read_status(fd: int) -> str:
    deadline = time.monotonic() + START_SECONDS
    data = b""
    while not data.endswith(b"\n"):
        ready = _readable(fd, max(0.0, deadline - time.monotonic()))
        if not ready:
            return "no answer"
        chunk = os.read(fd, 4096)
        if not chunk:
            break
        data += chunk
    return data.decode("utf-8", "replace").strip().removeprefix("error: ")


def stop(process: Process) -> None:
    """End a process and everything in its sandbox."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.kill()
    process.wait()

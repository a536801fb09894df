"""Process trees on Linux: their CPU time, and how to kill them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Process:
    parent: int
    seconds: float
    """Its own CPU time and that of the children it has waited for."""


def _process(pid: int) -> _Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The command stands in parentheses and may hold blanks and parentheses itself.
            numbers = file.read().rpartition(b")")[2].split()
    except (OSError, ValueError):
        return None
    ticks = sum(int(number) for number in numbers[11:15])
    return _Process(int(numbers[1]), ticks / os.sysconf("SC_CLK_TCK"))


def _all() -> dict[int, _Process]:
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (process := _process(int(name))) is not None:
            found[int(name)] = process
    return found


def descendants(pid: int) -> list[int]:
    """All living descendants of a process."""
    children: dict[int, list[int]] = {}
    for child, process in _all().items():
        children.setdefault(process.parent, []).append(child)
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def cpu_seconds(pid: int, below: Iterable[int] | None = None) -> float:
    """CPU time of a process and of everything below it. Usage counters alone leave out those still alive.

    `below`: the descendants as they were a moment ago. Who has ended since is counted by the one that waited.
    """
    found = map(_process, (pid, *(descendants(pid) if below is None else below)))
    return sum(process.seconds for process in found if process is not None)


def kill_tree(pid: int) -> None:
    """Ends a process, its group and everything below it. It may be the process that calls: it goes last.

    Nothing is stopped first to be killed later: who calls may be killed in between, and what is stopped would
    stay for ever.
    """
    for _ in range(2):  # the second pass catches what was started during the first
        for below in descendants(pid):
            _send(below)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    _send(pid)


def _send(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)

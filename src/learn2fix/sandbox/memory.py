"""One limit for the memory of all processes of a sandbox together; counted, since cgroups are rarely ours.

Each process has a limit of its own; a program that starts many could still fill the machine. A thread looks
at every tree a few times a second and ends the largest of its youngest members where they hold too much: for
the program that is a SIGKILL, and an outcome like any other.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from functools import cache

from learn2fix.sandbox.values import Limits

TIMES = 2
"""Memory limit of a process tree, as a multiple of that of one process."""
UNLIMITED = 2 << 30
"""What counts for processes without a limit of their own: engines, which set theirs, and sanitizers."""
SELDOM, OFTEN = 0.5, 0.05
"""Seconds between two looks; often once a tree holds half of what it may."""
PAGE = os.sysconf("SC_PAGE_SIZE")


def tree_limit(limits: Limits) -> int:
    """Bytes; at most half of the machine."""
    machine = PAGE * os.sysconf("SC_PHYS_PAGES")
    return min(TIMES * (limits.memory or UNLIMITED), machine // 2)


class Guard:
    """Watches trees of processes, each by its first one, for as long as there are any."""

    def __init__(self) -> None:
        self._limits: dict[int, int] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._watch, daemon=True, name="learn2fix-memory").start()

    def add(self, pid: int, limit: int) -> None:
        with self._changed:
            self._limits[pid] = limit
            self._changed.notify()

    def remove(self, pid: int) -> None:
        with self._changed:
            self._limits.pop(pid, None)

    def _watch(self) -> None:
        pause = SELDOM
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._limits))
                trees = list(self._limits.items())
            fullest = max((bound(pid, limit) for pid, limit in trees), default=0.0)
            with self._changed:
                pause = OFTEN if fullest > 0.5 else SELDOM
                self._changed.wait_for(lambda: not self._limits, pause)


@cache
def guard(process: int) -> Guard:
    """The guard of this process; a child of ours that was forked has none of its own yet."""
    return Guard()


def bound(first: int, limit: int) -> float:
    """Ends what is too much below a process. How full the tree was, 1 for as much as it may hold."""
    members = [(pid, depth) for pid, depth in tree(first) if depth]
    held = sum(resident(pid) for pid, _ in members)
    if held <= limit:
        return held / limit
    # Memory that a fork shares with its parent was counted twice: now exactly, which takes longer.
    exact = {pid: proportional(pid) for pid, _ in members}
    held = sum(exact.values())
    excess = held - limit
    for pid, _ in sorted(members, key=lambda each: (-each[1], -exact[each[0]])):
        if excess <= 0:
            break
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
            excess -= exact[pid]
    return held / limit


def tree(first: int) -> list[tuple[int, int]]:
    """A process and all below it, each with its depth."""
    found = [(first, 0)]
    for pid, depth in found:  # grows as we go
        with suppress(OSError, ValueError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                    found += [(int(child), depth + 1) for child in file.read().split()]
    return found


def resident(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
        return PAGE * int(file.read().split()[1])
    return 0


def proportional(pid: int) -> int:
    """Resident memory, with what is shared counted in parts; what is private to it where that is not told."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return 1024 * int(line.split()[1])
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/statm", "rb") as file:
        words = file.read().split()
        return PAGE * (int(words[1]) - int(words[2]))
    return 0

"""How long a large C program takes to open and to its first question, and the memory of all processes.

Programs of 500, 1,000 and 5,000 lines in one file, made by large_program.py, started by the command as a user
starts it; nothing of them was built before. CPU seconds are those of the command and of all processes
below it: on an idle machine that is about the time that one waits. Rows go to results/sizes.csv, and with
`make tables` into the documents.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.large_program import large_program
from benchmarks.memory import SAMPLED, below

ROWS = Path(__file__).parent.parent / "results" / "sizes.csv"
SIZES = (500, 1_000, 5_000)
SMALLEST = 200
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Started:
    """One session up to its first question."""

    opened: float
    """Seconds until it was built and proved to fail."""
    asked: float
    """Seconds until the first question."""
    work: float
    """CPU seconds of all processes until then."""
    memory: int
    """The most that all processes held at a time, in bytes; what they share counts once."""


def main() -> None:
    with tempfile.TemporaryDirectory() as home, ROWS.open("w", newline="") as file:
        written = csv.writer(file, lineterminator="\n")
        written.writerow(("lines", "opens", "first_question", "cpu_seconds", "megabytes"))
        measured(SMALLEST, Path(home))  # the first session of all also builds the engine
        for size in SIZES:
            lines, found = measured(size, Path(home))
            times = (round(each, 1) for each in (found.opened, found.asked, found.work))
            written.writerow((lines, *times, found.memory >> 20))
    print(table())


def table() -> str:
    """As results/README.md shows them."""
    lines = ["| lines | opens | first question | CPU of all processes | memory of all processes |"]
    lines.append("|---" * 5 + "|")
    with ROWS.open(newline="") as file:
        for row in csv.DictReader(file):
            lines.append(
                f"| {int(row['lines']):,} | {row['opens']} s | {row['first_question']} s "
                f"| {row['cpu_seconds']} s | {row['megabytes']} MB |"
            )
    return "\n".join([*lines, ""])


def measured(size: int, home: Path) -> tuple[int, Started]:
    """The lines of a program of about this size, and how its session starts."""
    program = large_program(size)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "store.c").write_text(program.buggy)
        words = ["store.c", "--failing", program.failing, "--seed", "1"]
        return program.buggy.count("\n"), first_question(Path(folder), words, home)


def first_question(folder: Path, words: list[str], home: Path) -> Started:
    """Runs `learn2fix fix` with these words until it asks; `home`: for its sessions and what it builds."""
    environment = os.environ | {"LEARN2FIX_HOME": str(home / "home"), "XDG_CACHE_HOME": str(home / "cache")}
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "learn2fix", "fix", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    watching = _Watching(process.pid)
    opened = asked = 0.0
    assert process.stdin is not None
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("Session ") and not opened:
            opened = time.monotonic() - begun
        if line.startswith("Question 1 "):
            asked = time.monotonic() - begun
            break
    work, memory = watching.end()
    process.stdin.close()
    process.stderr.read()
    process.wait()
    if not asked:
        raise SystemExit("".join(said))
    return Started(opened, asked, work, memory)


class _Watching:
    """The processes below one, looked at again and again."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._memory = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(SAMPLED):
            processes = [self._pid, *below(self._pid)]
            self._memory = max(self._memory, sum(map(_proportional, processes)))

    def end(self) -> tuple[float, int]:
        self._done.set()
        self._thread.join()
        return sum(map(_cpu, (self._pid, *below(self._pid)))), self._memory


def _proportional(pid: int) -> int:
    """Resident bytes; of pages that several processes share, each has its part."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def _cpu(pid: int) -> float:
    """Seconds of a process and of all below it that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


if __name__ == "__main__":
    main()

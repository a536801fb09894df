"""Peak memory while a hundred thousand candidates of one C file are judged: this process and its workers.

All single edits of the triangle program and pairs of them. Memory is sampled; a worker is a process that
compiles or runs candidates.
"""

from __future__ import annotations

import os
import threading
import tomllib
from itertools import chain, islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.model import Candidate, Input, Requirement, Response

SUBJECT = Path(__file__).parent.parent / "tests" / "zoo" / "triangle"
SIZES = (10_000, 100_000)
SAMPLED = 0.02
"""Seconds between two looks at the processes."""


def main() -> None:
    source = (SUBJECT / "buggy.c").read_bytes()
    about = tomllib.loads((SUBJECT / "subject.toml").read_text())
    requirements = [Requirement(Input(text), Response.read("1")) for text in about["failing"]]
    singles = list(CEdits().candidates(source, Hints()))
    print(
        f"{'candidates':>10} {'this process':>13} {'grown':>7} {'largest worker':>15} {'all workers':>12} MB"
    )
    for size in SIZES:
        pairs = CPairs(singles[: max(1, size // 1000)]).candidates(source, Hints())
        candidates = list(islice(chain(singles, pairs), size))
        assert len(candidates) == size
        before = _resident(os.getpid())
        own, largest, total = _peaks(source, candidates, requirements)
        print(
            f"{size:10} {own >> 20:13} {(own - before) >> 20:7} {largest >> 20:15} {total >> 20:12}",
            flush=True,
        )


def _peaks(
    source: bytes, candidates: list[Candidate], requirements: list[Requirement]
) -> tuple[int, int, int]:
    """The most that this process, one worker, and all workers together held at a time."""
    peaks = [0, 0, 0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(SAMPLED):
            workers = [_resident(pid) for pid in below(os.getpid())]
            now = (_resident(os.getpid()), max(workers, default=0), sum(workers))
            peaks[:] = map(max, peaks, now)

    watcher = threading.Thread(target=watch)
    watcher.start()
    evaluator = CEvaluator(source)
    try:
        evaluator.add(candidates)
        judgement = evaluator.judge(requirements)
        assert judgement.judged == len(candidates)
    finally:
        done.set()
        watcher.join()
        evaluator.close()
    return peaks[0], peaks[1], peaks[2]


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def below(pid: int) -> list[int]:
    """All processes that descend from one."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    found = list(children.get(pid, ()))
    for child in found:
        found += children.get(child, ())
    return found


if __name__ == "__main__":
    main()

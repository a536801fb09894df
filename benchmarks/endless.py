"""What it costs to judge candidates where the failing input never ends, beside where it does.

Each program of the zoo that never ends is given COUNT edits and the first failing input of its description.
Its golden program, which ends on that input, is given as many edits and the same input. CPU seconds of both.
"""

from __future__ import annotations

import random
import time
import tomllib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.model import Candidate, Input, Requirement

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
COUNT = 10_000


def main() -> None:
    print(f"{'program':18} {'input':8} {'ends':>7} {'never ends':>10} {'ratio':>6} {'survivors':>9}")
    ratios = []
    for folder in sorted(ZOO.glob("endless_*")):
        given = Input(tomllib.loads((folder / "subject.toml").read_text())["failing"][0])
        golden, buggy = ((folder / name).read_bytes() for name in ("golden.c", "buggy.c"))
        evaluator = CEvaluator(golden)
        required = Requirement(given, evaluator.original([given])[0])
        evaluator.close()
        ends, _ = _judge(golden, required)
        endless, survivors = _judge(buggy, required)
        ratios.append(endless / ends)
        print(
            f"{folder.name:18} {given.text:8} {ends:7.2f} {endless:10.2f} {ratios[-1]:6.2f} {survivors:9}",
            flush=True,
        )
    print(f"largest ratio: {max(ratios):.2f}")


def _judge(source: bytes, required: Requirement) -> tuple[float, int]:
    """CPU seconds for COUNT candidates, and how many of them meet the requirement."""
    candidates = _candidates(source)
    began = time.process_time()
    evaluator = CEvaluator(source)
    try:
        evaluator.add(candidates)
        judgement = evaluator.judge([required])
        return time.process_time() - began + evaluator.cpu_seconds, len(judgement.survivors)
    finally:
        evaluator.close()


def _candidates(source: bytes) -> Sequence[Candidate]:
    """All single edits, and random pairs of them until there are COUNT."""
    found = list(islice(CEdits().candidates(source, Hints()), COUNT))
    chance, single = random.Random(1), len(found)
    while len(found) < COUNT:
        first, second = sorted(
            (*found[chance.randrange(single)].edits, *found[chance.randrange(single)].edits)
        )[:2]
        if first.end < second.start:
            found.append(Candidate((first, second), "pair", 1.0))
    return found


if __name__ == "__main__":
    main()

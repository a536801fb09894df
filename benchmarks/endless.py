"""What it costs to judge candidates where the failing input never ends, beside where it does.

Each program of the zoo that never ends is given COUNT edits and the first failing input of its description.
Its golden program, which ends on that input, is given as many edits and the same input. For C, CPU seconds of
both; for Python, whose processes do not tell theirs, seconds of both judged alternately, a slice at a time.
"""

from __future__ import annotations

import random
import time
import tomllib
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.python.edits.generator import PythonEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.model import Candidate, Input, Requirement
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
COUNT = 10_000
SLICE = 250


def main() -> None:
    print(f"{'program':18} {'input':15} {'ends':>7} {'never ends':>10} {'ratio':>6} {'survivors':>9}")
    ratios = []
    for folder in sorted(ZOO.glob("py_endless_*")):
        ratios.append(_python(folder))
    for folder in sorted(ZOO.glob("endless_*")):
        given = Input(tomllib.loads((folder / "subject.toml").read_text())["failing"][0])
        golden, buggy = ((folder / name).read_bytes() for name in ("golden.c", "buggy.c"))
        evaluator = CEvaluator(golden)
        required = Requirement(given, evaluator.original([given])[0])
        evaluator.close()
        ends, _ = _judge(golden, required)
        endless, survivors = _judge(buggy, required)
        ratios.append(_told(folder, given, ends, endless, survivors))
    print(f"largest ratio: {max(ratios):.2f}")


def _told(folder: Path, given: Input, ends: float, endless: float, survivors: int) -> float:
    ratio = endless / ends
    print(
        f"{folder.name:18} {given.text:15} {ends:7.2f} {endless:10.2f} {ratio:6.2f} {survivors:9}", flush=True
    )
    return ratio


def _python(folder: Path) -> float:
    about = tomllib.loads((folder / "subject.toml").read_text())
    function, given = about["function"], Input(about["failing"][0])
    with Sandbox() as sandbox:
        both = [PythonEvaluator(folder / name, function, sandbox) for name in ("golden.py", "buggy.py")]
        required = Requirement(given, both[0].original([given])[0])
        for evaluator in both:
            evaluator.original([given])
            edits = list(PythonEdits().candidates(evaluator.source, Hints(function=function)))
            evaluator.add(list(islice(cycle(edits), COUNT)))
        seconds, survivors = [0.0, 0.0], [0, 0]
        for start in range(0, COUNT, SLICE):
            for which, evaluator in enumerate(both):
                began = time.perf_counter()
                judgement = evaluator.judge([required], range(start, start + SLICE))
                seconds[which] += time.perf_counter() - began
                survivors[which] += len(judgement.survivors)
        for evaluator in both:
            evaluator.close()
    return _told(folder, given, *seconds, survivors[1])


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

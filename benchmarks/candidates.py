"""Candidates judged a CPU second, end to end (placing, compiling, running), beside one gcc a candidate.

Each program of the zoo is given all single edits (at most LIMIT) and the failing inputs of its description
with what the right program prints. References: GenProg 3.5-5.8, f1x 665 candidates a second.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import tempfile
import time
import tomllib
from itertools import islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import COMPILER
from learn2fix.model import Input, Requirement

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
LIMIT = 20_000
BUILT = 8
"""Candidates that are compiled one by one for comparison."""


def main() -> None:
    print(
        f"{'program':16} {'candidates':>10} {'runs':>6} {'alone':>5} {'a second':>9} {'gcc':>5} {'ratio':>6}"
    )
    rates, ratios = [], []
    for folder in sorted(path.parent for path in ZOO.glob("*/buggy.c")):
        source = (folder / "buggy.c").read_bytes()
        requirements = _requirements(folder)
        candidates = list(islice(CEdits().candidates(source, Hints()), LIMIT))
        began = time.process_time()
        evaluator = CEvaluator(source)
        evaluator.add(candidates)
        judgement = evaluator.judge(requirements)
        rate = len(candidates) / (time.process_time() - began + evaluator.cpu_seconds)
        alone = len(evaluator.alone)
        evaluator.close()
        gcc = _one_by_one(source)
        rates.append(rate)
        ratios.append(rate / gcc)
        print(
            f"{folder.name:16} {len(candidates):10} {judgement.executions:6} {alone:5} {rate:9.0f}"
            f" {gcc:5.1f} {rate / gcc:6.0f}",
            flush=True,
        )
    print(f"median: {statistics.median(rates):.0f} a CPU second, {statistics.median(ratios):.0f} times gcc")


def _requirements(folder: Path) -> list[Requirement]:
    """The failing inputs, and what the right program prints for them."""
    about = tomllib.loads((folder / "subject.toml").read_text())
    inputs = [Input(text) for text in about["failing"]]
    golden = CEvaluator((folder / "golden.c").read_bytes())
    try:
        return [Requirement(i, answer) for i, answer in zip(inputs, golden.original(inputs), strict=True)]
    finally:
        golden.close()


def _one_by_one(source: bytes) -> float:
    """Candidates a CPU second when each is a gcc run; running the tests is not even counted."""
    every = list(islice(CEdits().candidates(source, Hints()), LIMIT))
    some = every[:: max(1, len(every) // BUILT)][:BUILT]
    began = _children()
    with tempfile.TemporaryDirectory() as folder:
        for candidate in some:
            (Path(folder) / "program.c").write_bytes(candidate.apply(source))
            command = [*COMPILER[:-1], "-o", "program", "program.c", COMPILER[-1]]
            subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, check=False)
    return len(some) / (_children() - began)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()

"""Python candidates judged a second, end to end, beside one Python process a candidate in the same run.

Each program of the zoo below is given its single edits (at most LIMIT) and the failing inputs of its
description with what the right program returns. Both ways run alternately on the same machine, so the ratio
holds under load as well.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from itertools import islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.generator import PythonEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.model import Candidate, Input, Requirement
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
PROGRAMS = (
    "py_age", "py_best_sum", "py_binary_search", "py_caesar",
    "py_merge", "py_run_length", "py_votes", "py_stock",
)  # fmt: skip
LIMIT = 3_000
ALONE = 8
"""Candidates that get a process each, for comparison."""


def main() -> None:
    print(f"{'program':18} {'candidates':>10} {'runs':>6} {'a second':>9} {'process each':>12} {'ratio':>6}")
    rates, ratios = [], []
    with Sandbox() as sandbox:
        for name in PROGRAMS:
            folder = ZOO / name
            function = tomllib.loads((folder / "subject.toml").read_text())["function"]
            requirements = _requirements(folder, function, sandbox)
            source = (folder / "buggy.py").read_bytes()
            edits = PythonEdits().candidates(source, Hints(function=function))
            candidates = list(islice(edits, LIMIT))
            evaluator = PythonEvaluator(folder / "buggy.py", function, sandbox)
            try:
                evaluator.original([requirement.input for requirement in requirements])  # started, warm
                began = time.perf_counter()
                evaluator.add(candidates)
                judgement = evaluator.judge(requirements)
                rate = len(candidates) / (time.perf_counter() - began)
            finally:
                evaluator.close()
            alone = _one_by_one(source, function, candidates, requirements)
            rates.append(rate)
            ratios.append(rate / alone)
            print(
                f"{name:18} {len(candidates):10} {judgement.executions:6} {rate:9.0f} {alone:12.1f}"
                f" {rate / alone:6.0f}",
                flush=True,
            )
    rate, ratio = statistics.median(rates), statistics.median(ratios)
    print(f"median: {rate:.0f} a second, {ratio:.0f} times one process each")


def _requirements(folder: Path, function: str, sandbox: Sandbox) -> list[Requirement]:
    """The failing inputs, and what the right program returns for them."""
    about = tomllib.loads((folder / "subject.toml").read_text())
    inputs = [Input(text) for text in about["failing"]]
    golden = PythonEvaluator(folder / "golden.py", function, sandbox)
    try:
        return [Requirement(i, answer) for i, answer in zip(inputs, golden.original(inputs), strict=True)]
    finally:
        golden.close()


def _one_by_one(
    source: bytes, function: str, candidates: list[Candidate], requirements: list[Requirement]
) -> float:
    """Candidates a second when each is a file and a process, which ends at the first test that fails."""
    some = candidates[:: max(1, len(candidates) // ALONE)][:ALONE]
    checks = "".join(f"assert repr({function}({r.input.text})) == {r.expected!r}\n" for r in requirements)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.py"
        for candidate in some:
            path.write_bytes(candidate.apply(source) + b"\n" + checks.encode())
            try:
                subprocess.run([sys.executable, "-S", path], capture_output=True, timeout=1, check=False)
            except subprocess.TimeoutExpired:
                continue
    return len(some) / (time.perf_counter() - began)


if __name__ == "__main__":
    main()

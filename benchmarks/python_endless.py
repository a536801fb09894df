"""What it costs to judge candidates of a Python program that never ends on its failing input.

Each program of the zoo below is compared with its right version, which ends on that input: 10,000 candidates
each (single edits, over and over), judged on the failing input. Both are judged alternately, a slice at a
time, so the ratio holds under load as well.
"""

from __future__ import annotations

import time
import tomllib
from itertools import cycle, islice
from pathlib import Path

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.generator import PythonEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.model import Input, Requirement
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
CANDIDATES = 10_000
SLICE = 250


def main() -> None:
    print(f"{'program':20} {'judging: ends':>13} {'never ends':>11} {'ratio':>6} {'ratio with adding':>18}")
    for folder in sorted(ZOO.glob("py_endless_*")):
        about = tomllib.loads((folder / "subject.toml").read_text())
        with Sandbox() as sandbox:
            right = PythonEvaluator(folder / "golden.py", about["function"], sandbox)
            wrong = PythonEvaluator(folder / "buggy.py", about["function"], sandbox)
            given = Input(about["failing"][0])
            requirement = Requirement(given, right.original([given])[0])
            wrong.original([given])
            added, judged = [0.0, 0.0], [0.0, 0.0]
            for which, evaluator in enumerate((right, wrong)):
                edits = list(PythonEdits().candidates(evaluator.source, Hints(function=about["function"])))
                began = time.perf_counter()
                evaluator.add(list(islice(cycle(edits), CANDIDATES)))
                added[which] = time.perf_counter() - began
            for start in range(0, CANDIDATES, SLICE):
                for which, evaluator in enumerate((right, wrong)):
                    began = time.perf_counter()
                    evaluator.judge([requirement], range(start, start + SLICE))
                    judged[which] += time.perf_counter() - began
            right.close()
            wrong.close()
        ratio = judged[1] / judged[0]
        whole = (added[1] + judged[1]) / (added[0] + judged[0])
        print(
            f"{folder.name:20} {judged[0]:12.2f}s {judged[1]:10.2f}s {ratio:6.2f} {whole:18.2f}", flush=True
        )


if __name__ == "__main__":
    main()

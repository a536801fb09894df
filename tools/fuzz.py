"""Runs the property tests on fresh random examples, again and again: `make fuzz SECONDS=1800`.

A test that fails is shown once and left out from then on. The exit status is 1 when any test failed. More
arguments go to pytest: `python tools/fuzz.py 600 tests/test_formula.py`.
"""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest", "-m", "hypothesis", "--hypothesis-profile=fuzz", "-p", "no:xdist")
FILES = sorted(map(str, Path("tests").glob("test_*.py")))
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
ENDING_SECONDS = 60
"""For pytest to say what failed when it is stopped."""


def main(seconds: float, arguments: list[str]) -> int:
    end = time.monotonic() + seconds
    failed: list[str] = []
    rounds = 0
    while (left := end - time.monotonic()) > 0:
        skipped = [word for test in failed for word in ("--deselect", test)]
        # In another order each time: the last round is cut short, and it may be the only one.
        files = arguments or random.sample(FILES, len(FILES))
        output, status = run([*PYTEST, *skipped, *files], left)
        found = [test for test in FAILED.findall(output) if test not in failed]
        if status not in (0, 1, None) or (status == 1 and not found):
            print(output)
            print(f"pytest ended with status {status}: nothing was explored in this round.")
            return 1
        if found:
            print(output, flush=True)
            failed += found
        rounds += status is not None
        print(f"{rounds} full rounds, {len(failed)} tests failed", flush=True)
    if failed:
        print("\nFailed:", *failed, sep="\n  ")
        print(
            "\nFor each: put `@example(...)` with the arguments of its falsifying example between `@given`"
            "\nand the function, see it fail with `pytest`, mend the program and keep the example."
        )
    return 1 if failed else 0


def run(command: list[str], seconds: float) -> tuple[str, int | None]:
    """What pytest printed and its status, None when it had to be stopped."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        output, _ = process.communicate(timeout=seconds)
        return output, process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    try:
        output, _ = process.communicate(timeout=ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, _ = process.communicate()
    return output, None


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), sys.argv[2:]))

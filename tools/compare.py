"""Two states of the source beside each other: executions and candidates, in turns, in one run.

    git archive COMMIT | tar x -C /some/folder
    python tools/compare.py /some/folder . --rounds 30

The ways to execute are those of `python -m benchmarks executions`, whose definitions each state brings along;
candidates are the first ones of the older state for some programs of the zoo, the same for both, judged as
by `python -m benchmarks candidates`. A process for each state makes one round after the other when it is told
to, so that other work on the machine is equally unfair to both; what counts is the median of the ratios of
neighbouring rounds. Executions are timed by the clock, candidates by the CPU time of all that took part.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAMS = ("triangle", "maximum", "leap_year", "power")
CANDIDATES = 3_000

ROUNDS_OF_ONE_STATE = """
import json, sys, tempfile, time
from itertools import islice
from pathlib import Path

from benchmarks import candidates, executions
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.model import Candidate, Edit
from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.build import compiler

answers = sys.stdout
sys.stdout = sys.stderr

def answer(value):
    print(json.dumps(value), file=answers, flush=True)

def generated(name, limit):
    source = (candidates.ZOO / name / "buggy.c").read_bytes()
    return [
        ([(edit.start, edit.end, edit.text.decode("latin-1")) for edit in one.edits], one.kind, one.cost)
        for one in islice(CEdits().candidates(source, Hints()), limit)
    ]

def judging_of(name, given):
    source = (candidates.ZOO / name / "buggy.c").read_bytes()
    wanted = candidates._requirements(candidates.ZOO / name)
    every = [
        Candidate(tuple(Edit(start, end, text.encode("latin-1")) for start, end, text in edits), kind, cost)
        for edits, kind, cost in given
    ]

    def judge():
        began = time.process_time()
        evaluator = CEvaluator(source)
        evaluator.add(every)
        evaluator.judge(wanted)
        used = time.process_time() - began + evaluator.cpu_seconds
        evaluator.close()
        return used

    return judge

with tempfile.TemporaryDirectory() as name, Sandbox(Limits()) as one, Sandbox(Limits(), jobs=2) as two:
    ways = {}

    def timed(count, make):
        def run():
            began = time.perf_counter()
            make(count)
            return time.perf_counter() - began
        return run

    folder = Path(name)
    for title, count, make in executions.c_ways(folder, one, two, compiler()):
        ways["C: " + title] = timed(count, make)
    for title, count, make in executions.python_ways(folder, one, two):
        ways["Python: " + title] = timed(count, make)
    answer([str(one.isolation), *ways])
    for line in sys.stdin:
        order = json.loads(line)
        if order[0] == "generate":
            answer(generated(*order[1:]))
        elif order[0] == "candidates":
            ways[order[1]] = judging_of(order[2], order[3])
            answer(order[1])
        else:
            answer(ways[order[1]]())
"""


class State:
    """A process that makes rounds with one state of the source."""

    def __init__(self, folder: Path) -> None:
        source = os.pathsep.join((str(folder / "src"), str(folder)))
        self._process = subprocess.Popen(
            [sys.executable, "-c", ROUNDS_OF_ONE_STATE],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": source},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.isolation, *self.ways = self._answer()

    def tell(self, *order: object) -> object:
        assert self._process.stdin is not None
        print(json.dumps(order), file=self._process.stdin, flush=True)
        return self._answer()

    def seconds(self, way: str) -> float:
        return float(str(self.tell("round", way)))

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("one of the two states cannot be measured, see above")
        answer: list[str] = json.loads(line)
        return answer


def compared(before: State, after: State, way: str, rounds: int) -> list[float]:
    """The ratios of the times, after to before; who begins changes from round to round."""
    ratios = []
    for number in range(-1, rounds):
        pair = (before, after) if number % 2 else (after, before)
        times = {id(state): state.seconds(way) for state in pair}
        if number >= 0:  # the first round warms up
            ratios.append(times[id(after)] / times[id(before)])
    return ratios


def shown(way: str, ratios: Sequence[float]) -> str:
    low, middle, high = statistics.quantiles(ratios, n=4)
    return f"| {way} | {len(ratios)} | {middle:.3f} | {low:.3f} to {high:.3f} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("before", type=Path, help="the folder of the older state")
    arguments.add_argument("after", type=Path, help="the folder of the newer state")
    arguments.add_argument("--rounds", type=int, default=30, help="rounds for each")
    arguments.add_argument(
        "--only", default="", metavar="TEXT", help="what has this in its name, nothing else"
    )
    given = arguments.parse_args()
    before, after = State(given.before.resolve()), State(given.after.resolve())
    print(f"isolation: {before.isolation} before, {after.isolation} after")
    ways = [way for way in before.ways if way in after.ways and "no isolation" not in way]
    for program in PROGRAMS:
        way = f"judging candidates of {program} (CPU time)"
        some = before.tell("generate", program, CANDIDATES)
        for state in (before, after):
            state.tell("candidates", way, program, some)
        ways.append(way)
    print("| what | rounds | after / before, median | half of the rounds |\n|---|---|---|---|")
    for way in ways:
        if given.only not in way:
            continue
        print(shown(way, compared(before, after, way, given.rounds)), flush=True)
    before.end()
    after.end()


if __name__ == "__main__":
    main()

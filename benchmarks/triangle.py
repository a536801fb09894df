"""How close the learned condition comes to Steve's triangle: `python -m benchmarks triangle [SEEDS] [CSV]`.

With a file, the paper's strategy alone, LIMIT CPU seconds a run: a row a seed and number of labels, appended
as they come, so that a second call does what is missing; `tools/paper_tables.py` makes the table of
docs/paper.md from it.

The bug shows where a == b == c and a != 1 (prints 2, not 1), and where a == b, c == 1 and a != 1 (prints 1,
not 2). One failing input is known, 2 2 2; a golden triangle answers. Accuracy and failing-recall are those on
all 216 triples of 1 to 6, of which 10 fail: who never sees a bug gets .954 right. Close is .97 and more.
"""

from __future__ import annotations

import csv
import itertools
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from learn2fix.conversation.loop import converse
from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import Problem
from learn2fix.domain import Domain, words_domain
from learn2fix.events import ignore
from learn2fix.labels.strategy import FromLabels
from learn2fix.model import Answer, Ending, Input, Label, Observation, Outcome, Response, Verdict

CLOSE = 0.97
SEEDS = 3
"""Of `make bench`; the figures of results/README.md are those of 20."""
SETTINGS = (
    *(("paper", Options(strategy="paper"), labels) for labels in (10, 20, 30)),
    *(("paper, as run", Options(strategy="paper", as_run=True), labels) for labels in (10, 20, 30)),
    ("paper, our learner", Options(strategy="paper", learner="smt"), 30),
    ("the same, extended mutations", Options(strategy="paper", learner="smt", mutations="extended"), 30),
    ("an executable, as by default", Options(), 10),
    ("an executable, as by default", Options(), 30),
)


def buggy(a: int, b: int, c: int) -> int:
    if a <= 0 or b <= 0 or c <= 0:
        return 4
    if a <= c - b or b <= a - c or c <= b - a:
        return 4
    if (a == b) == c:
        return 1
    return 2 if len({a, b, c}) < 3 else 3


def golden(a: int, b: int, c: int) -> int:
    return 1 if a == b == c and a > 0 else 2 if buggy(a, b, c) == 1 else buggy(a, b, c)


class Triangle:
    """The buggy program, in this process."""

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        return [Outcome(Ending.EXITED, f"{buggy(*given.values)}\n".encode()) for given in inputs]

    def normal(self, response: Response) -> Response:
        return response


@dataclass(frozen=True, slots=True)
class Score:
    accuracy: float
    recall: float
    questions: int
    condition: str


def run(options: Options) -> Score:
    return runs(options, [options.labels])[0]


def runs(options: Options, budgets: Sequence[int]) -> list[Score]:
    """One conversation, looked at when each of the budgets is used up."""
    program = Triangle()
    domain = words_domain(["2 2 2"])
    first = domain.parse("2 2 2")
    outcome = program.run([first])[0]
    domain = domain.with_output(outcome)
    known = (Label(Observation(first, outcome), Answer(Verdict.BUG, "1")),)
    end = time.process_time() + options.timeout
    problem = Problem(cast(Any, program), domain, options, known, time.process_time, end, end, ignore)
    paper = options.strategy == "paper"
    rule = "as-run" if options.as_run else "paper" if paper else "spread"
    strategy = FromLabels(problem, options.learner or ("incal" if paper else "forest"), rule, None)
    conversation = converse(strategy, labels=options.questions, late=lambda: problem.late)
    scores: list[Score] = []
    asked = 0
    try:
        question = next(conversation)
        while True:
            while asked >= options.questions_for(budgets[len(scores)]):
                scores.append(score(strategy, domain, program))
            asked += 1
            values = question.observation.input.values
            right = golden(*values)
            wrong = right != buggy(*values)
            question = conversation.send(Answer(Verdict.BUG, str(right)) if wrong else Answer(Verdict.OK))
    except StopIteration:
        # It ended by itself: a larger budget would have changed nothing.
        last = score(strategy, domain, program)
        return scores + [last] * (len(budgets) - len(scores))


def score(strategy: FromLabels, domain: Domain, program: Triangle) -> Score:
    inputs = [domain.parse(f"{a} {b} {c}") for a, b, c in itertools.product(range(1, 7), repeat=3)]
    observations = [Observation(given, out) for given, out in zip(inputs, program.run(inputs), strict=True)]
    truth = [golden(*given.values) != buggy(*given.values) for given in inputs]
    said = [chance >= 0.5 for chance in strategy.chances(observations)]
    right = [a == b for a, b in zip(said, truth, strict=True)]
    found = strategy.findings()
    return Score(
        sum(right) / len(right),
        sum(a for a, fails in zip(right, truth, strict=True) if fails) / sum(truth),
        found.questions,
        found.condition,
    )


BUDGETS = (10, 20, 30)
LIMIT = 5.0
"""CPU seconds of a run that is written to a file."""
COLUMNS = ("seed", "labels", "questions", "accuracy", "recall", "condition", "seconds")


def write_rows(path: Path, seeds: int) -> None:
    """The paper's strategy with its learner, as far as the file does not hold it yet."""
    done = {row["seed"] for row in read(path)} if path.exists() else set()
    for seed in range(1, seeds + 1):
        if str(seed) in done:
            continue
        begun = time.process_time()
        found = runs(Options(strategy="paper", labels=max(BUDGETS), seed=seed, timeout=LIMIT), BUDGETS)
        seconds = f"{time.process_time() - begun:.1f}"
        with path.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if file.tell() == 0:
                writer.writerow(COLUMNS)
            for labels, each in zip(BUDGETS, found, strict=True):
                figures = each.questions, f"{each.accuracy:.4f}", f"{each.recall:.2f}", each.condition
                writer.writerow((seed, labels, *figures, seconds))


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def main(seeds: int | None = None) -> None:
    given = sys.argv[2:] if sys.argv[1:2] == ["triangle"] else []
    numbers = [int(word) for word in given if word.isdigit()]
    count = seeds or next(iter(numbers), SEEDS)
    if path := next((Path(word) for word in given if not word.isdigit()), None):
        write_rows(path, count)
        return
    print(f"{'':40}{'answers':>8}{'accuracy':>9}{'recall':>8}{'close':>10}{'s/run':>7}")
    for name, options, labels in SETTINGS:
        begun = time.monotonic()
        scores = [run(replace(options, labels=labels, seed=seed)) for seed in range(1, count + 1)]
        close = sum(each.accuracy >= CLOSE for each in scores)
        print(
            f"{name:40}{labels:>8}"
            f"{statistics.mean(each.accuracy for each in scores):>9.3f}"
            f"{statistics.mean(each.recall for each in scores):>8.2f}"
            f"{f'{close} of {count}':>10}{(time.monotonic() - begun) / count:>7.1f}",
            flush=True,
        )

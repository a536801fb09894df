"""Which edit operators hold the cure of a subject: to fit priors by, and to see what each operator is for.

A candidate is right when it prints what the golden program prints on every test and on fresh inputs.
"""

from __future__ import annotations

import csv
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from learn2fix.experiments.job import answered_inputs
from learn2fix.experiments.programs import GoldenProgram, open_source, parsed
from learn2fix.experiments.subjects import FolderSubject
from learn2fix.model import Answer, Label, Observation, Requirement, Verdict
from learn2fix.repair.stages import Stages
from learn2fix.sandbox import Sandbox

MAX_CANDIDATES = 40_000
FRESH = 60
"""Number of fresh inputs on which a right candidate agrees with the golden program."""
MAX_SECONDS = 120.0


class Cure(NamedTuple):
    """One row: an operator on a subject."""

    subject: str
    operator: str
    candidates: int
    """How many it proposed."""
    right: int
    """How many of them are right."""
    rank: int
    """Of the first right one among all candidates, from 1; 0 without any."""


def cures_of(subject: FolderSubject, most: int = MAX_CANDIDATES) -> list[Cure]:
    """A row for each operator that proposed something."""
    with tempfile.TemporaryDirectory(prefix="learn2fix-cures-") as place, Sandbox() as sandbox:
        folder = Path(place)
        buggy = open_source(subject, subject.buggy, folder / "b", sandbox)
        golden = GoldenProgram(open_source(subject, subject.golden, folder / "g", sandbox))
        repairable = buggy.repairable
        if repairable is None:
            return []
        texts = [*subject.failing, *(test.input for test in (*subject.training, *subject.heldout))]
        domain = buggy.domain(subject.failing)
        inputs = list({given.text: given for given in (parsed(domain, text) for text in texts)}.values())
        wanted = [pair for pair in zip(inputs, golden.answers(inputs), strict=True) if pair[1] is not None]
        seeds = [given for given, _ in wanted if given.values]
        rng = random.Random(f"cures {subject.name}")
        fresh = answered_inputs(domain, seeds, rng, FRESH, golden, {given.text.strip() for given in inputs})
        required = [Requirement(given, right) for given, right in (*wanted, *fresh)]
        failing = [domain.parse(text) for text in subject.failing]
        known = [
            Label(Observation(given, outcome), Answer(Verdict.BUG))
            for given, outcome in zip(failing, buggy.run(failing), strict=True)
        ]
        deadline = time.monotonic() + MAX_SECONDS
        with closing(repairable.evaluator(time.monotonic)) as evaluator:
            hints = Stages(repairable, evaluator, known, time.monotonic, deadline).hints()
            candidates = list(islice(repairable.edits(hints), most))
            ids = evaluator.add(candidates)
            survivors = evaluator.judge(required, ids, deadline=deadline).survivors
        buggy.close()
        golden.close()
    made = Counter(candidate.kind for candidate in candidates)
    right = Counter(candidates[number].kind for number in survivors)
    first = {candidates[number].kind: number + 1 for number in reversed(survivors)}
    return [Cure(subject.name, name, made[name], right[name], first.get(name, 0)) for name in sorted(made)]


def write_cures(rows: Iterable[Cure], file: TextIO, *, header: bool = True) -> None:
    writer = csv.writer(file)
    if header:
        writer.writerow(Cure._fields)
    writer.writerows(rows)


def read_cures(file: TextIO) -> Iterator[Cure]:
    for row in csv.DictReader(file):
        yield Cure(
            row["subject"], row["operator"], int(row["candidates"]), int(row["right"]), int(row["rank"])
        )

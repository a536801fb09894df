"""Which edit operators hold the cure of a subject: to fit priors by, and to see what each operator is for.

A candidate is right when it prints what the golden program prints on every test and on fresh inputs.
"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import NamedTuple, TextIO

from learn2fix.experiments.subjects import FolderSubject
from learn2fix.experiments.truth import opened_truth
from learn2fix.repair.stages import Stages

MAX_CANDIDATES = 40_000
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


def cures_of(subject: FolderSubject) -> list[Cure]:
    """A row for each operator that proposed something."""
    with opened_truth(subject) as truth:
        if truth is None:
            return []
        deadline = time.monotonic() + MAX_SECONDS
        with closing(truth.repairable.evaluator(time.monotonic)) as evaluator:
            hints = Stages(truth.repairable, evaluator, truth.known, time.monotonic, deadline).hints()
            candidates = list(islice(truth.repairable.edits(hints), MAX_CANDIDATES))
            ids = evaluator.add(candidates)
            survivors = evaluator.judge(truth.required, ids, deadline=deadline).survivors
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

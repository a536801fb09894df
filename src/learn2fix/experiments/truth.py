"""What a right candidate of a subject must answer: what the golden program prints, on many inputs."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from learn2fix.experiments.job import answered_inputs
from learn2fix.experiments.programs import MEASURING_LIMITS, GoldenProgram, open_source, parsed
from learn2fix.experiments.subjects import FolderSubject
from learn2fix.languages.protocol import Repairable, Subject
from learn2fix.model import Answer, Input, Label, Observation, Requirement, Verdict
from learn2fix.sandbox import Sandbox

FRESH = 60
"""Number of fresh inputs on which a right candidate agrees with the golden program."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A subject, opened to judge candidates by all that is known of what is right."""

    subject: Subject
    repairable: Repairable
    known: tuple[Label, ...]
    """The failing inputs, with what is right there."""
    required: tuple[Requirement, ...]
    """The failing inputs, the training and held-out tests, and fresh inputs."""


@contextmanager
def opened_truth(subject: FolderSubject) -> Iterator[Truth | None]:
    """None where the buggy program cannot be edited, or the golden one has no answer to the failing input."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="learn2fix-truth-")))
        sandbox = stack.enter_context(Sandbox(MEASURING_LIMITS))
        buggy = stack.enter_context(closing(open_source(subject, subject.buggy, folder / "b", sandbox)))
        checked = bool(subject.kind)
        golden = stack.enter_context(closing(GoldenProgram.open(subject, folder / "g", sandbox, checked)))
        yield None if buggy.repairable is None else _truth(subject, buggy, buggy.repairable, golden)


def _truth(
    subject: FolderSubject, buggy: Subject, repairable: Repairable, golden: GoldenProgram
) -> Truth | None:
    domain = buggy.domain(subject.failing)
    failing = [domain.parse(text) for text in subject.failing]
    wanted = golden.answers(failing)
    if None in wanted:
        return None
    known = tuple(
        Label(Observation(given, outcome), Answer(Verdict.BUG, str(right)))
        for given, outcome, right in zip(failing, buggy.run(failing), wanted, strict=True)
    )
    tests = [parsed(domain, test.input) for test in (*subject.training, *subject.heldout)]
    rng = random.Random(f"cures {subject.name}")
    used = {given.text.strip() for given in (*failing, *tests)}
    seeds = [given for given in (*failing, *tests) if given.values]
    fresh = [given for given, _ in answered_inputs(domain, seeds, rng, FRESH, golden, used)]
    inputs = list({given.text: given for given in (*failing, *tests, *fresh)}.values())
    return Truth(buggy, repairable, known, tuple(_required(inputs, golden)))


def _required(inputs: Sequence[Input], golden: GoldenProgram) -> Iterator[Requirement]:
    for given, right in zip(inputs, golden.answers(inputs), strict=True):
        if right is not None:
            yield Requirement(given, right)

"""A candidate becomes a patch when its plain source, built as the user builds, does what is required."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from learn2fix.edits.diff import patch_of
from learn2fix.edits.folding import folded
from learn2fix.edits.minimise import minimise
from learn2fix.edits.parts import Part, shown_path
from learn2fix.errors import BuildError
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Candidate, Input, Patch, Requirement, Response
from learn2fix.wording import plural


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate worth building, with what speaks for it."""

    candidate: Candidate
    confidence: float
    evidence: tuple[str, ...] = ()
    answers: tuple[tuple[Input, Response], ...] = ()
    """What it is known to answer on generated inputs, in normal form: another way to write it must, too."""


def offer(
    subject: Repairable,
    offers: Iterable[Offer],
    requirements: Sequence[Requirement],
    *,
    most: int = 3,
    within: Callable[[], bool] = lambda: True,
) -> list[Patch]:
    """The first `most` that hold, in the given order, made as small as they can be."""
    path = shown_path(subject.source, Path.cwd()) if subject.source is not None else "program"
    parts = shown_parts(subject)
    patches: list[Patch] = []
    texts: set[bytes] = set()
    for each in offers:
        if len(patches) >= most or not within():
            break
        whole = subject.completed(each.candidate)
        if not satisfies(subject, whole, requirements):
            continue

        def alike(candidate: Candidate, offered: Offer = each) -> bool:
            return satisfies(subject, candidate, requirements, offered.answers)

        smallest = minimise(whole, alike)
        for better in (partial(folded, subject.text), subject.completed):
            other = better(smallest)
            if other != smallest and alike(other):
                smallest = other
        text = smallest.apply(subject.text)
        if text not in texts:
            texts.add(text)
            many = len({requirement.input.text for requirement in requirements})
            satisfied = f"satisfies {'the' if many == 1 else 'all'} {plural(many, 'labelled test')}"
            evidence = (satisfied, *each.evidence)
            patches.append(patch_of(path, subject.text, smallest, each.confidence, evidence, parts))
    return patches


def shown_parts(subject: Repairable) -> list[Part]:
    """The files that a program is made of, as seen from here."""
    return [replace(part, path=shown_path(Path(part.path), Path.cwd())) for part in subject.parts]


def satisfies(
    subject: Repairable,
    candidate: Candidate,
    requirements: Sequence[Requirement],
    answers: Sequence[tuple[Input, Response]] = (),
) -> bool:
    """Built as plain source with the user's compiler and run on every labelled test; what it gives on other
    inputs is compared where `answers` say what that must be."""
    try:
        patched = subject.patched(candidate.apply(subject.text))
    except BuildError:
        return False
    try:
        outcomes = patched.run([requirement.input for requirement in requirements])
        met = all(
            r.met_by(outcome.response, subject.same)
            for r, outcome in zip(requirements, outcomes, strict=True)
        )
        if not met or not answers:
            return met
        others = patched.run([given for given, _ in answers])
    finally:
        patched.close()
    return all(
        subject.normal(outcome.response) == known for (_, known), outcome in zip(answers, others, strict=True)
    )

"""Prove the rig before anything is learned: the program runs, and prints the same thing every time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from learn2fix.errors import NotDeterministic, NotFailing
from learn2fix.languages.protocol import Proof, Subject
from learn2fix.model import Ending, Input, Outcome, Response

REPEATS = 5


def prove_repeatable(
    subject: Subject, inputs: Sequence[Input], expected: Sequence[Response | None] = ()
) -> list[Outcome]:
    """The outcomes of the inputs; NotDeterministic when another run changes one.

    `expected`: what is right for each, as far as somebody said so.
    """
    runs = _repeated(subject, inputs, expected)
    if subject.prove(runs):
        runs = _repeated(subject, inputs, expected)
    for run in runs:
        if not run.steady:
            raise NotDeterministic(
                f"{subject.name} does not repeat itself: for {run.input.text!r} it printed "
                f"{str(run.outcome.response)!r}, then something else",
                "remove what depends on time, chance or addresses",
            )
    return [run.outcome for run in runs]


def _repeated(subject: Subject, inputs: Sequence[Input], expected: Sequence[Response | None]) -> list[Proof]:
    found = []
    for given, outcome, wanted in zip_longest(inputs, subject.run(inputs), expected[: len(inputs)]):
        if outcome.ending is Ending.NOT_STARTED:
            raise NotFailing(f"{subject.name} cannot be run: {outcome.detail}")
        # Whatever takes all its time takes it again: once more is enough.
        repeats = 1 if outcome.ending is Ending.TIMEOUT else REPEATS - 1
        steady = all(again.response == outcome.response for again in subject.run([given] * repeats))
        found.append(Proof(given, outcome, steady, wanted))
    return found

"""Prove the rig before anything is learned: the program runs, and prints the same thing every time."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.errors import NotDeterministic, NotFailing
from learn2fix.languages.protocol import Subject
from learn2fix.model import Ending, Input, Outcome

REPEATS = 5


def prove_repeatable(subject: Subject, inputs: Sequence[Input]) -> list[Outcome]:
    """The outcomes of the inputs; NotDeterministic when another run changes one."""
    outcomes = subject.run(inputs)
    for given, outcome in zip(inputs, outcomes, strict=True):
        if outcome.ending is Ending.NOT_STARTED:
            raise NotFailing(f"{subject.name} cannot be run: {outcome.detail}")
        # Whatever takes all its time takes it again: once more is enough.
        repeats = 1 if outcome.ending is Ending.TIMEOUT else REPEATS - 1
        for again in subject.run([given] * repeats):
            if again.response != outcome.response:
                raise NotDeterministic(
                    f"{subject.name} does not repeat itself: for {given.text!r} it printed "
                    f"{str(outcome.response)!r}, then {str(again.response)!r}",
                    "remove what depends on time, chance or memory that was never set",
                )
    subject.prove(inputs, outcomes)
    return outcomes

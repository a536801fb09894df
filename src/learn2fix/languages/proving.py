"""Prove the rig before anything is learned: the program runs, and prints the same thing every time."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.errors import BuildError, NotDeterministic, NotFailing
from learn2fix.languages.c.building import FRESH_MEMORY
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.protocol import Subject
from learn2fix.model import Ending, Input, Outcome
from learn2fix.sandbox import Program, Sandbox

REPEATS = 5
CANNOT_IMPORT = ("ModuleNotFoundError: ", "ImportError: ")


def prove_repeatable(subject: Subject, inputs: Sequence[Input], sandbox: Sandbox) -> list[Outcome]:
    """The outcomes of the inputs; NotDeterministic when another run, or other fresh memory, changes one."""
    outcomes = subject.run(inputs)
    for given, outcome in zip(inputs, outcomes, strict=True):
        if outcome.ending is Ending.NOT_STARTED:
            raise NotFailing(f"{subject.name} cannot be run: {outcome.detail}")
        if outcome.ending is Ending.RAISED and outcome.detail.startswith(CANNOT_IMPORT):
            raise NotFailing(
                f"{subject.name} cannot be run: {outcome.detail}",
                "what it imports must lie beside it or be installed",
            )
        for again in subject.run([given] * (REPEATS - 1)):
            if again.response != outcome.response:
                raise NotDeterministic(
                    f"{subject.name} does not repeat itself: for {given.text!r} it printed "
                    f"{str(outcome.response)!r}, then {str(again.response)!r}",
                    "remove what depends on time, chance or memory that was never set",
                )
    if isinstance(subject, CSubject) and not subject.options.fixes_fresh_memory:
        _prove_memory(subject, inputs, outcomes, sandbox)
    return outcomes


def _prove_memory(
    subject: CSubject, inputs: Sequence[Input], outcomes: Sequence[Outcome], sandbox: Sandbox
) -> None:
    for filled in ("zero", "pattern"):
        try:
            binary = subject.build((FRESH_MEMORY + filled,))
        except BuildError:
            return  # a compiler without that option: re-running is all we can do
        with sandbox.start(Program((str(binary),))) as worker:
            for given, outcome in zip(inputs, outcomes, strict=True):
                again = worker.run(subject.stdin(given))
                if again.response != outcome.response:
                    raise NotDeterministic(
                        f"{subject.name} reads memory that it never set: for {given.text!r} it printed "
                        f"{str(outcome.response)!r}, with fresh memory {_filled(filled)} "
                        f"{str(again.response)!r}",
                        f"set every variable, or fix what fresh memory holds: "
                        f"--cflags '{' '.join(subject.options.flags)} {FRESH_MEMORY}zero'",
                    )


def _filled(filled: str) -> str:
    return "zeroed" if filled == "zero" else "filled with a pattern"

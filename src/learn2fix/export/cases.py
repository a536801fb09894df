"""What is exported: a program and its labelled tests."""

from __future__ import annotations

from dataclasses import dataclass

from learn2fix.languages.protocol import RunRecipe
from learn2fix.model import Label, Requirement
from learn2fix.sandbox import NO_SURROUNDINGS

Files = dict[str, bytes]
"""Names and contents."""


@dataclass(frozen=True, slots=True)
class Program:
    """How a test runs the program."""

    recipe: RunRecipe
    name: str
    """For people."""
    path: str = ""
    """The source, as seen from the folder that is exported to."""
    tolerance: float | None = None
    """Within which numbers with a fraction are the same; None for what the program's own format can show."""


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled test."""

    label: Label
    stdin: str
    """What the process reads, or for a Python function what stands between the parentheses."""
    arguments: tuple[str, ...] = ()
    """Of its command line."""

    @property
    def name(self) -> str:
        return " ".join(self.label.observation.input.text.split()) or "(nothing)"

    @property
    def printed(self) -> str:
        return str(self.label.observation.outcome.response)

    @property
    def requirement(self) -> Requirement | None:
        return Requirement.from_label(self.label)

    @property
    def expected(self) -> str | None:
        """What it should print, when that is known."""
        wanted = None if self.requirement is None else self.requirement.expected
        return None if wanted is None else str(wanted)


def is_surrounded(program: Program, case: Case) -> bool:
    """Whether it takes more than standard input to run it."""
    return bool(case.arguments) or program.recipe.around != NO_SURROUNDINGS

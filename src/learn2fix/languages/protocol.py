"""What every kind of program can do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from learn2fix.domain import Domain
from learn2fix.model import Input, Outcome


class Subject(Protocol):
    """A program that can be run on inputs. It is closed after use."""

    @property
    def name(self) -> str:
        """The program as the user wrote it."""

    @property
    def language(self) -> str:
        """`c`, `python` or `executable`: what repair can do with it."""

    @property
    def source(self) -> Path | None:
        """The user's file, None for an executable without source."""

    @property
    def function(self) -> str | None:
        """The function that is called, None for a whole program."""

    def domain(self, examples: Sequence[str]) -> Domain:
        """The inputs, named and typed, from the program's declaration and example inputs."""

    def stdin(self, given: Input) -> bytes:
        """What the process really reads for this input."""

    def run(self, inputs: Sequence[Input]) -> list[Outcome]:
        """One outcome an input, in order."""

    def close(self) -> None:
        """End what runs for it."""

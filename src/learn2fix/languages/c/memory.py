"""Memory that a program reads and never set: what it prints then depends on what fresh memory holds.

That is a bug like any other. For a session fresh memory is given a fixed content, so that the program repeats
itself and its bug shows; who set it too late or never is said by the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from learn2fix.errors import BuildError
from learn2fix.languages.c.building import FRESH_MEMORY
from learn2fix.languages.protocol import Proof
from learn2fix.model import Ending, Input, Outcome, Response
from learn2fix.sandbox import Worker

FILLS = ("pattern", "zero")
"""The first one is nobody's right answer by chance."""
FILLED = {"zero": "zeroes", "pattern": "a pattern"}
WARNINGS = ("-O2", "-Wuninitialized", "-Wmaybe-uninitialized", "-Wno-error")
PLACE = r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: "
UNSET = re.compile(
    PLACE + r"warning: .(?P<name>[\w.\[\]*>-]+). (?:is|may be) used uninitialized", re.MULTILINE
)
DECLARED = re.compile(PLACE + r"note: .(?P<name>\w+). (?:was )?declared here", re.MULTILINE)
MOST_NAMED = 3


class Filled(Protocol):
    """A program that can be built with a content of fresh memory."""

    def run_on(self, worker: Worker, given: Input) -> Outcome: ...
    def start(self, extra: tuple[str, ...]) -> Worker: ...
    def same(self, expected: Response, found: Response) -> bool: ...


def fill_that_shows(program: Filled, runs: Sequence[Proof]) -> tuple[str, str] | None:
    """The content of fresh memory that a session is to have, and what the program prints with it and without.

    None where what it prints does not depend on it, or where it does not repeat itself even so. Best is what
    was seen: that is what somebody called a bug. What prints the right answer by chance is worst.
    """
    ranks: dict[str, tuple[bool, bool]] = {}
    changed = ""
    for fill in FILLS:
        try:
            worker = program.start((FRESH_MEMORY + fill,))
        except BuildError:
            return None  # a compiler without that option: re-running is all we can do
        seen = shows = True
        with worker:
            for run in runs:
                if run.outcome.ending is Ending.TIMEOUT:
                    continue  # whatever fresh memory holds, there is nothing to compare
                once, again = (program.run_on(worker, run.input).response for _ in range(2))
                if once != again:
                    return None
                seen &= run.steady and once == run.outcome.response
                shows &= run.expected is None or not program.same(run.expected, once)
                if once != run.outcome.response:
                    changed = changed or (
                        f"for {run.input.text!r} it printed {str(run.outcome.response)!r}, with "
                        f"{FILLED[fill]} in fresh memory {str(once)!r}"
                    )
        ranks[fill] = (shows, seen)
    return (max(FILLS, key=lambda fill: ranks[fill]), changed) if changed else None


def unset_variables(diagnostics: str) -> str:
    """Variables that the compiler sees used before they are set: "sum (tool.c line 7)", where declared."""
    declared = {match["name"]: match for match in DECLARED.finditer(diagnostics)}
    found = [declared.get(match["name"], match) for match in UNSET.finditer(diagnostics)]
    named = dict.fromkeys(f"{match['name']} ({match['file']} line {match['line']})" for match in found)
    return ", ".join(list(named)[:MOST_NAMED])

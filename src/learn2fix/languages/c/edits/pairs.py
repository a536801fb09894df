"""Two edits at once, led by single edits that were seen to matter."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.pairs import Layout, pairs
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.guards import guarded_insertions
from learn2fix.languages.c.edits.program import Program
from learn2fix.model import Candidate

PARTNERS = 1500
"""How many of the cheapest single edits a seed is paired with."""


class CPairs:
    """Pairs of single edits. Seeds are candidates that changed what the program prints, best first."""

    name = "pairs"

    def __init__(self, seeds: Sequence[Candidate] = (), partners: Sequence[Candidate] | None = None) -> None:
        """`partners`: what the seeds are paired with, instead of the most plausible single edits."""
        self._seeds, self._partners = tuple(seeds), partners

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        program = Program(source, hints)
        singles = self._partners
        if singles is None:
            singles = list(islice(CEdits().candidates(source, hints), PARTNERS))
        layout = Layout(
            [0, *(match.end() for match in re.finditer("\n", program.text))],
            sorted(node.start for node in program.statements),
            sorted(node.start for node in program.functions.values()),
        )
        seen = Duplicates(program.text, program.squeeze)
        two = pairs(self._seeds, singles, layout, priors("c"), seen)
        if self._partners is not None:
            return two
        return heapq.merge(two, guarded_insertions(program, self._seeds), key=lambda each: each.cost)

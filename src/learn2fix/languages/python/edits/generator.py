"""All edits of a Python program, most plausible first; and pairs of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice

import libcst as cst

from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.ordering import candidates
from learn2fix.edits.pairs import Layout, pairs
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits import (
    arithmetic,
    blocks,
    calls,
    comparisons,
    conditions,
    exchanges,
    indices,
    insertions,
    loops,
    missing,
    numbers,
    repeated,
    results,
    taken_over,
    texts,
    variables,
    wrapping,
)
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.conditional import conditional
from learn2fix.languages.python.edits.program import Program
from learn2fix.model import Candidate

MODULES = (
    comparisons, conditions, arithmetic, numbers, texts, variables, calls, indices, wrapping,
    blocks, loops, results, insertions, missing, taken_over, repeated, exchanges,
)  # fmt: skip
"""The modules that enter operators into the catalogue."""
PARTNERS = 1_500
"""How many of the cheapest single edits a seed is paired with."""


class PythonEdits:
    """Every single edit."""

    name = "python"

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        return candidates(CATALOGUE, priors("python"), Program(source, hints))


class PythonPairs:
    """Two edits at once, and edits under a condition.

    Seeds are candidates that changed what the program does, best first.
    """

    name = "python pairs"

    def __init__(self, seeds: Sequence[Candidate] = (), partners: Sequence[Candidate] | None = None) -> None:
        """`partners`: what the seeds are paired with, instead of the most plausible single edits."""
        self._seeds, self._partners = tuple(seeds), partners

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        singles = self._partners
        if singles is None:
            singles = list(islice(PythonEdits().candidates(source, hints), PARTNERS))
        # White space has a meaning in Python, and offsets of candidates count bytes.
        seen = Duplicates(source.decode("latin-1"), lambda text: text)
        costs = priors("python")
        two = pairs(self._seeds, singles, _layout(source), costs, seen)
        if self._partners is not None:
            return two
        return heapq.merge(
            two,
            conditional(self._seeds, Program(source, hints), costs),
            key=lambda candidate: candidate.cost,
        )


def _layout(source: bytes) -> Layout:
    """Where lines, statements and functions begin, in bytes of the file."""
    program = Program(source, Hints())
    tree = program.tree

    def bytes_of(nodes: Sequence[cst.CSTNode]) -> list[int]:
        return sorted(tree.byte(tree.span(node)[0]) for node in nodes)

    lines = [tree.byte(start) for start in tree.starts]
    return Layout(lines, bytes_of(program.statements), bytes_of(program.every(cst.FunctionDef)))

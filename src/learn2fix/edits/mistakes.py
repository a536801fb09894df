"""Mistakes to seed into a correct program, so that we can measure ourselves on bugs of our own.

A mistake has the form of an edit operator (a name, a reason, an example), but stands in a catalogue of its
own: what a programmer forgets or confuses, not the reverse of what repair tries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from learn2fix.edits.catalogue import Operator, Unusual
from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.ordering import E_
from learn2fix.model import Candidate


def mistakes(operators: Iterable[Operator[E_]], program: E_) -> Iterator[Candidate]:
    """Everything that the operators propose, each once; the kind of a candidate is its operator."""
    seen = Duplicates(program.text, program.squeeze)
    for operator in operators:
        for proposed in operator.propose(program):
            change = tuple(sorted(proposed.change if isinstance(proposed, Unusual) else proposed))
            if any(end > start for (_, end, _), (start, _, _) in pairwise(change)) or not seen.add(change):
                continue
            edits = tuple(edit for piece in change if (edit := program.edit(piece)) is not None)
            if len(edits) == len(change):
                yield Candidate(edits, operator.name, 0.0)

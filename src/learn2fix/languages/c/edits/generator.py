"""Single edits of a C file, the most plausible first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from learn2fix.edits.catalogue import Operator
from learn2fix.edits.ordering import candidates
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits import (
    arithmetic,
    conditions,
    constants,
    cycles,
    declarations,
    formats,
    grouping,
    guards,
    insertions,
    names,
    printing,
    relations,
    statements,
    structure,
    sums,
    terms,
    texts,
    types,
)
from learn2fix.languages.c.edits.catalogue import CATALOGUE
from learn2fix.languages.c.edits.program import Program
from learn2fix.model import Candidate

MODULES = (
    relations,
    arithmetic,
    grouping,
    constants,
    names,
    terms,
    sums,
    cycles,
    conditions,
    types,
    declarations,
    formats,
    texts,
    printing,
    statements,
    structure,
    insertions,
    guards,
)
"""Where the operators of the catalogue stand."""


class CEdits:
    """One edit (or the few that must go together) of a C file."""

    name = "edits"

    def __init__(self, operators: Iterable[Operator[Program]] = CATALOGUE) -> None:
        self._operators = operators

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        return candidates(self._operators, priors("c"), Program(source, hints))

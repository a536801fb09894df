"""Two values that stand the wrong way round, at places apart from each other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import compatible
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.statements import movable, small
from learn2fix.languages.python.tree import walk


@CATALOGUE.operator(
    "values of two loops exchanged",
    why="The outer loop runs over what the inner one should: rows are taken for columns.",
    before="def f(n, m):\n    for i in range(n):\n        for j in range(m):\n            print(i, j)\n",
    after="def f(n, m):\n    for i in range(m):\n        for j in range(n):\n            print(i, j)\n",
)
def loops_exchanged(program: Program) -> Proposals:
    for outer in program.every(cst.For):
        bound = {part.value for part in walk(outer.target) if isinstance(part, cst.Name)}
        for inner in _loops_within(outer):
            read = {part.value for part in walk(inner.iter) if isinstance(part, cst.Name)}
            if not bound & read and program.of(outer.iter) != program.of(inner.iter):
                yield program.exchange(outer.iter, inner.iter)


def _loops_within(outer: cst.For) -> Iterator[cst.For]:
    return (part for part in walk(outer.body) if isinstance(part, cst.For))


@CATALOGUE.operator(
    "values of two assignments exchanged",
    why="Two variables are given each other's value.",
    before="def f(a):\n    low = max(a)\n    high = min(a)\n    return low, high\n",
    after="def f(a):\n    low = min(a)\n    high = max(a)\n    return low, high\n",
)
def assignments_exchanged(program: Program) -> Proposals:
    for node, block, place in movable(program):
        first = small(node)
        second = small(block[place + 1]) if place + 1 < len(block) else None
        if not isinstance(first, cst.Assign) or not isinstance(second, cst.Assign):
            continue
        name = program.of(first.targets[0].target)
        reads = {part.value for part in walk(second.value) if isinstance(part, cst.Name)}
        alike = compatible(program.kind(first.value), program.kind(second.value))
        if alike and name not in reads and program.of(first.value) != program.of(second.value):
            yield program.exchange(first.value, second.value)

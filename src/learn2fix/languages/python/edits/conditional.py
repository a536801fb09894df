"""Changes that are right on some inputs and wrong on others, made only where a condition holds.

What settles the failing input and breaks another one is often the cure for a case of its own: a step that is
due only at the turn of the day, a result for the empty list alone.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import libcst as cst

from learn2fix.edits.priors import Priors
from learn2fix.languages.python.edits.atoms import REMOTE, atoms
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.source import Statement
from learn2fix.languages.python.edits.statements import JUMPS, small
from learn2fix.model import Candidate, Edit

MOST_SEEDS = 24
"""How many of the best seeds are tried with every condition."""


def conditional(seeds: Sequence[Candidate], program: Program, costs: Priors) -> Iterator[Candidate]:
    """The seeds under each condition that can be asked at their place, the cheapest first."""
    made = [_under_conditions(seed, program, costs) for seed in seeds[:MOST_SEEDS]]
    return heapq.merge(*made, key=lambda candidate: candidate.cost)


def _under_conditions(seed: Candidate, program: Program, costs: Priors) -> list[Candidate]:
    place = _place(seed, program)
    if place is None:
        return []
    node, start, end, then, otherwise = place
    indent, newline = program.indent(node), program.tree.newline
    found = []
    for atom, traits in atoms(program, node):
        if otherwise and traits == REMOTE:
            continue
        text = f"{indent}if {atom}:{newline}{then}"
        if otherwise:
            text += f"{indent}else:{newline}{otherwise}"
        cost = seed.cost + costs.guarded + sum(costs.traits[trait] for trait in traits)
        edit = Edit(start, end, text.encode(program.tree.encoding))
        found.append(Candidate((edit,), f"{seed.kind}, conditional", round(cost, 4)))
    found.sort(key=lambda candidate: candidate.cost)
    return found


Place = tuple[Statement, int, int, str, str]
"""The statement at which a condition is asked, the bytes that are replaced, what is done, and else."""


def _place(seed: Candidate, program: Program) -> Place | None:
    first, last = seed.edits[0], seed.edits[-1]
    if len(seed.edits) == 1 and first.start == first.end and first.text.endswith(b"\n"):
        return _insertion(first, program)
    for node in program.statements:
        inner = small(node)
        if inner is None or isinstance(inner, cst.Pass):
            continue
        start, end = map(program.tree.byte, program.lines(node))
        if not (start <= first.start and last.end <= end):
            continue
        old = program.text.encode(program.tree.encoding)[start:end]
        new = Candidate(
            tuple(Edit(edit.start - start, edit.end - start, edit.text) for edit in seed.edits), "", 0.0
        ).apply(old)
        then, otherwise = (each.decode(program.tree.encoding) for each in (new, old))
        if not then.endswith("\n") or not _one_block(then, program.indent(node)):
            return None
        return node, start, end, _deeper(program, then), _deeper(program, otherwise)
    return None


def _insertion(edit: Edit, program: Program) -> Place | None:
    text = edit.text.decode(program.tree.encoding)
    lines = text.splitlines()
    if not lines or lines[0].lstrip().startswith(("if ", "else", "elif", "import ", "from ")):
        return None
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    for node in program.statements:
        start, end = map(program.tree.byte, program.lines(node))
        after_jump = end == edit.start and isinstance(small(node), JUMPS)
        if edit.start in (start, end) and program.indent(node) == indent and not after_jump:
            return node, edit.start, edit.start, _deeper(program, text), ""
    return None


def _one_block(lines: str, indent: str) -> bool:
    """Whether these are statements of one block, and not a choice already."""
    return (
        bool(lines.strip())
        and all(line.startswith(indent) for line in lines.splitlines() if line.strip())
        and not lines.startswith((f"{indent} ", f"{indent}\t", f"{indent}if "))
    )


def _deeper(program: Program, lines: str) -> str:
    return "".join(program.unit + line if line.strip() else line for line in lines.splitlines(keepends=True))

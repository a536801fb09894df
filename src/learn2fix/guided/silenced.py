"""Which lines a program executes with a patch: one may switch off the code that it should mend."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from learn2fix.errors import BuildError
from learn2fix.languages.evaluator import Clock, Evaluator
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Candidate, Input


@dataclass(frozen=True, slots=True)
class Executed:
    """Lines of the program as it is, on some inputs."""

    silenced: frozenset[int] = frozenset()
    """Executed on some of these inputs, and on none with the patch; lines that it changes do not count."""
    reached: frozenset[int] = frozenset()
    """Executed on some of these inputs with the patch."""


def executed_lines(
    repairable: Repairable,
    evaluator: Evaluator,
    candidate: Candidate,
    inputs: Sequence[Input],
    clock: Clock,
) -> Executed:
    """`evaluator`: of the program as it is."""
    before = _executed(evaluator.coverage(inputs))
    try:
        patched = repairable.patched(candidate.apply(repairable.text))
    except BuildError:
        return Executed()
    try:
        judging = patched.evaluator(clock)
        try:
            after = _executed(judging.coverage(inputs))
        finally:
            judging.close()
    finally:
        patched.close()
    moved = moved_lines(repairable.text, candidate)
    return Executed(
        frozenset(line for line in before if line in moved and moved[line] not in after),
        frozenset(line for line, place in moved.items() if place in after),
    )


def moved_lines(source: bytes, candidate: Candidate) -> Mapping[int, int]:
    """Where each line that the edits do not touch stands afterwards, counted from 1."""
    starts = [0, *(at + 1 for at, byte in enumerate(source) if byte == ord("\n"))]
    touched: set[int] = set()
    shifts: list[tuple[int, int]] = []
    for edit in candidate.edits:
        first, last = bisect_right(starts, edit.start), bisect_right(starts, edit.end)
        touched.update(range(first, last + 1))
        shifts.append((last, edit.text.count(b"\n") - source[edit.start : edit.end].count(b"\n")))
    return {
        line: line + sum(shift for last, shift in shifts if last < line)
        for line in range(1, len(starts) + 1)
        if line not in touched
    }


def _executed(runs: Sequence[Mapping[int, int]]) -> set[int]:
    return {line for counts in runs for line, count in counts.items() if count}

"""The smallest part of a candidate that still holds: delta debugging over its edits, then within each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise

from learn2fix.model import Candidate, Edit

TOKEN = re.compile(rb'"(?:\\.|[^"\\\n])*"|\w+|\s+|[-+*/%<>=!&|^]+|.', re.S)


def minimise(
    candidate: Candidate, holds: Callable[[Candidate], bool], source: bytes | None = None
) -> Candidate:
    """A candidate of as few edits as hold; the one given when nothing smaller does.

    With the source, an edit that changes several things is cut into its changes first.
    """
    smallest = _fewest(candidate, holds)
    if source is None:
        return smallest
    finer = split(source, smallest)
    return _fewest(finer, holds) if finer.edits and len(finer.edits) > 1 else finer


def _fewest(candidate: Candidate, holds: Callable[[Candidate], bool]) -> Candidate:
    """ddmin, on parts that shrink to single edits."""
    current: Sequence[Edit] = candidate.edits
    parts = 2
    while len(current) > 1:
        bounds = [len(current) * index // parts for index in range(parts + 1)]
        for low, high in pairwise(bounds):
            rest = (*current[:low], *current[high:])
            if rest and high > low and holds(replace(candidate, edits=rest)):
                current, parts = rest, max(2, parts - 1)
                break
        else:
            if parts >= len(current):
                break
            parts = min(len(current), parts * 2)
    return replace(candidate, edits=tuple(current))


def split(source: bytes, candidate: Candidate) -> Candidate:
    """The same result from finer edits: what an edit leaves as it was is cut out of it."""
    pieces: list[Edit] = []
    for edit in candidate.edits:
        before, after = TOKEN.findall(source[edit.start : edit.end]), TOKEN.findall(edit.text)
        offsets = [edit.start]
        for token in before:
            offsets.append(offsets[-1] + len(token))
        for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                pieces.append(Edit(offsets[i], offsets[j], b"".join(after[k:m])))
    return replace(candidate, edits=tuple(pieces)) if pieces else candidate

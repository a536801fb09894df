"""The smallest part of a candidate that still holds: delta debugging over its edits, then within each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from learn2fix.model import Candidate, Edit

TOKEN = re.compile(rb'"(?:\\.|[^"\\\n])*"|\w+|\s+|.', re.S)
MOST_TRIALS = 60


def minimise(candidate: Candidate, holds: Callable[[Candidate], bool]) -> Candidate:
    """A candidate of as few edits as hold; the one given when nothing smaller does."""
    edits = _fewest(candidate.edits, lambda chosen: holds(replace(candidate, edits=tuple(chosen))))
    return replace(candidate, edits=tuple(edits)) if edits else candidate


def _fewest(edits: Sequence[Edit], holds: Callable[[Sequence[Edit]], bool]) -> list[Edit]:
    """ddmin, on parts that shrink to single edits."""
    current = list(edits)
    parts = 2
    while len(current) > 1:
        bounds = [len(current) * index // parts for index in range(parts + 1)]
        for low, high in pairwise(bounds):
            rest = current[:low] + current[high:]
            if rest and high > low and holds(rest):
                current, parts = rest, max(2, parts - 1)
                break
        else:
            if parts >= len(current):
                break
            parts = min(len(current), parts * 2)
    return current


def split(source: bytes, candidate: Candidate) -> Candidate:
    """The same result from finer edits: what an edit leaves as it was is cut out of it."""
    pieces: list[Edit] = []
    for edit in candidate.edits:
        pieces += _split(source[edit.start : edit.end], edit)
    return replace(candidate, edits=tuple(pieces)) if pieces else candidate


def _split(old: bytes, edit: Edit) -> list[Edit]:
    """Cut the tokens that both ends of an edit share."""
    before, after = TOKEN.findall(old), TOKEN.findall(edit.text)
    front = 0
    while front < min(len(before), len(after)) and before[front] == after[front]:
        front += 1
    back = 0
    while back < min(len(before), len(after)) - front and before[-1 - back] == after[-1 - back]:
        back += 1
    start = edit.start + len(b"".join(before[:front]))
    end = edit.end - len(b"".join(before[len(before) - back :]))
    text = b"".join(after[front : len(after) - back])
    return [Edit(start, end, text)] if start < end or text else []

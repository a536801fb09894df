"""Which of several ways to write one change a reviewer would prefer: the one with least to read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from learn2fix.edits.diff import whole
from learn2fix.edits.folding import folded
from learn2fix.model import Candidate

WORD = re.compile(rb""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\w+|[-+*/%<>=!&|^]+|\S""")

FAR = 128
"""As far apart as characters are of which one needs an escape."""
AS_LIKELY = 1.0
"""Difference in cost up to which it is left to the reader which of two is better: more than that, and one of
them is so much less likely to be what was meant that it had better be shown only where it is alone."""


def preferred(source: bytes, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates that behave alike, cheapest first, in the order in which a reviewer would take them."""
    if not candidates:
        return []
    least = candidates[0].cost
    near = [each for each in candidates if each.cost <= least + AS_LIKELY]
    far = [each for each in candidates if each.cost > least + AS_LIKELY]
    return [*sorted(near, key=lambda each: burden(source, each)), *far]


def burden(source: bytes, candidate: Candidate) -> tuple[int, int]:
    """Number of words and signs that change, once sums are worked out, and of those that come to stand there:
    a reader reads the change and what is left. Then how far apart characters are that are exchanged."""
    total = leap = 0
    for edit in folded(source, candidate).edits:
        start, end = whole(source, edit.start, edit.end)
        before = _words(source[start:end])
        after = _words(source[start : edit.start] + edit.text + source[edit.end : end])
        for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                total += (j - i) + (m - k)
                leap += _leap(before[i:j], after[k:m])
        total += max(0, len(after) - len(before))
    return total, leap


def _words(text: bytes) -> list[bytes]:
    return WORD.findall(text)


def _leap(before: list[bytes], after: list[bytes]) -> int:
    if any(len(words) != 1 or not words[0].startswith(b"'") for words in (before, after)):
        return 0
    plain = len(before[0]) == len(after[0]) == len("'c'")
    return abs(before[0][1] - after[0][1]) if plain else FAR

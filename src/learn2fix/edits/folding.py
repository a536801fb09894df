"""A candidate as a reviewer would write it: without sums that a reader would have to do."""

from __future__ import annotations

import re
from dataclasses import replace

from learn2fix.edits.diff import whole
from learn2fix.model import Candidate, Edit

SUM = re.compile(rb"(?<=[\w)\]])(\s*)([+-])(\s*)(\d+)\s*([+-])\s*(\d+)(?!\s*[*/%.\[(]|\w)")
NOTHING = re.compile(rb"(?<=[\w)\]])\s*[+-]\s*0(?!\s*[*/%.\[(]|\w)")


def folded(source: bytes, candidate: Candidate) -> Candidate:
    """The same with `n - 1 + 1` and `n + 0` worked out, where the candidate itself wrote one half of it."""
    edits = []
    for edit in candidate.edits:
        start, end = whole(source, edit.start, edit.end)
        if any(start < other.end and other.start < end for other in candidate.edits if other is not edit):
            return candidate
        before = source[start:end]
        after = source[start : edit.start] + edit.text + source[edit.end : end]
        plain = _worked_out(after)
        own = plain != after and _worked_out(before) == before
        edits.append(Edit(start, end, plain) if own else edit)
    return replace(candidate, edits=tuple(edits))


def _worked_out(text: bytes) -> bytes:
    while True:
        shorter = NOTHING.sub(b"", SUM.sub(_sum, text))
        if shorter == text:
            return text
        text = shorter


def _sum(match: re.Match[bytes]) -> bytes:
    before, first, gap, one, second, other = match.groups()
    total = (1 if first == b"+" else -1) * int(one) + (1 if second == b"+" else -1) * int(other)
    if total == 0:
        return b""
    return before + (b"+" if total > 0 else b"-") + gap + str(abs(total)).encode()

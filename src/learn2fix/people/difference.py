"""What differs between an input and the known failing one, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

PIECE = re.compile(r"[+-]?\d+(?:\.\d+)?|\w+|\s+|[·→↵]+|.", re.DOTALL)
MAX_PIECES = 2000
"""Longer inputs are compared position by position: matching is quadratic, and nobody reads them."""

Pieces = list[tuple[str, bool]]
"""The pieces of a text, each with whether it differs."""


def pieces(text: str) -> list[str]:
    """Numbers, words, signs and white space; joined they are the text again."""
    return PIECE.findall(text)


def compare(text: str, known: str) -> Pieces:
    """`text` in pieces; white space never counts as a difference."""
    ours = pieces(text)
    words = [piece for piece in ours if not piece.isspace()]
    others = [piece for piece in pieces(known) if not piece.isspace()]
    if len(words) == len(others) or max(len(words), len(others)) > MAX_PIECES:
        same = [number < len(others) and word == others[number] for number, word in enumerate(words)]
    else:
        same = [False] * len(words)
        for _, start, size in SequenceMatcher(None, others, words, autojunk=False).get_matching_blocks():
            same[start : start + size] = [True] * size
    flags = iter(same)
    return [(piece, not piece.isspace() and not next(flags)) for piece in ours]


def from_nearest(text: str, known: Iterable[str]) -> tuple[Pieces, str | None]:
    """Compares with the known input that differs in the fewest pieces, and returns that input too."""
    compared = [(compare(text, other), other) for other in known]
    if not compared:
        return [(piece, False) for piece in pieces(text)], None
    return min(compared, key=lambda pair: sum(differs for _, differs in pair[0]))

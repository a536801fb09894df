"""What makes a patch look made for the answers at hand: it has to earn more trust than others.

Told from the edits and the failing inputs alone, whatever the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from learn2fix.domain.ranges import numbers_in
from learn2fix.model import Candidate, Input

NUMBER = re.compile(rb"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
QUOTED = re.compile(rb"\"((?:\\.|[^\"\\\n])*)\"|'((?:\\.|[^'\\\n])*)'")
SMALL = 2
"""Numbers up to this stand everywhere, and say nothing."""
SHORT = 3
"""Texts of fewer characters likewise."""
WHOLE_BLOCK = 2
"""Number of lines that disappear with a loop or a block."""


def removes_block(source: bytes, candidate: Candidate) -> bool:
    """Whether lines that hold code are gone, several together."""
    return any(
        _lines(source[edit.start : edit.end]) - _lines(edit.text) >= WHOLE_BLOCK for edit in candidate.edits
    )


def _lines(text: bytes) -> int:
    return sum(any(chr(byte).isalnum() for byte in line) for line in text.splitlines())


def own_numbers(
    source: bytes, candidate: Candidate, failing: Sequence[Input], expected: Sequence[str] = ()
) -> bool:
    """Whether it brings in a number of a failing input, or one beside it, or one that was expected there, and
    that the program does not have."""
    there = set(_numbers(source))
    values: set[Any] = {abs(value) for each in failing for value in numbers_in(each.values)}
    given = {value + step for value in values for step in (-1, 0, 1)}
    given |= {number for text in expected for number in _numbers(text.encode())}
    new = {number for edit in candidate.edits for number in _numbers(edit.text)}
    return any(number > SMALL and number not in there and number in given for number in new)


def _numbers(text: bytes) -> Iterator[Fraction]:
    return (Fraction(found.group().decode()) for found in NUMBER.finditer(text))


def expected_text(source: bytes, candidate: Candidate, expected: Sequence[str]) -> bool:
    """Whether it writes what was expected of a failing input as a text, where the program has another."""
    wanted = {text.strip() for text in expected if len(text.strip()) >= SHORT}
    for edit in candidate.edits:
        for found in QUOTED.finditer(edit.text):
            written = (found[1] or found[2] or b"").decode("utf-8", "replace")
            plain = written.replace("\\n", "").strip()
            if plain in wanted and plain.encode() not in source:
                return True
    return False

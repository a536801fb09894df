"""The kinds of inputs that subjects read, told from training tests alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from learn2fix.domain import parse_number
from learn2fix.errors import UsageError
from learn2fix.experiments.subjects import RecordedTest
from learn2fix.model import canonical


class InputKind(StrEnum):
    """What the training inputs of a subject look like."""

    NUMBERS = "numbers"
    """The same number of numbers on one line, and a number out: what the paper takes."""
    MORE_NUMBERS = "numbers+"
    """The same number of numbers, on several lines or with other output."""
    LIST = "list"
    """n, then n numbers."""
    LISTS = "lists"
    """Numbers whose count varies in any other way."""
    WORD = "word"
    WORDS = "words"
    """The same number of words and numbers."""
    TEXTS = "texts"
    """Words and numbers whose count varies."""


def kind_of(tests: Sequence[RecordedTest]) -> InputKind:
    rows = [test.input.split() for test in tests]
    fixed = len({len(row) for row in rows}) == 1
    if not all(_number(token) for row in rows for token in row):
        if not fixed:
            return InputKind.TEXTS
        return InputKind.WORD if len(rows[0]) == 1 else InputKind.WORDS
    if not fixed:
        counted = all(row and row[0] == str(len(row) - 1) for row in rows)
        return InputKind.LIST if counted else InputKind.LISTS
    one_line = all(len(canonical(test.input).splitlines()) == 1 for test in tests)
    number_out = all(_number(canonical(test.output)) for test in tests)
    return InputKind.NUMBERS if one_line and number_out else InputKind.MORE_NUMBERS


def parse_kinds(text: str) -> frozenset[InputKind]:
    """`list,word`."""
    try:
        return frozenset(InputKind(word.strip()) for word in text.split(","))
    except ValueError:
        raise UsageError(f"cannot read --kind {text!r}", f"the kinds are {', '.join(InputKind)}") from None


def _number(token: str) -> bool:
    return parse_number(token) is not None

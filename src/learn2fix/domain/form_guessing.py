"""The form of an input guessed from its text alone, where nobody can watch the program read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from learn2fix.domain.form_finding import find_forms
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.numbers import parse_number
from learn2fix.domain.reading import Read, ReadKind, Trace
from learn2fix.errors import UsageError

LINE = re.compile(r"[^\n]*\S[^\n]*")
WORD = re.compile(r"\S+")
MOST_FIELDS = 4
"""Number of values on a line that are taken for fields of their own; more are a list."""


def guess(examples: Sequence[str]) -> FormLayout | None:
    """As if a program had read the lines: the first one field by field, those that are alike in a loop."""
    if "\n" not in examples[0].strip():
        return None  # on a single line nothing tells a count from a value
    traces = [Trace(text, tuple(_reads(text))) for text in examples]
    for form in find_forms(traces):
        try:
            return FormLayout(form).spaced_like(examples)
        except UsageError:
            continue
    return None


def _reads(text: str) -> Iterator[Read]:
    lines = list(LINE.finditer(text))
    # The first line mostly says how many follow: it is never one of them.
    blocks = groupby(enumerate(lines), key=lambda each: (each[0] == 0, _kinds(each[1].group())))
    for block, ((first, kinds), run) in enumerate(blocks):
        members = [line for _, line in run]
        fields = len(kinds) <= MOST_FIELDS and (first or len(members) > 1)
        for line in members:
            if kinds == (ReadKind.LINE,):
                yield Read(f"{block}", ReadKind.LINE, line.start(), line.end())
                continue
            for number, word in enumerate(WORD.finditer(text, line.start(), line.end())):
                place = f"{block}.{number}" if fields else f"{block}"
                yield Read(place, kinds[number], word.start(), word.end())


def _kinds(line: str) -> tuple[ReadKind, ...]:
    """What stands on a line; several words and no number are prose."""
    kinds = tuple(map(_kind, line.split()))
    prose = len(kinds) > 1 and set(kinds) == {ReadKind.WORD}
    return (ReadKind.LINE,) if prose else kinds


def _kind(word: str) -> ReadKind:
    number = parse_number(word)
    if number is None:
        return ReadKind.WORD
    return ReadKind.INTEGER if isinstance(number, int) else ReadKind.REAL

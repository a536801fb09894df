"""A patch brings the headers of the library functions that it calls, as whoever writes it would."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from learn2fix.edits.parts import Part, part_at
from learn2fix.languages.c.layout import INCLUDE, parts, units
from learn2fix.languages.c.library import CTYPE_FUNCTIONS, MATH_FUNCTIONS
from learn2fix.model import Candidate, Edit

NAME = re.compile(r"[A-Za-z_]\w*")
HEADERS = {
    **dict.fromkeys(MATH_FUNCTIONS, "math.h"),
    **dict.fromkeys(CTYPE_FUNCTIONS, "ctype.h"),
    **dict.fromkeys(
        ("abs", "labs", "llabs", "malloc", "calloc", "free", "exit", "atoi", "qsort"), "stdlib.h"
    ),
    **dict.fromkeys(("strlen", "strcmp", "strncmp", "strcpy", "strcat", "memset", "memcpy"), "string.h"),
    **dict.fromkeys(("printf", "puts", "putchar", "scanf", "getchar", "fflush"), "stdio.h"),
}
"""For names that edits put in, the header that declares them."""


def with_headers(text: bytes, candidate: Candidate) -> Candidate:
    """The candidate, and a line for each header that its new names need and their files do not include."""
    every = parts(text) or (Part("", 0, len(text)),)
    needed: dict[tuple[Part, str], None] = {}
    for edit in candidate.edits:
        part = part_at(every, edit.start)
        if part is not None:
            needed.update(((part, header), None) for header in _needed(text, part, edit))
    if not needed:
        return candidate
    lines = [
        Edit(at, at, f"#include <{header}>\n".encode())
        for part, header in needed
        for at in [_place(text, part)]
        if not any(edit.start <= at <= edit.end for edit in candidate.edits)
    ]
    # At one place in a file the lines of several headers are one edit.
    joined: dict[int, bytes] = {}
    for line in lines:
        joined[line.start] = joined.get(line.start, b"") + line.text
    added = (Edit(at, at, words) for at, words in joined.items())
    return replace(candidate, edits=tuple(sorted((*candidate.edits, *added))))


def _needed(text: bytes, part: Part, edit: Edit) -> Iterator[str]:
    # What a header of the program declares or includes may be seen here as well.
    headers = [each for each in parts(text) if each.path not in units(text)]
    seen = b"\n".join(text[each.start : each.end] for each in dict.fromkeys((part, *headers)))
    included = {match[2] for match in INCLUDE.finditer(seen) if match[1] == b"<"}
    known = set(NAME.findall(seen.decode("latin-1")))
    for name in NAME.findall(edit.text.decode("latin-1")):
        header = HEADERS.get(name)
        if header is not None and name not in known and header.encode() not in included:
            yield header


def _place(text: bytes, part: Part) -> int:
    """After the last header of the system; before everything where there is none."""
    last = None
    for match in INCLUDE.finditer(text, part.start, part.end):
        last = match if match[1] == b"<" else last
    if last is None:
        return part.start
    return min(last.end() + 1, part.end)

"""Several files as one text: each stands after a line that names it.

Edits, judging and diffs work on one text. Of a program in several files that is all of them, one after the
other, headers before those who include them. The line before each is a pragma: it says which file follows,
which others it includes, and with which macros it is compiled. A text without such a line is one file, and
nothing here changes it. Compilers get the text as translation units: headers in the place of the #include
lines, each unit with its own preprocessing, lines counted as in the one text.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from learn2fix.edits.parts import Part

MARK = re.compile(rb"^#pragma learn2fix (\{[^\n]*\})\n", re.MULTILINE)
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"\n]*)[>\"][^\n]*", re.MULTILINE)
ONCE = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", re.MULTILINE)
LATER = b"L2F_LATER_UNIT"
MOST_INLINED = 500
"""Headers put into one unit: those that include each other without end are stopped here."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a program."""

    path: str
    """As seen from the folder that holds them all."""
    content: bytes
    unit: bool
    """It is compiled by itself; the others are included."""
    includes: Mapping[str, str] = field(default_factory=dict)
    """What it includes of these files: as written there → its path."""
    macros: tuple[str, ...] = ()
    """The -D and -U with which it is compiled."""


def joined(files: Sequence[SourceFile]) -> bytes:
    """The one text. The generated main() of a function may follow the last file."""
    pieces = []
    for file in files:
        bare = not file.content.endswith(b"\n")
        head = {"file": file.path, "unit": file.unit, "bare": bare}
        if file.includes:
            head["includes"] = dict(file.includes)
        if file.macros:
            head["macros"] = list(file.macros)
        pieces += [b"#pragma learn2fix %s\n" % json.dumps(head).encode(), file.content, b"\n" * bare]
    return b"".join(pieces)


@dataclass(frozen=True, slots=True)
class _Section:
    """A file where it stands in the text."""

    part: Part
    unit: bool
    includes: Mapping[str, str]
    macros: tuple[str, ...]


def _sections(text: bytes) -> tuple[_Section, ...]:
    return _marked(text) if b"#pragma learn2fix " in text else ()


def _head(text: bytes) -> dict[str, Any] | None:
    """What a line before a file says; None for one that we did not write."""
    try:
        head = json.loads(text)
    except ValueError:
        return None
    return head if isinstance(head, dict) and {"file", "unit", "bare"} <= head.keys() else None


@lru_cache(maxsize=4)
def _marked(text: bytes) -> tuple[_Section, ...]:
    marks = [(mark, head) for mark in MARK.finditer(text) if (head := _head(mark[1])) is not None]
    ends = [mark.start() for mark, _ in marks[1:]] + [len(text)] * bool(marks)
    found = []
    for (mark, head), end in zip(marks, ends, strict=True):
        part = Part(head["file"], mark.end(), end, head["bare"])
        found.append(_Section(part, head["unit"], head.get("includes", {}), tuple(head.get("macros", ()))))
    return tuple(found)


def parts(text: bytes) -> tuple[Part, ...]:
    """Where each file stands; nothing for a text that is one file."""
    return tuple(section.part for section in _sections(text))


def units(text: bytes) -> tuple[str, ...]:
    """The paths of the files that are compiled by themselves."""
    return tuple(section.part.path for section in _sections(text) if section.unit)


def own_includes(text: bytes) -> frozenset[str]:
    """What the files of a text include of each other, as written there."""
    return frozenset(name for section in _sections(text) for name in section.includes)


def visible_until(text: bytes) -> Callable[[int], int]:
    """Where names end that are declared at an offset outside of functions: with the unit, if it is one."""
    sections = _sections(text)
    starts = [section.part.start for section in sections]

    def until(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        return sections[number].part.end if number >= 0 and sections[number].unit else len(text)

    return until


def once(text: bytes, definition: bytes, declaration: bytes) -> bytes:
    """C for the head of every unit: the first one of the text defines, the others declare."""
    if not _sections(text):
        return definition
    return b"\n#ifdef %s\n%s\n#else\n%s\n#endif\n" % (LATER, declaration, definition)


def holding(text: bytes, line: int) -> str | None:
    """The path of the file that a line of the text is in, counted from 1."""
    at = 0
    for _ in range(line - 1):
        at = text.find(b"\n", at) + 1
        if not at:
            return None
    return next((part.path for part in parts(text) if part.start <= at < part.end), None)


def translation_unit(text: bytes, path: str) -> bytes:
    """One of them, by its path."""
    others = frozenset(units(text)) - {path}
    return translation_units(text, others)[0]


def translation_units(text: bytes, without: Collection[str] = ()) -> list[bytes]:
    """What compilers get; what stands before the first file stands in all of them. `without`: some units."""
    sections = _sections(text)
    if not sections:
        return [text]
    head = text[: sections[0].part.start]
    head = head[: head.rfind(b"#pragma learn2fix")]
    by_path = {section.part.path: section for section in sections}
    found: list[bytes] = []
    for section in sections:
        if section.unit and section.part.path not in without:
            later = [b"#define %s\n" % LATER] if found else []
            unit = _Inlining(text, by_path)
            unit.add(section)
            found.append(b"".join([*later, *map(_defined, section.macros), b"#line 1\n", head, *unit.pieces]))
    return found


def _defined(flag: str) -> bytes:
    name, equals, value = flag[2:].partition("=")
    words = f"#undef {name}\n" if flag.startswith("-U") else f"#define {name} {value if equals else '1'}\n"
    return words.encode()


class _Inlining:
    """One unit with the headers in the place of the #include lines."""

    def __init__(self, text: bytes, by_path: Mapping[str, _Section]) -> None:
        self._text, self._by_path = text, by_path
        self._open: list[str] = []
        self._done: set[str] = set()
        self._count = 0
        self.pieces: list[bytes] = []

    def add(self, section: _Section) -> None:
        text, part = self._text, section.part
        body = text[part.start : part.end]
        if self._count > MOST_INLINED or part.path in self._open:
            return
        if ONCE.search(body):
            if part.path in self._done:
                return
            self._done.add(part.path)
        self._count += 1
        self._open.append(part.path)
        line, last = text.count(b"\n", 0, part.start) + 1, part.start
        self.pieces.append(b"#line %d\n" % line)
        for found in INCLUDE.finditer(text, part.start, part.end):
            target = section.includes.get(found[2].decode("utf-8", "surrogateescape").strip())
            if target is None or target not in self._by_path:
                continue
            line += text.count(b"\n", last, found.end())
            self.pieces.append(text[last : found.start()])
            self.add(self._by_path[target])
            # The rest of the include line, which is white space, is the line that counts.
            self.pieces.append(b"\n#line %d\n" % line)
            last = found.end()
        self.pieces.append(text[last : part.end])
        self._open.pop()

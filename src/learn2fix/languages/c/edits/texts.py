"""Format strings and printed texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from learn2fix.languages.c.edits.program import Draft, Drafts, Piece, Program, one
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, LONG, RANK, Type
from learn2fix.languages.c.words import READERS, WRITERS

DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0*]*)(?P<width>\d*|\*)(?P<precision>\.\d+|\.\*|\.)?"
    r"(?P<length>hh|h|ll|l|L|q|j|z|t|I64)?(?P<kind>[diouxXeEfFgGaAcspn%]|\[\^?\]?[^]]*\])"
)
WHOLE, REAL = "diouxX", "eEfFgGaA"


@dataclass(frozen=True, slots=True)
class Directive:
    """A `%…` of a format and the argument that it prints or reads."""

    start: int
    end: int
    parts: Mapping[str, str]
    argument: Node | None
    reading: bool

    def with_type(self, length: str, kind: str) -> Piece:
        return (
            self.start,
            self.end,
            f"%{self.parts['flags']}{self.parts['width']}{self.parts['precision']}{length}{kind}",
        )


def directives(program: Program, call: Node) -> list[Directive]:
    name = program.of(call.of("function"))
    arguments = program.arguments(call)
    position = {"printf": 0, "scanf": 0}.get(name, 1)
    if len(arguments) <= position or arguments[position].type != "string_literal":
        return []
    literal, rest = arguments[position], arguments[position + 1 :]
    reading = name in READERS
    found, used = [], 0
    for match in DIRECTIVE.finditer(program.of(literal)):
        parts = {key: value or "" for key, value in match.groupdict().items()}
        if parts["kind"] == "%":
            continue
        argument: Node | None = None
        if reading:
            if "*" in parts["flags"]:
                continue
        else:
            used += (parts["flags"] + parts["width"] + parts["precision"]).count("*")
        if used < len(rest):
            argument = rest[used]
        used += 1
        start = literal.start + match.start()
        found.append(Directive(start, literal.start + match.end(), parts, argument, reading))
    return found


def wanted(directive: Directive, kind: Type) -> tuple[str, str] | None:
    """The length and letter that a type needs in place of what is written; None when they fit."""
    length, letter = directive.parts["length"], directive.parts["kind"]
    base = kind.base
    if directive.reading:
        if kind.depth != 1 or base not in RANK:
            return None
        if letter[0] in "s[":
            return None
    else:
        if kind.depth == 1 and base == CHAR:
            return None if letter in "sp" else ("", "s")
        if kind.depth or base not in RANK:
            return None
        if letter == "s":
            return ("ll", "d") if base == LONG else ("", "f") if base in (FLOAT, DOUBLE) else ("", "d")
    if base in (FLOAT, DOUBLE):
        extended = "long double" in kind.name
        need = (
            ("L" if extended else "l" if base == DOUBLE else "")
            if directive.reading
            else ("L" if extended else "")
        )
        if letter in REAL and (
            length == need or (not directive.reading and not extended and length in ("", "l"))
        ):
            return None
        return (need, letter if letter in REAL else "f")
    if base == LONG:
        if letter in WHOLE and length in ("l", "ll", "j", "z", "q", "t"):
            return None
        return ("ll", letter if letter in WHOLE else "d")
    if base == CHAR:
        if directive.reading:
            return None if letter == "c" or length == "hh" else ("", "c")
        return None if letter in "c" + WHOLE and not length else ("", "c")
    if letter in REAL or (letter in WHOLE and length in ("l", "ll", "L", "q", "j", "z", "I64")):
        return ("", "d")
    if "short" in kind.name and directive.reading:
        return None if length == "h" else ("h", letter)
    if letter == "c" and directive.reading:
        return ("", "d")
    return None


def formats(program: Program) -> Drafts:
    """Directives that do not fit what they print or read; each alone, then all at once."""
    every: list[Piece] = []
    for call in program.calls:
        if program.of(call.of("function")) not in READERS | WRITERS:
            continue
        for directive in directives(program, call):
            if directive.parts["length"] == "I64":
                # glibc knows no I64: it reads and writes 32 bits.
                yield one(0.3, "format", directive.with_type("ll", directive.parts["kind"]))
            if directive.argument is not None:
                need = wanted(directive, program.type_of(directive.argument))
                if need is not None:
                    piece = directive.with_type(*need)
                    every.append(piece)
                    yield one(0.4, "format", piece)
                    if need[1] == "f" and not directive.reading:
                        yield one(0.5, "format", (directive.start, directive.end, "%.0f"))
            yield from _other_directives(directive)
    if len(every) > 1:
        yield (0.35, "format", tuple(sorted(every)))


def _other_directives(directive: Directive) -> Drafts:
    kind, length = directive.parts["kind"], directive.parts["length"]
    if kind in WHOLE:
        if length != "ll":
            yield one(1.5, "format", directive.with_type("ll", kind))
        if length:
            yield one(1.8, "format", directive.with_type("", kind))
        if kind == "d":
            yield one(2.2, "format", directive.with_type(length, "u"))
        if not directive.reading:
            yield one(2.6, "format", directive.with_type("", "c"))
            for width in ("02", "03"):
                yield one(2.5, "format", (directive.start, directive.end, f"%{width}{length}{kind}"))
    elif kind == "c":
        if directive.reading:
            yield one(1.0, "format", (directive.start, directive.start, " "))
        else:
            yield one(2.2, "format", directive.with_type("", "d"))
    elif kind == "u":
        yield one(1.9, "format", directive.with_type(length, "d"))
    elif kind in REAL and not directive.reading:
        own = directive.parts["precision"]
        for digits in (1, 2, 0, 3, 4, 5, 6, 8, 9, 10, 12):
            if f".{digits}" != own:
                weight = 1.6 if digits in (0, 1, 2, 9, 10) else 1.9
                yield one(weight, "precision", (directive.start, directive.end, f"%.{digits}{length}{kind}"))
        if own:
            yield one(1.9, "precision", (directive.start, directive.end, f"%{length}{kind}"))
        if kind != "g":
            yield one(2.4, "format", (directive.start, directive.end, "%g"))


def strings(program: Program) -> Drafts:
    """Printed and compared texts: another one of the file, the expected output, case, line ends."""
    literals = [node for node in program.nodes if node.type == "string_literal"]
    printed = []
    for node in literals:
        call = node.parent.parent if node.parent is not None else None
        name = program.of(call.of("function")) if call is not None and call.type == "call_expression" else ""
        if name in READERS:
            yield from _read_format(program, node)
            continue
        printed.append((node, name))
    texts = {program.of(node): None for node, _ in printed}
    for node, name in printed:
        whole = program.of(node)
        inner = whole[1:-1]
        marks = _marks(inner)
        for other in texts:
            if other != whole and (_marks(other) == marks or (name == "" and "%" not in other)):
                yield one(1.5, "text", (node.start, node.end, other))
        if name in WRITERS | {"puts", "fputs", ""}:
            yield from _layout(node, inner, name)
        if not marks:
            yield from _words(program, node, inner, name)
    yield from _everywhere(program, [node for node, name in printed if name in WRITERS | {"puts"}])


def _marks(text: str) -> tuple[str, ...]:
    return tuple(match.group() for match in DIRECTIVE.finditer(text) if match["kind"] != "%")


def _read_format(program: Program, node: Node) -> Drafts:
    inner = program.of(node)[1:-1]
    if inner.endswith("\\n"):
        yield one(1.6, "format", (node.end - 3, node.end - 1, ""))
    stripped = inner.rstrip(" ")
    if stripped != inner:
        yield one(1.6, "format", (node.start + 1, node.end - 1, stripped))
    if "," in inner:
        yield one(1.4, "format", (node.start + 1, node.end - 1, inner.replace(",", " ")))
    if inner == "%s":
        yield one(1.9, "format", (node.start + 1, node.end - 1, "%[^\\n]"))


def _layout(node: Node, inner: str, name: str) -> Drafts:
    """Line ends and spaces around a printed text."""
    start, end = node.start + 1, node.end - 1
    if inner.endswith("\\n"):
        yield one(1.6, "layout", (end - 2, end, ""))
        yield one(1.9, "layout", (end - 2, end, " "))
    else:
        if name != "puts":
            yield one(1.5, "layout", (end, end, "\\n"))
        if not inner.endswith(" "):
            yield one(1.7, "layout", (end, end, " "))
    if inner.startswith("\\n"):
        yield one(1.7, "layout", (start, start + 2, ""))
    if inner != inner.strip(" "):
        yield one(1.7, "layout", (start, end, inner.strip(" ")))
        if inner.endswith(" "):
            yield one(1.7, "layout", (end - 1, end, "\\n"))
    if not inner.startswith((" ", "\\n")):
        yield one(2.2, "layout", (start, start, " "))
        yield one(2.3, "layout", (start, start, "\\n"))
    for match in DIRECTIVE.finditer(inner):
        for text in (" ", "\\n"):
            if match.start() and not inner[: match.start()].endswith(text):
                yield one(2.2, "layout", (start + match.start(), start + match.start(), text))


def _words(program: Program, node: Node, inner: str, name: str) -> Drafts:
    """Letters of a text without directives."""
    start, end = node.start + 1, node.end - 1
    tail = "\\n" if inner.endswith("\\n") else ""
    core = inner.removesuffix("\\n")
    if "\\" not in core and core:
        for other in (core.upper(), core.lower(), core.capitalize(), core.title()):
            if other != core:
                yield one(1.3, "case", (start, end, other + tail))
        if not core[-1].isalnum():
            yield one(1.7, "text", (start, end, core[:-1] + tail))
        else:
            for mark in ".!":
                yield one(2.3, "text", (start, end, core + mark + tail))
    if name in WRITERS | {"puts", "fputs", ""}:
        for output in program.hints.expected[:8]:
            for line in dict.fromkeys([output, *output.split("\n")[:3]]):
                text = escape(line)
                if text and text != core and len(text) <= 60:
                    yield one(
                        1.6 if not re.fullmatch(r"-?[\d. ]+", line) else 2.2,
                        "expected text",
                        (start, end, text + tail),
                    )


def escape(text: str) -> str:
    """A text as it is written between the quotes of a C format; "" when it cannot be."""
    if any(ord(character) < 32 and character != "\n" for character in text):
        return ""
    data = text.encode("utf-8", "surrogateescape").decode("latin-1")
    return data.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("%", "%%")


def _everywhere(program: Program, nodes: list[Node]) -> Drafts:
    """All printed texts in upper case, in lower case, with a line end."""

    def changed(weight: float, kind: str, make: dict[int, str]) -> Draft | None:
        pieces = tuple(
            (node.start + 1, node.end - 1, make[node.start]) for node in nodes if node.start in make
        )
        return (weight, kind, pieces) if len(pieces) > 1 else None

    inner = {node.start: program.of(node)[1:-1] for node in nodes}
    plain = {
        start: text
        for start, text in inner.items()
        if "%" not in text and "\\" not in text.removesuffix("\\n")
    }
    for convert in (str.upper, str.lower, str.capitalize):
        make = {}
        for start, text in plain.items():
            other = convert(text.removesuffix("\\n")) + ("\\n" if text.endswith("\\n") else "")
            if other != text:
                make[start] = other
        draft = changed(1.5, "case", make)
        if draft is not None:
            yield draft
    ended = {start: text + "\\n" for start, text in inner.items() if not text.endswith("\\n")}
    draft = changed(1.8, "layout", ended)
    if draft is not None:
        yield draft

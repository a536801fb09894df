"""Directives of format strings, and what they print or read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from learn2fix.edits.catalogue import Piece, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, LONG, RANK, Type
from learn2fix.languages.c.words import READERS, WRITERS

DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0*]*)(?P<width>\d*|\*)(?P<precision>\.\d+|\.\*|\.)?"
    r"(?P<length>hh|h|ll|l|L|q|j|z|t|I64)?(?P<kind>[diouxXeEfFgGaAcspn%]|\[\^?\]?[^]]*\])"
)
SEPARATORS = ":,;/-"
MOST_SEPARATORS = 2
WHOLE, REAL = "diouxX", "eEfFgGaA"
RARE_DECIMALS = ("a rare number of decimals",)
DECIMALS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((".1", ".2", ".0", ".9", ".10"), ()),
    **dict.fromkeys(("", ".3", ".4", ".5", ".6", ".8", ".12"), RARE_DECIMALS),
}


@dataclass(frozen=True, slots=True)
class Directive:
    """A `%…` of a format and the argument that it prints or reads."""

    start: int
    end: int
    parts: Mapping[str, str]
    argument: Node | None
    reading: bool

    def with_type(self, length: str, kind: str) -> Piece:
        parts = self.parts
        return self.made(f"%{parts['flags']}{parts['width']}{parts['precision']}{length}{kind}")

    def made(self, text: str) -> Piece:
        return (self.start, self.end, text)


def quoted(literal: Node, text: str) -> Piece:
    """Another text in a literal; with the quotes, within which a blank is more than white space."""
    return (literal.start, literal.end, f'"{text}"')


@once
def _directives(program: Program) -> list[Directive]:
    calls = [call for call in program.calls if program.of(call.of("function")) in READERS | WRITERS]
    return [directive for call in calls for directive in _of_call(program, call)]


def formatted(program: Program) -> list[tuple[Directive, Node]]:
    """Every directive that has an argument."""
    return [(each, each.argument) for each in _directives(program) if each.argument is not None]


def _of_call(program: Program, call: Node) -> list[Directive]:
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


@operator(
    "format of the argument's type",
    why="A directive does not fit what it prints or reads; glibc knows no %I64d.",
    before='printf("%d", x);',
    after='printf("%f", x);',
)
def format_of_argument(program: Program) -> Proposals:
    needs = [(each, wanted(each, program.type_of(argument))) for each, argument in formatted(program)]
    pieces = [each.with_type(*need) for each, need in needs if need is not None]
    if len(pieces) > 1:
        yield tuple(pieces)
    for each in _directives(program):
        if each.parts["length"] == "I64":
            yield (each.with_type("ll", each.parts["kind"]),)
    yield from ((piece,) for piece in pieces)
    for each, need in needs:
        if need is not None and need[1] == "f" and not each.reading:
            yield (each.made("%.0f"),)


@operator(
    "length of a format",
    why="A directive cuts off large numbers, or reads or prints more than its argument has.",
    before='printf("%d", a);',
    after='printf("%lld", a);',
)
def length_of_format(program: Program) -> Proposals:
    for each in _directives(program):
        for length in ("ll", "") if each.parts["kind"] in WHOLE else ():
            yield (each.with_type(length, each.parts["kind"]),)


@operator(
    "another conversion",
    why="A number was to be printed as a character, without a sign, with two digits, or in another way.",
    before='printf("%d", a);',
    after='printf("%02d", a);',
)
def another_conversion(program: Program) -> Proposals:
    for each in _directives(program):
        kind, length = each.parts["kind"], each.parts["length"]
        if kind == "d":
            yield (each.with_type(length, "u"),)
        if each.reading:
            continue
        if kind in WHOLE:
            yield (each.with_type("", "c"),)
            for width in ("02", "03"):
                yield (each.made(f"%{width}{length}{kind}"),)
        elif kind == "c":
            yield (each.with_type("", "d"),)
        elif kind in REAL and kind != "g":
            yield (each.made("%g"),)


@operator(
    "number of decimals",
    why="A real number was to be printed with more or fewer decimals.",
    before='printf("%f", x);',
    after='printf("%.2f", x);',
)
def number_of_decimals(program: Program) -> Proposals:
    for each in _directives(program):
        kind = each.parts["kind"]
        for precision, traits in DECIMALS.items() if kind in REAL and not each.reading else ():
            yield Unusual((each.made(f"%{precision}{each.parts['length']}{kind}"),), traits)


@operator(
    "what a scanf reads up to",
    why="%c reads a blank, %s ends at one, and scanf wants the very commas and line ends that it is given; "
    "those between the values of a failing input are tried.",
    before='scanf("%d,%d", &a, &b);',
    after='scanf("%d %d", &a, &b);',
)
def what_scanf_reads_up_to(program: Program) -> Proposals:
    marks = [letter for letter in program.hints.letters if letter in SEPARATORS][:MOST_SEPARATORS]
    for call in program.calls:
        for node in program.arguments(call) if program.of(call.of("function")) in READERS else ():
            if node.type != "string_literal":
                continue
            inner = program.of(node)[1:-1]
            for text in (inner.removesuffix("\\n"), inner.rstrip(" "), inner.replace(",", " ")):
                yield (quoted(node, text),)
            for match in DIRECTIVE.finditer(inner):
                if match["kind"] == "c":
                    yield (quoted(node, f"{inner[: match.start()]} {inner[match.start() :]}"),)
            if inner == "%s":
                yield (quoted(node, "%[^\\n]"),)
            for mark in marks:
                places = [(one.end(), other.start()) for one, other in pairwise(DIRECTIVE.finditer(inner))]
                gaps = [(start, end) for start, end in places if not inner[start:end].strip()]
                for chosen in ([gap] for gap in gaps):
                    yield (quoted(node, _filled(inner, chosen, mark)),)
                if len(gaps) > 1:
                    yield (quoted(node, _filled(inner, gaps, mark)),)


def _filled(text: str, gaps: Sequence[tuple[int, int]], mark: str) -> str:
    """The text with a mark in each gap."""
    for start, end in reversed(gaps):
        text = text[:start] + mark + text[end:]
    return text

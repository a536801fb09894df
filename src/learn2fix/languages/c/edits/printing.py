"""What is printed and read, call by call: whole formats, values with directives, output for debugging."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learn2fix.edits.catalogue import Piece, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.conditions import NOT_NEARBY
from learn2fix.languages.c.edits.formats import DIRECTIVE, WHOLE, quoted
from learn2fix.languages.c.edits.places import is_block_child, points
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, LONG, Type
from learn2fix.languages.c.words import READERS, WRITERS

WORD = re.compile(r"[A-Za-z]{2,}")
ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)")
PRINTERS = frozenset((*WRITERS, "puts", "putchar", "fputs", "putc"))
LONGEST_RUN = 3
"""Number of neighbouring statements that are deleted at once."""


@dataclass(frozen=True, slots=True)
class Formatted:
    """A call with a format, and the values that the format is about."""

    literal: Node
    values: tuple[Node, ...]
    reading: bool
    text: str
    """Between the quotes."""

    @property
    def directives(self) -> list[re.Match[str]]:
        return [match for match in DIRECTIVE.finditer(self.text) if match["kind"] != "%"]


@once
def _calls(program: Program) -> list[Formatted]:
    found = []
    for call in program.calls:
        name, arguments = program.of(call.of("function")), program.arguments(call)
        if name not in READERS | WRITERS:
            continue
        position = 0 if name in ("printf", "scanf") else 1
        if len(arguments) > position and arguments[position].type == "string_literal":
            literal = arguments[position]
            text = program.of(literal)[1:-1]
            values = tuple(arguments[position + 1 :])
            found.append(Formatted(literal, values, name in READERS, text))
    return found


def _directive(kind: Type, reading: bool) -> str | None:
    """What a value of a type, or what an address points to, is printed or read by."""
    if reading or kind.depth:
        if kind.depth != 1:
            return None
        if kind.base == CHAR:
            return "%s"
    if kind.base == DOUBLE:
        return "%lf"
    if kind.base == FLOAT:
        return "%f"
    if kind.base == LONG:
        return "%lld"
    return "%c" if kind.base == CHAR else "%d"


@operator(
    "format made anew",
    why="A format is misspelt, or has more or fewer directives than there are values.",
    before='scanf("%d%d", &a);',
    after='scanf("%d", &a);',
)
def format_made_anew(program: Program) -> Proposals:
    for call in _calls(program):
        fitting = [_directive(program.type_of(value), call.reading) for value in call.values]
        directives = [each for each in fitting if each is not None]
        if not directives or len(directives) != len(fitting):
            continue
        end = "\\n" if call.text.endswith("\\n") else ""
        for text in (" ".join(directives) + end, "".join(directives) + end, "\\n".join(directives) + end):
            yield (quoted(call.literal, text),)


@operator(
    "value not printed",
    why="A value was printed to look at, or is one too many.",
    before='printf("%d %d", a, b);',
    after='printf("%d", a);',
)
def value_not_printed(program: Program) -> Proposals:
    for call in _calls(program):
        matches = call.directives
        if len(matches) < 2 or len(matches) != len(call.values):
            continue
        for index, match in enumerate(matches):
            if index:
                text = call.text[: matches[index - 1].end()] + call.text[match.end() :]
            else:
                text = call.text[matches[1].start() :]
            value = call.values[index]
            before = call.values[index - 1].end if index else call.literal.end
            yield (quoted(call.literal, text), (before, value.end, ""))


@operator(
    "words around printed values dropped",
    why="Words were printed to look at values by: only the values were asked for.",
    before='printf("Sum = %d\\n", a);',
    after='printf("%d\\n", a);',
)
def words_dropped(program: Program) -> Proposals:
    for call in _calls(program):
        matches = call.directives
        if call.reading or not matches:
            continue
        first, last = matches[0].start(), matches[-1].end()
        plain = _without_words(call.text, matches)
        for text in (call.text[first:], call.text[:last], plain, plain.lstrip().removeprefix("\\n")):
            if text != call.text:
                yield (quoted(call.literal, text),)


def _without_words(text: str, matches: Sequence[re.Match[str]]) -> str:
    """Only directives, blanks and line ends."""
    pieces: list[str] = []
    last = 0
    for match in [*matches, None]:
        between = text[last : match.start() if match is not None else len(text)]
        ends = [each.group() for each in ESCAPE.finditer(between) if each.group() == "\\n"]
        pieces.append("\\n" if ends else " " if pieces and match is not None else "")
        if match is not None:
            pieces.append(match.group())
            last = match.end()
    return "".join(pieces).removeprefix("\\n")


@operator(
    "several values with two digits",
    why="All parts of a date or time were to be written with two digits.",
    before='printf("%d:%d", a, b);',
    after='printf("%02d:%02d", a, b);',
)
def two_digits(program: Program) -> Proposals:
    for call in _calls(program):
        whole = [match for match in call.directives if match["kind"] in WHOLE and not match["flags"]]
        if call.reading or len(whole) < 2:
            continue
        for chosen in (whole, whole[:-1], whole[1:]):
            if len(chosen) > 1:
                yield tuple(_padded(call, match) for match in chosen)


def _padded(call: Formatted, match: re.Match[str]) -> Piece:
    start = call.literal.start + 1 + match.start()
    return (start, start + len(match.group()), f"%02{match['length'] or ''}{match['kind']}")


@operator(
    "output that no test expects deleted",
    why="What was printed to look at the program while it runs was left in.",
    before='printf("debug %d", a); printf("Now:"); puts("Impossible");',
    after='puts("Impossible");',
)
def unexpected_output_deleted(program: Program) -> Proposals:
    expected = " ".join(program.hints.expected)
    words = set(WORD.findall(expected))
    if not expected:
        return
    odd = [node for node, text in _prints(program) if set(WORD.findall(text)) - words]
    if len(odd) > 1:
        yield tuple(_removed(node) for node in odd)


def _prints(program: Program) -> Iterator[tuple[Node, str]]:
    """Statements that do nothing but print a literal, with or without values, and its text."""
    for node in program.statements:
        inner = node.inner() if node.type == "expression_statement" else []
        if len(inner) != 1 or inner[0].type != "call_expression":
            continue
        if program.of(inner[0].of("function")) in PRINTERS:
            literals = [each for each in program.arguments(inner[0]) if each.type == "string_literal"]
            if literals:
                yield node, ESCAPE.sub(" ", DIRECTIVE.sub(" ", program.of(literals[0])))


@operator(
    "neighbouring statements deleted",
    why="Several statements were too many: they belong to something that was given up, or to debugging.",
    before="a = 1; b = 2; c = 3;",
    after="c = 3;",
)
def neighbours_deleted(program: Program) -> Proposals:
    for block in program.nodes:
        if block.type != "compound_statement":
            continue
        inner = [node for node in block.inner() if node.type == "expression_statement"]
        for count in range(2, LONGEST_RUN + 1):
            for first in range(len(inner) - count + 1):
                run = inner[first : first + count]
                between = program.text[run[0].start : run[-1].end]
                if between.count("{") == 0:
                    yield tuple(_removed(node) for node in run)


def _removed(node: Node) -> Piece:
    return (node.start, node.end, "" if is_block_child(node) else ";")


@operator(
    "value printed",
    why="What was computed was never printed.",
    before='a = b + 1; puts("");',
    after='a = b + 1; printf("%d\\n", a); puts("");',
)
def value_printed(program: Program) -> Proposals:
    for point in points(program):
        for symbol in program.variables(point.node.start):
            directive = _directive(symbol.type, reading=False)
            if directive is None or symbol.name == "argc":
                continue
            traits = () if symbol.name in point.names else (NOT_NEARBY,)
            for end in ("\\n", " "):
                yield Unusual(point.insert(f'printf("{directive}{end}", {symbol.name});'), traits)


@operator(
    "value printed for a text",
    why="A text stands in for what was to be worked out and printed.",
    before='if (a) puts("todo");',
    after='if (a) printf("%d\\n", a);',
)
def value_printed_for_text(program: Program) -> Proposals:
    for call in program.calls:
        arguments = program.arguments(call)
        literal = arguments[0] if len(arguments) == 1 else None
        if program.of(call.of("function")) not in ("puts", "printf") or literal is None:
            continue
        if literal.type != "string_literal" or not WORD.search(program.of(literal)):
            continue
        end = "\\n" if program.of(literal).endswith('\\n"') or program.of(call).startswith("puts") else ""
        for symbol in program.variables(call.start):
            directive = _directive(symbol.type, reading=False)
            if directive is not None and symbol.name != "argc":
                yield ((call.start, call.end, f'printf("{directive}{end}", {symbol.name})'),)

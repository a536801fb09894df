"""What is printed and read, call by call: whole formats, and values with their directives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.conditions import NOT_NEARBY
from learn2fix.languages.c.edits.formats import DIRECTIVE, quoted
from learn2fix.languages.c.edits.places import points
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR, DOUBLE, FLOAT, LONG, Type
from learn2fix.languages.c.words import READERS, WRITERS

ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)")


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

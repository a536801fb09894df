"""Printed and compared texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.constants import EVERYWHERE
from learn2fix.languages.c.edits.formats import DIRECTIVE, quoted
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import READERS, WRITERS

LINE_END = "\\n"
LONGEST_EXPECTED = 60
LONGEST_WORD, MOST_WORDS = 16, 6
WORDS = re.compile(r"\\[ntr]|(?P<word>(?:\\[^ntr]|[^\s\\])+)")
"""What stands between blanks and line ends of a literal as it is written."""
SEPARATORS = re.compile(r"(?<=\d)[\t ,;:|]+(?=-?\d)")
MOST_SEPARATORS = 2
ALIKE = 0.7
"""Share of the characters that a misspelt text has in common with the right one, in order."""


@once
def _texts(program: Program) -> list[tuple[Node, str]]:
    """Every literal that no scanf reads by, and the function that it is handed to, if any."""
    found = []
    for node in program.nodes:
        if node.type == "string_literal":
            call = node.parent.parent if node.parent is not None else None
            called = call is not None and call.type == "call_expression"
            name = program.of(call.of("function")) if call is not None and called else ""
            if name not in READERS:
                found.append((node, name))
    return found


def _printed(program: Program) -> Iterator[tuple[Node, str, str]]:
    """Literals that are, or may be, printed: with the text between the quotes, and the function."""
    for node, name in _texts(program):
        if name in WRITERS | {"puts", "fputs", ""}:
            yield node, program.of(node)[1:-1], name


def _marks(text: str) -> tuple[str, ...]:
    return tuple(match.group() for match in DIRECTIVE.finditer(text) if match["kind"] != "%")


@operator(
    "another text of the file",
    why="Two answers were mixed up.",
    before='if (a) puts("yes"); else puts("no");',
    after='if (a) puts("no"); else puts("no");',
)
def another_text(program: Program) -> Proposals:
    texts = {program.of(node): None for node, _ in _texts(program)}
    for node, name in _texts(program):
        marks = _marks(program.of(node))
        for other in texts:
            if _marks(other) == marks or (name == "" and "%" not in other):
                yield ((node.start, node.end, other),)


@operator(
    "line end or blank at the end of a text",
    why="A line end or blank is missing, too many, or one stands in place of the other.",
    before='printf("%d", a);',
    after='printf("%d\\n", a);',
)
def line_end_or_blank_at_end(program: Program) -> Proposals:
    for node, inner, name in _printed(program):
        core = inner.removesuffix(LINE_END)
        if core != inner:
            others = [core, f"{core} "]
        else:
            others = [f"{inner.removesuffix(' ')}{LINE_END}", f"{inner} "]
            if name != "puts":
                others.append(inner + LINE_END)
        others += [core + mark for mark in _separators(program)]
        for text in (*others, inner.removeprefix(LINE_END), inner.strip(" ")):
            yield (quoted(node, text),)
    texts = [
        (node, program.of(node)[1:-1], "") for node, name in _texts(program) if name in WRITERS | {"puts"}
    ]
    yield from _at_every(texts, lambda text: text.removesuffix(LINE_END) + LINE_END)


@once
def _separators(program: Program) -> list[str]:
    """What stands between the values of an expected output, other than blanks and line ends."""
    found = (mark for output in program.hints.expected[:4] for mark in SEPARATORS.findall(output))
    return list(dict.fromkeys(mark.replace("\t", "\\t") for mark in found if mark.strip(" ")))[
        :MOST_SEPARATORS
    ]


@operator(
    "blank before a value",
    why="Two printed values were to be kept apart.",
    before='printf("%d%d", a, b);',
    after='printf("%d %d", a, b);',
)
def blank_before_value(program: Program) -> Proposals:
    for node, inner, _ in _printed(program):
        places = [match.start() for match in DIRECTIVE.finditer(inner) if match.start()]
        if not inner.startswith((" ", LINE_END)):
            places.append(0)
        for place in places:
            for text in (" ", LINE_END):
                if not inner[:place].endswith(text):
                    yield (quoted(node, f"{inner[:place]}{text}{inner[place:]}"),)


def _plain(program: Program) -> Iterator[tuple[Node, str, str]]:
    """Texts without directives: the text without its line end, and the line end if it has one."""
    for node, _ in _texts(program):
        inner = program.of(node)[1:-1]
        core = inner.removesuffix(LINE_END)
        if core and "\\" not in core and not _marks(inner):
            yield node, core, inner[len(core) :]


@operator(
    "case of a text",
    why="An answer, or every one, was to be written in capitals, or not to be.",
    before='puts("Yes");',
    after='puts("YES");',
)
def case_of_text(program: Program) -> Proposals:
    for node, core, tail in _plain(program):
        for other in (core.upper(), core.lower(), core.capitalize(), core.title()):
            yield (quoted(node, other + tail),)
    printed = {node.start for node, name in _texts(program) if name in WRITERS | {"puts"}}
    plain = [entry for entry in _plain(program) if entry[0].start in printed and "%" not in entry[1]]
    for convert in (str.upper, str.lower, str.capitalize):
        yield from _at_every(plain, convert)


def _at_every(texts: list[tuple[Node, str, str]], convert: Callable[[str], str]) -> Proposals:
    changed = [(node, convert(core) + tail) for node, core, tail in texts if convert(core) != core]
    if len(changed) > 1:
        yield Unusual(tuple(quoted(node, text) for node, text in changed), EVERYWHERE)


@operator(
    "punctuation of a text",
    why="A text ends with a mark too many, or without one.",
    before='puts("Done");',
    after='puts("Done.");',
)
def punctuation_of_text(program: Program) -> Proposals:
    for node, core, tail in _plain(program):
        for other in (f"{core}.", f"{core}!") if core[-1].isalnum() else (core[:-1],):
            yield (quoted(node, other + tail),)


@operator(
    "number of a text off by one",
    why="The answer to a case of its own was written out, and is 0 for 1, or another that is next to it.",
    before='if (n == 0) puts("0");',
    after='if (n == 0) puts("1");',
)
def number_of_text_off_by_one(program: Program) -> Proposals:
    for node, core, tail in _plain(program):
        if re.fullmatch(r"-?[0-9]{1,9}", core):
            near = (int(core) + 1, int(core) - 1, 0, 1, -1)
            for other in dict.fromkeys(near):
                if other != int(core):
                    yield (quoted(node, f"{other}{tail}"),)


@operator(
    "expected text printed",
    why="An answer was misspelt: what a test expects is printed instead.",
    before='puts("Imposible");',
    after='puts("Impossible");',
)
def expected_text_printed(program: Program) -> Proposals:
    for node, inner, _ in _printed(program):
        if _marks(inner):
            continue
        tail = LINE_END if inner.endswith(LINE_END) else ""
        for output in program.hints.expected[:8]:
            for line in dict.fromkeys([output, *output.split("\n")[:3]]):
                text = escape(line)
                if text and len(text) <= LONGEST_EXPECTED:
                    number = re.fullmatch(r"-?[\d. ]+", line)
                    yield Unusual((quoted(node, text + tail),), ("a number as text",) if number else ())


@operator(
    "word of a text missing, wrong or too many",
    why="Of several words that are printed together one is missing, another one, or too many.",
    before='printf("Impossible now\\n");',
    after='printf("Impossible\\n");',
)
def word_of_text(program: Program) -> Proposals:
    lines = (line for output in program.hints.expected[:4] for line in output.split("\n")[:6])
    wanted = dict.fromkeys(word for line in lines for word in map(escape, line.split()))
    wanted = dict.fromkeys([word for word in wanted if 0 < len(word) <= LONGEST_WORD][:MOST_WORDS])
    for node, inner, _ in _printed(program):
        words = [found for found in WORDS.finditer(inner) if found["word"]]
        if len(words) < 2:
            continue
        for found in words:
            for word in wanted:
                yield (quoted(node, f"{inner[: found.start()]}{word} {inner[found.start() :]}"),)
                gap = "" if inner[: found.end() + 1].endswith(" ") else " "
                after = found.end() + 1 - len(gap)
                yield (quoted(node, f"{inner[:after]}{gap}{word}{inner[after:]}"),)
            if not _marks(found.group()):
                yield (quoted(node, inner[: found.start()] + inner[found.end() :].removeprefix(" ")),)
                yield (quoted(node, inner[: found.start()].removesuffix(" ") + inner[found.end() :]),)
                for word in wanted:
                    yield (quoted(node, f"{inner[: found.start()]}{word}{inner[found.end() :]}"),)


@operator(
    "answer misspelt",
    why="A text is nearly what a test expects, and no test expects it as it is.",
    before='puts("Imposible");',
    after='puts("Impossible");',
)
def answer_misspelt(program: Program) -> Proposals:
    lines = dict.fromkeys(line for output in program.hints.expected[:8] for line in output.split("\n")[:3])
    for node, core, tail in _plain(program):
        if core in lines:
            continue
        for line in lines:
            alike = SequenceMatcher(None, core, line, autojunk=False).ratio()
            if alike >= ALIKE and not re.fullmatch(r"-?[\d. ]+", line) and (text := escape(line)):
                yield (quoted(node, text + tail),)


def escape(text: str) -> str:
    """A text as it is written between the quotes of a C format; "" when it cannot be."""
    if any(ord(character) < 32 and character != "\n" for character in text):
        return ""
    data = text.encode("utf-8", "surrogateescape").decode("latin-1")
    return data.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("%", "%%")

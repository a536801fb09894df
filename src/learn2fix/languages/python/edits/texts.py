"""Edits of texts: other texts, cases and blanks; decimals and blanks of formatted texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.precedence import TIMES
from learn2fix.languages.python.edits.program import Program
from learn2fix.languages.python.edits.terms import lengths

DECIMALS = re.compile(r"(?<=\.)\d+(?=[fdeg%])")
BETWEEN = re.compile(r"(?<=\w)\W{1,3}(?=\w)")
"""What stands between two words."""
SHORT = 2
"""Number of characters of a text that may be a sign to be repeated."""
LONGEST = 40
"""Longer texts are messages, of which no case or blank is wrong."""


def _texts(program: Program) -> Iterator[tuple[cst.SimpleString, str]]:
    for node in program.reads(cst.SimpleString):
        value = node.evaluated_value
        if isinstance(value, str):
            yield node, value


def _others(program: Program, node: cst.SimpleString, texts: Iterable[str]) -> Proposals:
    """The same literal with other texts, in its own quotes."""
    double = program.of(node).startswith('"')
    for text in texts:
        written = repr(text)
        if double and written[0] == "'" and '"' not in text:
            written = f'"{written[1:-1]}"'.replace("\\'", "'")
        yield (program.put(node, written),)


@CATALOGUE.operator(
    "another text of the program",
    why="A text is confused with another one.",
    before="def f(a): return 'yes' if a else 'yes, no' + 'no'",
    after="def f(a): return 'yes' if a else 'no' + 'no'",
)
def another_text(program: Program) -> Proposals:
    for node in program.reads(cst.SimpleString):
        for text in program.strings:
            yield (program.put(node, text),)


@CATALOGUE.operator(
    "text in another case, empty, or one character longer or shorter",
    why="A text has the wrong case, a blank or a character too many or too few.",
    before="def f(a): return a + ','",
    after="def f(a): return a + ', '",
)
def text_changed(program: Program) -> Proposals:
    for node, value in _texts(program):
        if len(value) <= LONGEST:
            cases = (value.lower(), value.upper(), value.capitalize(), value.strip(), "", " ")
            yield from _others(program, node, (*cases, value + " ", " " + value, value[:-1], value[1:]))


@CATALOGUE.operator(
    "text of an expected output",
    why="An expected output has the text that is missing, or the signs between its words.",
    before="def f(a): return 'odd'",
    after="def f(a): return 'even'",
)
def expected_text(program: Program) -> Proposals:
    known = [t.strip("'\"") for t in program.hints.expected if "\n" not in t and len(t) <= 60]
    between = [signs for text in known for signs in BETWEEN.findall(text)]
    for node, value in _texts(program):
        signs = between if not any(map(str.isalnum, value)) else []
        yield from _others(program, node, dict.fromkeys((*known, *signs)))


@CATALOGUE.operator(
    "decimals of a formatted number",
    why="A number is shown with a decimal too many or too few.",
    before="def f(a): return f'{a:.1f}'",
    after="def f(a): return f'{a:.2f}'",
)
def decimals(program: Program) -> Proposals:
    for node in program.every(cst.FormattedStringText):
        if isinstance(program.tree.parent(node), cst.FormattedStringExpression):
            start = program.tree.span(node)[0]
            for match in DECIMALS.finditer(program.of(node)):
                for digits in (int(match[0]) + 1, int(match[0]) - 1):
                    if digits >= 0:
                        yield ((start + match.start(), start + match.end(), str(digits)),)


@CATALOGUE.operator(
    "blanks of a formatted text",
    why="A blank is missing or too many between two parts of a text.",
    before="def f(a): return f' {a}'",
    after="def f(a): return f'{a}'",
)
def blanks(program: Program) -> Proposals:
    for node in program.every(cst.FormattedStringText):
        if not isinstance(program.tree.parent(node), cst.FormattedStringExpression):
            start, end = program.tree.span(node)
            text = program.of(node)
            # A backslash must not come to stand before the quote.
            if not text.strip().endswith("\\"):
                yield ((start, end, text.strip()),)
            yield ((end, end, " "),)


@CATALOGUE.operator(
    "sign repeated",
    why="A sign stands once where it should stand once for each of something.",
    before="def f(word: str): return '*'",
    after="def f(word: str): return '*' * len(word)",
)
def sign_repeated(program: Program) -> Proposals:
    for node, value in _texts(program):
        parent = program.tree.parent(node)
        repeated = isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Multiply)
        if 0 < len(value) <= SHORT and not repeated:
            for text in lengths(program, node):
                yield (program.put(node, f"{program.of(node)} * {text}", TIMES),)

"""One number or character for another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise

from learn2fix.edits.catalogue import Change, Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ATOM, UNARY, parse_number, suffix_of

IN_MACRO, EVERYWHERE = ("in a macro",), ("at every place",)
USED_ONCE = ("a constant used once",)
MOST_PLACES = 8
FEW_ITEMS = 12
"""Number of entries of a table up to which any two are exchanged, not only neighbours."""
LONGEST_TABLE = 300
MORE_ITEMS = (1, 2, 3, 4, 6, 10)
LARGE = 50
"""Numbers from here on may be off by five or ten, or by a factor of a hundred."""


def put(program: Program, node: Node, text: str) -> Change:
    """A number in place of a node."""
    return (program.put(node, text, UNARY if text[0] == "-" else ATOM),)


@once
def literals(program: Program) -> list[Node]:
    """Numbers, without the sizes of arrays."""
    found = [node for node in program.nodes if node.type == "number_literal"]
    return [node for node in found if node.parent is None or node.parent.type != "array_declarator"]


@once
def _repeated(program: Program) -> list[tuple[str, list[Node]]]:
    """Numbers that stand at several places, sizes of arrays too."""
    places: dict[str, dict[int, Node]] = {}
    sizes = [size for symbol in program.scope.symbols for size in symbol.dimensions]
    for node in (*program.nodes, *sizes):
        if node.type == "number_literal":
            places.setdefault(program.of(node), {})[node.start] = node
    return [
        (word, list(nodes.values()))
        for word, nodes in places.items()
        if 1 < len(nodes) <= MOST_PLACES and word not in ("0", "1", "2")
    ]


@once
def _in_macros(program: Program) -> list[tuple[int, str]]:
    """The first number of macros whose text is no expression."""
    found = []
    for macro in program.macros.values():
        number = re.search(r"\d[\w.]*", program.of(macro.value))
        if macro.parameters < 0 and number is not None and not macro.value.children:
            found.append((macro.value.start + number.start(), number.group()))
    return found


def _varied(program: Program, vary: Callable[[str], Iterator[str]]) -> Proposals:
    """Each number changed: where it stands, in a macro, and at every place where it stands."""
    for node in literals(program):
        word = program.of(node)
        for text in vary(word):
            yield put(program, node, text)
    for start, word in _in_macros(program):
        for text in vary(word):
            yield Unusual(((start, start + len(word), text),), IN_MACRO)
    for word, nodes in _repeated(program):
        for text in vary(word):
            if "." not in text:
                yield Unusual(tuple(program.put(node, text, UNARY) for node in nodes), EVERYWHERE)


def _whole(word: str) -> tuple[int, str] | None:
    """The value and suffix of a decimal whole number."""
    value = parse_number(word)
    return None if value is None or word.lower().startswith("0x") else (value, suffix_of(word))


def _real(word: str) -> bool:
    real = re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fFlL]?", word)
    return _whole(word) is None and real is not None


def _near(*steps: int) -> Callable[[str], Iterator[str]]:
    """A number and so much more or less."""

    def vary(word: str) -> Iterator[str]:
        whole = _whole(word)
        for step in steps:
            if whole is not None:
                yield f"{whole[0] + step}{whole[1]}"
            elif re.fullmatch(r"\d+\.\d*", word):
                yield repr(float(word) + step)

    return vary


@operator(
    "constant off by one", why="A number is one too small or too large.", before="a = 5;", after="a = 6;"
)
def constant_off_by_one(program: Program) -> Proposals:
    yield from _varied(program, _near(1, -1))


@operator(
    "zero too many or too few",
    why="A number lacks a zero, or has one too many.",
    before="a = 10;",
    after="a = 100;",
)
def zero_too_many_or_few(program: Program) -> Proposals:
    yield from _varied(program, _tens)


def _tens(word: str) -> Iterator[str]:
    if (whole := _whole(word)) is not None:
        value, suffix = whole
        yield f"{value * 10}{suffix}"
        if value and value % 10 == 0:
            yield f"{value // 10}{suffix}"


@operator(
    "constant off by more",
    why="A number is off by two, five or ten, by a factor of two or a hundred, or has the wrong sign.",
    before="a = 100;",
    after="a = 105;",
)
def constant_off_by_more(program: Program) -> Proposals:
    yield from _varied(program, _far)


def _far(word: str) -> Iterator[str]:
    whole = _whole(word)
    if whole is None:
        return
    value, suffix = whole
    for near in (value + 2, value - 2, -value, value * 2):
        yield f"{near}{suffix}"
    if value % 2 == 0:
        yield f"{value // 2}{suffix}"
    if abs(value) >= LARGE:
        for factor in (100, 1000):
            yield f"{value * factor}{suffix}"
        if value % 100 == 0:
            yield f"{value // 100}{suffix}"
        for step in (5, -5, 10, -10):
            yield f"{value + step}{suffix}"


@operator(
    "constant of another type",
    why="A formula is computed with ints that was to be computed with larger or real numbers.",
    before="x = a / 2;",
    after="x = a / 2.0;",
)
def constant_of_another_type(program: Program) -> Proposals:
    def vary(word: str) -> Iterator[str]:
        whole = _whole(word)
        if whole is not None and not whole[1]:
            yield f"{whole[0]}LL"
            yield f"{whole[0]}.0"

    yield from _varied(program, vary)


@operator(
    "another real constant",
    why="1e8 was written for 1e9, or a real number was to be a half, a whole one or a tolerance.",
    before="x = 1e8;",
    after="x = 1e9;",
)
def another_real_constant(program: Program) -> Proposals:
    def vary(word: str) -> Iterator[str]:
        if not _real(word):
            return
        exponent = re.fullmatch(r"(.*[eE])([-+]?\d+)(.*)", word)
        for step in (1, -1, 2, 3) if exponent is not None else ():
            if exponent is not None:
                yield f"{exponent[1]}{int(exponent[2]) + step}{exponent[3]}"
        if re.fullmatch(r"\d+\.\d*", word):
            yield from (repr(float(word) / 2), repr(float(word) * 2))
        yield from ("0.5", "1.0", "0", "1e-9", "1e-6", "0.999999")

    yield from _varied(program, vary)


@operator(
    "another constant of the file",
    why="Two numbers were mixed up.",
    before="a = 7; b = 30;",
    after="a = 30; b = 30;",
)
def another_constant(program: Program) -> Proposals:
    for node in _scalars(program):
        for text, count in program.constants.items():
            rare = count == 1 and text not in program.macros
            yield Unusual(put(program, node, text), USED_ONCE if rare else ())


def _scalars(program: Program) -> list[Node]:
    return [node for node in literals(program) if not program.in_table(node)]


@operator("small constant", why="A number was to be a small one.", before="a = 17;", after="a = 0;")
def small_constant(program: Program) -> Proposals:
    for node in _scalars(program):
        for text in ("0", "1", "2", "10", "-1", "3", "4", "5"):
            yield put(program, node, text)


@once
def characters(program: Program) -> dict[str, list[Node]]:
    """Each character that is written down → where."""
    found: dict[str, list[Node]] = {}
    for node in program.nodes:
        if node.type == "char_literal":
            found.setdefault(program.of(node), []).append(node)
    return found


@operator(
    "another character",
    why="A character was mixed up with another one of the file, the next one, its capital, or a usual one.",
    before="if (a == 'a') b = 1;",
    after="if (a == 'A') b = 1;",
)
def another_character(program: Program) -> Proposals:
    written = characters(program)
    tested = [f"'{letter}'" for letter in program.hints.letters[:12] if letter not in "'\\\n"]
    for word, nodes in written.items():
        inner = word[1:-1]
        others = [*written, *tested]
        if len(inner) == 1:
            close = [chr(ord(inner) + step) for step in (1, -1) if 33 <= ord(inner) + step < 127]
            letters = [inner.swapcase()] if inner.isalpha() else []
            others += [f"'{text}'" for text in (*letters, *close, *"0aA1 ") if text not in "'\\"]
        for other in dict.fromkeys(others):
            yield from ((program.put(node, other),) for node in nodes)


@operator(
    "digit mistyped",
    why="A digit of a number is wrong, missing or too many.",
    before="a = 114;",
    after="a = 144;",
)
def digit_mistyped(program: Program) -> Proposals:
    for node in _scalars(program):
        word = program.of(node)
        if not re.fullmatch(r"\d{1,7}", word):
            continue
        texts = {word + digit for digit in "0123456789"}
        if len(word) > 1:
            for index in range(len(word)):
                texts |= {word[:index] + digit + word[index + 1 :] for digit in "0123456789"}
                texts.add(word[:index] + word[index + 1 :])
        for text in sorted(texts):
            if text == "0" or text[0] != "0":
                yield ((node.start, node.end, text),)


def _tables(program: Program) -> Iterator[list[Node]]:
    """Lists of numbers."""
    for node in program.nodes:
        items = node.inner() if node.type == "initializer_list" else []
        if 2 < len(items) <= LONGEST_TABLE and all(item.type == "number_literal" for item in items):
            yield items


@operator(
    "item of a table missing or too many",
    why="A number is missing from a list, or should not be in it.",
    before="int p[] = {2, 3, 7}; a = p[1];",
    after="int p[] = {2, 3, 5, 7}; a = p[1];",
)
def item_of_table(program: Program) -> Proposals:
    for items in _tables(program):
        values = [parse_number(program.of(item)) for item in items]
        rising = all(a is not None and b is not None and a <= b for a, b in pairwise(values))
        last = program.of(items[-1])
        for more in MORE_ITEMS if last == program.of(items[-2]) else ():
            yield ((items[-1].end, items[-1].end, f", {last}" * more),)
        for item, value, following in zip(items, values, [*values[1:], None], strict=True):
            texts: tuple[object, ...] = ("0", "1")
            if value is not None and following is not None and rising and following - value <= 12:
                texts = tuple(range(value + 1, following))
            elif value is not None and rising:
                texts = tuple(value + step for step in (1, 2, 4, 6))
            for text in (*texts, *program.known[:6]):
                yield ((item.end, item.end, f", {text}"),)
        for item, behind in pairwise(items):
            yield ((item.start, behind.start, ""),)
        yield ((items[-1].start, items[-1].end, ""),)


@operator(
    "items of a table exchanged",
    why="Two entries of a list stand in each other's place.",
    before="int p[] = {2, 5, 3}; a = p[1];",
    after="int p[] = {2, 3, 5}; a = p[1];",
)
def items_exchanged(program: Program) -> Proposals:
    for node in program.nodes:
        items = node.inner() if node.type == "initializer_list" else []
        if not 2 <= len(items) <= LONGEST_TABLE:
            continue
        chosen = combinations(items, 2) if len(items) <= FEW_ITEMS else pairwise(items)
        for one, other in chosen:
            yield (program.put(one, program.of(other)), program.put(other, program.of(one)))


@operator(
    "smallest or largest number there is",
    why="The largest so far has to start below everything that may come, and the smallest above.",
    before="a = 0; if (b > a) a = b;",
    after="a = -1000000000; if (b > a) a = b;",
)
def smallest_or_largest(program: Program) -> Proposals:
    compared = {
        program.of(side)
        for node in program.expressions
        if node.type == "binary_expression" and program.operator(node) in ("<", ">", "<=", ">=")
        for side in (node.of("left"), node.of("right"))
    }
    for node in literals(program):
        parent = node.parent
        if parent is None or parent.type not in ("assignment_expression", "init_declarator"):
            continue
        target = parent.child("left") or parent.child("declarator")
        if target is not None and program.of(target) in compared:
            for text in ("-1000000000", "1000000000", "-2147483647", "2147483647"):
                yield put(program, node, text)

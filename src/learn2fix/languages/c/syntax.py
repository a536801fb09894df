"""The one parser of C source, and the places in a tree where statements stand.

A loop written as a macro (`REP(i, n) { … }`) is no C until it is expanded. It is parsed as `for(;;)`, and
what the macro is given takes the place of the head: a `for_statement` with a `loop_macro` and a body.
Where a declaration leaves out `int`, as C could before 1999, it is parsed with it: an `implicit_int` of no
length.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_c

from learn2fix.errors import UsageError
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS

MOST_LEVELS = 1_000
"""Deepest nesting that is taken: many questions about a node look at all that stands around it."""
SINGLE_PARENTS = frozenset((*LOOPS, "if_statement", "else_clause", "labeled_statement"))
BLOCK_PARENTS = frozenset(("compound_statement", "case_statement"))
FUNCTION_MACRO = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\([^)\n]*\)[ \t]*(\w+)[ \t]*\(.*\)[ \t]*\r?$", re.M
)
DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*", re.M)
LOOP_HEAD, INT = b"for(;;)", b"int "
Mask = tuple[int, int, bytes]
"""From where to where the parser reads another text."""
SKIPPED = re.compile(
    rb"//[^\n]*|/\*.*?\*/"
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|'(?:\\.|[^'\\\n])*'"
    rb"|^[ \t]*#(?:[^\n]*\\\r?\n)*[^\n]*",
    re.M | re.S,
)
"""Comments, texts and lines for the preprocessor."""
QUALIFIERS = rb"const|static|register|auto|extern|volatile"
NO_NAME = (
    rb"(?!(?:"
    + QUALIFIERS
    + rb"|inline|restrict|signed|unsigned|short|long|int|char|float|double|void|struct"
    rb"|union|enum|_\w+|bool|if|for|while|switch|return|sizeof|else|do|goto|case|typedef)\b)"
)
NAME = NO_NAME + rb"[A-Za-z_]\w*"
NO_TYPE = re.compile(
    # `const N = 5;`, `static f(int a) {`; `main() {` where a line begins.
    rb"(?:\b(?:" + QUALIFIERS + rb")\s+)+(?P<variable>" + NAME + rb")(?=\s*(?:[=;,\[]|\([^;{}]*\)\s*\{))"
    rb"|^(?P<function>" + NAME + rb")(?=\s*\([^;{}()]*\)\s*\{)",
    re.M,
)


class TooDeep(UsageError):
    """The source nests more deeply than it can be worked on."""

    def __init__(self) -> None:
        super().__init__(
            f"the program nests more than {MOST_LEVELS:,} levels deep",
            "split its longest expression or block",
        )


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))


def parse(source: bytes, macros: Collection[bytes] = ()) -> Node:
    """The tree of a file; `macros` are loop macros besides those that it defines. Raises TooDeep."""
    tree, masks = _tree(source, macros, whole=True)
    root = _plain(tree)
    if masks:
        _restore(root, source, masks)
    return root


def fragment(text: bytes, macros: Collection[bytes] = ()) -> Node | None:
    """The tree of a piece of a program; None where it has errors or nests too deeply."""
    tree, masks = _tree(text, macros)
    if tree.root_node.has_error:
        return None
    try:
        root = _plain(tree)
    except TooDeep:
        return None
    if masks:
        _restore(root, text, masks)
    return root


def statement_types(text: bytes, macros: Collection[bytes] = ()) -> list[str] | None:
    """The types of the statements that a text consists of; None where it is anything else."""
    root = _tree(b"void f(void){" + text + b"}", macros)[0].root_node
    body = root.children[0].child_by_field_name("body") if len(root.children) == 1 else None
    return None if root.has_error or body is None else [child.type for child in body.named_children]


def _tree(
    source: bytes, macros: Collection[bytes], whole: bool = False
) -> tuple[tree_sitter.Tree, list[Mask]]:
    """The parser's tree, and what was masked for it; `whole`: this is a file."""
    # Also where the parser sees no error: to it `ALL(i) f(n);` declares a function.
    masks = loop_heads(source, {*loop_macros(source), *macros})
    tree = _parser().parse(_masked(source, masks) if masks else source)
    if whole and tree.root_node.has_error and (missing := implicit_ints(source)):
        more = sorted([*masks, *missing])
        again = _parser().parse(_masked(source, more))
        if _errors(again) < _errors(tree):
            return again, more
    return tree, masks


def implicit_ints(source: bytes) -> list[Mask]:
    """Where a declaration has a name and no type."""
    skipped = [found.span() for found in SKIPPED.finditer(source)]
    starts = [start for start, _ in skipped]
    found = []
    for match in NO_TYPE.finditer(source):
        at = match.start(match.lastgroup or 0)
        before = bisect_right(starts, at) - 1
        if before < 0 or skipped[before][1] <= at:
            found.append((at, at, INT))
    return found


def _errors(tree: tree_sitter.Tree) -> int:
    """Number of nodes that are not understood, or hold something that is not."""
    count, waiting = 0, [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.has_error:
            count += 1
            waiting += node.children
    return count


def expression(text: bytes, start: int) -> Node | None:
    """The tree of an expression that stands at an offset; None where the text is not one."""
    before = b"int x = "
    root = fragment(before + text + b";")
    if root is None or len(root.children) != 1:
        return None
    declared = root.children[0].each("declarator")
    value = declared[0].child("value") if len(declared) == 1 else None
    if value is None:
        return None
    for node in value.walk():
        node.start += start - len(before)
        node.end += start - len(before)
    value.parent = None
    return value


def _plain(tree: tree_sitter.Tree) -> Node:
    """Plain nodes for those of the parser, which are slow to ask and do not know their parents."""
    cursor = tree.walk()
    broken = tree.root_node.has_error
    root: Node | None = None
    parent: Node | None = None
    level = 0
    while True:
        here = cursor.node
        assert here is not None
        node = Node(here.type, here.start_byte, here.end_byte, here.is_named, cursor.field_name or "", parent)
        if broken:
            node.has_error = here.has_error
        if parent is None:
            root = node
        else:
            parent.children.append(node)
        if cursor.goto_first_child():
            parent = node
            level += 1
            if level > MOST_LEVELS:
                raise TooDeep
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                assert root is not None
                return root
            assert parent is not None
            parent = parent.parent
            level -= 1


def loop_macros(source: bytes) -> frozenset[bytes]:
    """The macros that expand to the head of a loop, also by way of each other."""
    definitions = FUNCTION_MACRO.findall(source) if b"#" in source else []
    found: set[bytes] = set()
    for _ in definitions:
        more = {name for name, first in definitions if first in (b"for", b"while") or first in found}
        if more == found:
            break
        found = more
    return frozenset(found)


def loop_heads(source: bytes, macros: Collection[bytes]) -> list[Mask]:
    """Where calls of loop macros stand as the head of a loop."""
    if not macros:
        return []
    directives = [found.span() for found in DIRECTIVE.finditer(source)]
    heads: list[Mask] = []
    for found in re.finditer(rb"\b(?:" + b"|".join(map(re.escape, macros)) + rb")[ \t]*\(", source):
        start = found.start()
        if (heads and start < heads[-1][1]) or any(a <= start < b for a, b in directives):
            continue
        depth, end = 1, found.end()
        while end < len(source) and depth:
            depth += {40: 1, 41: -1}.get(source[end], 0)
            end += 1
        if not depth and source[end:].lstrip()[:1] not in (b";", b",", b")", b""):
            heads.append((start, end, LOOP_HEAD))
    return heads


def _masked(source: bytes, masks: Sequence[Mask]) -> bytes:
    pieces, last = [], 0
    for start, end, text in masks:
        pieces += [source[last:start], text]
        last = end
    return b"".join([*pieces, source[last:]])


def _restore(root: Node, source: bytes, masks: Sequence[Mask]) -> None:
    """Offsets in the masked text become those in the source, and macro calls the heads of their loops."""
    starts, grown, shift = [], [], 0
    for start, end, text in masks:
        starts.append(start + shift)
        shift += len(text) - (end - start)
        grown.append(shift)

    def place(offset: int) -> int:
        number = bisect_right(starts, offset) - 1
        if number < 0:
            return offset
        inside = offset - starts[number]
        start, end, text = masks[number]
        if inside < len(text):
            return start if inside == 0 else end
        return offset - grown[number]

    masked = dict(zip(starts, masks, strict=True))
    nodes = list(root.walk())
    at_masks = [(node, masked[node.start]) for node in nodes if node.start in masked]
    for node in nodes:
        node.start, node.end = place(node.start), place(node.end)
    for node, (start, end, text) in at_masks:
        if text == INT and node.type == "primitive_type":
            node.type = "implicit_int"
        elif text == LOOP_HEAD and node.type == "for_statement":
            head = Node("loop_macro", start, end, True, "macro", node)
            call = expression(source[start:end], start)
            head.children = call.each("arguments") if call is not None else []
            for arguments in head.children:
                arguments.parent = head
            node.children = [head, *node.each("body")]


@dataclass(frozen=True, slots=True)
class Place:
    """A statement (or declaration) where it stands."""

    node: Node
    single: bool
    """It is the unbraced branch of an if, body of a loop or what a label names: one statement, no more."""


def is_statement(node: Node) -> bool:
    return node.type.endswith("_statement") and node.type not in ("case_statement", "attributed_statement")


def functions(root: Node) -> Iterator[Node]:
    """Function definitions that were understood completely."""
    for node in root.walk():
        if node.type == "function_definition" and not node.has_error:
            body = node.child("body")
            if body is not None and body.type == "compound_statement":
                yield node


def places(function: Node) -> Iterator[Place]:
    """Statements and declarations of a function below its body, in source order, outer ones first."""
    for node in function.walk():
        parent = node.parent
        if parent is None or not node.named:
            continue
        if parent.type in BLOCK_PARENTS:
            if is_statement(node) or node.type == "declaration":
                yield Place(node, single=False)
        elif parent.type in SINGLE_PARENTS and is_statement(node):
            yield Place(node, single=True)

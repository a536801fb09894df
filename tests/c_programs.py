"""Small C programs drawn at random, with edits, that can be run in Python: what a meta-program must print.

A program is a tree of statements and expressions. The same tree is written as C and interpreted here; an edit
gives a node another subtree, and both the text that changes and what is printed then follow from it. Numbers
stay far from overflow, loops are short, and every variable is set before it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import strategies as st

from learn2fix.model import Edit

VARIABLES = ("a", "b", "c", "g")
MASK = 255


@dataclass(frozen=True, eq=False)
class Node:
    """`kind` says what is done with the parts; `word` is an operator, name or number."""

    kind: str
    parts: tuple[Node, ...] = ()
    word: str = ""


class Broken(Exception):
    pass


class Continued(Exception):
    pass


@dataclass
class Written:
    """C text, and where each node stands in it."""

    text: str = ""
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)

    def write(self, node: Node) -> None:
        start = len(self.text)
        form = FORMS[node.kind]
        for piece in form(node) if callable(form) else form:
            if isinstance(piece, int):
                self.write(node.parts[piece])
            else:
                self.text += piece.replace("@", node.word)
        self.spans[id(node)] = (start, len(self.text))
        self.nodes.append(node)


Form = Sequence[str | int]
FORMS: Mapping[str, Form | Callable[[Node], Form]] = {
    "number": ["@"],
    "name": ["@"],
    "binary": ["(", 0, " @ ", 1, ")"],
    "bare": [0, " @ ", 1],
    "not": ["!(", 0, ")"],
    "either": ["(", 0, " ? ", 1, " : ", 2, ")"],
    "call": ["next(", 0, ")"],
    "pure": ["twice(", 0, ")"],
    "set": ["@ = (", 0, ") & 255;"],
    "add": ["@ += (", 0, ") & 7;"],
    "step": ["@++;"],
    "print": ['printf("%d ", (int)(', 0, "));"],
    "variadic": ['printf("%d;", ', 0, ");"],
    "declare": ["{ int d = ", 0, "; a = (a + d) & 255; }"],
    "if": ["if (", 0, ") ", 1],
    "else": ["if (", 0, ") ", 1, " else ", 2],
    "for": ["for (i@ = 0; i@ < 4 && (", 0, "); i@++) ", 1],
    "macro": ["REP(i@, 3) ", 0],
    "while": ["{ i@ = (", 0, ") & 3; while (i@-- > 0) ", 1, " }"],
    "switch": ["switch (", 0, ") { case 0: ", 1, " case 1: ", 2, " break; default: ", 3, " }"],
    "break": ["break;"],
    "continue": ["continue;"],
    "empty": [";"],
    "block": lambda node: ["{ ", *(p for i in range(len(node.parts)) for p in (i, " ")), "}"],
    "run": lambda node: [p for i in range(len(node.parts)) for p in (" ", i)][1:],
}
HEAD = """#include <stdio.h>
#define REP(i, n) for (i = 0; i < n; i++)
int calls = 0;
int twice(int x) { return x + x; }
int next(int x) { calls++; return (x + calls) & 63; }
int g = """
OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: (x & 15) * (y & 15),
    "&": lambda x, y: x & y,
    "<": lambda x, y: int(x < y),
    "<=": lambda x, y: int(x <= y),
    "==": lambda x, y: int(x == y),
    "!=": lambda x, y: int(x != y),
}


class Run:
    """One execution in which some nodes are replaced by others."""

    def __init__(self, changes: Mapping[int, Node]) -> None:
        self.changes = changes
        self.values: dict[str, int] = {}
        self.calls = 0
        self.printed = ""

    def value(self, node: Node) -> int:
        node = self.changes.get(id(node), node)
        parts = node.parts
        match node.kind:
            case "number":
                return int(node.word)
            case "name":
                return self.values[node.word]
            case "not":
                return int(not self.value(parts[0]))
            case "either":
                return self.value(parts[1] if self.value(parts[0]) else parts[2])
            case "call":
                given = self.value(parts[0])
                self.calls += 1
                return (given + self.calls) & 63
            case "pure":
                return 2 * self.value(parts[0])
            case _ if node.word in ("&&", "||"):
                first = bool(self.value(parts[0]))
                decided = first == (node.word == "||")
                return int(first if decided else bool(self.value(parts[1])))
            case _:
                return OPERATIONS[node.word](self.value(parts[0]), self.value(parts[1]))

    def do(self, node: Node) -> None:
        node = self.changes.get(id(node), node)
        parts, name = node.parts, node.word
        match node.kind:
            case "set":
                self.values[name] = self.value(parts[0]) & MASK
            case "add":
                self.values[name] += self.value(parts[0]) & 7
            case "step":
                self.values[name] += 1
            case "print":
                self.printed += f"{self.value(parts[0])} "
            case "variadic":
                self.printed += f"{self.value(parts[0])};"
            case "declare":
                self.values["a"] = (self.values["a"] + self.value(parts[0])) & MASK
            case "if" | "else":
                if self.value(parts[0]):
                    self.do(parts[1])
                elif node.kind == "else":
                    self.do(parts[2])
            case "for" | "macro" | "while":
                self.loop(node)
            case "switch":
                self.switch(node)
            case "break":
                raise Broken
            case "continue":
                raise Continued
            case "block" | "run":
                for part in parts:
                    self.do(part)

    def loop(self, node: Node) -> None:
        turns = {"for": 4, "macro": 3}.get(node.kind)
        if turns is None:
            turns = self.value(node.parts[0]) & 3
        with suppress(Broken):
            for _ in range(turns):
                if node.kind == "for" and not self.value(node.parts[0]):
                    break
                with suppress(Continued):
                    self.do(node.parts[-1])

    def switch(self, node: Node) -> None:
        """The first arm falls through to the second."""
        arms = node.parts[1:]
        taken = {0: arms[:2], 1: arms[1:2]}.get(self.value(node.parts[0]), arms[2:])
        with suppress(Broken):
            for arm in taken:
                self.do(arm)


numbers = st.integers(0, 9).map(lambda value: Node("number", word=str(value)))
names = st.sampled_from(VARIABLES).map(lambda name: Node("name", word=name))
leaves = names | numbers


def binary(kind: str, inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    operators = [operator for operator in OPERATIONS if operator != "*"] + ["&&", "||"]
    return st.builds(lambda x, y, word: Node(kind, (x, y), word), inner, inner, st.sampled_from(operators))


expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        binary("binary", inner),
        st.builds(lambda x: Node("not", (x,)), inner),
        st.builds(lambda x, y, z: Node("either", (x, y, z)), inner, inner, inner),
        st.builds(lambda x: Node("pure", (x,)), inner),
        st.builds(lambda x: Node("call", (x,)), inner),
    ),
    max_leaves=4,
)
plain_expressions = expressions.filter(lambda node: "call" not in kinds_in(node))
"""Evaluated in whatever order a compiler likes, an operand must not change what another one sees."""


def kinds_in(node: Node) -> set[str]:
    return {node.kind}.union(*(kinds_in(part) for part in node.parts))


def calls_in(node: Node) -> int:
    return (node.kind == "call") + sum(calls_in(part) for part in node.parts)


values = st.one_of(
    binary("bare", leaves), plain_expressions, expressions.filter(lambda node: calls_in(node) == 1)
)
simple = st.one_of(
    st.builds(lambda x, name: Node("set", (x,), name), values, st.sampled_from(VARIABLES)),
    st.builds(lambda x, name: Node("add", (x,), name), values, st.sampled_from(VARIABLES)),
    st.builds(lambda name: Node("step", (), name), st.sampled_from(VARIABLES)),
    st.builds(lambda x: Node("print", (x,)), values),
    st.builds(lambda x: Node("variadic", (x,)), values),
    st.builds(lambda x: Node("declare", (x,)), values),
)


@st.composite
def blocks(draw: st.DrawFn, depth: int, looping: bool) -> Node:
    return Node("block", tuple(draw(st.lists(statements(depth, looping), min_size=1, max_size=4))))


@st.composite
def statements(draw: st.DrawFn, depth: int, looping: bool) -> Node:
    kinds = ["simple"] * 3 + (["break", "continue"] if looping else [])
    if depth:
        kinds += ["if", "else", "for", "macro", "while", "switch"]
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "simple":
            return draw(simple)
        case "break" | "continue":
            return Node("if", (draw(values), Node(kind)))
        case "if":
            return Node("if", (draw(values), draw(bodies(depth - 1, looping))))
        case "else":
            # Without braces the else would belong to an if inside the first branch.
            first = draw(simple | blocks(depth - 1, looping))
            return Node("else", (draw(values), first, draw(bodies(depth - 1, looping))))
        case "switch":
            arms = [draw(simple | blocks(0, False)) for _ in range(3)]
            return Node("switch", (draw(values), *arms))
        case "macro":
            return Node("macro", (draw(bodies(depth - 1, True)),), str(depth))
        case _:
            return Node(kind, (draw(values), draw(bodies(depth - 1, True))), str(depth))


def bodies(depth: int, looping: bool) -> st.SearchStrategy[Node]:
    return statements(depth, looping) | blocks(depth, looping)


@dataclass(frozen=True)
class Program:
    source: bytes
    first: Node
    """The first value of the global variable."""
    body: Node
    written: Written

    def run(self, given: Sequence[int], changes: Mapping[int, Node]) -> str:
        run = Run(changes)
        run.values = dict(zip(VARIABLES, given, strict=False)) | {"g": run.value(self.first)}
        run.do(self.body)
        return run.printed + str(run.values["a"])


@st.composite
def programs(draw: st.DrawFn) -> Program:
    first, body = draw(numbers), draw(blocks(2, False))
    written = Written(HEAD)
    written.write(first)
    written.text += ";\nint main(void) {\nint a, b, c, i1, i2;\n"
    written.text += 'if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;\n'
    written.write(body)
    written.text += '\nprintf("%d", a);\nreturn 0;\n}\n'
    return Program(written.text.encode(), first, body, written)


@dataclass(frozen=True)
class Change:
    """A node that is another now, and the edits that make it so."""

    node: int
    becomes: Node
    edits: tuple[Edit, ...]


@st.composite
def changes(draw: st.DrawFn, program: Program) -> Change:
    """Another expression or statement, one more before or after a statement, a guard, a deletion."""
    nodes = [node for node in reversed(program.written.nodes) if node is not program.body]
    node = draw(st.sampled_from(nodes))
    start, end = program.written.spans[id(node)]
    if node is program.first:
        becomes = draw(numbers)
        return Change(id(node), becomes, (Edit(start, end, text_of(becomes)),))
    if node.kind in ("number", "name", "binary", "bare", "not", "either", "call", "pure"):
        becomes = draw(values if calls_in(node) else plain_expressions)
        if becomes.kind == "bare":
            becomes = Node("binary", becomes.parts, becomes.word)
        return Change(id(node), becomes, (Edit(start, end, text_of(becomes)),))
    more, condition = draw(simple), draw(plain_expressions)
    match draw(st.sampled_from(["other", "before", "after", "guard", "nothing", "braced"])):
        case "other":
            return Change(id(node), more, (Edit(start, end, text_of(more)),))
        case "nothing":
            return Change(id(node), Node("empty"), (Edit(start, end, b";"),))
        case "guard":
            text = b"{ if (" + text_of(condition) + b") "
            guarded = Node("if", (condition, copied(node)))
            return Change(id(node), guarded, (Edit(start, start, text), Edit(end, end, b" }")))
        case "after":
            both = Node("run", (copied(node), more))
            return Change(
                id(node), both, (Edit(start, start, b"{ "), Edit(end, end, b" " + text_of(more) + b" }"))
            )
        case "braced":
            both = Node("run", (more, copied(node)))
            return Change(id(node), both, (Edit(start, end, b"{ " + text_of(both) + b" }"),))
        case _:
            both = Node("run", (more, copied(node)))
            return Change(
                id(node), both, (Edit(start, start, b"{ " + text_of(more) + b" "), Edit(end, end, b" }"))
            )


def copied(node: Node) -> Node:
    """The same again under another identity: a change of the node is none of its copy."""
    return Node(node.kind, node.parts, node.word)


def text_of(node: Node) -> bytes:
    written = Written()
    written.write(node)
    return written.text.encode()

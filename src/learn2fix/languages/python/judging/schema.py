"""Many candidates of a Python file as one program with switches.

Each place that candidates change becomes a site: `x < 3` becomes `(x <= 3 if _l2f_4 == 1 else …) if _l2f_4
else x < 3`. With every switch at 0 it is the original; with one set it is a candidate. Only the chosen
alternative is ever evaluated, so nothing needs to be pure and every expression fits. A statement, or several
put in its place, is chosen by `if` in the same way.

What does not fit (a change that makes another name local, say) is compiled alone. Every program counts its
steps with a call at each loop iteration and function entry, so that endless loops end alike everywhere.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import CodeType
from typing import Any

from learn2fix.errors import BuildError
from learn2fix.model import Candidate, Edit, apply_edits
from learn2fix.sandbox.imports import make_absolute

SWITCH, TICK, WHILE, VISIT = "_l2f_", "_l2f_tick", "_l2f_while", "_l2f_visit"
LOOPS = (ast.For, ast.While, ast.AsyncFor)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
POSITIONS = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "type_comment", "kind"})
HERE: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
"""Where made-up nodes stand: nobody looks, but the compiler asks."""
MOST_IN_ONE = 3000
"""Alternatives in one program: the compiler's time grows with the program, its memory too."""


@dataclass(frozen=True, slots=True)
class Program:
    """Something to execute: a code object, and how many switches it has."""

    code: CodeType
    switches: int = 0


@dataclass(frozen=True, slots=True)
class Variant:
    """A candidate: a program, its switches that are on, and the statements it changes."""

    program: int
    """Index of the program."""
    on: tuple[tuple[int, int], ...] = ()
    """(switch, value) pairs; none is the original."""
    statements: frozenset[int] | None = None
    """Statements that it changes: where none of them runs it is the original. None: unknown."""
    pure: bool = True


@dataclass(slots=True)
class Slot:
    """The lines of a statement, and the statement."""

    start: int
    end: int
    node: ast.stmt
    number: int
    lead: bytes
    """Its indentation."""
    function: ast.AST
    """The innermost function (or class, or module) that it stands in."""
    header: bool = False
    """Only the lines up to the body of a compound statement."""


class Role(IntEnum):
    """What an alternative does at its node."""

    INSTEAD = 0
    """It stands in the node's place: an expression, or statements."""
    BEFORE = 1
    AFTER = 2
    GATE = 3
    """The statement is executed only if this expression holds."""


@dataclass(slots=True)
class Change:
    """What a candidate does to the tree: nodes of the original, and what is new there."""

    parts: list[tuple[ast.AST, Role, list[ast.AST]]] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    """Statements that are touched."""

    @property
    def new(self) -> Iterator[ast.AST]:
        for _, _, several in self.parts:
            yield from several


def parse(source: bytes, name: str) -> ast.Module:
    try:
        return ast.parse(source, filename=name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = f" (line {problem.lineno})" if isinstance(problem, SyntaxError) and problem.lineno else ""
        raise BuildError(f"{name} is not valid Python: {problem}{line}") from None


class Schema:
    """One source file, and how candidates change its tree."""

    def __init__(self, source: bytes, name: str = "program.py", package: str = "") -> None:
        """`package`: the one that the source is a module of, for its relative imports."""
        self.source = source
        self.name = name
        self._package = package
        self.tree = self._parsed(source)
        self._plain = _is_plain(source)
        self._starts = [0]
        for place, byte in enumerate(source):
            if byte == 10:
                self._starts.append(place + 1)
        self.numbered = list(_statements(self.tree))
        """Every statement that is executed, in order; its place here is its number."""
        self._numbers = {id(node): number for number, node in enumerate(self.numbered)}
        self._slots = self._find_slots() if self._plain else []
        self._edges: dict[int, list[tuple[Slot, Role]]] = {}
        for slot in self._slots:
            if not slot.header:
                self._edges.setdefault(slot.start, []).append((slot, Role.BEFORE))
                self._edges.setdefault(slot.end, []).append((slot, Role.AFTER))
        self._bound = {id(scope): _bound_in(scope) for scope in _scopes(self.tree)}
        self._loops = _inside_loops(self.tree)

    def _parsed(self, source: bytes) -> ast.Module:
        tree = parse(source, self.name)
        if self._package:
            make_absolute(tree, self._package)
        return tree

    # -- lines ----------------------------------------------------------------------------------------------

    def lines(self, number: int) -> range:
        """The lines of a statement, or of the header of a compound one."""
        node = self.numbered[number]
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or first
        inner = _first_inner(node)
        if inner is not None:
            last = max(first, inner.lineno - 1)
        return range(first, last + 1)

    # -- slots ----------------------------------------------------------------------------------------------

    def _find_slots(self) -> list[Slot]:
        found: list[Slot] = []

        def visit(node: ast.AST, function: ast.AST) -> None:
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                block = getattr(node, name, None)
                if not isinstance(block, list):
                    continue
                inner = node if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) else function
                for place, child in enumerate(block):
                    if isinstance(child, ast.stmt):
                        found.extend(self._slots_of(child, block, place, inner))
                    visit(child, inner)

        visit(self.tree, self.tree)
        # Smallest first: the first that fits is the cheapest to read again.
        return sorted(found, key=lambda slot: (slot.end - slot.start, slot.start))

    def _slots_of(
        self, node: ast.stmt, block: Sequence[ast.stmt], place: int, function: ast.AST
    ) -> Iterator[Slot]:
        number = self._numbers.get(id(node))
        if number is None or _is_text(node) or _is_future(node):
            return
        first = self.lines(number)[0]
        last = node.end_lineno or first
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self.source)
        lead = self.source[start : start + node.col_offset]
        if getattr(node, "decorator_list", ()):
            lead = self.source[start : start + node.decorator_list[0].col_offset - 1]  # type: ignore[attr-defined]
        word = self.source[start + len(lead) : start + len(lead) + 5]
        inner = _first_inner(node)
        if inner is not None and inner.lineno > node.lineno and not lead.strip():
            head = self._starts[inner.lineno - 1]
            if getattr(inner, "decorator_list", ()):
                head = self._starts[inner.decorator_list[0].lineno - 1]  # type: ignore[attr-defined]
            yield Slot(start, head, node, number, lead, function, header=True)
        if lead.strip() or (isinstance(node, ast.If) and word.startswith(b"elif")):
            return
        if place and (block[place - 1].end_lineno or 0) >= first:
            return
        if place + 1 < len(block) and block[place + 1].lineno <= last:
            return
        tail = self.source[self._starts[last - 1] + (node.end_col_offset or 0) : end].strip()
        if tail and not tail.startswith(b"#"):
            return
        yield Slot(start, end, node, number, lead, function)

    # -- what a candidate changes ---------------------------------------------------------------------------

    def change(self, candidate: Candidate) -> Change | None:
        """What the candidate does to the tree; None when only the whole file can say it."""
        if not self._plain:
            return None
        if not candidate.edits:
            return Change()
        change = Change()
        if len(candidate.edits) == 1 and self._insertion(change, candidate.edits[0]):
            return change
        placed = self._placed(candidate.edits)
        if placed is None or not all(self._into(change, slot, new) for slot, new in placed):
            return None
        return change

    def _insertion(self, change: Change, edit: Edit) -> bool:
        """Whole statements put before or after another: they are read alone."""
        if edit.start != edit.end or not edit.text.endswith(b"\n"):
            return False
        for slot, role in self._edges.get(edit.start, ()):
            new = _parsed(edit.text, slot.lead)
            if new is None or not self._fits(slot, [], new):
                continue
            change.numbers.add(slot.number)
            change.parts.append((slot.node, role, [ticked(node) for node in new]))
            return True
        return False

    def _placed(self, edits: Sequence[Edit]) -> list[tuple[Slot, list[ast.stmt]]] | None:
        """What stands in each statement that is edited; together where one statement is inside another."""
        whole = self._place(edits)
        if len(edits) == 1 or (whole is not None and not _is_block(whole[0].node)):
            return None if whole is None else [whole]
        found: list[tuple[Slot, list[ast.stmt]]] = []
        for edit in edits:
            one = self._place([edit])
            if one is None or any(
                one[0].start < other.end and other.start < one[0].end for other, _ in found
            ):
                return None if whole is None else [whole]
            found.append(one)
        return found

    def _place(self, edits: Sequence[Edit]) -> tuple[Slot, list[ast.stmt]] | None:
        """The smallest statement that the edits are in, and what stands there afterwards."""
        if not edits:
            return None
        start, end = min(e.start for e in edits), max(e.end for e in edits)
        for slot in self._slots:
            if slot.start <= start and end <= slot.end and not (slot.header and end == slot.end):
                new = self._read(slot, edits)
                if new is not None:
                    return slot, new
        return None

    def _read(self, slot: Slot, edits: Sequence[Edit]) -> list[ast.stmt] | None:
        """The statements that stand in the slot after the edits; None when they reach beyond it."""
        moved = tuple(Edit(e.start - slot.start, e.end - slot.start, e.text) for e in edits)
        text = apply_edits(self.source[slot.start : slot.end], moved)
        if b"\r" in text.replace(b"\r\n", b"") or b"\f" in text:
            return None
        if slot.end < len(self.source) and not text.endswith(b"\n"):
            return None  # it runs on into the next line
        if slot.header:
            stripped = text.lstrip(b" \t")
            lead = text[: len(text) - len(stripped)]
            was = self.source[slot.start : slot.end].lstrip(b" \t").startswith(b"elif")
            if stripped.startswith(b"elif") != was:
                return None
            if was:
                text = lead + stripped[2:]
            text += lead + b"    pass\n"
        elif not text.strip():
            return None
        found = _parsed(text, slot.lead)
        return None if found is None or (slot.header and len(found) != 1) else found

    def _into(self, change: Change, slot: Slot, new: list[ast.stmt]) -> bool:
        old = slot.node
        change.numbers.add(slot.number)
        if slot.header:
            if type(new[0]) is not type(old):
                return False
            pairs = differences(_header(old), new[0])
        else:
            pairs = differences(old, new[0]) if len(new) == 1 else None
        if pairs is not None:
            if not self._fits(slot, [o for o, _ in pairs], [n for _, n in pairs]):
                return False
            change.parts += [(o, Role.INSTEAD, [n]) for o, n in pairs]
            # An expression inside a compound statement is in a statement of its own.
            if _is_block(old) and not slot.header:
                change.numbers.update(self._owners(old, pairs))
            return True
        if slot.header or isinstance(old, (*FUNCTIONS, ast.ClassDef)):
            return False
        gate = _gate(old, new)
        if gate is not None and self._fits(slot, [], [gate]):
            change.parts.append((old, Role.GATE, [gate]))
            return True
        if not self._fits(slot, [old], new):
            return False
        change.parts.append((old, Role.INSTEAD, [ticked(node) for node in new]))
        return True

    def _owners(self, old: ast.stmt, pairs: Sequence[tuple[ast.expr, ast.expr]]) -> set[int]:
        wanted = {id(o) for o, _ in pairs}
        found: set[int] = set()
        for node in ast.walk(old):
            number = self._numbers.get(id(node))
            if number is not None and any(id(child) in wanted for child in _own_nodes(node)):
                found.add(number)
        return found

    def _fits(self, slot: Slot, old: Sequence[ast.AST], new: Sequence[ast.AST]) -> bool:
        """Whether every name means the same in both, and jumps and returns are where they may be."""
        after = Facts(new)
        if after.returns and not isinstance(slot.function, FUNCTIONS):
            return False
        if after.jumps and id(slot.node) not in self._loops:
            return False
        before = Facts(old)
        if before.bound == after.bound:
            return True
        more = {name for name, count in after.bound.items() if count > before.bound.get(name, 0)}
        fewer = {n: c - after.bound.get(n, 0) for n, c in before.bound.items() if c > after.bound.get(n, 0)}
        if isinstance(slot.function, ast.Module):
            return not any(name.startswith("=") for name in (*more, *fewer))
        known = self._bound[id(slot.function)]
        return all(name in known for name in more) and all(known[n] > count for n, count in fewer.items())

    # -- programs -------------------------------------------------------------------------------------------

    def alone(self, candidate: Candidate) -> tuple[CodeType, ast.Module] | None:
        """The patched file; None when it does not compile."""
        try:
            tree = ticked_module(self._parsed(candidate.apply(self.source)))
            return compile_tree(tree, self.name), tree
        except (BuildError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def visited(self) -> CodeType:
        """The original, calling VISIT with the number of each statement before it."""
        tree = self._parsed(self.source)
        numbers = {id(node): number for number, node in enumerate(_statements(tree))}

        def mark(block: list[ast.stmt]) -> list[ast.stmt]:
            found: list[ast.stmt] = []
            for node in block:
                number = numbers.get(id(node))
                if number is not None and not _is_future(node) and not _is_text(node):
                    found.append(_call(VISIT, ast.Constant(number, **HERE)))
                found.append(node)
            return found

        for node in list(ast.walk(tree)):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    setattr(node, name, mark(block))
        return compile_tree(ticked_module(tree), self.name)


@dataclass(slots=True)
class Sites:
    """The alternatives at each node of the tree, for one program."""

    schema: Schema
    switches: dict[tuple[int, Role], int] = field(default_factory=dict)
    """(id of the node, role) → switch."""
    alternatives: list[list[list[ast.AST]]] = field(default_factory=list)

    def add(self, change: Change) -> tuple[tuple[int, int], ...]:
        return tuple(self._value(node, role, new) for node, role, new in change.parts)

    def _value(self, node: ast.AST, role: Role, new: list[ast.AST]) -> tuple[int, int]:
        switch = self.switches.setdefault((id(node), role), len(self.alternatives))
        if switch == len(self.alternatives):
            self.alternatives.append([])
        self.alternatives[switch].append(new)
        return switch, len(self.alternatives[switch])

    def program(self) -> Program:
        tree = _Weaver(self).woven(self.schema.tree)
        assert isinstance(tree, ast.Module)
        return Program(compile_tree(tree, self.schema.name), len(self.alternatives))


class _Weaver:
    """The tree with all alternatives in it. Nodes of the original are never changed, only copied."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._inner = _nodes_above(sites)

    def woven(self, node: ast.AST) -> ast.AST:
        changed = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    setattr(changed, name, [new for child in value for new in self._statement(child)])
                else:
                    setattr(changed, name, [self._child(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(changed, name, self._child(value))
        if isinstance(node, (*LOOPS, *FUNCTIONS)):
            changed.body = _with_tick(node, changed.body)  # type: ignore[attr-defined]
        return changed

    def _child(self, node: ast.AST) -> ast.AST:
        found = self.woven(node) if id(node) in self._inner else node
        switch = self._sites.switches.get((id(node), Role.INSTEAD))
        if switch is None or not isinstance(found, ast.expr):
            return found
        return ast.IfExp(_switch(switch), _choose(switch, self._sites.alternatives[switch], 1), found, **HERE)

    def _statement(self, node: ast.stmt) -> Iterator[ast.stmt]:
        inner = self.woven(node) if id(node) in self._inner else node
        assert isinstance(inner, ast.stmt)
        before, instead, after, gate = (
            self._sites.switches.get((id(node), role))
            for role in (Role.BEFORE, Role.INSTEAD, Role.AFTER, Role.GATE)
        )
        alternatives = self._sites.alternatives
        if before is not None:
            yield ast.If(_switch(before), _choose_block(before, alternatives[before], 1), [], **HERE)
        if instead is not None:
            inner = ast.If(
                _switch(instead), _choose_block(instead, alternatives[instead], 1), [inner], **HERE
            )
        if gate is not None:
            test = ast.IfExp(
                _switch(gate), _choose(gate, alternatives[gate], 1), ast.Constant(True, **HERE), **HERE
            )
            inner = ast.If(test, [inner], [], **HERE)
        yield inner
        if after is not None:
            yield ast.If(_switch(after), _choose_block(after, alternatives[after], 1), [], **HERE)


def _nodes_above(sites: Sites) -> set[int]:
    """Nodes that hold a site, or that need a tick: the others are used as they are."""
    found: set[int] = set()
    places = {node for node, _ in sites.switches}

    def visit(node: ast.AST) -> bool:
        inside = isinstance(node, (*LOOPS, *FUNCTIONS))
        for child in ast.iter_child_nodes(node):
            inside = visit(child) | inside
        if inside:
            found.add(id(node))
        return inside or id(node) in places

    visit(sites.schema.tree)
    return found


def _switch(number: int) -> ast.expr:
    return ast.Name(f"{SWITCH}{number}", ast.Load(), **HERE)


def _below(switch: int, value: int) -> ast.expr:
    return ast.Compare(_switch(switch), [ast.Lt()], [ast.Constant(value, **HERE)], **HERE)


def _choose(switch: int, several: Sequence[Sequence[ast.AST]], first: int) -> ast.expr:
    if len(several) == 1:
        found = several[0][0]
        assert isinstance(found, ast.expr)
        return found
    half = len(several) // 2
    test = _below(switch, first + half)
    low, high = _choose(switch, several[:half], first), _choose(switch, several[half:], first + half)
    return ast.IfExp(test, low, high, **HERE)


def _choose_block(switch: int, several: Sequence[Sequence[ast.AST]], first: int) -> list[ast.stmt]:
    if len(several) == 1:
        return [node for node in several[0] if isinstance(node, ast.stmt)]
    half = len(several) // 2
    test = _below(switch, first + half)
    low, high = several[:half], several[half:]
    blocks = _choose_block(switch, low, first), _choose_block(switch, high, first + half)
    return [ast.If(test, *blocks, **HERE)]


def compile_tree(tree: ast.Module, name: str) -> CodeType:
    code: CodeType = compile(tree, name, "exec", dont_inherit=True)
    return code


# -- steps -----------------------------------------------------------------------------------------------


def _call(name: str, *arguments: ast.expr) -> ast.stmt:
    call = ast.Call(ast.Name(name, ast.Load(), **HERE), list(arguments), [], **HERE)
    return ast.Expr(call, **HERE)


def _with_tick(node: ast.AST, body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a loop or function, counting. What a `while` repeats is looked at: see the worker."""
    place = 1 if body and _is_text(body[0]) else 0
    return [*body[:place], _call(WHILE if isinstance(node, ast.While) else TICK), *body[place:]]


def ticked(node: ast.stmt) -> ast.stmt:
    """Steps counted in a tree that is ours to change."""
    for inner in ast.walk(node):
        if isinstance(inner, (*LOOPS, *FUNCTIONS)):
            inner.body = _with_tick(inner, inner.body)
    return node


def ticked_module(tree: ast.Module) -> ast.Module:
    for node in tree.body:
        ticked(node)
    return tree


# -- trees -----------------------------------------------------------------------------------------------


def _is_plain(source: bytes) -> bool:
    """UTF-8 with usual line ends: places that the parser reports are places in the file."""
    if source.startswith(b"\xef\xbb\xbf") or b"\f" in source or b"\0" in source:
        return False
    if b"\r" in source.replace(b"\r\n", b""):
        return False
    head = b"".join(source.splitlines(keepends=True)[:2])
    if b"coding" in head and b"utf-8" not in head.lower():
        return False
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_text(node: ast.AST) -> bool:
    """A docstring or another statement that does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_block(node: ast.AST) -> bool:
    return isinstance(getattr(node, "body", None), list) or isinstance(node, ast.Match)


def _first_inner(node: ast.AST) -> ast.stmt | None:
    body = getattr(node, "body", None)
    if isinstance(node, ast.Try):
        return None
    return body[0] if isinstance(body, list) and body and isinstance(body[0], ast.stmt) else None


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node


def _scopes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            yield node


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a statement that are not in a statement inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield child
            yield from _own_nodes(child)


def _inside_loops(tree: ast.AST) -> set[int]:
    """Statements that a loop of the same function holds (not its `else`)."""
    found: set[int] = set()

    def visit(node: ast.AST, inside: bool) -> None:
        for name, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for child in children:
                if not isinstance(child, ast.AST):
                    continue
                now = inside
                if isinstance(node, LOOPS):
                    now = True if name == "body" else inside
                if isinstance(node, SCOPES):
                    now = False
                if now and isinstance(child, ast.stmt):
                    found.add(id(child))
                visit(child, now)

    visit(tree, False)
    return found


class Facts:
    """What some nodes bind and where they may stand, found in one walk: it is done for every candidate."""

    __slots__ = ("bound", "jumps", "returns")

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        self.bound: dict[str, int] = {}
        """How often each name is bound; `=…` stands for declarations, scopes inside, and yields."""
        self.returns = False
        """A return that no function among the nodes holds."""
        self.jumps = False
        """A break or continue that no loop among the nodes holds."""
        for node in nodes:
            self._visit(node, False, False)

    def _bind(self, name: str) -> None:
        self.bound[name] = self.bound.get(name, 0) + 1

    def _visit(self, node: ast.AST, looped: bool, comprehension: bool) -> None:
        kind = type(node)
        if kind is ast.Name:
            # What a comprehension binds is its own.
            if not comprehension and type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                self._bind(node.id)  # type: ignore[attr-defined]
            return
        if kind is ast.Constant:
            return
        if kind in UNUSUAL:
            self._unusual(node, looped)
            if isinstance(node, SCOPES):
                return
            comprehension = comprehension or isinstance(node, COMPREHENSIONS)
        loop = kind is ast.While or kind is ast.For
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                self._visit(value, looped, comprehension)
            elif isinstance(value, list):
                inner = looped or (loop and name == "body")
                for child in value:
                    if isinstance(child, ast.AST):
                        self._visit(child, inner, comprehension)

    def _unusual(self, node: ast.AST, looped: bool) -> None:
        match node:
            case ast.Return():
                self.returns = True
            case ast.Yield() | ast.YieldFrom() | ast.Await():
                self.returns = True
                self._bind("=yield")
            case ast.Break() | ast.Continue():
                self.jumps = self.jumps or not looped
            case ast.NamedExpr():
                self._bind(node.target.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._bind(node.name)
                self._bind("=" + _names_inside(node))
            case ast.Lambda():
                self._bind("=" + _names_inside(node))
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self._bind((alias.asname or alias.name).split(".")[0])
            case ast.Global() | ast.Nonlocal():
                for name in node.names:
                    self._bind("=" + name)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
                self._bind(node.name)
            case ast.MatchMapping() if node.rest:
                self._bind(node.rest)
            case _:
                pass


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNUSUAL: frozenset[type[ast.AST]] = frozenset(
    {ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Break, ast.Continue, ast.NamedExpr, *SCOPES}
    | {ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.MatchStar}
    | {ast.MatchMapping, *COMPREHENSIONS}
)


def _bound_in(scope: ast.AST) -> dict[str, int]:
    """How often each name is bound in a function, class or module, its parameters included."""
    found = Facts(getattr(scope, "body", ())).bound
    arguments = getattr(scope, "args", None)
    if isinstance(arguments, ast.arguments):
        for argument in ast.walk(arguments):
            if isinstance(argument, ast.arg):
                found[argument.arg] = found.get(argument.arg, 0) + 1
    return found


def _names_inside(node: ast.AST) -> str:
    """The names that a scope inside another one speaks of: what it takes from outside may depend on them."""
    return ",".join(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}))


def _parsed(text: bytes, lead: bytes) -> list[ast.stmt] | None:
    """Statements of this indentation; None when the text is no whole block of them."""
    # Deeper statements would be another block's: that of the statement before.
    first = next(
        (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(b"#")), b""
    )
    inner = first.lstrip(b" \t")
    if first[: len(first) - len(inner)] != lead or inner.startswith(b"\\"):
        return None
    try:
        found = ast.parse(b"if 1:\n" + text if lead else text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not lead:
        return found
    if len(found) != 1 or not isinstance(found[0], ast.If) or found[0].orelse:
        return None
    return found[0].body


def _gate(old: ast.stmt, new: Sequence[ast.stmt]) -> ast.expr | None:
    """The condition, when all that is new is an `if` around the statement."""
    if len(new) == 1 and isinstance(new[0], ast.If) and not new[0].orelse and len(new[0].body) == 1:
        return new[0].test if differences(old, new[0].body[0]) == [] else None
    return None


def _header(node: ast.stmt) -> ast.stmt:
    """A compound statement without its blocks, as it is read from its header alone."""
    head = copy.copy(node)
    head.body = [ast.Pass()]  # type: ignore[attr-defined]
    if hasattr(head, "orelse"):
        head.orelse = []
    return head


def differences(old: ast.AST, new: ast.AST) -> list[tuple[ast.expr, ast.expr]] | None:
    """The smallest expressions that differ; None when something differs that is in no expression."""
    if type(old) is not type(new):
        return None
    found: list[tuple[ast.expr, ast.expr]] = []
    for name in old._fields:
        if name in POSITIONS:
            continue
        one, other = getattr(old, name, None), getattr(new, name, None)
        if isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return None
            pairs: Iterable[tuple[object, object]] = zip(one, other, strict=True)
        else:
            pairs = [(one, other)]
        for a, b in pairs:
            inner = _difference(old, name, a, b)
            if inner is None:
                return None
            found += inner
    return found


def _difference(
    parent: ast.AST, name: str, one: object, other: object
) -> list[tuple[ast.expr, ast.expr]] | None:
    if not isinstance(one, ast.AST) or not isinstance(other, ast.AST):
        return [] if _equal(one, other) else None
    found = differences(one, other)
    if found is None and _replaceable(parent, name, one, other):
        assert isinstance(one, ast.expr)
        assert isinstance(other, ast.expr)
        return [(one, other)]
    return found


def _equal(one: object, other: object) -> bool:
    return type(one) is type(other) and (one is other or repr(one) == repr(other))


def _replaceable(parent: ast.AST, name: str, one: ast.AST, other: ast.AST) -> bool:
    """Whether a conditional expression may stand in this place."""
    if isinstance(parent, ast.JoinedStr | ast.pattern) or name in ("annotation", "returns", "format_spec"):
        return False
    for node in (one, other):
        if not isinstance(node, ast.expr) or isinstance(node, ast.Slice | ast.Starred | ast.FormattedValue):
            return False
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice | ast.Starred) for e in node.elts):
            return not isinstance(parent, ast.Subscript)
    return True

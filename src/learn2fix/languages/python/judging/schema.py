"""How candidates change the syntax tree of a Python file.

What does not fit into a tree of alternatives (a change that makes another name local, say) is compiled alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from learn2fix.errors import BuildError
from learn2fix.languages.python.judging.counting import (
    Code,
    compile_tree,
    counted,
    may_count,
    visit_statement,
)
from learn2fix.languages.python.judging.differences import condition_around, differences
from learn2fix.languages.python.judging.names import Facts, bound_in
from learn2fix.languages.python.judging.trees import (
    FUNCTIONS,
    first_inner,
    header_of,
    inside_loops,
    is_block,
    is_future,
    is_plain,
    is_text,
    own_nodes,
    parse,
    parse_block,
    scopes,
    statements,
)
from learn2fix.model import Candidate, Edit, apply_edits


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
    counts: bool = False
    """Whether anything new may have to count: loops, functions, growing numbers."""

    @property
    def new(self) -> Iterator[ast.AST]:
        for _, _, several in self.parts:
            yield from several


class Schema:
    """One source file, and how candidates change its tree."""

    def __init__(
        self,
        source: bytes,
        name: str = "program.py",
        join: Callable[[ast.Module], None] = lambda tree: None,
        elsewhere: bool = False,
    ) -> None:
        """`join`: makes the imports of a tree work in a module that is in no package, in place. `elsewhere`:
        another version of Python runs it."""
        self.elsewhere = elsewhere
        self.source = source
        self.name = name
        self._join = join
        self.tree = self._parsed(source)
        self._plain = is_plain(source)
        self._starts = [0]
        for place, byte in enumerate(source):
            if byte == 10:
                self._starts.append(place + 1)
        self.numbered = list(statements(self.tree))
        """Every statement that is executed, in order; its place here is its number."""
        self._numbers = {id(node): number for number, node in enumerate(self.numbered)}
        self._slots = self._find_slots() if self._plain else []
        self._edges: dict[int, list[tuple[Slot, Role]]] = {}
        for slot in self._slots:
            if not slot.header:
                self._edges.setdefault(slot.start, []).append((slot, Role.BEFORE))
                self._edges.setdefault(slot.end, []).append((slot, Role.AFTER))
        self._bound = {id(scope): bound_in(scope) for scope in scopes(self.tree)}
        self._loops = inside_loops(self.tree)

    def _parsed(self, source: bytes) -> ast.Module:
        tree = parse(source, self.name)
        self._join(tree)
        return tree

    # -- lines ----------------------------------------------------------------------------------------------

    def lines(self, number: int) -> range:
        """The lines of a statement, or of the header of a compound one."""
        node = self.numbered[number]
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or first
        inner = first_inner(node)
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
        if number is None or is_text(node) or is_future(node):
            return
        first = self.lines(number)[0]
        last = node.end_lineno or first
        start = self._starts[first - 1]
        end = self._starts[last] if last < len(self._starts) else len(self.source)
        lead = self.source[start : start + node.col_offset]
        if getattr(node, "decorator_list", ()):
            lead = self.source[start : start + node.decorator_list[0].col_offset - 1]  # type: ignore[attr-defined]
        word = self.source[start + len(lead) : start + len(lead) + 5]
        inner = first_inner(node)
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
        change = Change(counts=any(may_count(edit.text) for edit in candidate.edits))
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
            new = parse_block(edit.text, slot.lead)
            if new is None or not self._fits(slot, [], new):
                continue
            change.numbers.add(slot.number)
            change.parts.append((slot.node, role, list(new)))
            return True
        return False

    def _placed(self, edits: Sequence[Edit]) -> list[tuple[Slot, list[ast.stmt]]] | None:
        """What stands in each statement that is edited; together where one statement is inside another."""
        whole = self._place(edits)
        if len(edits) == 1 or (whole is not None and not is_block(whole[0].node)):
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
        found = parse_block(text, slot.lead)
        return None if found is None or (slot.header and len(found) != 1) else found

    def _into(self, change: Change, slot: Slot, new: list[ast.stmt]) -> bool:
        old = slot.node
        change.numbers.add(slot.number)
        change.counts = change.counts or may_count(self.source[slot.start : slot.end])
        if slot.header:
            if type(new[0]) is not type(old):
                return False
            pairs = differences(header_of(old), new[0])
        else:
            pairs = differences(old, new[0]) if len(new) == 1 else None
        if pairs is not None:
            if not self._fits(slot, [o for o, _ in pairs], [n for _, n in pairs]):
                return False
            change.parts += [(o, Role.INSTEAD, [n]) for o, n in pairs]
            # An expression inside a compound statement is in a statement of its own.
            if is_block(old) and not slot.header:
                change.numbers.update(self._owners(old, pairs))
            return True
        if slot.header or isinstance(old, (*FUNCTIONS, ast.ClassDef)):
            return False
        gate = condition_around(old, new)
        if gate is not None and self._fits(slot, [], [gate]):
            change.parts.append((old, Role.GATE, [gate]))
            return True
        if not self._fits(slot, [old], new):
            return False
        change.parts.append((old, Role.INSTEAD, list(new)))
        return True

    def _owners(self, old: ast.stmt, pairs: Sequence[tuple[ast.expr, ast.expr]]) -> set[int]:
        wanted = {id(o) for o, _ in pairs}
        found: set[int] = set()
        for node in ast.walk(old):
            number = self._numbers.get(id(node))
            if number is not None and any(id(child) in wanted for child in own_nodes(node)):
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

    def alone(self, candidate: Candidate) -> tuple[Code, ast.Module] | None:
        """The patched file; None when it does not compile."""
        try:
            tree = self._parsed(candidate.apply(self.source))
            return compile_tree(counted(tree), self.name, self.elsewhere), tree
        except (BuildError, SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def counted(self) -> Code:
        """The original, counting its steps."""
        return compile_tree(counted(self._parsed(self.source)), self.name, self.elsewhere)

    def visited(self) -> Code:
        """The original, counting its steps and how often each statement is executed."""
        tree = self._parsed(self.source)
        numbers = {id(node): number for number, node in enumerate(statements(tree))}

        def mark(block: list[ast.stmt]) -> list[ast.stmt]:
            found: list[ast.stmt] = []
            for node in block:
                if not is_future(node) and not is_text(node):
                    found.append(visit_statement(numbers[id(node)]))
                found.append(node)
            return found

        for node in list(ast.walk(tree)):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    setattr(node, name, mark(block))
        return compile_tree(counted(tree), self.name, self.elsewhere)

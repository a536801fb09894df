"""Conditions tightened, loosened or replaced by comparisons of what is in scope."""

from __future__ import annotations

from functools import lru_cache

from learn2fix.languages.c.edits.program import Drafts, Leaf, Program, one
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ATOM, LEVEL, RELATIONAL

SMALL = {"0": ("==", "!=", ">", "<", ">=", "<="), "1": ("==", "!=", ">", "<"), "2": ("==", "!=", ">", "<")}
EQUALITIES = ("==", "!=")
AND, OR = LEVEL["&&"], LEVEL["||"]


def comparisons(
    program: Program, node: Node, most: int, names: frozenset[str] = frozenset()
) -> list[tuple[float, str]]:
    """Comparisons that can be made where a node stands, with how far-fetched each is; at most so many."""
    top = program.statement_of(node)
    near = {program.of(child) for child in top.walk() if child.type == "identifier"} if not names else set()
    return _comparisons(
        (*program.leaves(node), *program.terms(node)),
        frozenset(near) | names,
        *_constants(program),
        most,
    )


def _constants(program: Program) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What values are compared with: constants of the file, and of the failing inputs."""
    own = [text for text in program.constants if text not in SMALL][:6]
    return tuple(own), tuple(text for text in program.known[:3] if text not in SMALL and text not in own)


@lru_cache(maxsize=4096)
def _comparisons(
    leaves: tuple[Leaf, ...],
    near: frozenset[str],
    constants: tuple[str, ...],
    tested: tuple[str, ...],
    most: int,
) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []

    def distance(leaf: Leaf) -> float:
        if leaf.level < ATOM:
            return 0.45
        root = leaf.text.split("[")[0].split(".")[0].split("-")[0]
        return (0.0 if root in near else 0.5) + (0.2 if len(root) < len(leaf.text) else 0.0)

    for index, leaf in enumerate(leaves):
        far = distance(leaf)
        for constant, operators in SMALL.items():
            extra = 0.2 if constant == "2" else 0.0
            found += [
                (far + extra + 0.03 * rank, f"{leaf.text} {op} {constant}")
                for rank, op in enumerate(operators)
            ]
        for constant in constants:
            found += [(far + 0.4, f"{leaf.text} {op} {constant}") for op in RELATIONAL]
        for constant in tested:
            # `n != 9` learns the failing input by heart.
            found += [
                (far + (1.2 if op in EQUALITIES else 0.4), f"{leaf.text} {op} {constant}")
                for op in RELATIONAL
            ]
        if leaf.type.integral and leaf.level == ATOM:
            found += [(far + 0.2, f"{leaf.text} % 2 == 0"), (far + 0.2, f"{leaf.text} % 2 != 0")]
        for other in leaves[index + 1 :]:
            both = far + distance(other)
            found += [(both, f"{leaf.text} {op} {other.text}") for op in RELATIONAL]
            if both <= 0.5:
                for c in "10":
                    found.append((both + 0.5, f"{leaf.text} == {c} && {other.text} == {c}"))
                    found.append((both + 0.7, f"({leaf.text} != {c} || {other.text} != {c})"))
                found += [
                    (both + 0.6, f"{leaf.text} {op} {other.text} {sign} 1")
                    for op in ("==", "<", ">")
                    for sign in "+-"
                ]
                found += [
                    (both + 0.6, f"{leaf.text} + {other.text} {op} {c}")
                    for op in ("==", "<", ">")
                    for c in "012"
                ]
                if leaf.type.integral and other.type.integral and leaf.level == other.level == ATOM:
                    found += [
                        (both + 0.5, f"{first.text} % {second.text} {op} 0")
                        for first, second in ((leaf, other), (other, leaf))
                        for op in ("==", "!=")
                    ]
    found.sort(key=lambda item: item[0])
    return found[:most]


def tightened(program: Program) -> Drafts:
    """C → C && X and C || X."""
    for node in program.conditions:
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        for extra, text in comparisons(program, node, 400):
            yield one(2.8 + extra, "condition && X", program.put(node, f"{both} && {text}", AND))
            yield one(2.8 + extra, "condition || X", program.put(node, f"{either} || {text}", OR))
    for node in _operands(program):
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        for extra, text in comparisons(program, node, 150):
            yield one(3.5 + extra, "condition && X", program.put(node, f"{both} && {text}", AND))
            yield one(3.5 + extra, "condition || X", program.put(node, f"{either} || {text}", OR))


def _operands(program: Program) -> list[Node]:
    """Parts of a condition that has && and ||."""
    found = []
    for node in program.expressions:
        parent = node.parent
        if (
            parent is not None
            and parent.type in ("binary_expression", "parenthesized_expression")
            and node.type == "binary_expression"
            and program.operator(node) in RELATIONAL
        ):
            top = parent
            while top is not None and top.type == "parenthesized_expression":
                top = top.parent  # type: ignore[assignment]
            if top is not None and top.type == "binary_expression" and program.operator(top) in ("&&", "||"):
                found.append(node)
    return found


def replaced(program: Program) -> Drafts:
    """C → X, and a comparison inside C → X."""
    for node in program.conditions:
        for extra, text in comparisons(program, node, 200):
            yield one(3.4 + extra, "condition", program.put(node, text, LEVEL["=="]))
    for node in _operands(program):
        for extra, text in comparisons(program, node, 100):
            yield one(3.7 + extra, "condition", program.put(node, text, LEVEL["=="]))

"""Edits of comparisons: other signs, identity, membership, chains."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Piece, Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import MAPPING, SEQUENCE, UNKNOWN
from learn2fix.languages.python.edits.precedence import AND, BIT_OR, COMPARE, OR
from learn2fix.languages.python.edits.program import Program, choice

NEIGHBOUR = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _signs(program: Program) -> Iterator[tuple[str, cst.ComparisonTarget]]:
    """Each link of each chain: its sign, and the link."""
    for node in program.reads(cst.Comparison):
        for link in node.comparisons:
            yield " ".join(program.of(link.operator).split()), link


def _signed(program: Program, link: cst.ComparisonTarget, sign: str) -> tuple[Piece]:
    return (program.piece(*program.tree.span(link.operator), sign),)


@CATALOGUE.operator(
    "neighbouring comparison",
    why="A bound is one off, or == and != are confused.",
    before="def f(a, b): return a < b",
    after="def f(a, b): return a <= b",
)
def neighbouring_comparison(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in NEIGHBOUR:
            yield _signed(program, link, NEIGHBOUR[sign])


@CATALOGUE.operator(
    "other comparison",
    why="A comparison points the wrong way, or is another one altogether.",
    before="def f(a, b): return a < b",
    after="def f(a, b): return a > b",
)
def other_comparison(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in NEIGHBOUR:
            for other in NEIGHBOUR:
                if other not in (sign, NEIGHBOUR[sign]):
                    yield choice(_signed(program, link, other), OPPOSITE.get(sign) == other)


@CATALOGUE.operator(
    "in and not in",
    why="Membership is asked for where its absence was meant, or the other way round.",
    before="def f(a, xs): return a in xs",
    after="def f(a, xs): return a not in xs",
)
def negated_membership(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in ("in", "not in"):
            yield _signed(program, link, "not in" if sign == "in" else "in")


@CATALOGUE.operator(
    "equality for identity",
    why="`is` asks for the same object where an equal value was meant.",
    before="def f(a, b): return a is b",
    after="def f(a, b): return a == b",
)
def equality_for_identity(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in ("is", "is not"):
            yield _signed(program, link, "==" if sign == "is" else "!=")


@CATALOGUE.operator(
    "is and is not",
    why="Identity is asked for where its absence was meant, or the other way round.",
    before="def f(a): return a is None",
    after="def f(a): return a is not None",
)
def negated_identity(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in ("is", "is not"):
            yield _signed(program, link, "is not" if sign == "is" else "is")


@CATALOGUE.operator(
    "identity for equality",
    why="== with None calls a method that may say anything.",
    before="def f(a): return a == None",
    after="def f(a): return a is None",
)
def identity_for_equality(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in ("==", "!=") and program.of(link.comparator) == "None":
            yield _signed(program, link, "is" if sign == "==" else "is not")


@CATALOGUE.operator(
    "membership for equality",
    why="A value is compared with a collection that should contain it.",
    before="def f(a): return a == [1, 2]",
    after="def f(a): return a in [1, 2]",
)
def membership_for_equality(program: Program) -> Proposals:
    for sign, link in _signs(program):
        if sign in ("==", "!=") and program.kind(link.comparator) in (SEQUENCE, MAPPING, UNKNOWN):
            yield _signed(program, link, "in" if sign == "==" else "not in")


def _chains(program: Program) -> Iterator[tuple[cst.Comparison, list[str], list[str]]]:
    """Chains of two comparisons and more, with their parts and signs."""
    for node in program.reads(cst.Comparison):
        if len(node.comparisons) > 1:
            parts = [node.left, *(link.comparator for link in node.comparisons)]
            texts = [program.wrap(part, BIT_OR) for part in parts]
            yield node, texts, [program.of(link.operator) for link in node.comparisons]


@CATALOGUE.operator(
    "chain taken apart",
    why="A chain demands all of its comparisons where one of them was enough, or one too many.",
    before="def f(a, b, c): return a < b < c",
    after="def f(a, b, c): return a < b or b < c",
)
def chain_taken_apart(program: Program) -> Proposals:
    for node, parts, signs in _chains(program):
        links = [f"{a} {sign} {b}" for a, sign, b in zip(parts, signs, parts[1:], strict=False)]
        yield (program.put(node, " or ".join(links), OR),)
        for place in range(len(links)):
            kept = links[:place] + links[place + 1 :]
            yield (program.put(node, " and ".join(kept), AND if len(kept) > 1 else COMPARE),)


@CATALOGUE.operator(
    "both ends of a chain",
    why="Both bounds of an interval are open instead of closed, or closed instead of open.",
    before="def f(a, b, c): return a < b < c",
    after="def f(a, b, c): return a <= b <= c",
)
def both_ends_of_a_chain(program: Program) -> Proposals:
    for node, (first, *rest), signs in _chains(program):
        if len(signs) == 2 and all(sign in NEIGHBOUR for sign in signs):
            text = f"{first} {NEIGHBOUR[signs[0]]} {rest[0]} {NEIGHBOUR[signs[1]]} {rest[1]}"
            yield (program.put(node, text, COMPARE),)

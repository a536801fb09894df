"""Small conditions over what can be read at a place: against 0, 1, known constants, each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import libcst as cst

from learn2fix.languages.python.edits.kinds import (
    CALLABLE,
    MAPPING,
    NUMBER,
    SEQUENCE,
    TEXT,
    TRUTH,
    UNKNOWN,
    compatible,
)
from learn2fix.languages.python.edits.precedence import BIT_OR, NOT
from learn2fix.languages.python.edits.program import Atoms, Program
from learn2fix.languages.python.edits.terms import LONGEST, free_names, is_plain, readable, renamed, terms

SIGNS = ("==", "!=", "<", ">", "<=", ">=")
MOST_NAMES = 8
COMPARED = ("a comparison",)
"""The trait of what compares a variable with another one or with a constant."""
REMOTE = ("a remote comparison",)
"""The trait of what compares things that seldom belong together."""


def atoms(program: Program, node: cst.CSTNode) -> Atoms:
    """Conditions, and the traits that make them less likely."""
    found = program.atoms.get(node)
    if found is None:
        made: dict[str, tuple[str, ...]] = {}
        for atom, traits in (
            *_atoms(program, node),
            *_of_items(program, node),
            *_of_lengths(program, node),
            *_of_keys(program, node),
            *_of_conditions(program, node),
        ):
            made.setdefault(atom, traits)
        found = program.atoms[node] = list(made.items())
    return found


def _of_items(program: Program, node: cst.CSTNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Items and lengths that the function computes anyway: whether they are there, and against variables."""
    names = program.local(node)[:MOST_NAMES]
    for term, kind in terms(program, node):
        if isinstance(term, cst.BinaryOperation) or kind == TRUTH:
            continue
        text = program.of(term)
        if kind in (NUMBER, UNKNOWN):
            for sign in ("==", "!=", ">", "<"):
                yield f"{text} {sign} 0", REMOTE
        if kind != NUMBER and not (isinstance(term, cst.Call) and isinstance(term.func, cst.Name)):
            yield text, COMPARED
            yield f"not {text}", COMPARED
        for name in names:
            held = program.name_type(name, node)
            if compatible(kind, held) and kind not in (SEQUENCE, MAPPING):
                for sign in SIGNS:
                    yield f"{text} {sign} {name}", REMOTE


def _of_lengths(program: Program, node: cst.CSTNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Lengths against each other, and whether there is more than one item."""
    names = program.local(node)[:MOST_NAMES]
    many = [name for name in names if program.name_type(name, node) in (SEQUENCE, MAPPING, TEXT)]
    for name in many:
        for rest in ("== 1", "<= 1", "> 1"):
            yield f"len({name}) {rest}", COMPARED
    for name, other in combinations(many, 2):
        for sign in SIGNS:
            yield f"len({name}) {sign} len({other})", COMPARED


def _of_keys(program: Program, node: cst.CSTNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Whether a table has what it is asked for, where that is more than a variable."""
    owner = program.owner(node)
    for each in program.every(cst.Subscript):
        inner = each.slice[0].slice
        if len(each.slice) != 1 or not isinstance(inner, cst.Index) or program.owner(each) is not owner:
            continue
        key, table = inner.value, each.value
        if isinstance(key, cst.Name | cst.Integer) or program.kind(table) not in (MAPPING, UNKNOWN):
            continue
        if is_plain(program, key) and readable(program, key, node) and readable(program, table, node):
            for word in ("in", "not in"):
                yield f"{program.wrap(key, BIT_OR)} {word} {program.wrap(table, BIT_OR)}", COMPARED


def _of_conditions(program: Program, node: cst.CSTNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is asked elsewhere, its opposite, and the same about something else."""
    owner = program.owner(node)
    others = program.local(node)[:MOST_NAMES]
    items = [program.of(term) for term, kind in terms(program, node) if isinstance(term, cst.Subscript)]
    for condition in program.conditions:
        if isinstance(condition, cst.BooleanOperation | cst.UnaryOperation | cst.Name) or condition is node:
            continue
        if program.owner(condition) is not owner or not is_plain(program, condition):
            continue
        if not readable(program, condition, node):
            continue
        text = program.of(condition)
        if len(text) > LONGEST or "\n" in text:
            continue
        yield text, COMPARED
        yield f"not {program.wrap(condition, NOT)}", COMPARED
        for name in dict.fromkeys(place.value for place in free_names(program, condition)):
            kind = program.name_type(name, node)
            for other in others:
                if other != name and compatible(kind, program.name_type(other, node)):
                    yield renamed(program, condition, {name: other}), REMOTE
            for item in items:
                yield renamed(program, condition, {name: item}), REMOTE


def _atoms(program: Program, node: cst.CSTNode) -> Iterator[tuple[str, tuple[str, ...]]]:
    visible = program.local(node)[:MOST_NAMES]
    types = [program.name_type(name, node) for name in visible]
    constants = [text for text in program.numbers if text not in ("0", "1")]
    of_tests = [t for t in program.test_numbers if t not in program.numbers and t not in ("0", "1")]
    for name, kind in zip(visible, types, strict=True):
        if kind != NUMBER and kind != CALLABLE:
            yield name, ()
            yield f"not {name}", ()
        if kind == UNKNOWN:
            yield f"{name} is not None", ()
            yield f"{name} is None", ()
        if kind in (NUMBER, UNKNOWN):
            near, far = ((), COMPARED) if kind == NUMBER else (COMPARED, REMOTE)
            for constant in ("0", "1"):
                for sign in SIGNS:
                    yield f"{name} {sign} {constant}", near
            yield f"{name} % 2 == 0", far
            for sign in SIGNS if "2" not in constants else ():
                yield f"{name} {sign} 2", far
            for constant in constants:
                for sign in SIGNS:
                    yield f"{name} {sign} {constant}", far
                if constant.isdigit():
                    yield f"{name} % {constant} == 0", far
                    yield f"{name} % {constant} != 0", far
            for constant in of_tests:
                for sign in ("==", "<=", ">="):
                    yield f"{name} {sign} {constant}", REMOTE
    for (name, kind), (other, other_kind) in combinations(zip(visible, types, strict=True), 2):
        if compatible(kind, other_kind):
            for sign in SIGNS:
                yield f"{name} {sign} {other}", COMPARED
        for one, many, many_kind in ((name, other, other_kind), (other, name, kind)):
            if many_kind in (SEQUENCE, MAPPING, TEXT) and kind != other_kind:
                yield f"{one} in {many}", COMPARED
                yield f"{one} not in {many}", COMPARED

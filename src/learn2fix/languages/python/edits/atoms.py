"""Small conditions over what can be read at a place: against 0, 1, known constants, each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import libcst as cst

from learn2fix.languages.python.edits.names import (
    CALLABLE,
    MAPPING,
    NUMBER,
    SEQUENCE,
    TEXT,
    UNKNOWN,
    compatible,
)
from learn2fix.languages.python.edits.program import Atoms, Program

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
        found = program.atoms[node] = list(_atoms(program, node))
    return found


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

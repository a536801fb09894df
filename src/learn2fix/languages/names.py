"""What a program calls the values that it reads: names for conditions, ranges and the reporter's page."""

from __future__ import annotations

import ast
import re

TAKEN = frozenset({"output", "and", "or", "not", "true", "false", "min", "max", "abs"})
"""Words that mean something else in a condition."""
CALL = re.compile(r"(?<![\w.])scanf\s*\(\s*(\"(?:[^\"\\]|\\.)*\")\s*,([^;{}]*?)\)\s*(?=[;)!=<>,&|])")
PLAIN = re.compile(r"&?\s*([A-Za-z_]\w*)")
HIDDEN = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def scanned(source: str, count: int) -> tuple[str, ...]:
    """The variables that the calls of scanf store to, in the order of the text; () unless just so many."""
    found: list[str] = []
    for call in CALL.finditer(HIDDEN.sub(" ", source)):
        for target in call[2].split(","):
            name = PLAIN.fullmatch(target.strip())
            if name is None:
                return ()
            found.append(name[1])
    return _usable(found, count)


def assigned(source: str, count: int) -> tuple[str, ...]:
    """The variables that take what input() returns in a Python script, `a, b = map(int, input().split())`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    found: list[str] = []
    assignments = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and _reads(node.value)]
    for node in sorted(assignments, key=lambda node: node.lineno):
        for target in node.targets:
            parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            if not all(isinstance(part, ast.Name) for part in parts):
                return ()
            found += [part.id for part in parts if isinstance(part, ast.Name)]
    return _usable(found, count)


def _reads(value: ast.expr) -> bool:
    calls = (node.func for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == "input" for function in calls)


def _usable(names: list[str], count: int) -> tuple[str, ...]:
    if len(names) != count or len(set(names)) != count or TAKEN & {name.lower() for name in names}:
        return ()
    return tuple(names)

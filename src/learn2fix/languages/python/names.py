"""What a Python script calls the values that it reads, from its calls of input()."""

from __future__ import annotations

import ast

from learn2fix.languages.names import usable


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
    return usable(found, count)


def _reads(value: ast.expr) -> bool:
    calls = (node.func for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == "input" for function in calls)

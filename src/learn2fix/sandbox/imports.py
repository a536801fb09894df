"""What a Python source imports, found without running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

UNWELCOME = frozenset({"this", "antigravity", "turtle", "tkinter", "idlelib"})
"""Modules that do something when imported: never ahead of the program itself."""


@dataclass(frozen=True, slots=True)
class Imports:
    """Of one program: files and packages beside it, and modules that live elsewhere."""

    beside: tuple[Path, ...]
    elsewhere: tuple[str, ...]


def imports(source: Path) -> Imports:
    """Follows imports of files beside the source; a source that does not parse imports nothing."""
    beside: dict[Path, None] = {}
    elsewhere: dict[str, None] = {}
    waiting = [source]
    while waiting:
        for name in imported_names(waiting.pop()):
            top = name.partition(".")[0]
            module, package = source.parent / f"{top}.py", source.parent / top
            found = module if module.is_file() else package if package.is_dir() else None
            if found is None:
                if top not in UNWELCOME:
                    elsewhere[name] = None
            elif found not in beside and found != source:
                beside[found] = None
                waiting += [found] if found is module else sorted(package.rglob("*.py"))
    return Imports(tuple(beside), tuple(elsewhere))


def imported_names(source: Path) -> list[str]:
    try:
        tree = ast.parse(source.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    return names

"""What a Python source imports, found without running it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from learn2fix.sandbox.granting import belongs

UNWELCOME = frozenset({"this", "antigravity", "turtle", "tkinter", "idlelib"})
"""Modules that do something when imported: never ahead of the program itself."""


@dataclass(frozen=True, slots=True)
class Imports:
    """Of one program: files and packages beside it, and modules that live elsewhere."""

    beside: tuple[Path, ...]
    elsewhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """Where a module of a package stands."""

    root: Path
    """The folder that holds the outermost package."""
    name: str
    """Of the package that the module is in, with dots."""


def package_of(source: Path) -> Package | None:
    """None for a module that is in no package."""
    folder, parts = source.parent, []
    while (folder / "__init__.py").is_file():
        parts.append(folder.name)
        folder = folder.parent
    return Package(folder, ".".join(reversed(parts))) if parts else None


def absolute_name(node: ast.ImportFrom, package: str) -> str:
    """What `from .shop import …` names, seen from outside of the package."""
    parts = package.split(".")
    base = parts[: len(parts) - (node.level - 1)] if node.level else []
    return ".".join([*base, *([node.module] if node.module else [])])


def make_absolute(tree: ast.Module, package: str) -> None:
    """Relative imports become absolute ones, in place: a program runs as a module of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            node.module, node.level = absolute_name(node, package), 0


RELATIVE = re.compile(rb"from\s+\.[\s.]*[\w.]*")


def absolute_text(text: bytes, package: str) -> bytes:
    """The same in the text of a program."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    lines = text.split(b"\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            line, start = lines[node.lineno - 1], node.col_offset
            new = b"from " + absolute_name(node, package).encode()
            lines[node.lineno - 1] = line[:start] + _replaced(line[start:], new)
    return b"\n".join(lines)


def _replaced(line: bytes, new: bytes) -> bytes:
    found = RELATIVE.match(line)
    if found is None:
        return line
    # `from .import x` is one word less than it looks.
    rest = line[found.end() :]
    if found[0].rstrip().endswith(b"import") and not rest.lstrip().startswith(b"import"):
        rest = b" import" + rest
    return new + (b"" if rest.startswith((b" ", b"\t")) else b" ") + rest


def imports(source: Path, origin: Path | None = None) -> Imports:
    """Follows imports of files beside the source, and of the package that it is in; a source that does not
    parse imports nothing. `origin`: the program that `source` is a copy of, whose modules it finds too.
    """
    beside: dict[Path, None] = {}
    elsewhere: dict[str, None] = {}
    waiting = [source]
    package = package_of(origin or source)
    roots = [source.parent, *([origin.parent] if origin else []), *([package.root] if package else [])]
    while waiting:
        for name in imported_names(waiting.pop(), package):
            top = name.partition(".")[0]
            found = next((path for root in roots if (path := _found(root, top))), None)
            if found is None:
                if top not in UNWELCOME:
                    elsewhere[name] = None
            elif found not in beside and found not in (source, origin):
                beside[found] = None
                inside = [found] if found.is_file() else sorted(found.rglob("*.py"))
                waiting += [file for file in inside if belongs(file, found)]
    return Imports(tuple(beside), tuple(elsewhere))


def _found(root: Path, name: str) -> Path | None:
    """A link out of the project is not part of it, whatever its name."""
    module, package = root / f"{name}.py", root / name
    found = module if module.is_file() else package if package.is_dir() else None
    return found if found is not None and belongs(found, root) else None


def imported_names(source: Path, package: Package | None = None) -> list[str]:
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
        elif isinstance(node, ast.ImportFrom) and node.level and package is not None:
            # All relative imports of a package lead into it.
            names.append(package.name.partition(".")[0])
    return names

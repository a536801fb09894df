"""From an imported name to the file and function it stands for, found without running anything."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import UsageError

MARKS = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", ".git")
"""What lies in the top folder of a project."""
UP = 6
HOPS = 5
"""Maximum number of re-exports (`from .shop import discount` in __init__.py) that are followed."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A name in a file, as its import says: of a module, or (name empty) the module itself."""

    module: str
    name: str = ""
    level: int = 0


def imported(tree: ast.AST) -> dict[str, Imported]:
    """Every name that an import anywhere in the tree binds."""
    found: dict[str, Imported] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or module] = Imported(module)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = Imported(node.module or "", alias.name, node.level)
    return found


Defined = tuple[Path, str]
"""A file, and the function's own name there."""


def find_function(file: Path, start: Imported, name: str) -> Defined | None:
    """Where the function `name` of the module that `file` imports is defined."""
    module = find_module(file, start.module, start.level)
    return defining(module, name) if module is not None else None


FUNCTIONS: tuple[type[ast.stmt], ...] = (ast.FunctionDef, ast.AsyncFunctionDef)


def defining(
    module: Path, name: str, hops: int = HOPS, kinds: tuple[type[ast.stmt], ...] = FUNCTIONS
) -> Defined | None:
    """The module itself when it defines the function (or class), or the one that it has it from."""
    try:
        tree = ast.parse(module.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any(isinstance(node, kinds) and getattr(node, "name", "") == name for node in tree.body):
        return module, name
    if hops <= 0:
        return None
    names = imported(tree)
    starts = [(names[name], names[name].name)] if name in names and names[name].name else []
    starts += [(start, name) for start in _everything(tree)]
    for start, own in starts:
        target = find_module(module, start.module, start.level)
        found = defining(target, own, hops - 1, kinds) if target is not None else None
        if found is not None:
            return found
    return None


def _everything(tree: ast.Module) -> Iterator[Imported]:
    """`from .shop import *`"""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            yield Imported(node.module or "", "*", node.level)


def find_module(file: Path, module: str, level: int = 0) -> Path | None:
    """The file of a module as `file` imports it."""
    parts = [part for part in module.split(".") if part]
    if level:
        folder = file.absolute().parent
        for _ in range(level - 1):
            folder = folder.parent
        return _inside(folder, parts)
    if not parts:
        return None
    for root in roots(file):
        found = _inside(root, parts)
        if found is not None and found.resolve() != file.resolve():
            return found
    return None


def _inside(folder: Path, parts: Sequence[str]) -> Path | None:
    place = folder.joinpath(*parts)
    for candidate in ([place.with_name(f"{place.name}.py")] if parts else []) + [place / "__init__.py"]:
        if candidate.is_file():
            return candidate
    return None


def roots(file: Path) -> Iterator[Path]:
    """Where pytest and people look for what a test imports: beside it, above it, in `src`."""
    seen: set[Path] = set()
    for folder in [*_upward(file.absolute().parent), Path.cwd()]:
        for root in (folder, folder / "src", *_pythonpath(folder)):
            if root not in seen:
                seen.add(root)
                yield root


def _upward(folder: Path) -> Iterator[Path]:
    for each in [folder, *folder.parents][:UP]:
        yield each
        if any((each / mark).exists() for mark in MARKS):
            return


def _pythonpath(folder: Path) -> list[Path]:
    try:
        table = tomllib.loads((folder / "pyproject.toml").read_text())
        paths = table["tool"]["pytest"]["ini_options"]["pythonpath"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError):
        return []
    listed = paths.split() if isinstance(paths, str) else paths if isinstance(paths, list) else []
    return [folder / path for path in listed if isinstance(path, str)]


def parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes(), filename=path.name)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = f" (line {problem.lineno})" if isinstance(problem, SyntaxError) and problem.lineno else ""
        raise UsageError(f"{path} is not valid Python{line}") from None

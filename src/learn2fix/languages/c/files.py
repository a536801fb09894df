"""Which files a C program is made of: its own headers, and the units that define what the linker misses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.languages.c.building import read_header
from learn2fix.languages.c.calls import Unit
from learn2fix.languages.c.layout import INCLUDE, SourceFile, joined
from learn2fix.languages.c.scope import build
from learn2fix.languages.c.syntax import TooDeep, parse
from learn2fix.languages.files import read_source
from learn2fix.sandbox.granting import project

MOST_HEADERS = 200
MOST_LOOKED_AT = 500
"""Files of C in which a missing function is looked for."""
MISSING = re.compile(r"undefined (?:reference to [`'‘]|symbol: )(\w+)")
SYSTEM = ("/usr/include", "/usr/lib", "/usr/local/include")
SKIPPED = frozenset(("build", "node_modules", "CMakeFiles"))
STATIC = re.compile(r"\b(?:static|extern|typedef)\b")


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of a program, those that compilers start from last."""

    root: Path
    """The folder that holds all of them."""
    files: tuple[SourceFile, ...]

    @property
    def alone(self) -> bool:
        """It is one file, and compiled like any other."""
        return len(self.files) == 1 and not self.files[0].macros

    @property
    def text(self) -> bytes:
        """All of them as one text; a program in one file is that file."""
        return self.files[0].content if self.alone else self.marked

    @property
    def marked(self) -> bytes:
        """The same with a line before each that names it, also where there is one alone."""
        return joined(self.files)


def gather(units: Sequence[Unit], root: Path | None = None, granted: Sequence[Path] = ()) -> Sources:
    """These units with their own headers, all the way down; the first unit comes last.

    `root`: all that is in this folder is the program's own, and nothing else; without it, what is in the
    project of the first unit, or in a folder that the user named (`granted`).
    """
    tops = [root] if root is not None else [project(units[0].path.resolve().parent), *granted]
    compiled = {Path(os.path.realpath(unit.path)): unit for unit in (*units[1:], units[0])}
    paths = list(compiled)
    found: dict[Path, tuple[bytes, dict[str, Path]]] = {}
    for path, unit in compiled.items():
        searched = [Path(os.path.realpath(folder)) for folder in unit.folders]
        searched = [folder for folder in searched if not str(folder).startswith(SYSTEM)]
        _read(path, read_source(path), searched, tops, found)
    order = [path for path in found if path not in compiled] + paths
    root = root or Path(os.path.commonpath([path.parent for path in order]))
    return Sources(
        root,
        tuple(
            SourceFile(
                path.relative_to(root).as_posix(),
                found[path][0],
                path in paths,
                {name: target.relative_to(root).as_posix() for name, target in found[path][1].items()},
                compiled[path].macros if path in compiled else (),
            )
            for path in order
        ),
    )


def _read(
    path: Path,
    content: bytes,
    folders: Sequence[Path],
    tops: Sequence[Path],
    found: dict[Path, tuple[bytes, dict[str, Path]]],
) -> None:
    """Adds a file after all that it includes."""
    waiting: list[tuple[Path, bytes, dict[str, Path], Iterator[re.Match[bytes]]]] = []
    open_: set[Path] = set()

    def begin(path: Path, content: bytes) -> None:
        open_.add(path)
        waiting.append((path, content, {}, INCLUDE.finditer(content)))

    begin(path, content)
    while waiting:
        path, content, includes, lines = waiting[-1]
        line = next(lines, None)
        if line is None:
            found[path] = (content, includes)
            waiting.pop()
            continue
        name = os.fsdecode(line[2]).strip()
        beside = [path.parent] if line[1] == b'"' else []
        for folder in (*beside, *folders):
            target = Path(os.path.realpath(folder / name))
            known = target in found or target in open_
            header = b"" if known else next(filter(None, (read_header(target, top) for top in tops)), b"")
            if known or header:
                includes[name] = target
                if header and len(found) < MOST_HEADERS:
                    begin(target, header)
                break


def defining(diagnostics: str, sources: Sources, main: Path) -> list[Path]:
    """The files near a program that define what the linker misses; none where they define nothing of it.

    Raises UsageError where several define the same.
    """
    missing = dict.fromkeys(MISSING.findall(diagnostics))
    if not missing:
        return []
    taken = {sources.root / file.path for file in sources.files}
    stems = {Path(file.path).stem for file in sources.files}
    by_name: dict[str, list[Path]] = {}
    for path in _near(sources.root):
        if path not in taken:
            names = defined_names(read_header(path, sources.root))
            for name in names if "main" not in names else ():
                by_name.setdefault(name, []).append(path)
    chosen: dict[Path, None] = {}
    for name in missing:
        offered = by_name.get(name, [])
        if any(path in chosen for path in offered) or not offered:
            continue
        best = [path for path in offered if path.stem in stems] or offered
        best = [path for path in best if path.parent == main.parent] or best
        if len(best) > 1:
            shown = " and ".join(os.path.relpath(path) for path in best)
            raise UsageError(
                f"{main.name} needs {name}, which is defined in {shown}",
                f"name the right one: --cflags {os.path.relpath(best[0])}",
            )
        chosen[best[0]] = None
    return list(chosen)


def _near(root: Path) -> list[Path]:
    found: list[Path] = []
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if name not in SKIPPED and not name.startswith("."))
        found += [Path(folder, name) for name in sorted(names) if name.endswith(".c")]
        if len(found) > MOST_LOOKED_AT:
            break
    return found[:MOST_LOOKED_AT]


def defined_names(content: bytes) -> frozenset[str]:
    """Functions and variables that a file defines for others."""
    try:
        text = content.decode("latin-1")
        symbols = build(parse(content), text).symbols
    except TooDeep:
        return frozenset()
    found = set()
    for symbol in symbols:
        declared = symbol.declaration
        head = text[declared.start : symbol.declarator.start]
        defines = symbol.role == "global" or declared.type == "function_definition"
        if defines and symbol.role in ("global", "function") and not STATIC.search(head):
            found.add(symbol.name)
    return frozenset(found)

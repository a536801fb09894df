"""With which flags each file is compiled: compile_commands.json, or what make or CMake would do.

Where there is no compile_commands.json, one is made of the Makefile (`make -n` says what it would call) or of
the CMakeLists.txt. Both run in a copy, shut in; nothing is built.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.languages.c.calls import COMPILER, Call, Unit, parse_compiler, unit_flags
from learn2fix.languages.project_copy import put_files
from learn2fix.model import Ending
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.granting import project
from learn2fix.sandbox.workshop import Workshop

DATABASE = "compile_commands.json"
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
ABOUT_C = re.compile(r"\.[co]\b|\bCC\b|\$\(wildcard")
"""What a Makefile says that compiles C; others are not asked."""
DRY_RUN = ["make", "-n", "-B", "-w", "-k"]
CONFIGURE = ["cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
ENTERING = re.compile(r"\S+: (Entering|Leaving) directory ['‘`](.*)['’]")
_Asking = Callable[[Workshop], Iterator[Unit]]
SEPARATORS = frozenset(("&&", "||", ";", "|", "&"))


def database(file: Path) -> dict[Path, Unit]:
    """The units of the compile_commands.json that is nearest to a file, or in a folder `build` there."""
    for folder in file.resolve().parents:
        for path in (folder / DATABASE, folder / "build" / DATABASE):
            if path.is_file():
                return read_database(path)
        if (folder / ".git").exists():
            break
    return {}


def read_database(path: Path) -> dict[Path, Unit]:
    try:
        return _parsed(path.read_bytes(), path.parent)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UsageError(f"cannot read {path}: {problem!r}", "make it anew, or take it away") from None


def _parsed(content: bytes, beside: Path) -> dict[Path, Unit]:
    found = {}
    for entry in json.loads(content):
        words = entry.get("arguments") or shlex.split(entry["command"])
        folder = Path(os.path.normpath(beside / entry["directory"]))
        parsed = parse_compiler(Call(folder, tuple(words)))
        source = (folder / entry["file"]).resolve()
        found[source] = Unit(source, unit_flags(parsed.flags))
    return found


def made_database(file: Path, sandbox: Sandbox) -> tuple[dict[Path, Unit], str]:
    """The same from the nearest Makefile or CMakeLists.txt, and its name; nothing where none compiles it."""
    top = project(file.resolve().parent)
    for folder in file.resolve().parents:
        makefile = next((folder / name for name in MAKEFILES if (folder / name).is_file()), None)
        for path, asked in ((makefile, _asked_make), (folder / "CMakeLists.txt", _asked_cmake)):
            if path is not None and path.is_file() and _compiles(path):
                found = _asked(folder, sandbox, asked)
                if file.resolve() in found:
                    return found, os.path.relpath(path)
        if folder == top:
            break
    return {}, ""


def _compiles(path: Path) -> bool:
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return False
    return path.name == "CMakeLists.txt" or ABOUT_C.search(text) is not None


def _asked(folder: Path, sandbox: Sandbox, ask: _Asking) -> dict[Path, Unit]:
    """Units as they stand in the user's folder, though a copy was asked."""
    with sandbox.workshop() as workshop:
        try:
            put_files(folder, workshop)
        except UsageError:
            return {}  # too large to be copied: it is built as if there were no Makefile
        copy = workshop.folder
        found = {}
        for unit in ask(workshop):
            if unit.path.is_relative_to(copy):
                path = (folder / unit.path.relative_to(copy)).resolve()
                flags = (flag.replace(str(copy), str(folder)) for flag in unit.flags)
                found[path] = Unit(path, tuple(flags))
        return found


def _asked_make(workshop: Workshop) -> Iterator[Unit]:
    outcome = workshop.run(DRY_RUN)
    if outcome.ending is not Ending.EXITED:
        return
    folders = [workshop.folder]
    for line in outcome.output.decode("utf-8", "replace").replace("\\\n", " ").splitlines():
        moved = ENTERING.match(line)
        if moved:
            folders = [*folders, Path(moved[2])] if moved[1] == "Entering" else folders[:-1] or folders
            continue
        yield from _called(line, folders[-1])


def _called(line: str, folder: Path) -> Iterator[Unit]:
    """The units that a line of the shell compiles."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    command: list[str] = []
    for word in [*words, ";"]:
        if word not in SEPARATORS:
            command.append(word)
            continue
        if command[:1] == ["cd"] and len(command) == 2:
            folder = folder / command[1]
        elif command and COMPILER.fullmatch(Path(command[0]).name):
            parsed = parse_compiler(Call(folder, tuple(command)))
            for source in parsed.sources:
                yield Unit(Path(os.path.normpath(source)), unit_flags(parsed.flags))
        command = []


def _asked_cmake(workshop: Workshop) -> Iterator[Unit]:
    workshop.run(CONFIGURE)
    content = workshop.content(Path("build", DATABASE))
    if content is not None:
        yield from _parsed(content, workshop.folder / "build").values()

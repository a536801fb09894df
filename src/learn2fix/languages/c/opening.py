"""Opens a C program: one file, several that are found from it, or a project with a build of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from learn2fix.errors import BuildError, UsageError
from learn2fix.languages.c.building import BuildOptions
from learn2fix.languages.c.calls import Linked, Unit
from learn2fix.languages.c.databases import database, made_database
from learn2fix.languages.c.files import Sources, defined_names, defining, gather
from learn2fix.languages.c.project import BUILDS, Project
from learn2fix.languages.c.subject import CSubject, Editable
from learn2fix.languages.files import read_source
from learn2fix.sandbox import Sandbox

NO_HEADER = re.compile(r"fatal error: '?([^':\n]+)'?(?:: No such file| file not found)")
MOST_FOUND = 20
VENDORED = frozenset(("vendor", "vendored", "third_party", "third-party", "thirdparty", "external", "deps"))
"""Folders of what somebody else wrote."""


def open_c(
    path: Path,
    function: str | None,
    sandbox: Sandbox,
    *,
    build: str | None = None,
    cflags: str | None = None,
    only: Sequence[str] = (),
    **given: Any,
) -> CSubject:
    """The program whose main() or function is in a file, with the files beside it that it needs."""
    options = BuildOptions.parse(build, cflags)
    read_source(path)
    known: dict[Path, Unit] = {}
    made_of = ""
    if build is None and cflags is None:
        known = database(path)
        if not known:
            known, made_of = made_database(path, sandbox)
    paths = [path, *options.sources]
    while True:
        plain = tuple(f"-I{folder}" for folder in options.folders)
        units = [
            known.get(unit, Unit(unit, plain)) for unit in dict.fromkeys(unit.resolve() for unit in paths)
        ]
        sources = gather(units, granted=[*options.folders, *(unit.parent for unit in options.sources)])
        chosen = (
            _with_flags(options, units, sources) if known.keys() & {unit.path for unit in units} else options
        )
        try:
            subject = CSubject(
                path, function, sandbox, chosen, original=sources.text, root=sources.root, **given
            )
        except BuildError as problem:
            more = defining(problem.diagnostics, sources, path.resolve())
            if not more:
                hint = problem.hint or _where(problem.diagnostics, sources)
                raise BuildError(problem.message, problem.diagnostics, hint) from None
            paths += more
        else:
            subject.editable = editable(sources, sources.root, only)
            if made_of:
                subject.notes = (*subject.notes, f"Compiled with the flags of {made_of}.")
            return subject


def _with_flags(options: BuildOptions, units: Sequence[Unit], sources: Sources) -> BuildOptions:
    """Each file with the flags that a build is known to give it."""
    if sources.alone:
        return replace(options, flags=units[0].flags)
    flags = {unit.path.resolve(): unit.flags for unit in units}
    each = [(file.path, flags[sources.root / file.path]) for file in sources.files if file.unit]
    return replace(options, units=tuple(each))


def open_project(
    folder: Path,
    run: str,
    sandbox: Sandbox,
    *,
    build: str | None = None,
    only: Sequence[str] = (),
    check: str | None = None,
    **given: Any,
) -> CSubject:
    """What a project's own build makes; `run`: the executable, "" where there is only one.

    `check`: a command that fails because of the bug, and must not with a patch.
    """
    project = Project(folder, build, sandbox, check)
    built = project.open(run or None)
    linked = built.linked
    inside, outside = _sorted(linked, project.copy)
    if not inside:
        raise UsageError(
            f"{built.target.name} is made of no C file of the project", "learn2fix learn asks about it"
        )
    sources = gather(inside, project.copy)
    link = (*linked.link, *linked.objects, *outside)
    options = replace(_with_flags(BuildOptions(), inside, sources), link=link)
    main = project.folder / sources.files[-1].path
    subject = CSubject(
        main, None, sandbox, options, original=sources.marked, root=project.copy, project=project, **given
    )
    subject.editable = editable(sources, project.folder, only)
    if linked.objects:
        names = ", ".join(os.path.relpath(path, project.copy) for path in linked.objects)
        subject.notes = (*subject.notes, f"{names}: linked as the build made it, not changed.")
    return subject


def _sorted(linked: Linked, copy: Path) -> tuple[list[Unit], list[str]]:
    """The units of the project, that with main() first; files from elsewhere stay as they are."""
    inside = [unit for unit in linked.units if unit.path.resolve().is_relative_to(copy.resolve())]
    outside = [str(unit.path) for unit in linked.units if unit not in inside]
    inside.sort(key=lambda unit: "main" not in defined_names(read_source(unit.path)))
    return inside, outside


def _where(diagnostics: str, sources: Sources) -> str:
    """What to type where a header stands in a folder nearby that the compiler does not look into."""
    missing = NO_HEADER.findall(diagnostics)
    own = next((name for name in BUILDS if (sources.root / name).is_file()), None)
    for folder in (sources.root, *(() if own else (sources.root.parent,))):
        for name in missing:
            for found in islice(folder.rglob(Path(name).name), MOST_FOUND):
                if found.as_posix().endswith(f"/{name}"):
                    return f"--cflags '-I{os.path.relpath(str(found)[: -len(name) - 1])}'"
    return f"with its own build: learn2fix fix {os.path.relpath(sources.root)}" if own else ""


def editable(sources: Sources, home: Path, only: Sequence[str]) -> Editable:
    """What may be changed: the files that the user names, or all but what others wrote or a build made."""
    paths = [str(home / file.path) for file in sources.files if (home / file.path).is_file()]
    if not only:
        kept = {p for p in paths if not VENDORED & set(Path(p).relative_to(home).parts[:-1])}
        return lambda path: path in kept
    named: set[str] = set()
    for name in only:
        found = [p for p in paths if p == os.path.realpath(name)] or [
            p for p in paths if p.endswith(f"/{name}")
        ]
        if not found:
            shown = ", ".join(os.path.relpath(p) for p in paths)
            raise UsageError(f"--only {name} is no file of the program", f"its files: {shown}")
        named.update(found)
    return lambda path: path in named

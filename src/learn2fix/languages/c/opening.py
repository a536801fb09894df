"""Opens a C program: one file, or several that are found from it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from learn2fix.errors import BuildError, UsageError
from learn2fix.languages.c.building import BuildOptions
from learn2fix.languages.c.files import Sources, defining, gather
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
    units = [path, *options.sources]
    while True:
        sources = gather(list(dict.fromkeys(unit.resolve() for unit in units)), options.folders)
        try:
            subject = CSubject(
                path, function, sandbox, options, original=sources.text, root=sources.root, **given
            )
        except BuildError as problem:
            more = defining(problem.diagnostics, sources, path.resolve())
            if not more:
                raise BuildError(
                    problem.message, problem.diagnostics, problem.hint or _where(problem.diagnostics, sources)
                ) from None
            units += more
        else:
            subject.editable = editable(sources, only)
            return subject


def _where(diagnostics: str, sources: Sources) -> str:
    """What to type where a header stands in a folder nearby that the compiler does not look into."""
    for name in NO_HEADER.findall(diagnostics):
        for folder in (sources.root, sources.root.parent):
            for found in islice(folder.rglob(Path(name).name), MOST_FOUND):
                if found.as_posix().endswith(f"/{name}"):
                    return f"--cflags '-I{os.path.relpath(str(found)[: -len(name) - 1])}'"
    return ""


def editable(sources: Sources, only: Sequence[str]) -> Editable:
    """What may be changed: the files that the user names, or all but those of others."""
    paths = [str(sources.root / file.path) for file in sources.files]
    if not only:
        kept = {p for p in paths if not VENDORED & set(Path(p).relative_to(sources.root).parts[:-1])}
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

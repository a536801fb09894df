"""Any folder of subjects in a small layout, so that other benchmarks run through the same pipeline.

Each subject is a folder with a `subject.toml`:

    buggy = "buggy.c"              # or .py
    golden = "golden.c"            # only ever run: it answers, and it measures
    failing = ["2 2 2"]            # inputs on which the buggy program goes wrong
    function = "classify"          # optional: call this function instead of main
    build = "gcc {source} -o {output} -lm"      # optional, as is cflags = "-O1"
    files = ["helper.h"]           # optional: what both programs need beside them
    passing = ["3 4 5"]            # optional: further inputs that make sense
    arguments = ["-n", "{a}"]      # optional: words of the command line, with places for values of the input
    input_file = "data.txt"        # optional: the file that the program opens to read its input

and, optionally, `tests/` and `heldout/` with pairs `input-X`/`output-X` or `X.in`/`X.out`. Where there are no
tests, inputs are made by fuzzing and the golden program's answers are what is right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from learn2fix.errors import UsageError
from learn2fix.experiments.subjects import (
    FolderSubject,
    RecordedTest,
    Source,
    file_names,
    paired,
    read_file,
    read_tests,
)

DESCRIPTION = "subject.toml"
TEXTS = frozenset({"buggy", "golden", "function", "build", "cflags", "about", "expected", "input_file"})
LISTS = frozenset({"failing", "passing", "files", "arguments"})


def find_folders(root: Path, wanted: Sequence[str] | None = None) -> list[Path]:
    """The folders with a subject.toml: the root itself, or those in it."""
    if not root.is_dir():
        raise UsageError(f"no such folder: {root}")
    if (root / DESCRIPTION).is_file():
        return [root]
    found = {path.parent.name: path.parent for path in sorted(root.glob(f"*/{DESCRIPTION}"))}
    if not found:
        raise UsageError(
            f"{root} holds no folder with a {DESCRIPTION}", "docs/experiments.md shows the layout"
        )
    if wanted is None:
        return list(found.values())
    absent = [name for name in wanted if name not in found]
    if absent:
        raise UsageError(f"{root} has no subject {absent[0]} (and {len(absent) - 1} more of the list)")
    return [found[name] for name in wanted]


def read_folder(folder: Path) -> FolderSubject:
    described = _described(folder / DESCRIPTION)
    files = [_inside(folder, name) for name in described.get("files", [])]
    return FolderSubject(
        folder.resolve().name,
        _source(folder, described["buggy"]),
        _source(folder, described["golden"]),
        tuple(described["failing"]),
        training=_tests(folder / "tests"),
        heldout=_tests(folder / "heldout"),
        function=described.get("function"),
        build=described.get("build"),
        cflags=described.get("cflags"),
        passing=tuple(described.get("passing", ())),
        arguments=tuple(described.get("arguments", ())),
        input_file=described.get("input_file", ""),
        extra=tuple(Source(path.relative_to(folder).as_posix(), read_file(path)) for path in files),
    )


def _described(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from None
    for name, value in found.items():
        if name in TEXTS and not isinstance(value, str):
            raise UsageError(f"{path}: {name} must be a text")
        if name in LISTS and not (
            isinstance(value, list) and all(isinstance(element, str) for element in value)
        ):
            raise UsageError(f"{path}: {name} must be a list of texts")
    for name in ("buggy", "golden", "failing"):
        if not found.get(name):
            raise UsageError(f"{path}: {name} is missing", "docs/experiments.md shows the layout")
    return found


def _inside(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{folder / DESCRIPTION}: {name} lies outside of the subject's folder")
    return path


def _source(folder: Path, name: str) -> Source:
    path = _inside(folder, name)
    if path.suffix not in (".c", ".py"):
        raise UsageError(f"{folder / DESCRIPTION}: {name} is neither .c nor .py")
    return Source(path.name, read_file(path))


def _tests(folder: Path) -> tuple[RecordedTest, ...]:
    return read_tests(folder, paired(file_names(folder))) if folder.is_dir() else ()

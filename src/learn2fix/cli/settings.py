"""Defaults from `[tool.learn2fix]` of the nearest pyproject.toml."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learn2fix.errors import UsageError

SETTINGS = frozenset(
    {"labels", "feedback", "strategy", "learner", "seed", "timeout", "jobs", "build", "cflags", "range",
     "require_isolation", "noise", "golden", "answers"}
)  # fmt: skip
"""Options that may have defaults; those about one particular bug may not."""


def settings_for(directory: str, command: str | None) -> dict[str, dict[str, Any]]:
    """The defaults of `command` in the form that click takes."""
    if command is None:
        return {}
    path = nearest(Path(directory))
    return {command: read(path)} if path is not None else {}


def nearest(directory: Path) -> Path | None:
    """The nearest pyproject.toml with our table, here or in a parent directory."""
    for folder in (directory, *directory.parents):
        path = folder / "pyproject.toml"
        # Most have no such table: a look for the word saves importing a parser.
        if path.is_file() and b"learn2fix" in path.read_bytes() and table(path) is not None:
            return path
    return None


def table(path: Path) -> Mapping[str, Any] | None:
    import tomllib

    try:
        with open(path, "rb") as file:
            tool = tomllib.load(file).get("tool", {})
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    found = tool.get("learn2fix") if isinstance(tool, dict) else None
    return found if isinstance(found, dict) else None


def read(path: Path) -> dict[str, Any]:
    settings = {}
    for name, value in (table(path) or {}).items():
        known = name.replace("-", "_")
        if known not in SETTINGS:
            raise UsageError(
                f"{path}: [tool.learn2fix] has no setting {name!r}",
                f"there are {', '.join(sorted(setting.replace('_', '-') for setting in SETTINGS))}",
            )
        if known in ("golden", "answers"):  # paths are relative to the file
            value = os.path.join(path.parent, str(value))
        settings[{"range": "ranges"}.get(known, known)] = value
    return settings

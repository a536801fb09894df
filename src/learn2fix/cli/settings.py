"""Defaults from `[tool.learn2fix]` of the nearest pyproject.toml."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from learn2fix.errors import UsageError

SETTINGS = frozenset(
    {"labels", "feedback", "strategy", "learner", "seed", "timeout", "jobs", "build", "cflags", "python",
     "range", "require_isolation", "noise", "golden", "answers"}
)  # fmt: skip
"""Options that may have defaults; those about one particular bug may not."""


TAKING = ("fix", "learn", "repair", "resume", "serve", "form")
"""Commands that have such options."""
COMMANDS = frozenset({"build", "cflags", "python", "golden", "answers"})
"""What is run, or decides what is run or believed: obeyed only in the project's own file."""


def settings_for(
    directory: str, command: str | None, say: Callable[[str], None] = lambda line: None
) -> dict[str, dict[str, Any]]:
    """The defaults of `command` in the form that click takes; `say` hears what they are."""
    if command not in TAKING:
        return {}
    path = nearest(Path(directory), say)
    if path is None:
        return {}
    found = read(path)
    if commands := sorted(COMMANDS & set(found)):
        from learn2fix.sandbox.granting import project

        top = project(Path(directory))
        if not path.parent.resolve().is_relative_to(top):
            listed = ", ".join(commands)
            say(f"Ignored in {path}: {listed}; commands are taken from the project's own folder, {top}.")
            found = {name: value for name, value in found.items() if name not in commands}
    if found:
        say(f"Settings of {path}: {', '.join(f'{name} = {value!r}' for name, value in found.items())}.")
    return {command: found}


def nearest(directory: Path, say: Callable[[str], None]) -> Path | None:
    """The nearest pyproject.toml of the user with our table, here or in a parent directory."""
    for folder in (directory, *directory.parents):
        path = folder / "pyproject.toml"
        # Most have no such table: a look for the word saves importing a parser.
        if not path.is_file() or b"learn2fix" not in path.read_bytes():
            continue
        if path.stat().st_uid != os.geteuid():
            say(f"Ignored: {path}, which belongs to somebody else.")
        elif table(path) is not None:
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

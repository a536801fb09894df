"""Which files belong to a project: what a program may read of the user's is listed once, by these rules.

A link beside a program, or a name in its text, is a stranger's wish. It is granted where it leads, all links
followed, into the project, to something that its owner or we own.
"""

from __future__ import annotations

import os
from pathlib import Path

MARKS = (
    ".git", ".hg", "pyproject.toml", "setup.py", "Makefile", "makefile", "CMakeLists.txt", "meson.build",
    "compile_commands.json",
)  # fmt: skip
"""What stands at the top of a project."""


def project(folder: Path) -> Path:
    """The top of the project that a folder is in; the folder itself where nothing says more.

    A home folder is no project, nor is a folder that anybody may write to, nor what somebody else owns.
    """
    top = folder.resolve()
    owners = {os.geteuid(), top.stat().st_uid}
    home = Path.home().resolve()
    for above in (top, *top.parents):
        info = above.stat()
        if above == home or home.is_relative_to(above) or info.st_uid not in owners or info.st_mode & 0o002:
            break
        if any((above / mark).exists() for mark in MARKS):
            return above
    return top


def belongs(path: Path, root: Path) -> bool:
    """Is this, all links followed, in the project at `root`, and its owner's or ours?"""
    try:
        real, top = path.resolve(strict=True), root.resolve(strict=True)
        return real.is_relative_to(top) and real.stat().st_uid in {os.geteuid(), top.stat().st_uid}
    except (OSError, ValueError, RuntimeError):  # a loop of links, a name that no file can have
        return False

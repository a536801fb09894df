"""A copy of the user's project for commands of theirs to work in: what they do to it leaves no trace."""

from __future__ import annotations

import os
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.sandbox.granting import belongs
from learn2fix.sandbox.workshop import Workshop

LARGEST_TREE, MOST_FILES = 256 << 20, 20_000
OURS = ".learn2fix"
"""The folder in the copy that holds what records."""
LEFT_OUT = frozenset((".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", OURS))
MADE = (b"\x7fELF", b"!<arch>\n")
"""How files begin that compilers and archivers make."""


def put_files(source: Path, workshop: Workshop) -> None:
    """All of a folder but what version control keeps, and links that lead elsewhere.

    What compilers made is older than all else, so that it is made anew.
    """
    size = count = 0
    try:
        for folder, inner, names in os.walk(source):
            inner[:] = sorted(
                name
                for name in inner
                if name not in LEFT_OUT and not Path(folder, name, "CMakeCache.txt").is_file()
            )
            for name in sorted(names):
                path = Path(folder, name)
                if not path.is_file() or not belongs(path, source):
                    continue
                size, count = size + path.stat().st_size, count + 1
                if size > LARGEST_TREE or count > MOST_FILES:
                    raise UsageError(
                        f"{source} is larger than {LARGEST_TREE >> 20} MB or {MOST_FILES:,} files",
                        "start in the folder of the program",
                    )
                content, inside = path.read_bytes(), path.relative_to(source)
                workshop.put(inside, content, executable=os.access(path, os.X_OK))
                if content.startswith(MADE):
                    os.utime(workshop.folder / inside, (0, 0))
    except OSError as problem:
        raise UsageError(f"cannot copy {source}: {problem}") from None

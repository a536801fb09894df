"""Which files a Python interpreter needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learn2fix.errors import UsageError

QUESTION = (
    "import json, sys; "
    "print(json.dumps([sys.executable, [sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path],"
    " sys.version_info[:2]]))"
)
OLDEST = (3, 9)


@dataclass(frozen=True, slots=True)
class Interpreter:
    executable: str
    readable: tuple[Path, ...]
    version: tuple[int, int]

    @property
    def ours(self) -> bool:
        """Whether it runs what we compile."""
        return self.version == sys.version_info[:2]


@cache
def interpreter(command: str) -> Interpreter:
    """Ask an interpreter where it lives. (A shim or a link is not where it lives.)"""
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.path.expanduser("~")}
    try:
        asked = subprocess.run(
            [command, "-s", "-c", QUESTION], capture_output=True, env=env, cwd="/", timeout=60, check=True
        )
        executable, folders, (major, minor) = json.loads(asked.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise UsageError(f"{command} is no Python interpreter that works: {error}") from None
    if (major, minor) < OLDEST:
        raise UsageError(
            f"{command} is Python {major}.{minor}",
            "name one of version 3.9 or newer with --python",
        )
    unique = dict.fromkeys(Path(folder) for folder in folders if folder and folder not in ("/", "/usr"))
    return Interpreter(executable, tuple(path for path in unique if path.exists()), (major, minor))

"""What libtcc links instead of compiling it: objects of the build, and units that it does not take.

Inline assembly, vectors or __int128 in one file, or C++ beside it, are no reason to judge the candidates of
all others slowly. The user's compiler makes an object of such a file, which is run, and not changed.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from learn2fix.languages.c.judging.compiling import run_compiler
from learn2fix.languages.c.layout import holding, translation_unit, units
from learn2fix.model import Ending
from learn2fix.sandbox import Sandbox

COMPLAINT = re.compile(r":(\d+): error: ([^\n]*)")
# Code that can lie anywhere in memory, and calls nothing that is not in the source.
ANYWHERE = (
    "-O1", "-w", "-fno-pic", "-fno-pie", "-mcmodel=large", "-fno-stack-protector", "-fno-builtin",
    "-fno-asynchronous-unwind-tables", "-fcf-protection=none",
)  # fmt: skip
OBJECT = re.compile(r"/.*\.[oa]")
CONSTRUCTORS = (b".init_array", b".ctors")


class Foreign:
    """The objects of one program; none for most."""

    def __init__(self, sandbox: Sandbox, command: Sequence[str], source: bytes) -> None:
        self._sandbox, self._source = sandbox, source
        linked = _objects(command)
        self._command = [word for word in command if not word.startswith("-l") and word not in linked]
        self._linked = [Path(word) for word in linked]
        self._folder: Path | None = None
        self._objects: dict[str, Path] = {}
        self.reasons: dict[str, str] = {}
        """Unit → what libtcc says of it."""

    @property
    def units(self) -> frozenset[str]:
        return frozenset(self._objects)

    @property
    def files(self) -> tuple[Path, ...]:
        return (*self._objects.values(), *self._linked)

    def take(self, text: bytes, trouble: str) -> bool:
        """Makes an object of the unit that libtcc complains about; False where that cannot help."""
        found = COMPLAINT.search(trouble)
        unit = holding(text, int(found[1])) if found else None
        known = units(self._source)
        if (
            found is None
            or unit not in known
            or unit in self._objects
            or len(self._objects) + 1 >= len(known)
        ):
            return False
        self._folder = self._folder or Path(tempfile.mkdtemp(prefix="learn2fix-foreign-"))
        name = f"unit-{known.index(unit)}"
        (self._folder / f"{name}.c").write_bytes(translation_unit(self._source, unit))
        argv = [*self._command, *ANYWHERE, "-c", f"{name}.c", "-o", f"{name}.o"]
        outcome = run_compiler(self._sandbox, argv, self._folder, float("inf"))
        if outcome.ending is not Ending.EXITED or outcome.status:
            return False
        self._objects[unit] = self._folder / f"{name}.o"
        self.reasons[unit] = found[2]
        return True

    def clear(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None
        self._objects.clear()
        self._linked.clear()


def _objects(command: Sequence[str]) -> list[str]:
    """What the build made of something else than C; not what has to be set up before main()."""
    return [word for word in command if OBJECT.fullmatch(word) and not _sets_up(Path(word))]


def _sets_up(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return True
    return any(name in content for name in CONSTRUCTORS)

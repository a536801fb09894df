"""A project with a build of its own: it runs in a copy, and its calls of compilers are recorded."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.errors import BuildFailed, UsageError
from learn2fix.languages.c.building import cache_folder, readable
from learn2fix.languages.c.calls import (
    ARCHIVER,
    COMPILER,
    Build,
    Call,
    Linked,
)
from learn2fix.languages.c.layout import parts
from learn2fix.languages.project_copy import OURS, put_files
from learn2fix.model import Ending, Outcome, digest
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.values import COMPILER_LIMITS
from learn2fix.sandbox.workshop import Workshop

BUILDING = replace(COMPILER_LIMITS, seconds=300.0, processes=256, file_size=512 << 20)
TOOLS = ("/usr/local/bin", "/usr/bin", "/bin")
BUILDS = {
    "Makefile": "make",
    "makefile": "make",
    "GNUmakefile": "make",
    "CMakeLists.txt": "cmake -S . -B build && cmake --build build",
}
MAIN = re.compile(rb"^(?:\w+\s+)*main\s*\(", re.MULTILINE)
PROBES = "/CMakeFiles/"
"""Where CMake tries the compiler out."""
SHIM = """#!/bin/sh
printf '%s\\0' "$PWD" {name} "$@" > {calls}/$$
exec {real} "$@"
"""


@dataclass(frozen=True, slots=True)
class Built:
    """What the build made, and of what."""

    target: Path
    """The executable, in the copy."""
    linked: Linked


class Project:
    """A project in a workshop, built by the user's command."""

    def __init__(self, folder: Path, command: str | None, sandbox: Sandbox, check: str | None = None) -> None:
        """`check`: a command that fails because of the bug."""
        self.folder = folder.resolve()
        self.command = command or default_build(folder)
        self._check = check
        self._checked: dict[str, bool] = {}
        self.workshop = sandbox.workshop()
        self.copy = self.workshop.folder
        self._made = Path(tempfile.mkdtemp(prefix="project-", dir=cache_folder()))
        weakref.finalize(self, shutil.rmtree, self._made, ignore_errors=True)
        self._made.chmod(0o755)
        self._lock = threading.Lock()
        put_files(self.folder, self.workshop)
        self._target: Path | None = None

    def open(self, run: str | None) -> Built:
        """Builds everything; `run`: the executable that is meant, as seen from the folder."""
        for name, script in _shims(self.copy / OURS):
            self.workshop.put(Path(OURS, "bin", name), script, executable=True)
        self.workshop.put(Path(OURS, "calls", "none"), b"")
        self._build()
        build = Build(_read_calls(self.workshop))
        made = [path for path in build.executables if os.path.isfile(path) and PROBES not in path]
        chosen = self._choose(made, run)
        self._target = self.copy / run if run else Path(chosen)
        return Built(self._target, build.linked(chosen))

    def _choose(self, made: Sequence[str], run: str | None) -> str:
        shown = [os.path.relpath(path, self.copy) for path in made]
        if run is None:
            if len(made) == 1:
                return made[0]
            if not made:
                raise BuildFailed(f"`{self.command}` called no compiler that was seen", hint="--build CMD")
            raise UsageError(f"the build makes {', '.join(shown)}", f"say which: --run ./{shown[0]}")
        target = self.copy / run
        if not target.is_file():
            raise BuildFailed(
                f"`{self.command}` makes no {run}", hint=f"it makes {', '.join(shown) or 'no executable'}"
            )
        same = [path for path in made if os.path.realpath(path) == os.path.realpath(target)]
        same = same or [path for path in made if Path(path).read_bytes() == target.read_bytes()]
        if not same:
            raise BuildFailed(f"no compiler was seen to make {run}", hint=f"`{self.command}` is the build")
        return same[0]

    @property
    def target(self) -> Path:
        """The executable, in the copy."""
        assert self._target is not None
        return self._target

    @property
    def shown_target(self) -> str:
        """The executable as the user runs it."""
        return f"./{self.target.relative_to(self.copy)}"

    @property
    def with_arguments(self) -> str:
        """How it is given the values of an input as arguments."""
        run = f"{self.shown_target} {{a}} {{b}}"
        return f'learn2fix fix --build {shlex.quote(self.command)} --run "{run}" --failing "3 4"'

    def build(self, text: bytes) -> Path:
        """The executable of the project with these sources, built by the user's command."""
        made = self._made / digest(text, length=32)
        with self._lock:
            if made.exists():
                return made
            self._put(text)
            built = self.workshop.content(self.target.relative_to(self.copy))
            if built is None:
                raise BuildFailed(f"`{self.command}` makes no {self.target.relative_to(self.copy)}")
            made.write_bytes(built)
            made.chmod(0o755)
        return made

    def passes(self, text: bytes) -> bool:
        """Whether the command that fails because of the bug passes with these sources; True without one."""
        if self._check is None:
            return True
        key = digest(text, length=32)
        with self._lock:
            if key not in self._checked:
                self._put(text)
                outcome = self.run(self._check)
                self._checked[key] = outcome.ending is Ending.EXITED and outcome.status == 0
        return self._checked[key]

    def _put(self, text: bytes) -> None:
        """Builds these sources."""
        for part in parts(text):
            if self.workshop.content(part.path) != part.content(text):
                self.workshop.put(part.path, part.content(text))
        self._build()

    def run(self, command: str) -> Outcome:
        """A command of the user's, in the copy."""
        # The same compilers every time, or the build system believes that they changed.
        path = shlex.quote(str(self.copy / OURS / "bin"))
        return self.workshop.run(["sh", "-c", f"PATH={path}:$PATH; export PATH; {command}"], BUILDING)

    def _build(self) -> None:
        outcome = self.run(self.command)
        if outcome.ending is Ending.EXITED and outcome.status == 0:
            return
        how = (
            f"failed with exit status {outcome.status}"
            if outcome.ending is Ending.EXITED
            else f"was stopped: {str(outcome.response).strip('⟨⟩')}"
        )
        words = readable(outcome.stderr or outcome.output, f"{self.copy}/", "")
        raise BuildFailed(f"`{self.command}` in a copy of {self.folder.name} {how}", words)


def default_build(folder: Path) -> str:
    for name, command in BUILDS.items():
        if (folder / name).is_file():
            return command
    mains = sorted(filter(_has_main, folder.glob("*.c")))
    other = f", or name the file with main: learn2fix fix {mains[0]}" if len(mains) == 1 else ""
    raise UsageError(
        f"{folder} has no Makefile and no CMakeLists.txt", f"say how to build it: --build CMD{other}"
    )


def _has_main(path: Path) -> bool:
    with suppress(OSError):
        return MAIN.search(path.read_bytes()) is not None
    return False


def _shims(ours: Path) -> Iterator[tuple[str, bytes]]:
    """A script for each compiler that notes its words and calls it."""
    done: set[str] = set()
    for folder in TOOLS:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name not in done and (COMPILER.fullmatch(name) or ARCHIVER.fullmatch(name)):
                done.add(name)
                words = {"name": name, "calls": shlex.quote(str(ours / "calls")), "real": f"{folder}/{name}"}
                yield name, SHIM.format(**words).encode()


def _read_calls(workshop: Workshop) -> list[Call]:
    found = []
    for path in sorted(
        (workshop.folder / OURS / "calls").iterdir(), key=lambda path: path.lstat().st_mtime_ns
    ):
        content = workshop.content(path.relative_to(workshop.folder)) or b""
        where, *words = os.fsdecode(content).split("\0")[:-1] or [""]
        if words:
            found.append(Call(Path(where), tuple(words)))
    return found

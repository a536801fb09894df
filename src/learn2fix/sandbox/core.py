"""The sandbox: composes limits, layers and the runner, and hands out workers."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType

from learn2fix.errors import IsolationError
from learn2fix.model import Outcome
from learn2fix.sandbox import build, interpreters, layers
from learn2fix.sandbox.frames import configuration
from learn2fix.sandbox.imports import imports
from learn2fix.sandbox.link import START_SECONDS, Link, Lost, Process, start, stop
from learn2fix.sandbox.values import COMPILER_LIMITS, DEFAULT_LIMITS, Limits, Program
from learn2fix.sandbox.worker import Worker

SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/nix/store", "/gnu/store",
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime", "/etc/locale.alias",
)  # fmt: skip
"""What every program may read and execute."""

INSIDE = Path(__file__).parent / "inside"
"""Our own programs that run in the sandbox."""

ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}

UNPRIVILEGED = 0x5A000000
"""Root runs programs under a uid from here on, a fresh one each, so that process limits count apart."""


class Sandbox:
    """Runs untrusted programs. Everything that it started ends with it."""

    def __init__(self, limits: Limits = DEFAULT_LIMITS, *, isolation: str | None = None) -> None:
        self.limits = limits
        self._layers = strongest() if isolation is None else layers.parse(isolation)
        self.isolation = layers.join(self._layers)
        self._open: dict[int, Callable[[], None]] = {}
        self._count = 0

    def run(
        self,
        program: Program,
        stdin: bytes = b"",
        args: tuple[str, ...] = (),
        limits: Limits | None = None,
    ) -> Outcome:
        """One execution in a sandbox of its own: the reference."""
        with self.start(program, limits) as worker:
            return worker.run(stdin, args)

    def start(self, program: Program, limits: Limits | None = None) -> Worker:
        """A runner inside one sandbox that executes the program for each input."""
        chosen = limits or self.limits
        return self._serve(program.argv, program.readable, chosen, layers.BIG_MAP_KILLS)

    def python(
        self,
        source: Path,
        function: str | None,
        limits: Limits | None = None,
        interpreter: str = sys.executable,
        readable: Sequence[Path] = (),
    ) -> Worker:
        """A warm interpreter that forks for each input: calls `function`, or runs a script when None."""
        chosen = limits or self.limits
        python = interpreters.interpreter(interpreter)
        source = source.absolute()
        needs = imports(source)
        place = Place(self._layers)
        broadcast = place.uid is not None or "namespaces" in self._layers
        numbers = [repr(chosen.seconds), str(chosen.output), str(chosen.memory), str(int(broadcast))]
        argv = [python.executable, "-s", str(INSIDE / "warm.py"), str(source), function or "", *numbers]
        path = place.gather((source, *needs.beside))
        seen = (INSIDE, path, source, *needs.beside, *python.readable, *readable)
        env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}

        def connect() -> Link:
            command = (*argv, str(path), *needs.elsewhere)
            link = Link(self._launch(place, command, seen, chosen, env))
            try:
                link.receive(START_SECONDS)
            except Lost:
                link.close()
                raise IsolationError(f"{python.executable} does not start in the sandbox") from None
            return link

        return self._worker(connect, chosen, place)

    def compile(self, argv: Sequence[str], *, cwd: Path, limits: Limits | None = None) -> Outcome:
        """A compiler under limits: reads anything, writes only to `cwd` and its scratch folder."""
        tool = shutil.which(argv[0]) or argv[0]
        chosen = limits or COMPILER_LIMITS
        worker = self._serve((tool, *argv[1:]), (Path("/"),), chosen, layers.ALLOW_CHMOD, folder=cwd)
        with worker:
            return worker.run(b"")

    def popen(
        self,
        argv: Sequence[str],
        *,
        readable: Sequence[Path] = (),
        limits: Limits,
        stderr: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """A long-lived process of ours inside the sandbox, with pipes; its children are shut in with it."""
        place = Place(self._layers)
        try:
            process = self._launch(place, tuple(argv), tuple(readable), limits, stderr=stderr)
        except BaseException:
            place.remove()
            raise

        def end() -> None:
            stop(process)
            place.remove()

        self._keep(end)
        return process

    def close(self) -> None:
        for end in list(self._open.values()):
            end()
        self._open.clear()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _keep(self, end: Callable[[], None]) -> Callable[[], None]:
        """Remember to `end` something when we close; the result forgets it again."""
        self._count += 1
        key = self._count
        self._open[key] = end
        return lambda: (self._open.pop(key, None), None)[1]

    def _serve(
        self,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        flags: int,
        folder: Path | None = None,
    ) -> Worker:
        place = Place(self._layers, drop=folder is None)
        items = place.configuration("serve", argv, readable, limits, flags, folder)
        command = self._command()

        def connect() -> Link:
            return Link(start(command, items))

        return self._worker(connect, limits, place)

    def _worker(self, connect: Callable[[], Link], limits: Limits, place: Place) -> Worker:
        def release() -> None:
            forget()
            place.remove()

        worker = Worker(connect, limits, release)
        forget = self._keep(worker.close)
        return worker

    def _launch(
        self,
        place: Place,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        env: dict[str, str] | None = None,
        stderr: int = subprocess.DEVNULL,
    ) -> Process:
        items = place.configuration("launch", argv, readable, limits, 0, env=env)
        return start(self._command(), items, stderr=stderr)

    def _command(self) -> list[str]:
        runner = build.runner()
        if runner is None:
            raise IsolationError("no C compiler was found", "install gcc or clang")
        return [str(runner)]


@cache
def strongest() -> frozenset[str]:
    """The strongest layers that start here and keep a file of ours unread."""
    runner = build.runner()
    if runner is None:
        return frozenset()
    with tempfile.NamedTemporaryFile() as canary:
        canary.write(b"secret")
        canary.flush()
        for names in layers.PREFERRED:
            try:
                with Sandbox(isolation=layers.join(names)) as sandbox:
                    attack = Program((str(runner), "attack", "read", canary.name))
                    if sandbox.run(attack).output.startswith(b"blocked"):
                        return names
            except IsolationError:
                continue
    return frozenset()


class Place:
    """Where one sandboxed process lives: its scratch folder and its uid."""

    def __init__(self, names: frozenset[str], *, drop: bool = True) -> None:
        self._layers = names
        self._base = Path(tempfile.mkdtemp(prefix="learn2fix-"))
        self._base.chmod(0o711)
        self.scratch = self._base / "scratch"
        self.scratch.mkdir(mode=0o700)
        self.uid: int | None = None
        if drop and os.geteuid() == 0:
            self.uid = unprivileged_uid()
            os.chown(self.scratch, self.uid, self.uid)

    def configuration(
        self,
        mode: str,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        flags: int,
        folder: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> bytes:
        """What the runner is told."""
        flags |= layers.flags(self._layers)
        if not flags & layers.SECCOMP:
            flags &= ~layers.BIG_MAP_KILLS
        path = self.staged(Path(argv[0]))
        seen = (path, *readable)
        if self.uid is not None and not all(open_to_others(path) for path in seen):
            flags |= layers.KEEP_READ
        processes = limits.processes + 2
        if self.uid is None and not flags & layers.USERNS and os.geteuid():
            processes += tasks_of(os.geteuid())
        scratch = str(self.scratch)
        variables = {**ENVIRONMENT, "HOME": scratch, "TMPDIR": scratch, **(env or {})}
        numbers = [int(limits.seconds * 1e9), limits.memory, limits.output, processes]
        numbers += [limits.stack, limits.file_size]
        items: list[tuple[str, str | os.PathLike[str] | int]] = [
            ("M", mode), ("F", flags), ("x", path), ("s", scratch), ("L", " ".join(map(str, numbers))),
        ]  # fmt: skip
        if self.uid is not None:
            items += [("U", self.uid), ("G", self.uid)]
        if folder is not None:
            items += [("d", folder), ("w", folder)]
        items += [("r", name) for name in SYSTEM]
        items += [("r", one) for one in seen]
        items += [("e", f"{name}={value}") for name, value in variables.items()]
        items += [("a", part) for part in argv]
        return configuration(items)

    def staged(self, program: Path) -> Path:
        """The program, or a copy where only its owner may execute it and we are to be someone else."""
        try:
            if self.uid is None or program.stat().st_mode & 0o001 or not program.is_file():
                return program
            copy = self._base / "program"
            shutil.copyfile(program, copy)
            copy.chmod(0o755)
        except OSError:
            return program
        return copy

    def gather(self, files: Sequence[Path]) -> Path:
        """A folder of links: what a program imports from beside it, without a look at all else there."""
        folder = self._base / "modules"
        folder.mkdir(mode=0o755)
        for file in files:
            (folder / file.name).symlink_to(file)
        return folder

    def remove(self) -> None:
        shutil.rmtree(self._base, ignore_errors=True)


def unprivileged_uid() -> int:
    """A uid that no one has, so that no other process counts towards its limits or gets its signals."""
    return UNPRIVILEGED + random.SystemRandom().randrange(1 << 24)


def open_to_others(path: Path) -> bool:
    """May a stranger read this path? (Root gives its uid away, and may keep files where only it can look.)"""
    try:
        real = path.resolve()
        if real.stat().st_mode & 0o004 == 0:
            return False
        return all(parent.stat().st_mode & 0o001 for parent in {*real.parents, *path.absolute().parents})
    except OSError:
        return False  # the start of the program says what is wrong, if it can look


def tasks_of(uid: int) -> int:
    """How many threads a user has: the process limit counts them all."""
    total = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    total += len(os.listdir(f"/proc/{entry.name}/task"))
            except OSError:
                continue
    return total

"""Where one sandboxed process lives: its folders, its uid, what it may see, and how it is started."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from learn2fix.errors import IsolationError
from learn2fix.sandbox import build, layers
from learn2fix.sandbox.folders import remove_abandoned
from learn2fix.sandbox.frames import configuration
from learn2fix.sandbox.memory import tree_limit
from learn2fix.sandbox.processes import Process, start
from learn2fix.sandbox.values import NO_SURROUNDINGS, Limits, Surroundings

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
NOBODY = 65534

PREFIX = "learn2fix-place-"

PATH_OPTIONS = ("", "-I", "-L", "-B", "-include", "-isystem", "-iquote", "--sysroot=")
"""What may stand before a path in one word of a compiler's command."""
LARGEST_COPY = 64 << 20
TEMPORARY = ("/tmp", "/var/tmp")


class Place:
    """Where one sandboxed process lives: its scratch folder and its uid."""

    def __init__(self, names: frozenset[str]) -> None:
        self._layers = names
        folder = temporary_folder(names)
        tidy(folder)
        self._base = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        self._base.chmod(0o711)
        self._lock = os.open(self._base / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.scratch = self._base / "scratch"
        self.scratch.mkdir(mode=0o700)
        self.uid = unprivileged_uid() if os.geteuid() == 0 else None
        self.own(self.scratch)
        self._moved: dict[Path, Path] = {}

    def own(self, path: Path) -> None:
        """Hand a path of this place to whom the program runs as."""
        if self.uid is not None:
            os.lchown(path, self.uid, self.uid)

    def workshop(self) -> Path:
        """A folder for a compiler: it may write there, and what it wrote outlives it."""
        folder = self._base / "work"
        folder.mkdir(mode=0o700)
        self.own(folder)
        return folder

    def serve(
        self,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        flags: int,
        folder: Path | None = None,
        library: Path | None = None,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> Process:
        """A runner that takes inputs for one program; with a library, as a fork server."""
        return self._start("serve", argv, readable, limits, flags, folder, library=library, around=around)

    def python(
        self,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        env: dict[str, str],
        script: bool,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> Process:
        """A runner that takes inputs for a warm interpreter."""
        kind = "s" if script else "f"
        return self._start(
            "serve", argv, readable, limits, layers.FORK_SERVER, env=env, python=kind, around=around
        )

    def launch(
        self,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        env: dict[str, str] | None = None,
        flags: int = 0,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> Process:
        """One long-lived process with our pipes."""
        return self._start("launch", argv, readable, limits, flags, env=env, around=around)

    def _start(
        self,
        mode: str,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        flags: int,
        folder: Path | None = None,
        env: dict[str, str] | None = None,
        library: Path | None = None,
        python: str = "",
        around: Surroundings = NO_SURROUNDINGS,
    ) -> Process:
        runner = build.runner()
        if runner is None and (self._layers or around.items):
            needs = "more than limits" if self._layers else "a file for the program"
            raise IsolationError(f"{needs} needs the runner, and no C compiler was found", "install gcc")
        readable = tuple(map(self.reachable, readable))
        path = self.staged(Path(argv[0]))
        argv = (argv[0], *map(self._relocated, argv[1:]))
        library = None if library is None else self.reachable(library)
        seen = (path, *readable) if library is None else (path, library, *readable)
        command = (
            [str(runner)] if runner is not None else [sys.executable, "-I", "-S", str(INSIDE / "plain.py")]
        )
        if "bubblewrap" in self._layers and runner is not None:
            command = [*bubblewrap([*seen, runner], self._base), *command]
        if library is not None or python:  # the process that forks counts too
            limits = replace(limits, processes=limits.processes + 1)
        items = self._items(
            mode, path, argv, seen, limits, flags, folder, {**(env or {}), **around.environment}
        )
        extra: list[tuple[str, str | bytes | Path]] = [*around.items]
        extra += [("P", library)] if library is not None else []
        extra += [("Y", python)] if python else []
        return start(command, configuration([*items, *extra]), memory=tree_limit(limits))

    def _items(
        self,
        mode: str,
        path: Path,
        argv: tuple[str, ...],
        seen: tuple[Path, ...],
        limits: Limits,
        flags: int,
        folder: Path | None,
        env: dict[str, str],
    ) -> list[tuple[str, str | os.PathLike[str] | int]]:
        """What the runner is told."""
        flags |= layers.flags(self._layers)
        if not flags & layers.SECCOMP:
            flags &= ~layers.BIG_MAP_KILLS
        if self.uid is not None and self._confined and not all(open_to_others(path) for path in seen):
            flags |= layers.KEEP_READ
        processes = limits.processes + 1  # the runner counts too
        if self.uid is None and not flags & layers.USERNS and os.geteuid():
            processes += tasks_of(os.geteuid())
        scratch = str(self.scratch)
        variables = {**ENVIRONMENT, "HOME": scratch, "TMPDIR": scratch, **env}
        numbers = [int(limits.seconds * 1e9), limits.memory, limits.output, processes]
        numbers += [limits.stack, limits.file_size]
        items: list[tuple[str, str | os.PathLike[str] | int]] = [
            ("M", mode), ("F", flags), ("x", path), ("s", scratch), ("L", " ".join(map(str, numbers))),
        ]  # fmt: skip
        if self.uid is not None:
            items += [("U", self.uid), ("G", self.uid)]
        if folder is not None:
            items += [("d", folder), ("w", self._base / "work")]
        items += [("r", name) for name in SYSTEM]
        items += [("r", one) for one in seen]
        items += [("e", f"{name}={value}") for name, value in variables.items()]
        items += [("a", part) for part in argv]
        return items

    @property
    def _confined(self) -> bool:
        return layers.confines_reading(self._layers)

    def staged(self, program: Path) -> Path:
        """The program, or a copy where only its owner may execute it and we are to be someone else."""
        try:
            if self.uid is None or program.is_dir():
                return program
            if program.stat().st_mode & 0o001 and (self._confined or open_to_others(program)):
                return program
            copy = self._base / "program"
            if not copy.exists():  # a second start may meet a first that still runs
                shutil.copyfile(program, copy)
                copy.chmod(0o755)
        except FileNotFoundError:
            return (
                self._base / "nothing"
            )  # the start says so, also where the program's folder is out of reach
        except OSError:
            return program
        return copy

    def reachable(self, path: Path) -> Path:
        """The path; or a copy where only root may look, and nothing would confine a right to look."""
        if self.uid is None or self._confined or open_to_others(path) or not path.exists():
            return path
        if path not in self._moved:
            folder = self._base / "copies" / str(len(self._moved))
            folder.mkdir(mode=0o755, parents=True)
            copy_open(path, folder / path.name)
            self._moved[path] = folder / path.name
        return self._moved[path]

    def _relocated(self, word: str) -> str:
        """A word of a command, with the copy of a path in place of the path."""
        for old, new in self._moved.items():
            before, found, after = word.partition(str(old))
            if found and before in PATH_OPTIONS and after[:1] in ("", "/"):
                return f"{before}{new}{after}"
        return word

    def gather(self, files: Sequence[Path]) -> Path:
        """A folder of links: what a program imports from beside it, without a look at all else there."""
        folder = self._base / "modules"
        folder.mkdir(mode=0o755)
        for file in files:
            (folder / file.name).symlink_to(self.reachable(file))
        return folder

    def remove(self) -> None:
        shutil.rmtree(self._base, ignore_errors=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


@cache
def tidy(folder: str) -> None:
    """Once for each process and folder."""
    remove_abandoned(folder)


def bubblewrap(seen: Sequence[Path], base: Path) -> list[str]:
    """The words before a command that show it the system, `seen` and `base`, and nothing else."""
    program = shutil.which("bwrap")
    if program is None:
        raise IsolationError("bubblewrap is not installed", "install bubblewrap, or ask for less isolation")
    words = [program, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-net"]
    if os.geteuid() == 0:
        words += ["--cap-add", "ALL"]  # the runner gives them up when it becomes someone else
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    system = [Path(name) for name in SYSTEM if os.path.lexists(name)]
    paths = [
        part
        for one in seen
        for part in (one.absolute(), one.resolve())
        if part.exists() and not any(part.is_relative_to(name) for name in SYSTEM)
    ]
    # Left to itself it makes folders on the way, /etc among them, that only root may enter.
    above = {folder for path in (*system, *paths, base) for folder in path.parents}
    for folder in sorted(above - {Path("/"), Path("/tmp")}):
        if not any(folder.is_relative_to(name) for name in SYSTEM):
            words += ["--dir", str(folder)]
    for path in system:
        link = path.is_symlink()
        words += ["--symlink", os.readlink(path), str(path)] if link else ["--ro-bind", str(path), str(path)]
    for path in dict.fromkeys(paths):
        words += ["--ro-bind", str(path), str(path)]
    return [*words, "--bind", str(base), str(base), "--"]


def temporary_folder(names: frozenset[str]) -> str:
    """Where places are: the user's temporary folder, or one that a stranger can get into, if it must be."""
    usual = tempfile.gettempdir()
    if os.geteuid() or layers.confines_reading(names):
        return usual
    return next((name for name in (usual, *TEMPORARY) if can_be_passed(Path(name))), usual)


def lend(names: frozenset[str], path: Path, target: Path) -> None:
    """A link to a path; or a copy where only root may look, and nothing would confine a right to look."""
    if os.geteuid() == 0 and not layers.confines_reading(names) and not open_to_others(path):
        copy_open(path, target)
    else:
        target.symlink_to(path)


def copy_open(path: Path, target: Path) -> None:
    """A copy that everyone may read, links inside left out."""
    total = 0
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        total += file.stat().st_size
        if total > LARGEST_COPY:
            raise IsolationError(
                f"{path} can be read by root alone, and no layer would confine a program that may read it",
                "install bubblewrap, or keep it where everyone may read",
            )
        copy = target if file == path else target / file.relative_to(path)
        copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        copy.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)


def unprivileged_uid() -> int | None:
    """A uid that no one has, so that no other process counts towards its limits or gets its signals.
    In a container with few uids it is "nobody", if that exists, or none."""
    wanted = UNPRIVILEGED + random.SystemRandom().randrange(1 << 24)
    lines = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    mapped = [uid for uid in (wanted, NOBODY) if any(low <= uid < low + size for low, _, size in lines)]
    return mapped[0] if mapped else None


def open_to_others(path: Path) -> bool:
    """May a stranger read this path? (Root gives its uid away, and may keep files where only it can look.)"""
    try:
        real = path.resolve()
        if real.stat().st_mode & 0o004 == 0:
            return False
        return all(parent.stat().st_mode & 0o001 for parent in {*real.parents, *path.absolute().parents})
    except OSError:
        return False  # the start of the program says what is wrong, if it can look


def can_be_passed(folder: Path) -> bool:
    """May a stranger use what he can name in this folder?"""
    real = folder.resolve()
    return all(each.stat().st_mode & 0o001 for each in (real, *real.parents))


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

"""Where compilers and build commands work: a folder in the sandbox, with what the host put into it.

They read what a stranger wrote (`.incbin "/home/me/.ssh/id_rsa"` is one line of C), so they are shut in like
the programs that they build: another user, the system's files, the folder, and what the command itself names.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType

from learn2fix.model import Outcome
from learn2fix.sandbox import layers
from learn2fix.sandbox.link import Link
from learn2fix.sandbox.place import PATH_OPTIONS, SYSTEM, Place
from learn2fix.sandbox.values import COMPILER_LIMITS, Limits
from learn2fix.sandbox.worker import Connection, Worker

BESIDE_BIN = ("lib", "lib32", "lib64", "libexec", "include")
"""Where a toolchain that is not the system's keeps its parts: beside its `bin`."""


class Workshop:
    """Commands run here one after the other, each with its own limits. Not for several threads at once."""

    def __init__(self, place: Place, closed: Callable[[], None] = lambda: None) -> None:
        self._place, self._closed = place, closed
        self.folder = place.workshop()
        self._seen: dict[Path, tuple[int, int]] = {}

    def put(self, name: str | Path, content: bytes, *, executable: bool = False) -> None:
        """A file of the folder, in whatever folders its name says."""
        path = self._new(Path(name))
        path.write_bytes(content)
        self._hand_over(path, executable)

    def take(self, source: Path) -> None:
        """A copy of all that is in a folder; links that lead out of it do not exist here."""
        root = source.resolve()
        for name in files_in(root):
            if (root / name).resolve().is_relative_to(root):
                path = self._new(name)
                shutil.copyfile(root / name, path)
                self._hand_over(path, bool((root / name).stat().st_mode & 0o100))

    def give(self, target: Path) -> None:
        """Copies what is new or changed since, into a folder of ours. Whatever links were planted in either,
        what is read is a plain file of the workshop, and what is written is a new plain file."""
        for name in files_in(self.folder):
            path = self.folder / name
            content = plain_content(path)
            if content is None or self._seen.get(name) == _state(path):
                continue
            fresh = target / name
            if not fresh.parent.resolve().is_relative_to(target.resolve()):
                continue
            fresh.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            fresh.write_bytes(content)
            fresh.chmod(0o755 if path.lstat().st_mode & 0o100 else 0o644)

    def content(self, name: str | Path) -> bytes | None:
        """Of a file that a command made; None where there is no plain file."""
        return plain_content(self.folder / name)

    def run(
        self,
        argv: Sequence[str],
        limits: Limits = COMPILER_LIMITS,
        readable: Sequence[Path] = (),
        cwd: str | Path = "",
    ) -> Outcome:
        """`readable`: beyond the system, the folder, and the paths that the command itself names."""
        tool = shutil.which(argv[0]) or argv[0]
        seen = (*readable, *toolchain(Path(tool)), *named(argv[1:]))
        folder = self.folder / cwd

        def connect() -> Link:
            command = (tool, *argv[1:])
            return Link(self._place.serve(command, seen, limits, layers.ALLOW_CHMOD, folder))

        connection = Connection(connect, lambda: None)
        with Worker(connection, limits, self) as worker:
            return worker.run(b"")

    def close(self) -> None:
        self._place.remove()
        self._closed()

    def __enter__(self) -> Workshop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _new(self, name: Path) -> Path:
        """The path of a file that does not exist, with the folders above it."""
        if name.is_absolute() or ".." in name.parts:
            raise ValueError(f"{name} is outside of the workshop")
        for parent in reversed(name.parents[:-1]):
            if not (self.folder / parent).is_dir() or (self.folder / parent).is_symlink():
                (self.folder / parent).mkdir(mode=0o755)
                self._place.own(self.folder / parent)
        (self.folder / name).unlink(missing_ok=True)
        return self.folder / name

    def _hand_over(self, path: Path, executable: bool) -> None:
        path.chmod(0o755 if executable else 0o644)
        self._place.own(path)
        self._seen[path.relative_to(self.folder)] = _state(path)


def _state(path: Path) -> tuple[int, int]:
    info = path.lstat()
    return info.st_size, info.st_mtime_ns


def files_in(folder: Path) -> Iterator[Path]:
    """Relative names of all files and links below, links to folders not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield (Path(place) / name).relative_to(folder)


def plain_content(path: Path) -> bytes | None:
    """What a file holds, read without following a link, without waiting, and bounded."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(fd, "rb") as file:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode) or info.st_size > COMPILER_LIMITS.file_size:
            return None
        return file.read(COMPILER_LIMITS.file_size)


def toolchain(tool: Path) -> tuple[Path, ...]:
    """What a compiler needs that is not one of the system's."""
    found = []
    for path in dict.fromkeys((tool.absolute(), tool.resolve())):
        if any(path.is_relative_to(name) for name in SYSTEM):
            continue
        found.append(path)
        if path.parent.name == "bin":
            prefix = path.parent.parent
            triples = [one for one in prefix.glob("*-*-*") if (one / "bin").is_dir()]
            found += [path.parent, *(prefix / name for name in BESIDE_BIN), *triples]
    return tuple(one for one in found if one.exists())


def named(words: Sequence[str]) -> tuple[Path, ...]:
    """The paths that a command names: who wrote the command let it read them."""
    found = []
    for word in words:
        option = next((each for each in PATH_OPTIONS[1:] if word.startswith(f"{each}/")), "")
        path = Path(word.removeprefix(option))
        if path.is_absolute() and path != Path("/") and path.exists():
            found.append(path)
    return tuple(found)

"""The C runner: built on first use with the compiler found, cached by content."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

from learn2fix.model import digest

RUNNER = ("runner.c", "execute.c", "serve.c", "attack.c", "isolate.c", "calls.c")
SOURCES = (*RUNNER, "runner.h", "isolate.h", "forkserver.c", "forkserver.h")
COMPILERS = ("cc", "gcc", "clang")


def compiler() -> str | None:
    """The C compiler that is there, if any."""
    return next((path for name in COMPILERS if (path := shutil.which(name))), None)


def cache_folder() -> Path | None:
    """Our folder for built things; None when there is no place that only we can write to."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        return None
    folder = Path(base) / "learn2fix"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = folder.lstat()
    except OSError:
        return None
    # Someone else's folder, a link or one that others write to could hand us their runner.
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.geteuid() or info.st_mode & 0o022:
        return None
    return folder if os.access(folder, os.W_OK) else None


@cache
def source_digest() -> str:
    here = files("learn2fix.sandbox")
    return digest(*(here.joinpath(name).read_bytes() for name in SOURCES), os.uname().machine, length=16)


@cache
def runner() -> Path | None:
    """The runner's path, built if need be; None without a working compiler or place to put it."""
    # Static starts faster and needs no library inside the sandbox; not every system has the parts.
    return cached("runner", [["-static", *RUNNER], [*RUNNER]])


@cache
def fork_library() -> Path | None:
    """The library that turns a program into a fork server."""
    return cached("forkserver", [["-shared", "-fPIC", "forkserver.c"]])


def cached(what: str, ways: list[list[str]]) -> Path | None:
    name = f"{what}-{source_digest()}"
    folder = cache_folder()
    if folder is not None and trusted(folder / name):
        return folder / name
    cc = compiler()
    if cc is None:
        return None
    folder = folder or Path(tempfile.mkdtemp(prefix="learn2fix-runner-"))
    return build(cc, folder / name, ways)


def trusted(path: Path) -> bool:
    try:
        info = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(info.st_mode) and info.st_uid == os.geteuid() and not info.st_mode & 0o022


def build(cc: str, target: Path, ways: list[list[str]]) -> Path | None:
    """Compile into `target`, atomically, so that two processes at once do not meet half a file."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="build-") as name:
        work = Path(name)
        for source in SOURCES:
            (work / source).write_bytes(files("learn2fix.sandbox").joinpath(source).read_bytes())
        for way in ways:
            command = [cc, "-O2", "-std=gnu11", "-o", "built", *way]
            done = subprocess.run(
                command, cwd=work, capture_output=True, stdin=subprocess.DEVNULL, timeout=120
            )
            if done.returncode == 0:
                built = work / "built"
                built.chmod(0o755)
                built.replace(target)
                return target
    return None

"""Compiling under limits, once for each content: the user's compiler and flags decide."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from learn2fix.errors import BuildError, UsageError
from learn2fix.model import Ending, digest
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.granting import belongs, project

DEFAULT_FLAGS = ("-O1", "-std=gnu11")
LIBRARIES = ("-lm",)
FRESH_MEMORY = "-ftrivial-auto-var-init="


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How a C program is built: `--build` and `--cflags` of the command line."""

    command: str | None = None
    """A command with {source} and {output}; without them both are appended as `source -o output`."""
    flags: tuple[str, ...] = DEFAULT_FLAGS

    @classmethod
    def parse(cls, command: str | None, flags: str | None) -> BuildOptions:
        try:
            given = DEFAULT_FLAGS if flags is None else tuple(shlex.split(flags))
            if command is not None and not shlex.split(command):
                raise ValueError("it is empty")
        except ValueError as problem:
            raise UsageError(f"cannot read --build or --cflags: {problem}") from None
        return cls(command, given)

    def argv(self, source: Path, output: Path, extra: tuple[str, ...] = ()) -> list[str]:
        if self.command is None:
            return [*compiler(), *self.flags, *extra, str(source), "-o", str(output), *LIBRARIES]
        words = shlex.split(self.command)
        filled = [word.replace("{source}", str(source)).replace("{output}", str(output)) for word in words]
        if filled == words:
            filled += [str(source), "-o", str(output)]
        return [*filled, *extra]

    @property
    def fixes_fresh_memory(self) -> bool:
        """Whether the user already decided what fresh stack memory holds."""
        return any(FRESH_MEMORY in flag for flag in (*self.flags, self.command or ""))


def compiler() -> tuple[str, ...]:
    for name in ("gcc", "cc", "clang"):
        found = shutil.which(name)
        if found:
            return (found,)
    raise UsageError("no C compiler found", "install gcc, or name yours with --build")


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(base) / "learn2fix" / "builds"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


MOST_HEADERS, LARGEST_HEADER = 200, 4 << 20
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def local_headers(source: bytes, folder: Path) -> dict[Path, bytes]:
    """The user's own headers that a source includes, all the way down: they are part of its content.

    By their names as seen from the top of the project; what lies outside of it is not the program's to read.
    """
    top, folder = project(folder), folder.resolve()
    found: dict[Path, bytes] = {}
    waiting = [(source, folder)]
    while waiting:
        text, beside = waiting.pop()
        for match in INCLUDE.finditer(text):
            path = Path(os.path.normpath(beside / os.fsdecode(match[1])))
            if not path.is_relative_to(top) or (name := path.relative_to(top)) in found:
                continue
            content = _header(path, top)
            if content and len(found) < MOST_HEADERS:
                found[name] = content
                waiting.append((content, path.parent))
    return found


def _header(path: Path, top: Path) -> bytes:
    """The content of a header; nothing where there is none to be read, which the compiler can say better."""
    try:
        status = path.stat()
        # What the kernel makes up as it is read has no size, and may never end.
        plain = S_ISREG(status.st_mode) and 0 < status.st_size < LARGEST_HEADER
        return path.read_bytes() if plain and belongs(path, top) else b""
    except (OSError, ValueError):
        return b""


def build_c(
    source: bytes,
    folder: Path,
    name: str,
    options: BuildOptions,
    sandbox: Sandbox,
    extra: tuple[str, ...] = (),
) -> Path:
    """The binary of this source as if it stood in `folder`; built at most once for each content."""
    headers = local_headers(source, folder)
    beside = folder.resolve().relative_to(project(folder)) if headers else Path()
    # Headers stand around the source as they do in the project.
    placeholder = options.argv(Path("SOURCE"), Path("OUTPUT"), extra)
    key = digest(
        source,
        *placeholder,
        *(part for path in sorted(headers) for part in (str(path), headers[path])),
        _identity(placeholder[0]),
        length=32,
    )
    target = cache_folder() / key / "program"
    if target.is_file():
        return target
    scratch = Path(tempfile.mkdtemp(prefix="build-", dir=cache_folder()))
    try:
        with sandbox.workshop() as workshop:
            for path, content in {**headers, beside / "program.c": source}.items():
                workshop.put(path, content)
            outcome = workshop.run(options.argv(Path("program.c"), Path("program"), extra), cwd=beside)
            built = workshop.content(beside / "program")
        if outcome.ending is not Ending.EXITED or outcome.status != 0 or built is None:
            raise BuildError(
                f"{name} does not compile"
                if outcome.ending is Ending.EXITED
                else f"compiling {name} was stopped: {str(outcome.response).strip('⟨⟩')}",
                readable(outcome.stderr or outcome.output, "program.c", name),
            )
        output = scratch / "program"
        output.write_bytes(built)
        scratch.chmod(0o755)
        output.chmod(0o755)
        # When another process built the same content first, its binary is as good.
        with contextlib.suppress(OSError):
            os.rename(scratch, target.parent)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def readable(diagnostics: bytes, copy: str, name: str, most: int = 4000) -> str:
    """The compiler's words about the user's file, not about our copy of it."""
    return diagnostics.decode("utf-8", "replace").replace(copy, name)[:most].rstrip()


def _identity(command: str) -> str:
    """A compiler that was replaced is another compiler."""
    path = shutil.which(command)
    if not path:
        raise UsageError(f"no such compiler: {command}", "check --build")
    status = os.stat(path)
    return f"{os.path.realpath(path)}:{status.st_mtime_ns}:{status.st_size}"

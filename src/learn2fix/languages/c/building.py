"""Compiling under limits, once for each content: the user's compiler and flags decide."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from stat import S_ISREG

from learn2fix.errors import BuildError, UsageError
from learn2fix.languages.c.calls import NAMING_PATHS, Unit
from learn2fix.languages.c.layout import parts, units
from learn2fix.model import Ending, Outcome, digest
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.granting import belongs, project

DEFAULT_FLAGS = ("-O1", "-std=gnu11")
LIBRARIES = ("-lm",)
LINKED = re.compile(r"-[lL].*|/.*\.(?:o|a|so(?:\.[\d.]+)?)")
FRESH_MEMORY = "-ftrivial-auto-var-init="


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How a C program is built: `--build` and `--cflags` of the command line."""

    command: str | None = None
    """A command with {source} and {output}; without them both are appended as `source -o output`."""
    flags: tuple[str, ...] = DEFAULT_FLAGS
    sources: tuple[Path, ...] = ()
    """Files of C among the flags: the program is made of these, too."""
    units: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Of a program whose files have flags of their own: each with these."""
    link: tuple[str, ...] = ()
    """… and what they are linked with."""

    @classmethod
    def parse(cls, command: str | None, flags: str | None) -> BuildOptions:
        """Folders and files among the flags are meant as seen from where the user stands."""
        try:
            given = DEFAULT_FLAGS if flags is None else anchored(shlex.split(flags))
            if command is not None and not shlex.split(command):
                raise ValueError("it is empty")
        except ValueError as problem:
            raise UsageError(f"cannot read --build or --cflags: {problem}") from None
        sources = tuple(Path(word) for word in given if word.endswith(".c"))
        return cls(command, tuple(word for word in given if not word.endswith(".c")), sources)

    def argv(self, sources: Sequence[str], output: str, extra: tuple[str, ...] = ()) -> list[str]:
        """The words of the compiler for these files."""
        if self.command is None:
            libraries = [flag for flag in self.flags if flag.startswith("-l")]
            options = [flag for flag in self.flags if not flag.startswith("-l")]
            return [*compiler(), *options, *extra, *sources, "-o", output, *libraries, *LIBRARIES]
        words = shlex.split(self.command)
        filled: list[str] = []
        for word in words:
            if word == "{source}":
                filled += sources
            else:
                filled.append(word.replace("{source}", sources[0]).replace("{output}", output))
        if filled == words:
            filled += [*sources, "-o", output]
        return [*filled, *extra]

    def commands(self, sources: Sequence[str], output: str, extra: tuple[str, ...]) -> list[list[str]]:
        """The calls of the compiler, one after the other."""
        if not self.units:
            return [self.argv(sources, output, extra)]
        compiling = [
            word
            for before, word in pairwise(("", *extra))
            if not word.startswith("-Wl,") and (before in NAMING_PATHS or not word.startswith("/"))
        ]  # without what only the linker reads
        flags = dict(self.units)
        objects = [f"{output}-{number}.o" for number in range(len(sources))]
        calls = [
            [*compiler(), *flags[source], *compiling, "-c", source, "-o", made]
            for source, made in zip(sources, objects, strict=True)
        ]
        libraries = [word for word in self.link if not word.startswith(("-D", "-U"))]
        return [*calls, [*compiler(), *extra, *objects, "-o", output, *libraries, *LIBRARIES]]

    def in_one(self) -> BuildOptions:
        """For one call of the compiler: every file with the flags of all."""
        if not self.units:
            return self
        main = self.units[-1][1]
        others = (word for _, flags in self.units for word in flags if word[:2] in ("-D", "-U", "-I"))
        return replace(
            self, units=(), flags=(*main, *(word for word in dict.fromkeys(others) if word not in main))
        )

    @property
    def shared(self) -> tuple[str, ...]:
        """What every build of such a program needs: folders of headers, objects and libraries."""
        words = [word for _, flags in self.units for word in flags if word.startswith("-I")]
        return tuple(dict.fromkeys([*words, *(word for word in self.link if LINKED.fullmatch(word))]))

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where headers are looked for."""
        words = (*shlex.split(self.command or ""), *self.flags)
        return tuple(folder.absolute() for folder in Unit(Path(), words).folders)

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


FILE = re.compile(r"[^-].*\.(?:c|o|a|so)")


def anchored(words: Sequence[str]) -> tuple[str, ...]:
    """Flags with absolute paths, so that they mean the same in every folder."""
    found: list[str] = []
    for before, word in pairwise(("", *words)):
        if before in NAMING_PATHS or (FILE.fullmatch(word) and os.path.exists(word)):
            found.append(os.path.abspath(word))
        elif word[:2] in ("-I", "-L") and len(word) > 2:
            found.append(word[:2] + os.path.abspath(word[2:]))
        else:
            found.append(word)
    return tuple(found)


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
            content = read_header(path, top)
            if content and len(found) < MOST_HEADERS:
                found[name] = content
                waiting.append((content, path.parent))
    return found


def read_header(path: Path, top: Path) -> bytes:
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
    work = _Work.of(source, folder, options, extra)
    key = digest(
        *(word for call in work.calls for word in call),
        *(part for path in sorted(work.files) for part in (str(path), work.files[path])),
        _identity(work.calls[0][0]),
        length=32,
    )
    target = cache_folder() / key / "program"
    if target.is_file():
        return target
    scratch = Path(tempfile.mkdtemp(prefix="build-", dir=cache_folder()))
    try:
        outcome, built, said = work.done(sandbox)
        if outcome.ending is not Ending.EXITED or outcome.status != 0 or built is None:
            raise BuildError(
                f"{name} does not compile"
                if outcome.ending is Ending.EXITED
                else f"compiling {name} was stopped: {str(outcome.response).strip('⟨⟩')}",
                readable(said, SINGLE, name),
            )
        output = scratch / target.name
        output.write_bytes(built)
        scratch.chmod(0o755)
        output.chmod(0o755)
        # When another process built the same content first, its binary is as good.
        with contextlib.suppress(OSError):
            os.rename(scratch, target.parent)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def warnings_c(
    source: bytes,
    folder: Path,
    name: str,
    options: BuildOptions,
    sandbox: Sandbox,
    extra: tuple[str, ...] = (),
) -> str:
    """What the compiler says of this source besides making a program of it."""
    return readable(_Work.of(source, folder, options, extra).done(sandbox)[2], SINGLE, name)


SINGLE, OUTPUT = "program.c", ".learn2fix-program"
"""Our names for a source that is one file, and for what is made of it."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What a compiler has to do: the files that it finds, and its calls, one after the other."""

    files: dict[Path, bytes]
    beside: Path
    """The folder in which it is called."""
    calls: list[list[str]]

    @classmethod
    def of(cls, source: bytes, folder: Path, options: BuildOptions, extra: tuple[str, ...]) -> _Work:
        several = parts(source)
        if several:
            files = {Path(part.path): part.content(source) for part in several}
            calls = options.commands(units(source), OUTPUT, extra)
            root = folder.resolve()
            return cls(files, Path(), [[_moved(word, root, files) for word in call] for call in calls])
        # Headers stand around the source as they do in the project.
        headers = local_headers(source, folder)
        beside = folder.resolve().relative_to(project(folder)) if headers else Path()
        return cls({**headers, beside / SINGLE: source}, beside, options.commands([SINGLE], OUTPUT, extra))

    def done(self, sandbox: Sandbox) -> tuple[Outcome, bytes | None, bytes]:
        """How the last call ended, what was made, and all that was said, after a call that failed."""
        said = b""
        with sandbox.workshop() as workshop:
            for path, content in self.files.items():
                workshop.put(path, content)
            for call in self.calls:
                outcome = workshop.run(call, cwd=self.beside)
                words = outcome.stderr or outcome.output
                if outcome.ending is not Ending.EXITED or outcome.status != 0:
                    said += os.fsencode(f"{shlex.join(call)}\n") + words
                    break
                said += words
            return outcome, workshop.content(self.beside / OUTPUT), said


def _moved(word: str, root: Path, files: Mapping[Path, bytes]) -> str:
    """Files of the program and folders that they are in, as seen from where the compiler is called."""
    option, name = ("-I", word[2:]) if word.startswith("-I") else ("", word)
    if not name.startswith("/"):
        return word
    path = Path(os.path.realpath(name))
    if not path.is_relative_to(root):
        return word
    inside = path.relative_to(root)
    known = any(inside == file or inside in file.parents for file in files)
    return f"{option}{inside}" if known else word


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

"""What a build did, from its calls of compilers: units with their flags, and what they are linked to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TAKES_WORD = frozenset((
    "-o", "-I", "-D", "-U", "-L", "-l", "-x", "-T", "-u", "-z", "-include", "-imacros", "-isystem", "-iquote",
    "-idirafter", "-isysroot", "-MF", "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "--param",
    "-arch", "-aux-info", "-target",
))  # fmt: skip
DEPENDENCIES = re.compile(r"-M[DMPG]*")
NO_CODE = frozenset(("-E", "-S", "-M", "-MM", "-fsyntax-only"))
ARCHIVER = re.compile(r"(?:.*-)?ar(?:-[\d.]+)?")
COMPILER = re.compile(r"(?:[\w.]+-)*(?:gcc|cc|clang|c99|c89|g\+\+|c\+\+|clang\+\+)(?:-[\d.]+)?")
PATHS = ("-I", "-L")
NAMING_PATHS = ("-I", "-L", "-include", "-imacros", "-isystem", "-iquote", "-idirafter")
LINKER_INPUT = re.compile(r".*\.(?:o|obj|lo|a|so(?:\.[\d.]+)?)")


@dataclass(frozen=True, slots=True)
class Call:
    """One run of a compiler or archiver."""

    folder: Path
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A file of C with all that it is compiled with; paths are absolute."""

    path: Path
    flags: tuple[str, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where its headers are looked for."""
        joined = [flag[2:] for flag in self.flags if flag.startswith("-I") and len(flag) > 2]
        apart = [
            after
            for word, after in zip(self.flags, self.flags[1:], strict=False)
            if word in ("-I", "-iquote", "-isystem", "-idirafter")
        ]
        return tuple(map(Path, (*joined, *apart)))

    @property
    def macros(self) -> tuple[str, ...]:
        """Its -D and -U, each in one word."""
        found = []
        for before, word in zip(("", *self.flags), self.flags, strict=False):
            if before in ("-D", "-U"):
                found.append(before + word)
            elif word[:2] in ("-D", "-U") and len(word) > 2:
                found.append(word)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Linked:
    """What one executable is made of."""

    units: tuple[Unit, ...]
    objects: tuple[str, ...]
    """What the build made of something else than C, and what it found."""
    link: tuple[str, ...]
    """Flags and libraries of the linker."""


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A call of a compiler taken apart."""

    sources: tuple[Path, ...]
    inputs: tuple[str, ...]
    flags: tuple[str, ...]
    output: Path | None
    compiles_only: bool
    makes_nothing: bool
    implied: tuple[str, ...] = ()
    """Libraries that the compiler of another language adds by itself."""


def parse_compiler(call: Call) -> _Parsed:
    sources: list[Path] = []
    inputs: list[str] = []
    flags: list[str] = []
    output: Path | None = None
    words = list(call.words[1:])
    while words:
        word = words.pop(0)
        value = words.pop(0) if word in TAKES_WORD and words else None
        if word == "-o" and value is not None:
            output = call.folder / value
        elif word in ("-MF", "-MT", "-MQ") or word == "-c" or DEPENDENCIES.fullmatch(word):
            continue
        elif value is not None:
            flags += [word, str(call.folder / value) if word in NAMING_PATHS else value]
        elif word[:2] in PATHS and len(word) > 2:
            flags.append(word[:2] + os.path.normpath(call.folder / word[2:]))
        elif word.startswith("-"):
            flags.append(word)
        elif word.endswith(".c"):
            sources.append(Path(os.path.normpath(call.folder / word)))
        else:
            inputs.append(os.path.normpath(call.folder / word))
    nothing = bool(NO_CODE & set(call.words))
    if output is None and "-c" not in call.words and (sources or inputs):
        output = call.folder / "a.out"
    implied = ("-lstdc++",) if "++" in Path(call.words[0]).name else ()
    return _Parsed(tuple(sources), tuple(inputs), tuple(flags), output, "-c" in call.words, nothing, implied)


def unit_flags(flags: Iterable[str]) -> tuple[str, ...]:
    """Without what only the linker reads; and a warning is no reason to refuse what we add to a program."""
    return tuple(flag for flag in flags if not flag.startswith(("-l", "-L", "-Wl,", "-Werror")))


class Build:
    """All calls of one build, by what they make."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self._units: dict[str, Unit] = {}
        self._archives: dict[str, list[str]] = {}
        self._links: dict[str, _Parsed] = {}
        for call in calls:
            name = Path(call.words[0]).name
            if ARCHIVER.fullmatch(name):
                self._archive(call)
            elif COMPILER.fullmatch(name):
                self._compile(parse_compiler(call))

    def _archive(self, call: Call) -> None:
        files = [word for word in call.words[2:] if LINKER_INPUT.fullmatch(word)]
        if files and any(letter in call.words[1] for letter in "rq"):
            made, *members = (os.path.normpath(call.folder / word) for word in files)
            self._archives.setdefault(made, []).extend(members)

    def _compile(self, parsed: _Parsed) -> None:
        if parsed.makes_nothing:
            return
        for source in parsed.sources:
            made = parsed.output if parsed.compiles_only else source
            made = made or source.parent / f"{source.stem}.o"
            self._units[str(made)] = Unit(source, unit_flags(parsed.flags))
        if not parsed.compiles_only and parsed.output is not None:
            self._links[os.path.normpath(parsed.output)] = parsed

    @property
    def executables(self) -> list[str]:
        """What was linked, without libraries."""
        return [path for path, parsed in self._links.items() if "-shared" not in parsed.flags]

    def linked(self, executable: str) -> Linked:
        parsed = self._links[executable]
        units: dict[Path, Unit] = {}
        objects: list[str] = []
        waiting = [*map(str, parsed.sources), *parsed.inputs]
        libraries = self._own_libraries(parsed.flags)
        waiting += libraries.values()
        seen: set[str] = set()
        while waiting:
            path = waiting.pop(0)
            if path in seen:
                continue
            seen.add(path)
            if path in self._units:
                units.setdefault(self._units[path].path, self._units[path])
            elif path in self._archives:
                waiting += self._archives[path]
            elif path in self._links:
                inner = self._links[path]
                waiting += [*map(str, inner.sources), *inner.inputs]
            else:
                objects.append(path)
        link = tuple(flag for flag in parsed.flags if flag not in libraries and not _names_folder(flag))
        return Linked(tuple(units.values()), tuple(objects), (*link, *parsed.implied))

    def _own_libraries(self, flags: Sequence[str]) -> Mapping[str, str]:
        """`-lname` → what the build itself made by that name."""
        made = {Path(path).name.split(".")[0]: path for path in (*self._archives, *self._links)}
        found = {flag: f"lib{flag[2:]}" for flag in flags if flag.startswith("-l")}
        return {flag: made[name] for flag, name in found.items() if name in made}


def _names_folder(flag: str) -> bool:
    return flag.startswith("-I")

"""Subjects of experiments: two programs, a failing input, and tests with recorded outputs."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.errors import UsageError


@dataclass(frozen=True, slots=True)
class Source:
    """A source file by name and content, so that a job can run on a machine without the folder."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class RecordedTest:
    """An input and the output that was recorded for it."""

    name: str
    input: str
    output: str


@dataclass(frozen=True, slots=True)
class FolderSubject:
    """A self-contained subject: experiments read nothing else."""

    name: str
    buggy: Source
    golden: Source
    failing: tuple[str, ...]
    training: tuple[RecordedTest, ...] = ()
    heldout: tuple[RecordedTest, ...] = ()
    function: str | None = None
    build: str | None = None
    cflags: str | None = None
    extra: tuple[Source, ...] = ()
    """Further files that both programs need beside them (headers, modules)."""
    arguments: tuple[str, ...] = ()
    """Words of the command line, with {places} for values of the input."""
    input_file: str = ""
    """The file that the program opens to read its input; empty for standard input."""
    passing: tuple[str, ...] = ()
    """Further inputs that make sense, on which the buggy program is right."""
    kind: str = ""
    """What its inputs look like, where subjects of every kind take part."""

    def failing_on(self, *inputs: str) -> FolderSubject:
        return replace(self, failing=inputs)


MAX_UNPACKED = 64 << 20
"""Maximum size of a file in bytes: a small archive must not fill the memory."""


def read_file(path: Path) -> bytes:
    """The content of a file that may be stored gzipped; `name` stands for `name.gz` too."""
    packed = path.with_name(path.name + ".gz")
    try:
        if not path.exists() and packed.exists():
            with gzip.open(packed) as file:
                content = file.read(MAX_UNPACKED + 1)
            if len(content) > MAX_UNPACKED:
                raise UsageError(f"{packed} unpacks to more than {MAX_UNPACKED >> 20} MB")
            return content
        return path.read_bytes()
    except (OSError, EOFError, zlib.error) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from None


def text_of(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def file_names(folder: Path) -> list[str]:
    """Names in a folder without .gz, in natural order: neg2 before neg10."""
    try:
        names = {path.name.removesuffix(".gz") for path in folder.iterdir() if path.is_file()}
    except OSError as problem:
        raise UsageError(f"cannot read {folder}: {problem.strerror}") from None
    return sorted(names, key=natural)


def natural(name: str) -> tuple[tuple[str, int], ...]:
    return tuple((word, int(number or -1)) for word, number in re.findall(r"([^0-9]*)([0-9]*)", name))


def read_tests(folder: Path, pairs: Mapping[str, str]) -> tuple[RecordedTest, ...]:
    """The tests of a folder by input and output file, inputs in natural order."""
    return tuple(
        RecordedTest(given, text_of(read_file(folder / given)), text_of(read_file(folder / printed)))
        for given, printed in pairs.items()
    )


def paired(names: Iterable[str], prefix: str = "") -> dict[str, str]:
    """`input-X` with `output-X`, `X.in` with `X.out`; an input without its output is no test."""
    known = list(names)
    present = set(known)
    pairs = {}
    for name in known:
        if name.startswith(prefix + "input-"):
            partner = prefix + "output-" + name.removeprefix(prefix + "input-")
        elif not prefix and name.endswith(".in"):
            partner = name.removesuffix(".in") + ".out"
        else:
            continue
        if partner in present:
            pairs[name] = partner
    return pairs

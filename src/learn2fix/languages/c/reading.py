"""What a C program reads: it is built with recording functions in place of those that read, and run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Protocol

from learn2fix.domain.reading import Read, Trace
from learn2fix.errors import BuildError
from learn2fix.languages.c.building import BuildOptions, build_c
from learn2fix.languages.c.layout import parts
from learn2fix.languages.c.symbols import Functions, functions_of
from learn2fix.languages.c.syntax import functions, parse
from learn2fix.languages.c.tree import Node
from learn2fix.languages.records import KINDS, LIMITS, Recording, recorded
from learn2fix.model import Outcome, digest
from learn2fix.sandbox import Limits, Sandbox, Worker

RUNTIME = Path(__file__).parent / "runtime"
HEADER, RECORDER = RUNTIME / "reads.h", RUNTIME / "reads.c"
OBJECT = BuildOptions(flags=("-c", "-O0", "-std=gnu11", "-fno-omit-frame-pointer", "-fPIC"))
SCANNING = [f"{standard}{name}" for standard in ("", "__isoc99_", "__isoc23_")
            for name in ("scanf", "fscanf", "vscanf", "vfscanf")]  # fmt: skip
CHARACTERS = ["getchar", "getc", "fgetc", "getchar_unlocked", "getc_unlocked", "fgetc_unlocked", "ungetc"]
LINES = ["gets", "fgets", "fgets_unlocked", "getline", "getdelim"]
BYTES = ["fread", "fread_unlocked", "read"]
OPENING = ["fopen", "fopen64", "freopen", "freopen64", "open", "open64"]
WRAPPED = (*SCANNING, *CHARACTERS, *LINES, *BYTES, *OPENING, "getenv")
FEATURE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(_\w*SOURCE|_FILE_OFFSET_BITS)\b[ \t]*(\w*)", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_]\w*")
TAKEN = re.compile(r"(\w+\s*(?:\[[^=]*\])?)\s*=\s*(?:\(\s*\w+\s*\))?\s*f?getc(?:har)?(?:_unlocked)?\s*\(")
BRACKETS = re.compile(r"\[[^][]*\]")


class Recordable(Protocol):
    """A program that can be built with the recording functions."""

    @property
    def program_text(self) -> bytes: ...
    def build(self, extra: tuple[str, ...]) -> Path: ...
    def start(self, extra: tuple[str, ...], limits: Limits | None = None) -> Worker: ...


class CReader:
    """Built when first asked."""

    def __init__(self, subject: Recordable, sandbox: Sandbox, limits: Limits = LIMITS) -> None:
        self._subject, self._sandbox, self._limits = subject, sandbox, limits
        self._functions = Functions()
        self._built = False
        self._recording: Recording | None = None

    def record(self, inputs: Sequence[bytes]) -> list[Trace]:
        """A trace for each input; none at all where the program cannot be built in this way."""
        return [trace for _, trace in self.run(inputs)]

    def run(self, inputs: Sequence[bytes]) -> list[tuple[Outcome, Trace]]:
        """What the program did while it was recorded, too."""
        if not self._built:
            self._built = True
            self._build()
        if self._recording is None:
            return []
        outcomes = self._recording.run(inputs)
        return [(outcome, self._trace(data, outcome)) for data, outcome in zip(inputs, outcomes, strict=True)]

    def close(self) -> None:
        if self._recording is not None:
            self._recording.close()
            self._recording = None

    def _build(self) -> None:
        # A program may have functions of its own by the names that our header gives arguments to.
        for named in (2, 1, 0):
            try:
                flags = self._flags(named)
                self._recording = Recording(partial(self._subject.start, flags), self._limits)
            except BuildError:
                continue
            self._functions = functions_of(self._subject.build(flags).read_bytes())
            return

    def _flags(self, named: int) -> tuple[str, ...]:
        """Unoptimised, so that every call in the source is one call in the binary and has a frame."""
        recorder = build_c(RECORDER.read_bytes(), RUNTIME, RECORDER.name, OBJECT, self._sandbox)
        flags = ["-O0", "-fno-omit-frame-pointer", "-fno-lto", "-fno-sanitize=all", "-w"]
        if named:
            # The header comes before the program says which features it wants.
            for name, value in dict(FEATURE.findall(self._subject.program_text)).items():
                flags.append(f"-D{name.decode()}={value.decode()}")
            header = HEADER.read_bytes()  # a build is known by its words alone
            flags += ["-include", str(HEADER), f"-DREADS_NAMED={named}", f"-DREADS_H=h{digest(header)}"]
        return (*flags, str(recorder), "-Wl," + ",".join(f"--wrap={name}" for name in WRAPPED))

    @cached_property
    def _arguments(self) -> bool:
        return takes_arguments(self._subject.program_text)

    def _trace(self, data: bytes, outcome: Outcome) -> Trace:
        return replace(recorded(data, outcome, self._site), arguments=self._arguments)

    def _site(self, text: str, files: list[str]) -> Read:
        head, _, arguments = text.partition("|")
        kind, width, skips, conversion, source, argument, frames, until = head.split(" ")
        return Read(
            f"{self._calls(frames)}.{conversion}",
            KINDS[kind],
            0,
            0,
            self._assigned(arguments[1:]) if arguments[:1] == "@" else variable(arguments, int(argument)),
            width=int(width) or None,
            skips=skips == "1",
            until=chr(int(until)) if until != "0" else "",
            file=files[int(source)],
        )

    def _assigned(self, line: str) -> str:
        """The variable that takes a character in a line of the source, where just one does."""
        text = self._subject.program_text
        targets = []
        for content in [part.content(text) for part in parts(text)] or [text]:
            lines = content.decode("latin-1").split("\n")
            targets += TAKEN.findall("".join(lines[int(line) - 1 : int(line)]))
        found = {BRACKETS.sub("", target).strip() for target in targets}
        return found.pop() if len(found) == 1 else ""

    def _calls(self, frames: str) -> str:
        """Where the read is, and by which calls it was reached; what recursion adds is left out."""
        calls = [self._functions.at(int(frame, 16)) for frame in frames.split(",") if frame]
        kept: list[tuple[str, int]] = []
        while calls:
            kept.append(calls[0])
            again = [i for i, (name, _) in enumerate(calls) if name and name == calls[0][0]]
            calls = calls[max(again, default=0) + 1 :]
        return "<".join(f"{name}+{offset:x}" for name, offset in kept)


def variable(arguments: str, number: int) -> str:
    """The variable that an argument of a call points into: `&n` → n, `a + i` → a, `&p[i].x` → x."""
    parts = split_arguments(arguments)
    if not 0 <= number < len(parts):
        return ""
    text, shorter = parts[number], ""
    while text != shorter:
        text, shorter = BRACKETS.sub("", text), text
    found = NAME.findall(re.split(r"\+|-(?!>)", text)[0])
    return found[-1] if found else ""


def split_arguments(text: str) -> list[str]:
    """Arguments as they stand between the parentheses of a call, cut at the commas between them."""
    parts, depth, quote, start, i = [], 0, "", 0, 0
    while i < len(text):
        c = text[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = ""
        elif c in "\"'":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and not depth:
            parts.append(text[start:i])
            start = i + 1
        i += 1
    return [*parts, text[start:]]


def takes_arguments(source: bytes) -> bool:
    """Whether main() uses its second parameter. (The first may well serve as some other variable.)"""
    for function in functions(parse(source)):
        declarator = function.of("declarator")
        if source[(named := declarator.of("declarator")).start : named.end] != b"main":
            continue
        parameters = declarator.of("parameters").inner()[1:]
        used = names(source, function.of("body"))
        return any(names(source, parameter) & used for parameter in parameters)
    return False


def names(source: bytes, node: Node) -> set[bytes]:
    return {source[one.start : one.end] for one in node.walk() if one.type == "identifier"}

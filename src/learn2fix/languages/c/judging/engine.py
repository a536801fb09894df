"""The engine: a C program that runs meta-programs, built on first use, spoken to in frames over pipes."""

from __future__ import annotations

import math
import os
import struct
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from learn2fix.errors import BuildError
from learn2fix.languages.c.judging.compiling import LIBRARY, Late, compile_c, run_compiler, write_units
from learn2fix.languages.c.judging.foreign import LIBRARIES, STATIC, Foreign
from learn2fix.languages.c.layout import translation_units
from learn2fix.languages.evaluator import Fed
from learn2fix.model import OUTPUT_ONLY, Counted, Ending, Outcome, digest
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings
from learn2fix.sandbox.build import cache_folder, compiler, trusted
from learn2fix.sandbox.link import Link, Lost

LOAD, RUN, ALONE, SURROUND = 1, 2, 3, 4
ENDINGS = (
    Ending.EXITED, Ending.SIGNALLED, Ending.TIMEOUT, Ending.MEMORY, Ending.FLOOD, Ending.NOT_COMPILED,
)  # fmt: skip
HEADERS = ("/usr/include", "/usr/lib/tcc", "/usr/lib/x86_64-linux-gnu/tcc", "/usr/local/lib/tcc")
# The engine sets limits of its own for what it runs; these are for the engine with its reserved memory.
LIMITS = Limits(seconds=1e9, memory=0, processes=64, file_size=1 << 30)
UNDECIDED = 0xFFFFFFFF
OBJECT = b"\1"
"""What the path of an object begins with where a translation unit could stand."""
RENAMED = (
    "main",
    "exit",
    "_exit",
    "atexit",
    "abort",
    "gets",
    "fclose",
    "setbuf",
    "setvbuf",
    "sleep",
    "getenv",
    "fopen",
    "freopen",
)
# A program that does this does not compile here: several candidates share its process and its files.
REFUSED = (
    *("fork", "vfork", "clone", "system", "popen", "execv", "execve", "execl", "execlp", "execvp"),
    *("kill", "raise", "signal", "sigaction", "alarm", "setitimer", "pthread_create", "socket"),
    *("open", "creat", "dup", "dup2", "close", "fcntl", "read", "write", "writev"),
    *("ftruncate", "syscall", "setsid", "prctl"),
)
PATTERN = "-ftrivial-auto-var-init=pattern"
"""With this in the command the stack is not clean when it is zero."""
LARGEST_ANSWER = 1 << 28
"""Bytes: outcomes of many candidates are few distinct ones of at most a megabyte each."""
GRACE = 1.0
"""Seconds after which an engine that was to end a run by itself is ended."""
REPLY = struct.Struct("=dII")
OUTCOME = struct.Struct("=iiI")
RESULT = struct.Struct("=IIqIIIId")


class EngineError(Exception):
    """The engine died or could not be built; the caller falls back."""


def refusal(sandbox: Sandbox, command: Sequence[str], source: bytes, trouble: str) -> Exception:
    """Is the program wrong, or only not for us?"""
    with tempfile.TemporaryDirectory(prefix="learn2fix-check-") as folder:
        words = compile_c(sandbox, command, source, Path(folder) / "program")
    if words is not None:
        return BuildError("the program does not compile", words)
    return EngineError(f"the program does not compile in the engine: {trouble}")


def _nonsense() -> EngineError:
    return EngineError("the engine's answer makes no sense")


@cache
def engine_program() -> Path | None:
    """The engine with libtcc in it, built if need be; None where it cannot be built."""
    words = [f'-DL2F_HEADERS="{found}"'] if (found := _compilers_headers()) else []
    return _built("engine", (*words, *STATIC), LIBRARIES) or _built("engine-dynamic", words, LIBRARIES)


def _compilers_headers() -> str | None:
    """Where the compiler keeps its own headers; libtcc is often installed without such."""
    cc = compiler()
    if cc is None:
        return None
    done = subprocess.run([cc, "-print-file-name=include"], capture_output=True, text=True, check=False)
    found = done.stdout.strip()
    return found if os.path.isabs(found) else None


@cache
def engine_object() -> Path | None:
    """The engine to be linked with programs that the user's compiler compiles."""
    return _built("engine.o", ("-c", "-DL2F_LINKED"), ())


@cache
def engine_beside() -> Path | None:
    """The engine with libtcc, to be linked with objects and libraries of the user's build."""
    words = [f'-DL2F_HEADERS="{found}"'] if (found := _compilers_headers()) else []
    return _built("engine-beside.o", ("-c", *words), ())


def _built(name: str, options: Sequence[str], libraries: Sequence[str]) -> Path | None:
    sources = {part.name: part.read_bytes() for part in files(__package__).joinpath("runtime").iterdir()}
    key = digest(*(sources[part] for part in sorted(sources)), os.uname().machine, length=16)
    folder = cache_folder() or Path(tempfile.mkdtemp(prefix="learn2fix-engine-"))
    target = folder / f"{key}-{name}"
    cc = compiler()
    if trusted(target) or cc is None:
        return target if trusted(target) else None
    with tempfile.TemporaryDirectory(dir=folder, prefix="build-") as work:
        for part, text in sources.items():
            (Path(work) / part).write_bytes(text)
        command = [cc, "-O2", "-w", *options, "-o", name, "engine.c", *libraries]
        done = subprocess.run(command, cwd=work, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode != 0:
            return None
        built = Path(work) / name
        built.chmod(0o755)
        built.replace(target)
    return target


@dataclass(frozen=True, slots=True)
class Run:
    """What one input did to many candidates."""

    late: bool
    executions: int
    steps: int
    """Of the original; more than it was given when it was cut short."""
    seconds: float
    """CPU time of all."""
    root: Outcome | None
    """What the original did, unless its run was cut short."""
    outcomes: list[Outcome]
    ended: array[int]
    """For each candidate asked about the index of its outcome, or UNDECIDED."""
    earlier: array[int]
    """The counters of the original up to half of its steps."""
    later: array[int]
    """… and since."""


LOST = Run(False, 1, 0, 0.0, None, [], array("I"), array("L"), array("L"))
"""A run that took the engine down with it."""


class Engine:
    """One engine process, shut in."""

    unit = 20_000
    """Candidates that one meta-program holds: memory stays bounded."""
    lists_all_errors = False

    def __init__(
        self,
        sandbox: Sandbox,
        program: Path,
        around: Surroundings = NO_SURROUNDINGS,
        foreign: Foreign | None = None,
    ) -> None:
        """`foreign`: the units that are linked as objects."""
        self.cpu_seconds = 0.0
        """Used so far by the engine and all that it ran."""
        self._counted, self._around = sandbox.counted, around
        self._units, self._objects = (foreign.units, foreign.files) if foreign else (frozenset(), ())
        self._command: tuple[str, ...] = foreign.command if foreign else ()
        self._connect(sandbox, program)

    def _connect(self, sandbox: Sandbox, program: Path) -> None:
        readable = [program, *self._objects, *(Path(folder) for folder in HEADERS if os.path.isdir(folder))]
        argv = [str(program), *(["stderr"] if self._counted.stderr else [])]
        argv += ["pattern"] if PATTERN in self._command else []
        self._link: Link | None = sandbox.connect(argv, readable=readable, limits=LIMITS)
        if self._around != NO_SURROUNDINGS:
            self._link.send(_frame(SURROUND, _surroundings(self._around)))

    def load(
        self, tables: bytes, text: bytes, options: bytes = b"", lines: int = 0, left: float = math.inf
    ) -> str:
        """Compile a meta-program; the compiler's words when it refuses. Raises Late after `left` seconds."""
        payload = (
            struct.pack("=I", lines)
            + tables
            + struct.pack("=I", len(options))
            + options
            + b"\0"
            + self._written(text)
        )
        return self._ask(LOAD, payload, left).decode("utf-8", "replace")

    def run(self, alive: array[int], given: Fed, steps: int, guard: float, left: float = math.inf) -> Run:
        """`guard`: CPU seconds of a process, for what takes no steps. Cut short after `left` seconds."""
        payload = struct.pack("=qddI", steps, guard, _timer(left), len(alive)) + alive.tobytes()
        data = self._ask(RUN, payload + _fed(given), left + GRACE)
        with self._believing():
            return read_run(data, len(alive), self._counted)

    def alone(
        self,
        text: bytes,
        inputs: Sequence[tuple[int, Fed]],
        guard: float,
        options: bytes = b"",
        left: float = math.inf,
    ) -> list[Outcome]:
        """Compile one program and run it on each (steps, input); a single NOT_COMPILED when it does not.

        Outcomes are missing at the end where the program destroyed the records. Raises Late.
        """
        payload = struct.pack("=ddI", guard, _timer(left), len(inputs))
        payload += b"".join(struct.pack("=q", steps) + _fed(given) for steps, given in inputs)
        payload += struct.pack("=I", len(options)) + options + b"\0" + self._written(text)
        data = self._ask(ALONE, payload, left + GRACE)
        if data[:4] != bytes(4):
            raise Late
        with self._believing():
            return read_outcomes(data, len(inputs), self._counted)

    def _written(self, text: bytes) -> bytes:
        """The translation units of a text, each with its end; an empty one ends them. Objects follow."""
        written = b"".join(unit + b"\0" for unit in translation_units(text, self._units))
        return written + b"".join(OBJECT + os.fsencode(path) + b"\0" for path in self._objects)

    @contextmanager
    def _believing(self) -> Iterator[None]:
        """An engine that tells nonsense is not asked again."""
        try:
            yield
        except EngineError:
            self.close()
            raise

    @property
    def pid(self) -> int | None:
        """None when it was closed or lost."""
        return None if self._link is None else self._link.process.pid

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _ask(self, command: int, payload: bytes, left: float) -> bytes:
        """The engine's answer; the engine ends when it does not come in time."""
        if self._link is None:
            raise EngineError("the engine was closed")
        until = time.monotonic() + left
        try:
            self._link.send(_frame(command, payload))
            spent, size, _ = self._link.unpack(REPLY, until)
            if not (math.isfinite(spent) and spent >= 0 and size <= LARGEST_ANSWER):
                raise Lost("its answer makes no sense")
            self.cpu_seconds = spent
            return self._link.read(size, until)
        except Lost as lost:
            self.close()
            raise (
                Late if lost.late and left < math.inf else EngineError(f"the engine stopped: {lost}")
            ) from lost


class LinkedEngine(Engine):
    """The same engine without libtcc: the user's compiler compiles each meta-program. Slower to load."""

    unit = 2_000
    lists_all_errors = True

    def __init__(
        self, sandbox: Sandbox, command: Sequence[str], around: Surroundings = NO_SURROUNDINGS
    ) -> None:
        self.cpu_seconds = 0.0
        self._sandbox = sandbox
        self._counted, self._around = sandbox.counted, around
        self._command = tuple(command)
        self._units, self._objects = frozenset(), ()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._link = None

    def load(
        self, tables: bytes, text: bytes, options: bytes = b"", lines: int = 0, left: float = math.inf
    ) -> str:
        part = engine_object()
        if part is None:
            raise EngineError("the engine cannot be built")
        self.close()
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-linked-")
        folder = Path(self._folder.name)
        sources = write_units(text, folder, "meta")
        libraries = [flag for flag in self._command[1:] if LIBRARY.match(flag)]
        flags = [flag for flag in self._command[1:] if not LIBRARY.match(flag) and not flag.startswith("-O")]
        renamed = [f"-D{name}=l2f_{name}" for name in RENAMED + REFUSED]
        argv = [
            self._command[0],
            *flags,
            "-O0",
            "-w",
            *renamed,
            "-o",
            "program",
            *sources,
            str(part),
            *libraries,
        ]
        outcome = run_compiler(self._sandbox, [*argv, "-lm"], folder, left)
        if outcome.ending is not Ending.EXITED or outcome.status:
            return outcome.stderr.decode("utf-8", "replace") or "the compiler failed"
        self._connect(self._sandbox, folder / "program")
        self._ask(LOAD, struct.pack("=I", lines) + tables, left)
        return ""

    def close(self) -> None:
        super().close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _frame(command: int, payload: bytes) -> bytes:
    return struct.pack("=II", command, len(payload)) + payload


def _fed(given: Fed) -> bytes:
    """Counts and sizes, the arguments, each with its end, and the data."""
    words = b"".join(os.fsencode(word) + b"\0" for word in given.arguments)
    return struct.pack("=III", len(given.arguments), len(given.data), len(words)) + words + given.data


def _surroundings(around: Surroundings) -> bytes:
    parts = [os.fsencode(around.input_file), b"\0", struct.pack("=I", len(around.files))]
    for name, content in around.files:
        parts += [os.fsencode(name), b"\0", struct.pack("=I", len(content)), content]
    parts.append(struct.pack("=I", len(around.variables)))
    return b"".join([*parts, *(os.fsencode(f"{name}={value}") + b"\0" for name, value in around.variables)])


def read_run(data: bytes, asked: int, counted: Counted = OUTPUT_ONLY) -> Run:
    """Parses an answer to RUN about `asked` candidates. Untrusted code may have forged it: EngineError."""
    if len(data) < RESULT.size:
        raise _nonsense()
    late, executions, used, count, lines, root, _, seconds = RESULT.unpack_from(data)
    position, outcomes = RESULT.size, []
    if count > len(data) // OUTCOME.size:
        raise _nonsense()
    for _ in range(count):
        outcome, position = _outcome(data, position, counted)
        position += -position % 4
        outcomes.append(outcome)
    if (
        len(data) < position + 4 * asked + 8 * lines
        or not math.isfinite(seconds)
        or (root != UNDECIDED and root >= count)
    ):
        raise _nonsense()
    ended = array("I", data[position : position + 4 * asked])
    if any(each >= count and each != UNDECIDED for each in set(ended)):
        raise _nonsense()
    position += 4 * asked
    counts = array("L", data[position : position + 8 * lines])
    earlier, later = counts[: lines // 2], counts[lines // 2 :]
    first = outcomes[root] if root != UNDECIDED else None
    return Run(
        bool(late), executions, max(0, used), max(0.0, seconds), first, outcomes, ended, earlier, later
    )


def read_outcomes(data: bytes, asked: int, counted: Counted = OUTPUT_ONLY) -> list[Outcome]:
    """An answer to ALONE: at most as many outcomes as there were inputs, or why there are none."""
    position, outcomes = 4, list[Outcome]()
    while position < len(data) and len(outcomes) < max(1, asked):
        outcome, position = _outcome(data, position, counted)
        outcomes.append(outcome)
    return outcomes


def _outcome(data: bytes, position: int, counted: Counted = OUTPUT_ONLY) -> tuple[Outcome, int]:
    if position + OUTCOME.size > len(data):
        raise _nonsense()
    kind, status, length = OUTCOME.unpack_from(data, position)
    position += OUTCOME.size
    if not 0 <= kind < len(ENDINGS) or position + length > len(data):
        raise _nonsense()
    body = data[position : position + length]
    if ENDINGS[kind] is Ending.NOT_COMPILED:
        return Outcome(Ending.NOT_COMPILED, detail=body.decode("utf-8", "replace")), position + length
    stderr = b""
    if counted.stderr and ENDINGS[kind] is Ending.EXITED and length >= 4:
        printed = max(0, length - 4 - int.from_bytes(body[-4:], sys.byteorder))
        body, stderr = body[:printed], body[printed:-4]
    return Outcome(ENDINGS[kind], body, status, stderr=stderr, counted=counted), position + length


def _timer(left: float) -> float:
    """As the engine takes it: 0 for none."""
    return 0.0 if math.isinf(left) else max(left, 1e-3)

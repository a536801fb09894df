"""The sandbox: composes limits, layers and the runner, and hands out workers."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from learn2fix.errors import IsolationError
from learn2fix.model import OUTPUT_ONLY, Counted, Outcome
from learn2fix.sandbox import build, interpreters, layers, observe
from learn2fix.sandbox.frames import receive
from learn2fix.sandbox.imports import imports
from learn2fix.sandbox.link import Link, Lost
from learn2fix.sandbox.place import INSIDE, Place, lend
from learn2fix.sandbox.processes import START_SECONDS
from learn2fix.sandbox.values import (
    COMPILER_LIMITS,
    DEFAULT_LIMITS,
    NO_SURROUNDINGS,
    Limits,
    Program,
    Surroundings,
)
from learn2fix.sandbox.worker import MANY, MANY_CALLS, Connection, Worker
from learn2fix.sandbox.workshop import Workshop


class Sandbox:
    """Runs untrusted programs. Everything that it started ends with it."""

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        *,
        isolation: str | None = None,
        jobs: int = 1,
        counted: Counted = OUTPUT_ONLY,
    ) -> None:
        """`jobs`: maximum number of copies of a program. `counted`: what outcomes are compared by."""
        self.limits = limits
        self.jobs = jobs
        self.counted = counted
        self._layers = layers.parse(observe.strongest().isolation if isolation is None else isolation)
        self.isolation = layers.join(self._layers)
        self._open: dict[int, Callable[[], None]] = {}
        self._count = 0
        # Someone who forgets to close leaves no processes and no folders behind either.
        self._finalizer = weakref.finalize(self, end_all, self._open)

    def run(
        self,
        program: Program,
        stdin: bytes = b"",
        args: tuple[str, ...] = (),
        limits: Limits | None = None,
    ) -> Outcome:
        """One execution in a sandbox of its own: the reference."""
        with self._start(program, limits, 0, jobs=1) as worker:
            return worker.run(stdin, args)

    def start(self, program: Program, limits: Limits | None = None) -> Worker:
        """A runner inside one sandbox that executes the program for each input."""
        return self._start(program, limits, layers.FORK_SERVER if program.fork_server else 0, self.jobs)

    def python(
        self,
        source: Path,
        function: str | None,
        limits: Limits | None = None,
        interpreter: str = sys.executable,
        readable: Sequence[Path] = (),
        around: Surroundings = NO_SURROUNDINGS,
        origin: Path | None = None,
    ) -> Worker:
        """A warm interpreter that forks for each input: calls `function`, or runs a script when None.

        `origin`: the user's file that `source` is a copy of, and beside which its modules are.
        """
        chosen = limits or self.limits
        python = interpreters.interpreter(interpreter)
        source = source.absolute()
        needs = imports(source, None if origin is None else origin.absolute())
        numbers = [repr(chosen.seconds), str(chosen.output), str(chosen.memory)]
        argv = [python.executable, "-s", str(INSIDE / "warm.py"), str(source), function or "", *numbers]
        env = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        env["LD_BIND_NOW"] = "1"  # linked once, not in every child; the program does not see it

        def prepare(place: Place) -> Callable[[], Link]:
            path = place.gather((source, *needs.beside))
            seen = (INSIDE, path, source, *needs.beside, *python.readable, *readable)
            command = (*argv, str(path), *needs.elsewhere)

            def connect() -> Link:
                if build.runner() is not None:
                    return Link(place.python(command, seen, chosen, env, function is None, around))
                link = Link(place.launch(command, seen, chosen, env, around=around))
                try:
                    receive(link, START_SECONDS)
                except Lost:
                    link.close()
                    raise IsolationError(f"{python.executable} does not start in the sandbox") from None
                return link

            return connect

        return self._worker(lambda: Place(self._layers), prepare, chosen, self.jobs, MANY_CALLS)

    def compile(self, argv: Sequence[str], *, cwd: Path, limits: Limits | None = None) -> Outcome:
        """A compiler or a build command, on a copy of `cwd`; what it made is then in `cwd`."""
        with self.workshop() as workshop:
            workshop.take(cwd)
            outcome = workshop.run(argv, limits or COMPILER_LIMITS)
            workshop.give(cwd)
            return outcome

    def workshop(self) -> Workshop:
        """A folder for compilers and build commands, until it is closed."""
        shop = Workshop(Place(self._layers), lambda: forget())
        forget = self._keep(shop.close)
        return shop

    def connect(
        self,
        argv: Sequence[str],
        *,
        readable: Sequence[Path] = (),
        limits: Limits,
        env: dict[str, str] | None = None,
    ) -> Link:
        """A long-lived process of ours inside the sandbox, with pipes; its children are shut in with it."""
        place = Place(self._layers)

        def release() -> None:
            forget()
            place.remove()

        try:
            process = place.launch(tuple(argv), tuple(readable), limits, env, flags=layers.ALLOW_MEMFD)
        except BaseException:
            place.remove()
            raise
        link = Link(process, release)
        forget = self._keep(link.close)
        return link

    def lend(self, path: Path, target: Path) -> None:
        """Makes a path of ours appear at `target`, in a folder that a program may read."""
        lend(self._layers, path, target)

    @property
    def warning(self) -> str:
        """What a hostile program could do here, in a sentence; empty where every attack was stopped."""
        return observe.warning(self._seen())

    def require_isolation(self) -> None:
        """Refuses an isolation under which an attack was seen to reach its target."""
        seen = self._seen()
        if seen.allowed:
            could = ", ".join(observe.ATTACKS[attack] for attack in seen.allowed)
            raise IsolationError(
                f"under {self.isolation} a program could {could}",
                "see learn2fix doctor, or leave out --require-isolation",
            )

    def _seen(self) -> observe.Observed:
        seen = observe.strongest()
        return seen if seen.isolation == self.isolation else observe.observe(self._layers)

    def close(self) -> None:
        end_all(self._open)

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
        things = self._open  # and not self, who could then never be collected
        return lambda: (things.pop(key, None), None)[1]

    def _start(self, program: Program, limits: Limits | None, flags: int, jobs: int) -> Worker:
        # A program that may be a fork server always has the library: see runner.c.
        library = build.fork_library() if program.fork_server and build.runner() is not None else None
        if library is None:
            flags = 0
        flags |= layers.BIG_MAP_KILLS
        return self._serve(
            program.argv,
            program.readable,
            limits or self.limits,
            flags,
            jobs,
            library=library,
            around=program.around,
        )

    def _serve(
        self,
        argv: tuple[str, ...],
        readable: tuple[Path, ...],
        limits: Limits,
        flags: int,
        jobs: int,
        library: Path | None = None,
        around: Surroundings = NO_SURROUNDINGS,
    ) -> Worker:
        def prepare(place: Place) -> Callable[[], Link]:
            return lambda: Link(place.serve(argv, readable, limits, flags, library=library, around=around))

        return self._worker(lambda: Place(self._layers), prepare, limits, jobs)

    def _worker(
        self,
        new_place: Callable[[], Place],
        prepare: Callable[[Place], Callable[[], Link]],
        limits: Limits,
        jobs: int,
        many: int = MANY,
    ) -> Worker:
        """`prepare` furnishes a place and says how to start the program there."""
        keep = self._keep

        def connection() -> Connection:
            place = new_place()

            def release() -> None:
                forget()
                place.remove()

            made = Connection(prepare(place), release)
            forget = keep(made.close)
            return made

        return Worker(connection(), limits, self, connection, jobs, many, self.counted)


def end_all(open_things: dict[int, Callable[[], None]]) -> None:
    while open_things:
        _, end = open_things.popitem()
        end()

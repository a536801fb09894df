"""Runs inside the sandbox: executes candidates of a Python program, many a second.

    worker.py INSIDE NAME FUNCTION OUTPUT MEMORY BROADCAST PATH [MODULE ...]

INSIDE is the folder of our own helpers, NAME the user's file, PATH holds what lies beside it. Requests come
as marshalled tuples with their length before them, from the host alone; results go out as records of a kind
and a text. The process that reads requests never executes the user's code: it forks.

What cannot leave a trace (purity.py) runs in one child after the other, each with a fresh module; a child
that hangs or dies is replaced, and only what it was doing is blamed. So does what only works with modules of
others, under a guard (sandbox/inside/guard.py): what it stops, and all else, gets a child of its own.
"""

from __future__ import annotations

import gc
import io
import marshal
import mmap
import os
import struct
import sys
from itertools import chain, count, repeat
from operator import length_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from learn2fix.sandbox.inside import calling, guard, supervise
    from learn2fix.sandbox.inside import steps as steps_of

    Job = tuple[int, list[tuple[int, int]], bytes, int, int, tuple[str, ...]]
    # Program, switches that are on, input, most steps, most frames, arguments.
else:
    import _signal

    sys.path.insert(0, sys.argv[1])
    import calling
    import guard
    import steps as steps_of
    import supervise

    # The user's code must not find our folders or our names.
    del sys.path[:2], sys.modules["supervise"], sys.modules["calling"]
    del sys.modules["guard"], sys.modules["steps"]

RETURNED, RAISED, TIMEOUT, MEMORY, FLOOD, SIGNALLED, NOT_STARTED, EXITED, STOPPED = b"=!TMFS?XA"
RECORD = struct.Struct("<BII")
IN_ONE_CHILD = 2000
"""Jobs that one child does before a fresh one takes over."""
SECONDS, SECONDS_A_STEP = 1.0, 5e-6
"""CPU seconds more than any job within its step limit needs: stops code that counts no steps."""


class Flooded(BaseException):
    """More was printed than is kept."""


class Printed:
    """A stand-in for stdout that keeps what fits."""

    encoding, errors, closed = "utf-8", "strict", False

    def __init__(self, room: int, keep: bool) -> None:
        self.parts: list[str] = []
        self._room, self._keep = room, keep

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        self._room -= len(text)
        if self._keep:
            self.parts.append(text)
        if self._room < 0:
            raise Flooded
        return len(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise OSError("no file behind this stream")


class Runner:
    """Executes one program with some switches on, on one input."""

    def __init__(self, name: str, function: str, output: int) -> None:
        self.name, self.output = name, output
        self.function, *self.keep = function.split() or [""]
        self.module = os.path.splitext(os.path.basename(name))[0] or "module"
        self.codes: dict[int, tuple[CodeType, dict[str, Any], int]] = {}
        self.sizes = steps_of.Sizes()
        self.calls: dict[bytes, calling.Request] = {}
        self.limit = sys.getrecursionlimit()
        self.nothing = open(os.devnull)  # noqa: SIM115
        self.digits = getattr(sys, "set_int_max_str_digits", lambda most: None)
        self.files: tuple[tuple[str, bytes], ...] = ()
        self.input_file = ""
        self.most_digits = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else 0

    def load(self, number: int, code: CodeType | str, switches: int, visits: int) -> None:
        template: dict[str, Any] = {"__file__": self.name, **{f"_l2f_{n}": False for n in range(switches)}}
        template["_l2f_multiply"], template["_l2f_power"] = self.sizes.multiply, self.sizes.power
        template["_l2f_shift"], template["_l2f_weigh"] = self.sizes.shift, self.sizes.weigh
        code = compile(code, self.name, "exec", dont_inherit=True) if isinstance(code, str) else code
        self.codes[number] = (code, template, visits)

    def run(self, job: Job, real: bool = False) -> tuple[int, bytes, int]:
        """(kind, text, steps taken). Always comes back, unless the process ends or hangs in C.

        Where a program counts its statements, how often each ran comes before the text, on a line of its own.
        `real`: a script reads and writes the files 0 and 1 themselves.
        """
        number, switches, text, steps, depth, words = job
        text = self.put_files(text)
        code, template, visits = self.codes[number]
        module = type(sys)("__main__" if not self.function else self.module)
        space = module.__dict__
        space.update(template, _l2f_module=module)
        for switch, value in switches:
            space[f"_l2f_{switch}"] = value
        counts = [count() for _ in range(visits)]
        for place, counter in enumerate(counts):
            space[f"_l2f_visit_{place}"] = counter.__next__
        # What recurses for ever meets Python's own limit first, and that is its answer.
        others = steps + 2 * self.limit
        left = repeat(None, others)
        space["_l2f_tick"] = chain(left, steps_of.Boom()).__next__
        self.sizes.begin(left)
        whiles = steps_of.Whiles(space, "_l2f_while", steps, left, bool(self.function))
        sys.modules[module.__name__] = module
        if depth:
            sys.setrecursionlimit(depth)
        sys.argv = [self.name, *words]
        sys.stderr = Printed(self.output, False)
        try:
            if self.function:
                kind, shown = self._call(code, space, text)
            else:
                kind, shown = self._script(code, space, text, real)
        except steps_of.Exhausted:
            kind, shown = TIMEOUT, b""
        except MemoryError:
            kind, shown = MEMORY, b""
        except Flooded:
            kind, shown = FLOOD, b""
        except BaseException as error:
            kind, shown = RAISED, supervise.describe(error)
        finally:
            sys.setrecursionlimit(self.limit)
            self.digits(self.most_digits)
        rest = length_hint(left)
        if rest == 0 or whiles.ended or self.sizes.ended:
            # Even when the program caught the exception: it ran longer than it may.
            kind, shown = TIMEOUT, b""
        if len(shown) > self.output:
            kind, shown = FLOOD, b""
        if visits:
            shown = ",".join(str(next(counter)) for counter in counts).encode() + b"\n" + shown
        return kind, shown, others - rest + whiles.taken()

    def surround(self, files: tuple[tuple[str, bytes], ...], input_file: str) -> None:
        self.files, self.input_file = files, input_file

    def put_files(self, text: bytes) -> bytes:
        """Every run finds its files as they were given; what is left of the input for standard input."""
        varied = ((self.input_file, text),) if self.input_file else ()
        for name, content in (*self.files, *varied):
            with open(name, "wb") as file:
                file.write(content)
        return b"" if self.input_file else text

    def _call(self, code: CodeType, space: dict[str, Any], text: bytes) -> tuple[int, bytes]:
        request = self.calls.get(text)
        if request is None:
            try:
                request = calling.read(text.decode("utf-8", "surrogatepass"), self.function)
            except (calling.NotLiteral, UnicodeDecodeError) as error:
                return NOT_STARTED, str(error).encode("utf-8", "replace")
            self.calls[text] = request
        # Arguments are made anew for each call: what a candidate does to them is its own business.
        sys.stdout = out = Printed(self.output, True)
        sys.stdin = self.nothing
        exec(code, space)
        out.parts.clear()
        try:
            shown = calling.perform(request, space, self.function, self.keep, lambda: "".join(out.parts))
        except calling.NotLiteral as error:
            return NOT_STARTED, str(error).encode()
        return RETURNED, shown.encode("utf-8", "surrogatepass")

    def _script(self, code: CodeType, space: dict[str, Any], text: bytes, real: bool) -> tuple[int, bytes]:
        out = Printed(self.output, True)
        if real:
            sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8", "surrogateescape")
            sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", "surrogateescape")
        else:
            sys.stdin, sys.stdout = read_from(text), out
        status = 0
        try:
            exec(code, space)
        except SystemExit as stop:
            # As the interpreter has it: a message instead of a number is a failure.
            status = (stop.code or 0) & 255 if stop.code is None or isinstance(stop.code, int) else 1
        finally:
            if real:
                finish()
        return EXITED, bytes([status]) + "".join(out.parts).encode("utf-8", "surrogateescape")


def read_from(data: bytes) -> Any:
    """A stand-in for stdin."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")


def finish() -> None:
    """What the interpreter does at its end: threads, exit functions, buffers."""
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()
    import atexit

    atexit._run_exitfuncs()
    sys.stdout.flush()


def longest(job: Job) -> float:
    """Seconds of work after which a job hangs in something that counts no steps."""
    return SECONDS + job[3] * SECONDS_A_STEP


class Server:
    """Requests in, records out."""

    def __init__(self, runner: Runner, memory: int, broadcast: bool, results: int) -> None:
        self.runner, self.memory, self.broadcast = runner, memory, broadcast
        self.results = results
        self.reached = 0
        self.progress = mmap.mmap(-1, 8)
        """Which job a child is at; written by the child, read here when it hangs or dies."""

    def record(self, kind: int, text: bytes, steps: int = 0) -> None:
        supervise.write_full(self.results, RECORD.pack(kind, len(text), min(steps, 0xFFFFFFFF)) + text)

    def together(self, jobs: list[Job], guarded: bool = False) -> None:
        """One child does many jobs, each in a module of its own."""
        done = 0
        while done < len(jobs):
            last = min(done + IN_ONE_CHILD, len(jobs))
            struct.pack_into("<q", self.progress, 0, done)
            self.reached = done
            _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
            pid = os.fork()
            if pid == 0:
                self._many(jobs, done, last, guard.Guard() if guarded else None)
            done = self._watch(pid, jobs, last)

    def _many(self, jobs: list[Job], first: int, last: int, watched: guard.Guard | None) -> None:
        try:
            os.setpgid(0, 0)
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])
            run, pack, write = self.runner.run, RECORD.pack, os.write
            for number in range(first, last):
                if watched is not None:
                    watched.begin()
                kind, shown, taken = run(jobs[number])
                if watched is not None and watched.stopped:
                    kind, shown = STOPPED, watched.stopped.encode("utf-8", "replace")[: self.runner.output]
                data = pack(kind, len(shown), min(taken, 0xFFFFFFFF)) + shown
                if write(self.results, data) < len(data):
                    os._exit(70)
                struct.pack_into("<q", self.progress, 0, number + 1)
            os._exit(0)
        finally:
            os._exit(71)

    def _at(self, last: int) -> int:
        """The child says it, whatever it executes: never less than before, nor more than there is."""
        self.reached = min(max(self.reached, struct.unpack_from("<q", self.progress, 0)[0]), last)
        return self.reached

    def _watch(self, pid: int, jobs: list[Job], last: int) -> int:
        """Wait for a child; blame what it was doing when it hangs or dies. The next job to do."""
        at, patience = -1, supervise.Patience(pid, 0.0)
        while True:
            ended, status = os.waitpid(pid, os.WNOHANG)
            now = self._at(last)
            if ended:
                break
            if now != at and now < last:
                at = now
                patience.begin(longest(jobs[now]))
            elif patience.over():
                supervise.kill_group(pid)
                os.waitpid(pid, 0)
                now = self._at(last)
                if now < last:
                    self.record(TIMEOUT, b"")
                return now + 1
            _signal.sigtimedwait([_signal.SIGCHLD], supervise.SLICE)
        if now < last:
            if os.WIFSIGNALED(status):
                self.record(SIGNALLED, str(os.WTERMSIG(status)).encode())
            else:
                self.record(RAISED, b"os._exit: %d" % os.WEXITSTATUS(status))
            return now + 1
        return last

    def apart(self, job: Job) -> None:
        """A child of its own."""

        def child(in_fd: int, ends: list[int]) -> None:
            os.close(self.results)
            os.dup2(in_fd, 0)
            os.dup2(ends[0], 1)
            # Out of the way of code that closes or reuses low numbers; not inherited by what it starts.
            os.dup2(ends[1], 200, inheritable=False)
            os.closerange(3, 200)
            kind, shown, taken = self.runner.run(job, True)
            supervise.write_full(200, RECORD.pack(kind, len(shown), min(taken, 0xFFFFFFFF)) + shown)
            os._exit(0)

        room = self.runner.output + RECORD.size
        given = b"" if self.runner.function or self.runner.input_file else job[2]
        ended = supervise.run(child, 2, given, longest(job), room, self.memory, self.broadcast, work=True)
        printed, answer = ended.texts
        if ended.ending == supervise.EXITED and len(answer) >= RECORD.size:
            kind, length, taken = RECORD.unpack_from(answer)
            shown = answer[RECORD.size : RECORD.size + length]
            self.record(kind, shown + printed if kind == EXITED else shown, taken)
        elif ended.ending == supervise.EXITED and self.runner.function:
            self.record(RAISED, b"os._exit: %d" % ended.status)
        elif ended.ending == supervise.EXITED:
            self.record(EXITED, bytes([ended.status & 255]) + printed)
        elif ended.ending == supervise.TIMEOUT:
            self.record(TIMEOUT, b"")
        elif ended.ending == supervise.MEMORY:
            self.record(MEMORY, b"")
        elif ended.ending == supervise.FLOOD:
            self.record(FLOOD, b"")
        else:
            self.record(SIGNALLED, str(ended.status).encode())


def main() -> None:
    name, function = sys.argv[2:4]
    output, memory, broadcast = int(sys.argv[4]), int(sys.argv[5]), sys.argv[6] == "1"
    path, modules = sys.argv[7], sys.argv[8:]
    requests, results = supervise.quiet()
    sys.path.insert(0, path)
    for module in modules:
        try:
            __import__(module)
        except BaseException:
            continue  # the child meets the same error, where it belongs
    sys.argv = [name]
    runner = Runner(name, function, output)
    server = Server(runner, memory, broadcast, results)
    gc.collect()
    gc.freeze()
    server.record(EXITED, b"ready")
    actions: dict[str, Callable[..., None]] = {
        "load": lambda number, data, *sizes: runner.load(number, marshal.loads(data), *sizes),
        "surround": runner.surround,
        "together": server.together,
        "apart": server.apart,
    }
    while True:
        head = supervise.read_full(requests, 4)
        if head is None:
            return
        body = supervise.read_full(requests, struct.unpack("<I", head)[0])
        if body is None:
            return
        action, *arguments = marshal.loads(body)
        actions[action](*arguments)


if __name__ == "__main__":
    main()

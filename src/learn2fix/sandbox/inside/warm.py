"""A warm interpreter: compiles the user's source once and forks for each input.

The parent never executes the user's code. A child gets its own pipes and nothing else, so what it writes
can only spoil its own outcome.

    warm.py SOURCE FUNCTION SECONDS OUTPUT MEMORY PATH [MODULE ...]

FUNCTION is empty for a script; after its name come the places that are always told of (calling.py).
PATH holds what lies beside the source.
The C runner supervises the children (see forkserver.h); without one we do.
"""

from __future__ import annotations

import atexit
import gc
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any

    from learn2fix.sandbox.inside import calling, supervise
else:
    import calling
    import supervise

    # The user's code must not find our folder or our names.
    sys.path.pop(0)
    del sys.modules["supervise"], sys.modules["calling"]

RETURNED, RAISED, NO_MEMORY, NOT_STARTED = b"=", b"!", b"M", b"?"
SMALL = 4000
"""Bytes that an empty pipe takes in one go."""
CONTROL, ANSWER = 198, 200
"""Descriptors: where the runner sends orders, and where a child leaves its answer."""


def answer(kind: bytes, data: bytes) -> None:
    """The last thing that a child does."""
    if len(data) < SMALL:
        os.write(ANSWER, kind + data)
    else:
        supervise.write_full(ANSWER, kind + data)
    os._exit(0)


def new_module(name: str, source: str) -> ModuleType:
    module = type(sys)(name)
    module.__file__ = source
    sys.modules[name] = module
    return module


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105
            stream.flush()
        except BaseException:
            pass


def finish() -> None:
    """What the interpreter does at its end: threads, exit functions, buffers."""
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()
    atexit._run_exitfuncs()
    flush()


def run_script(code: CodeType, source: str, words: list[str]) -> None:
    sys.argv = [source, *words]
    module = new_module("__main__", source)
    try:
        exec(code, module.__dict__)
    except SystemExit as error:
        finish()
        if error.code is None or isinstance(error.code, int):
            os._exit((error.code or 0) & 255)
        os.write(2, str(error.code).encode("utf-8", "replace") + b"\n")
        os._exit(1)
    finish()
    os._exit(0)


class Printed:
    """Keeps what a function prints on its way to stdout, where it is limited."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.parts: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        self.parts.append(text)
        return int(self.stream.write(text))

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def text(self) -> str:
        return "".join(self.parts)


class Warm:
    """The compiled source, and what a child does with it."""

    def __init__(self, source: str, function: str) -> None:
        # What a child would have to work out is worked out here, once.
        self.source = source
        self.function, *self.keep = function.split() or [""]
        self.name = os.path.splitext(os.path.basename(source))[0] or "module"
        self.print_any_integer = getattr(sys, "set_int_max_str_digits", int)
        self.reseed: Callable[[], None] | None = None
        self.broken: Exception | None = None
        self.code: CodeType | None = None
        try:
            with open(source, "rb") as file:
                self.code = compile(file.read(), source, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
            self.broken = error

    def call(self, text: bytes) -> calling.Request:
        # The input is ours, so the parent reads it: what a child touches it copies first.
        return calling.read(text.decode("utf-8", "surrogatepass"), self.function)

    def child(self, words: list[str], call: calling.Request | None, fds: tuple[int, ...]) -> None:
        """In the child, for good: stdin, stdout, stderr and the answer are all that is left of the parent."""
        if call is None:
            os.dup2(fds[0], 0)
        os.dup2(fds[1], 1)
        os.dup2(fds[2], 2)
        # Out of the way of code that closes or reuses low numbers; not inherited by what it starts.
        os.dup2(fds[3], ANSWER, inheritable=False)
        os.closerange(3, ANSWER)
        try:
            if self.reseed is not None:
                self.reseed()
            if self.code is None:
                raise self.broken or SystemError
            if call is None:
                run_script(self.code, self.source, words)
            else:
                self.run_function(self.code, call)
        except MemoryError:
            answer(NO_MEMORY, b"")
        except BaseException as error:
            detail = supervise.describe(error)
            if not self.function:
                try:  # noqa: SIM105
                    finish()
                except BaseException:
                    pass
            flush()
            answer(RAISED, detail)

    def rehearse(self) -> None:
        """Everything that a child does, done once before the first fork: what an interpreter sets up when it
        meets a call for the first time is then not set up again in every child."""
        module = new_module("learn2fix.rehearsal", self.source)
        exec(compile("def first(a):\n    return a", self.source, "exec", dont_inherit=True), module.__dict__)
        result = getattr(module, "first")(*[1]) if hasattr(module, "first") else None  # noqa: B009
        del sys.modules[module.__name__]
        digits = getattr(sys, "get_int_max_str_digits", int)
        self.print_any_integer(digits())
        shown = calling.show(result).encode("utf-8", "surrogatepass")
        print(end="")
        flush()
        os.dup2(2, ANSWER)
        os.dup2(2, ANSWER, inheritable=False)
        supervise.write_full(ANSWER, shown[:0])
        os.closerange(ANSWER, ANSWER + 1)

    def run_function(self, code: CodeType, call: calling.Request) -> None:
        module = new_module(self.name, self.source)
        exec(code, module.__dict__)
        printed = Printed(sys.stdout)
        sys.stdout = printed
        try:
            shown = calling.perform(call, module.__dict__, self.function, self.keep, printed.text)
        except calling.NotLiteral as error:
            answer(NOT_STARTED, f"{error} in {os.path.basename(self.source)}".encode())
        flush()
        answer(RETURNED, shown.encode("utf-8", "surrogatepass"))


def serve_runner(warm: Warm) -> None:
    """The C runner supervises: we fork, and tell how it ended. Little is touched between two forks, since
    every page touched is copied."""
    import _socket

    control = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, fileno=CONTROL)
    fork, wait4, waitpid, close, nohang = os.fork, os.wait4, os.waitpid, os.close, os.WNOHANG
    order, report, four = struct.Struct("=II"), struct.Struct("=Qiiii"), struct.Struct("=4i")
    gc.collect()
    gc.freeze()
    os.write(CONTROL, b"r")
    while True:
        head, ancillary, _, _ = control.recvmsg(order.size, 64)
        if len(head) != order.size or not ancillary:
            return
        fds = four.unpack(ancillary[0][2])
        _, length = order.unpack(head)
        text = supervise.read_full(CONTROL, length) if length else b""
        if text is None:
            return
        words: list[str] = []
        call = refused = None
        if warm.function:
            try:
                call = warm.call(text)
            except (calling.NotLiteral, UnicodeDecodeError) as error:
                refused = NOT_STARTED + str(error).encode("utf-8", "replace")
        else:
            words = [os.fsdecode(word) for word in text.split(b"\0")[:-1]]
        if refused is not None:
            os.write(fds[3], refused)
            how, peak, left = 0, 0, False
        else:
            pid = fork()
            if pid == 0:
                os.setpgid(0, 0)
                warm.child(words, call, fds)
        for fd in fds:
            close(fd)
        if refused is None:
            _, how, usage = wait4(pid, 0)
            peak = usage.ru_maxrss << 10
            try:
                waitpid(-1, nohang)
                left = True  # an orphan of its, since we adopt them
            except ChildProcessError:
                left = False
        os.write(CONTROL, report.pack(peak, how, 0, left, 0))


def serve_host(warm: Warm, seconds: float, output: int, memory: int) -> None:
    """No C runner: we supervise, too."""
    requests, results = supervise.quiet()
    function = bool(warm.function)
    gc.collect()
    gc.freeze()
    # Ready: from here on, what goes wrong is the program's doing.
    supervise.write_result(results, supervise.Ended(supervise.EXITED, 0, 0.0, 0, []), b"", b"")
    while True:
        request = supervise.read_request(requests)
        if request is None:
            return
        words, text = [os.fsdecode(word) for word in request[0]], request[1]
        call = None
        if function:
            try:
                call = warm.call(text)
            except (calling.NotLiteral, UnicodeDecodeError) as error:
                refused = supervise.Ended(supervise.NOT_STARTED, 0, 0.0, 0, [])
                supervise.write_result(results, refused, b"", b"", str(error).encode("utf-8", "replace"))
                continue

        def start(
            in_fd: int, ends: list[int], words: list[str] = words, call: calling.Request | None = call
        ) -> None:
            warm.child(words, call, (in_fd, ends[0], ends[-2], ends[-1]))

        ended = supervise.run(start, 2 if function else 3, b"" if function else text, seconds, output, memory)
        said, detail = ended.texts[-1], b""
        kind = said[:1]
        shown = b"" if function else ended.texts[0]
        if ended.ending == supervise.EXITED:
            if kind == RETURNED and function:
                shown = said[1:]
            elif kind == RAISED:
                ended.ending, detail = supervise.RAISED, said[1 : supervise.DETAIL * 4]
            elif kind == NO_MEMORY:
                ended.ending = supervise.MEMORY
            elif kind == NOT_STARTED:
                ended.ending, detail = supervise.NOT_STARTED, said[1 : supervise.DETAIL * 4]
            elif function:
                ended.ending, detail = supervise.RAISED, b"os._exit: %d" % ended.status
        supervise.write_result(results, ended, shown, ended.texts[-2], detail)


def main() -> None:
    source, function, seconds, output, memory, path, *modules = sys.argv[1:]
    warm = Warm(source, function)
    sys.path.insert(0, path)
    for name in modules:
        try:
            __import__(name)
        except BaseException:
            continue  # the child meets the same error, where it belongs
    # Copies of one generator would make chance repeat itself; `random` reseeds itself on fork.
    warm.reseed = getattr(sys.modules.get("numpy.random"), "seed", None)
    sys.argv = [source]
    os.environ.pop("LD_BIND_NOW", None)
    calling.read("1, [2.5], x=-3", "")  # the syntax tree's own types are made here, not in every child
    warm.rehearse()
    if os.environ.pop("LEARN2FIX_FORKSERVER", ""):
        serve_runner(warm)
    else:
        serve_host(warm, float(seconds), int(output), int(memory))


if __name__ == "__main__":
    main()

"""A warm interpreter: compiles the user's source once and forks for each input.

The parent never executes the user's code. A child gets its own pipes and nothing else, so what it writes
can only spoil its own outcome.

    warm.py SOURCE FUNCTION SECONDS OUTPUT MEMORY PATH [MODULE ...]

FUNCTION is empty for a script; PATH holds what lies beside the source.
Requests and results are framed as the C runner's.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, ModuleType
    from typing import Any

    from learn2fix.sandbox.inside import literals, supervise

    Send = Callable[[bytes, bytes], None]
    Call = tuple[list[Any], dict[str, Any]]
else:
    import literals
    import supervise

    # The user's code must not find our folder or our names.
    sys.path.pop(0)
    del sys.modules["supervise"], sys.modules["literals"]

RETURNED, RAISED, NO_MEMORY, NOT_STARTED = b"=", b"!", b"M", b"?"
DETAIL = 2000


def describe(error: BaseException) -> bytes:
    """`ZeroDivisionError: division by zero`, whatever the exception's own methods do."""
    name = type(error).__name__
    try:
        message = str(error)
    except BaseException:
        message = ""
    return (name + ": " + message if message else name)[:DETAIL].encode("utf-8", "replace")


def new_module(name: str, source: str) -> ModuleType:
    module = type(sys)(name)
    module.__file__ = source
    sys.modules[name] = module
    return module


def reseed() -> None:
    """Copies of one generator would make chance repeat itself; `random` reseeds itself on fork."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()


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
    import atexit

    atexit._run_exitfuncs()
    flush()


def call_function(code: CodeType, source: str, function: str, call: Call, send: Send) -> None:
    module = new_module(os.path.splitext(os.path.basename(source))[0] or "module", source)
    exec(code, module.__dict__)
    target: Any = module
    for part in function.split("."):
        if not hasattr(target, part):
            return send(NOT_STARTED, f"no function {function!r} in {os.path.basename(source)}".encode())
        target = getattr(target, part)
    result = target(*call[0], **call[1])
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    shown = repr(result).encode("utf-8", "surrogatepass")
    flush()
    return send(RETURNED, shown)


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


def main() -> None:
    source, function = sys.argv[1:3]
    seconds, output, memory, path = float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
    modules = sys.argv[7:]
    fenced = os.environ.pop("LEARN2FIX_FENCED", "") == "1"
    requests, results = supervise.quiet()
    sys.path.insert(0, path)
    broken: Exception | None = None
    code: CodeType | None = None
    try:
        with open(source, "rb") as file:
            code = compile(file.read(), source, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
        broken = error
    for name in modules:
        try:
            __import__(name)
        except BaseException:
            continue  # the child meets the same error, where it belongs
    sys.argv = [source]
    literals.arguments("1, [2.5], x=-3")  # the syntax tree's own types are made here, not in every child
    gc.collect()
    gc.freeze()
    # Ready: from here on, what goes wrong is the program's doing.
    supervise.write_result(results, supervise.Ended(supervise.EXITED, 0, 0.0, 0, []), b"", b"")

    def child(words: list[str], call: Call | None, in_fd: int, ends: list[int]) -> None:
        os.close(requests)
        os.close(results)
        out, error, answer = ends[0], ends[-2], ends[-1]
        if in_fd >= 0:
            os.dup2(in_fd, 0)
        os.dup2(out, 1)
        os.dup2(error, 2)
        # Out of the way of code that closes or reuses low numbers; not inherited by what it starts.
        os.dup2(answer, 200, inheritable=False)
        os.closerange(3, 200)

        def send(kind: bytes, data: bytes) -> None:
            supervise.write_full(200, kind + data)
            os._exit(0)

        try:
            reseed()
            if code is None:
                raise broken or SystemError
            if call is not None:
                call_function(code, source, function, call, send)
            else:
                run_script(code, source, words)
        except MemoryError:
            send(NO_MEMORY, b"")
        except BaseException as error:
            detail = describe(error)
            if not function:
                try:  # noqa: SIM105
                    finish()
                except BaseException:
                    pass
            flush()
            send(RAISED, detail)

    while True:
        request = supervise.read_request(requests)
        if request is None:
            return
        words, text = [os.fsdecode(word) for word in request[0]], request[1]

        call = None
        if function:
            # The input is ours, so it is read here, once; what a child reads it copies first.
            try:
                call = literals.arguments(text.decode("utf-8", "surrogatepass"))
            except (literals.NotLiteral, UnicodeDecodeError) as error:
                refused = supervise.Ended(supervise.NOT_STARTED, 0, 0.0, 0, [])
                supervise.write_result(results, refused, b"", b"", str(error).encode("utf-8", "replace"))
                continue

        def start(in_fd: int, ends: list[int], words: list[str] = words, call: Call | None = call) -> None:
            child(words, call, in_fd, ends)

        ended = supervise.run(
            start,
            2 if function else 3,
            None if function else text,
            seconds,
            output,
            memory,
            fenced,
        )
        answer, detail = ended.texts[-1], b""
        kind = answer[:1]
        shown = b"" if function else ended.texts[0]
        if ended.ending == supervise.EXITED:
            if kind == RETURNED and function:
                shown = answer[1:]
            elif kind == RAISED:
                ended.ending, detail = supervise.RAISED, answer[1 : DETAIL * 4]
            elif kind == NO_MEMORY:
                ended.ending = supervise.MEMORY
            elif kind == NOT_STARTED:
                ended.ending, detail = supervise.NOT_STARTED, answer[1 : DETAIL * 4]
            elif function:
                ended.ending, detail = supervise.RAISED, b"os._exit: %d" % ended.status
        supervise.write_result(results, ended, shown, ended.texts[-2], detail)
        if not ended.clean:
            return  # our supervisor, who sees more, ends what is left when we end


if __name__ == "__main__":
    main()

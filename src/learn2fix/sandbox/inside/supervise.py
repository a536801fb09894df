"""One forked child under a time and output limit; used by the programs that run inside the sandbox.

These programs are started by path, by any Python, with nothing but the standard library, and they keep
their memory small: what is imported here is copied at every fork. (Hence `_signal`, not `signal`.)
"""

from __future__ import annotations

import errno
import os
import select
import struct
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable

    Child = Callable[[int, list[int]], None]
else:
    import _signal

EXITED, SIGNALLED, TIMEOUT, MEMORY, FLOOD, NOT_STARTED, RAISED = range(7)
REQUEST = struct.Struct("=III")
RESULT = struct.Struct("=IiQQIII4s")
CRASHES = (_signal.SIGSEGV, _signal.SIGABRT, _signal.SIGBUS)
GRACE = 0.05
"""How long a grandchild may hold the output after the child's own end."""
SLICE = 0.02
"""How often we look whether the child has ended while someone still holds its pipes."""
IDLE = 0.01
"""A child that uses less than this share of the time is waiting for something."""
DETAIL = 2000
DEEP = "maximum recursion depth exceeded"


class Ended:
    """How a child ended, and what it wrote to each pipe."""

    __slots__ = ("ending", "peak", "seconds", "status", "texts")

    def __init__(self, ending: int, status: int, seconds: float, peak: int, texts: list[bytes]) -> None:
        self.ending, self.status, self.seconds, self.peak, self.texts = ending, status, seconds, peak, texts


class Patience:
    """Ends when a process has worked for so many seconds, or has done next to nothing for as long.

    Its CPU time decides, so that a loaded machine makes no difference. What we wait is counted in slices:
    a machine that stalls adds one.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self._clock = (~pid << 3) | 2  # how Linux numbers the CPU clock of another process
        self.begin(seconds)

    def begin(self, seconds: float) -> None:
        self.seconds = seconds
        self._started = self._cpu()
        self._waited, self._looked = 0.0, time.monotonic()

    def over(self) -> bool:
        now = time.monotonic()
        self._waited += min(now - self._looked, 2 * SLICE)
        self._looked = now
        used = self._cpu() - self._started
        return used > self.seconds or (self._waited > self.seconds and used < IDLE * self._waited)

    def _cpu(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:  # it has ended
            return 0.0


def describe(error: BaseException) -> bytes:
    """`ZeroDivisionError: division by zero`, whatever the exception's own methods do."""
    name = type(error).__name__
    try:
        message = str(error)
    except BaseException:
        message = ""
    if isinstance(error, RecursionError) and message.startswith(DEEP):
        message = DEEP  # the rest says where the stack happened to end
    return (name + ": " + message if message else name)[:DETAIL].encode("utf-8", "replace")


def read_full(fd: int, size: int) -> bytes | None:
    """Exactly `size` bytes, or None at the end of the stream."""
    parts = []
    while size:
        chunk = os.read(fd, min(size, 1 << 20))
        if not chunk:
            return None
        parts.append(chunk)
        size -= len(chunk)
    return b"".join(parts)


def write_full(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def read_request(fd: int) -> tuple[list[bytes], bytes] | None:
    """(arguments, stdin), or None when the host is gone."""
    head = read_full(fd, REQUEST.size)
    if head is None:
        return None
    _, packed, length = REQUEST.unpack(head)
    body = read_full(fd, packed + length)
    if body is None:
        return None
    return body[:packed].split(b"\0")[:-1], body[packed:]


def write_result(fd: int, ended: Ended, output: bytes, error: bytes, detail: bytes = b"") -> None:
    head = RESULT.pack(
        ended.ending,
        ended.status,
        int(ended.seconds * 1e9),
        ended.peak,
        len(output),
        len(error),
        len(detail),
        b"L2F=",  # frames.py looks for it
    )
    write_full(fd, b"".join((head, output, error, detail)))


def run(
    child: Child,
    pipes: int,
    stdin: bytes,
    seconds: float,
    output: int,
    memory: int,
    fenced: bool = False,
    work: bool = False,
) -> Ended:
    """Fork; `child(stdin_fd, write_ends)` runs there and never returns. Everything it starts ends with it.

    `work`: the seconds are those of a `Patience`, not of the clock on the wall.
    """
    ends = [os.pipe() for _ in range(pipes)]
    in_read, in_write = os.pipe()
    os.set_blocking(in_write, False)
    sent = _feed(in_write, stdin, 0)
    if sent >= len(stdin):
        os.close(in_write)
        in_write = -1
    _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGCHLD])
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGCHLD])
            child(in_read, [end[1] for end in ends])
        finally:
            os._exit(126)
    os.close(in_read)
    texts: list[bytearray] = []
    numbers: dict[int, int] = {}
    poll = select.poll()
    for number, (reader, writer) in enumerate(ends):
        os.close(writer)
        texts.append(bytearray())
        numbers[reader] = number
        poll.register(reader, select.POLLIN)
    if in_write >= 0:
        poll.register(in_write, select.POLLOUT)
    deadline = float("inf") if work else start + seconds
    patience = Patience(pid, seconds) if work else None
    gone = flooded = late = False
    status = peak = 0
    while True:
        if not gone:
            ended, status, usage = os.wait4(pid, os.WNOHANG)
            if ended:
                gone = True
                peak = usage.ru_maxrss << 10
                deadline = min(deadline, time.monotonic() + GRACE)
        if gone and (not numbers or not any_left()):
            _drain_rest(numbers, texts, output)
            break
        left = deadline - time.monotonic()
        if left <= 0 or (patience is not None and not gone and patience.over()):
            late = not gone
            break
        if not numbers:  # nothing left to wait for but the end itself
            _signal.sigtimedwait([_signal.SIGCHLD], left if patience is None else min(left, SLICE))
            continue
        for fd, _ in poll.poll(min(left, SLICE) * 1000):
            if fd == in_write:
                sent = _feed(in_write, stdin, sent)
                if sent >= len(stdin):
                    poll.unregister(in_write)
                    os.close(in_write)
                    in_write = -1
                continue
            text = texts[numbers[fd]]
            chunk = os.read(fd, min(1 << 16, output + 1 - len(text)))
            text += chunk
            if not chunk:
                poll.unregister(fd)
                os.close(fd)
                del numbers[fd]
            elif len(text) > output:
                flooded = True
        if flooded:
            break
    if not gone:
        kill_group(pid)
        _, status, usage = os.wait4(pid, 0)
        peak = usage.ru_maxrss << 10
    end_all(pid, fenced)
    for fd in numbers:
        os.close(fd)
    if in_write >= 0:
        os.close(in_write)
    flooded = flooded or any(len(text) > output for text in texts)
    ending, code = _ending(status, peak, memory)
    if flooded:
        ending, code = FLOOD, 0
    elif late:
        ending, code = TIMEOUT, 0
    return Ended(ending, code, time.monotonic() - start, peak, [bytes(text[:output]) for text in texts])


def _ending(status: int, peak: int, memory: int) -> tuple[int, int]:
    if os.WIFEXITED(status):
        return EXITED, os.WEXITSTATUS(status)
    number = os.WTERMSIG(status)
    if number == _signal.SIGXCPU:
        return TIMEOUT, 0
    if number == _signal.SIGXFSZ:
        return FLOOD, 0
    if memory and number in CRASHES and peak > memory // 8 * 7:
        return MEMORY, 0
    if memory and number == _signal.SIGKILL and peak > memory // 2:
        return MEMORY, 0
    return SIGNALLED, number


def _feed(fd: int, data: bytes, sent: int) -> int:
    """Write what fits; a reader that is gone takes everything."""
    try:
        return sent + os.write(fd, data[sent : sent + (1 << 16)]) if sent < len(data) else sent
    except BlockingIOError:
        return sent
    except BrokenPipeError:
        return len(data)


def _drain_rest(numbers: dict[int, int], texts: list[bytearray], output: int) -> None:
    for fd, number in numbers.items():
        os.set_blocking(fd, False)
        text = texts[number]
        while len(text) <= output:
            try:
                chunk = os.read(fd, output + 1 - len(text))
            except BlockingIOError:
                break
            if not chunk:
                break
            text += chunk


def any_left() -> bool:
    """We adopt orphans: no child left means nothing left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True


def kill_group(pid: int) -> None:
    for victim in (-pid, pid):
        try:
            os.kill(victim, _signal.SIGKILL)
        except OSError as error:
            if error.errno not in (errno.ESRCH, errno.EPERM):
                raise


def end_all(group: int, fenced: bool = False) -> None:
    """End whatever the child left behind. `fenced`: a signal to all reaches nobody outside."""
    for _ in range(2000):
        if not any_left():
            return
        if fenced:
            try:  # noqa: SIM105
                os.kill(-1, _signal.SIGKILL)
            except OSError:
                pass
        else:
            kill_group(group)
            for pid in children():
                kill_group(pid)
        time.sleep(0.001)


def children() -> list[int]:
    """Our own children, where /proc can be read."""
    me, found = os.getpid(), list[int]()
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if name.isdigit():
            try:
                with open("/proc/" + name + "/stat", "rb") as file:
                    if int(file.read().rpartition(b")")[2].split()[1]) == me:
                        found.append(int(name))
            except (OSError, ValueError, IndexError):
                continue
    return found


def quiet() -> tuple[int, int]:
    """Move the pipes to the host out of the way; programs meet /dev/null at 0, 1 and 2."""
    requests, results = os.dup(0), os.dup(1)
    try:
        null = os.open(os.devnull, os.O_RDWR)
    except OSError:  # a machine whose /dev is broken: then they meet a pipe that leads nowhere
        _, null = os.pipe()
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    return requests, results

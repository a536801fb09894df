"""The runner where there is no C compiler: the same protocol in Python, slower, under limits only.

    plain.py CONFIG_FD STATUS_FD

See runner.c for what is served and launched. No namespaces, no Landlock, no seccomp.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from learn2fix.sandbox.inside import supervise
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import supervise

PR_SET_PDEATHSIG, PR_SET_KEEPCAPS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = (
    1,
    8,
    36,
    38,
    47,
)
KEEP_READ, CAP_READ_SEARCH = 64, 2


def prctl(option: int, first: int, second: int = 0) -> None:
    """Best effort: without it less is ended, and nothing else changes."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, first, second, 0, 0)


def become(uid: int, keep_read: bool) -> None:
    """Give up root for good; with keep_read, reading stays possible where only root may look."""
    if keep_read:
        prctl(PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    bits = 1 << CAP_READ_SEARCH if keep_read else 0
    header, data = struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", bits, bits, bits, 0, 0, 0)
    if ctypes.CDLL(None).capset(header, data) != 0:
        raise OSError(1, "capset")
    if keep_read:
        prctl(PR_CAP_AMBIENT, 2, CAP_READ_SEARCH)


class Config:
    """What we are told: one value for most keys, a list for the rest."""

    def __init__(self, data: bytes) -> None:
        self.values: dict[str, list[bytes]] = {}
        (count,) = struct.unpack_from("=I", data)
        at = 4
        for _ in range(count):
            (length,) = struct.unpack_from("=I", data, at)
            item = data[at + 4 : at + 4 + length]
            at += 4 + length
            self.values.setdefault(chr(item[0]), []).append(item[1:])
        numbers = [int(word) for word in self.one("L").split()]
        self.nanoseconds, self.memory, self.output, self.processes, self.stack, self.file_size = numbers
        self.launch = self.one("M") == b"launch"
        self.argv = self.values["a"]
        self.env = {name: value for name, _, value in (item.partition(b"=") for item in self.values["e"])}

    def one(self, key: str) -> bytes:
        return self.values.get(key, [b""])[0]


def limit(what: int, value: int) -> None:
    _, most = resource.getrlimit(what)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(what, (value, value))


def shut_in(config: Config) -> None:
    """In the child: limits, then another uid, from which there is no way back."""
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, 256)
    limit(resource.RLIMIT_STACK, config.stack)
    limit(resource.RLIMIT_NPROC, config.processes)
    if config.one("U"):
        become(int(config.one("U")), bool(int(config.one("F")) & KEEP_READ))
    if config.file_size:
        limit(resource.RLIMIT_FSIZE, config.file_size)
    if config.memory:
        limit(resource.RLIMIT_AS, config.memory)
    if not config.launch:
        seconds = config.nanoseconds // 1_000_000_000 + 2
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def empty(folder: bytes) -> None:
    """Remove what a program left, without following links."""
    with os.scandir(folder) as entries:
        for entry in list(entries):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    empty(entry.path)
                    os.rmdir(entry.path)
                else:
                    os.unlink(entry.path)


def serve(config: Config) -> None:
    path = config.one("x") or config.argv[0]
    scratch = config.one("s")
    requests, results = supervise.quiet()
    while True:
        request = supervise.read_request(requests)
        if request is None:
            return
        words, text = request

        def child(in_fd: int, ends: list[int], words: list[bytes] = words) -> None:
            try:
                os.dup2(in_fd, 0)
                os.dup2(ends[0], 1)
                os.dup2(ends[1], 2)
                shut_in(config)
                os.execve(path, [*config.argv, *words], config.env)
            except BaseException as error:
                number = error.errno if isinstance(error, OSError) else None
                os.write(ends[2], struct.pack("=i", number or 22))
            os._exit(126)

        ended = supervise.run(child, 3, text, config.nanoseconds / 1e9, config.output, config.memory)
        if len(ended.texts[2]) == 4:
            ended.ending = supervise.NOT_STARTED
            (ended.status,) = struct.unpack("=i", ended.texts[2])
        with contextlib.suppress(OSError):
            empty(scratch)
        supervise.write_result(results, ended, ended.texts[0], ended.texts[1])


def launch(config: Config, status: int) -> None:
    asked, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    parent = os.pidfd_open(os.getppid())
    failed, failing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            shut_in(config)
            prctl(PR_SET_CHILD_SUBREAPER, 1)
            os.execve(config.one("x") or config.argv[0], config.argv, config.env)
        except BaseException as error:
            os.write(failing, f"error: start: {error}\n".encode())
        os._exit(126)
    os.close(failing)
    os.write(status, os.read(failed, 4096) or b"ok\n")
    os.close(0)
    os.close(1)
    code = 125
    while True:
        ended, how = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(how):  # its own children may try to, to hold up everybody
            os.kill(pid, signal.SIGCONT)
        elif ended:
            code = 128 + os.WTERMSIG(how) if os.WIFSIGNALED(how) else os.WEXITSTATUS(how)
            break
        ready, _, _ = select.select([asked, parent], [], [])
        told = os.read(asked, 64) if asked in ready else b""
        if parent in ready or signal.SIGTERM in told:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
    supervise.end_all(pid)
    os._exit(code)


def main() -> None:
    config_fd, status = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(status, False)
    with open(config_fd, "rb") as file:
        config = Config(file.read())
    os.umask(0o022)
    with contextlib.suppress(OSError):
        os.setsid()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.chdir(config.one("d") or config.one("s"))
    if config.launch:
        launch(config, status)
    else:
        os.write(status, b"ok\n")
        serve(config)


if __name__ == "__main__":
    main()

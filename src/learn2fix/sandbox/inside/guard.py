"""Runs inside the sandbox: stops what would outlive a run, and says what it was.

Candidates of a program that imports modules of others share a process as long as nothing they do reaches
beyond their own objects: files that are written, the network, other processes, threads, the environment. The
interpreter tells of all these before they happen (audit events). A run that is stopped is made again in a
process of its own, where it may do what it likes to a folder of its own.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FILES = "changes files"
NETWORK = "uses the network"
PROCESSES = "starts processes"
THREADS = "starts threads"
SURROUNDINGS = "changes what is around it"
STOPS = {
    **dict.fromkeys(
        ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
         "os.chown", "os.utime", "os.lockf", "os.setxattr", "os.removexattr", "os.chflags", "sqlite3.connect",
         "os.lchmod", "os.mkfifo"), FILES,
    ),
    **dict.fromkeys(
        ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname",
         "socket.sendto"), NETWORK,
    ),
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn",
         "os.startfile", "pty.spawn"), PROCESSES,
    ),
    **dict.fromkeys(("_thread.start_new_thread", "_thread.start_joinable_thread"), THREADS),
    **dict.fromkeys(
        ("os.putenv", "os.unsetenv", "os.chdir", "os.fchdir", "os.kill", "os.killpg", "signal.pthread_kill",
         "sys.setprofile", "sys.settrace", "sys.addaudithook", "sys.excepthook", "sys.unraisablehook",
         "ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata", "gc.get_objects", "gc.get_referrers",
         "gc.get_referents"), SURROUNDINGS,
    ),
}  # fmt: skip


AF_UNIX = 1
"""Sockets that every event loop has to wake itself by; who connects one to another process is stopped."""


class Stopped(BaseException):
    """Not an Exception, so that few programs catch it by chance."""


class Guard:
    """One for a process: an audit hook is never taken off."""

    def __init__(self) -> None:
        self.stopped = ""
        """What the run tried to do, once it was stopped; also when it caught the exception."""
        sys.addaudithook(self._audit)
        if sys.version_info < (3, 12):  # which tell of no thread
            import _thread

            for module in (_thread, sys.modules.get("threading", _thread)):
                for name in ("start_new_thread", "start_new", "_start_new_thread"):
                    if hasattr(module, name):
                        setattr(module, name, self._thread)

    def _thread(self, *arguments: Any, **named: Any) -> int:
        self._stop(THREADS)
        return 0

    def begin(self) -> None:
        self.stopped = ""

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if self._writes(arguments):
                self._stop(FILES + ": " + str(arguments[0]))
        elif event in STOPS and not (event == "socket.__new__" and arguments[1] == AF_UNIX):
            first = arguments[0] if arguments and isinstance(arguments[0], str) else ""
            self._stop(STOPS[event] + (": " + first if first and STOPS[event] == FILES else ""))

    def _writes(self, arguments: tuple[Any, ...]) -> bool:
        _, mode, flags = arguments
        if isinstance(mode, str):
            return any(letter in mode for letter in "wax+")
        return bool(isinstance(flags, int) and flags & WRITES)

    def _stop(self, why: str) -> None:
        self.stopped = self.stopped or why
        raise Stopped

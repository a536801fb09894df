"""One process per session: a second one is told who holds it. The lock ends with its process."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from learn2fix.errors import StoreError


class Lock:
    """Held from creation until `release` or the end of the process."""

    def __init__(self, path: Path, session: str) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._fd, 32).decode("ascii", "replace").strip()
            os.close(self._fd)
            raise StoreError(
                f"session {session} is in use by process {holder or 'unknown'}",
                "finish there first, or end that process; nothing is lost by that",
            ) from None
        # The lock also holds without its holder's pid, for which a full disk has no room.
        with suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

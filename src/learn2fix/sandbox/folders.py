"""One folder for all that a process keeps in the temporary directory, so that nothing of it is left over.

It goes with the process. After a kill it stays, with a lock that nobody holds any more: the next process of
the same user removes it.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

PREFIXES = ("learn2fix-run-", "learn2fix-place-")
LOCK = "lock"
_own: dict[int, Path] = {}
YOUNG = 60.0
"""Seconds: what is younger may be about to be locked."""


def keep_together() -> None:
    """From now on temporary files of this process and its children are in one folder, until its end."""
    with contextlib.suppress(OSError):  # a full disk is met, and told, by what needs the room
        usual = tempfile.gettempdir()
        remove_abandoned(usual)
        folder = locked(usual, PREFIXES[0])
        _own[os.getpid()] = folder
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        atexit.register(tidy_up)


def tidy_up() -> None:
    """At the end of the process that made it, and not of its forked children."""
    folder = _own.pop(os.getpid(), None)
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)


def locked(parent: str, prefix: str) -> Path:
    """A new folder that others may pass through. Its lock is held for as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    folder.chmod(0o711)
    lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return folder


def remove_abandoned(parent: str) -> None:
    """Folders of processes that were killed before they could tidy up: nobody holds their lock any more."""
    for folder in (each for prefix in PREFIXES for each in Path(parent).glob(f"{prefix}*")):
        with contextlib.suppress(OSError):
            info = folder.lstat()
            old = time.time() - info.st_ctime >= YOUNG
            if info.st_uid != os.geteuid() or not stat.S_ISDIR(info.st_mode) or not old:
                continue
            # Whoever was killed between making the folder and its lock left one without.
            lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)

"""Keeps `--timeout` from outside of the work, whatever the work is stuck in.

The work watches its own deadline and usually ends before it. Where it does not (a helper process that was
stopped, a search without an end), the watchdog interrupts it, and the result that exists by then is given;
where that hangs, too, the process ends.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

from learn2fix.errors import Learn2FixError
from learn2fix.sandbox.folders import tidy_up

INTERRUPT, AGAIN, END = 1.02, 1.04, 1.06
"""Parts of the time after which the work is interrupted, then what gathers its result, then the process."""
TICK, SLOW = 0.1, 1.0
"""Seconds between two looks at the clock: near the end, and far from it."""


class TimeIsUp(BaseException):
    """Raised in the main thread, wherever it is: no handler of errors is to take it for one."""


class TooLate(Learn2FixError):
    """The time was up before there was anything to tell."""

    exit_code = 1


class Watchdog:
    """Watches while its `with` block runs. Only the main thread of a process can be watched."""

    ended_late = False
    """Some work was interrupted: threads that are still in it must not hold up the end of the process."""

    def __init__(self, seconds: float) -> None:
        self.code = 1
        """What the process is to end with, as far as is known."""
        began = time.monotonic()
        self._clock: Callable[[], float] = lambda: time.monotonic() - began
        self._seconds = self._given = seconds
        self._over = threading.Event()
        self._before: Any = None

    def watch(self, clock: Callable[[], float]) -> None:
        """From now on by this clock, which stands still while a person thinks."""
        self._clock = clock

    def allow(self, seconds: float) -> None:
        """Sets the time allowed, on the clock that is watched next."""
        self._seconds = seconds

    def disarm(self) -> None:
        """What comes now is short, and must not be interrupted."""
        self._over.set()

    def __enter__(self) -> Watchdog:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGALRM, self._interrupt)
            threading.Thread(target=self._watch, daemon=True, name="learn2fix-watchdog").start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        faulthandler.cancel_dump_traceback_later()
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._before)
        if isinstance(error, TimeIsUp):
            raise TooLate(
                f"the time was up after {self._given:g} s, before there was anything to tell",
                "give it more with --timeout",
            ) from None

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._over.is_set():
            Watchdog.ended_late = True
            raise TimeIsUp

    def _watch(self) -> None:
        with open(os.devnull, "w") as nowhere:
            before = -1.0
            for part in (INTERRUPT, AGAIN):
                while (left := part * self._seconds - (now := self._clock())) > 0:
                    # A second safety net, which works without the interpreter lock. Not armed while a person
                    # thinks, who may suspend the process (Ctrl-Z) for as long as they like.
                    faulthandler.cancel_dump_traceback_later()
                    if now != before:
                        rest = (END - part) * self._seconds + left + 1
                        faulthandler.dump_traceback_later(rest, exit=True, file=nowhere)
                    before = now
                    if self._over.wait(min(left, max(TICK, min(SLOW, left / 20)))):
                        faulthandler.cancel_dump_traceback_later()
                        return
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)
            if not self._over.wait(max(0.1, END * self._seconds - self._clock())):
                end_now(self.code)


def end_now(code: int) -> None:
    """Ends the process, and with it all sandboxes, without waiting for its threads."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    tidy_up()
    os._exit(code)

"""How long the server waits for a request, and for how many at a time.

Whoever connects has a while to say what they want. Those who never do are dropped, the oldest first, when too
many of them wait; so the page stays answerable whatever is connected.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS, BODY_SECONDS = 10.0, 20.0
MOST_WAITING = 64
"""Connections that have not yet sent a whole request."""
MOST_CONNECTIONS = 400
"""All of them, event streams included."""
MOST_MESSAGES = 200
"""Lines that one server logs."""


class Patience(H11Protocol):
    """uvicorn's own protocol with a clock; `waiting` and `count` are those of one server."""

    waiting: dict[Patience, None]
    count: set[Patience]

    def connection_made(self, transport: Any) -> None:
        self._timer: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        self.count.add(self)
        if len(self.count) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._wait(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self.count.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.conn.their_state
        super().data_received(data)
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            if before is not h11.SEND_BODY:
                self._wait(BODY_SECONDS)
        elif state is not h11.IDLE or before is not h11.IDLE:
            self._stop()

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self._give_up)
        self.waiting[self] = None
        if len(self.waiting) > MOST_WAITING:
            next(iter(self.waiting))._give_up()

    def _stop(self) -> None:
        self.waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._stop()
        self.transport.abort()


def new_protocol() -> type[Patience]:
    """For one server: what it counts is its own."""
    return type("ServerPatience", (Patience,), {"waiting": {}, "count": set()})


class Bounded(logging.Filter):
    """Lets this many messages through, then none."""

    def __init__(self, most: int = MOST_MESSAGES) -> None:
        super().__init__()
        self._left = most

    def filter(self, record: logging.LogRecord) -> bool:
        self._left -= 1
        if self._left == 0:
            record.msg, record.args, record.exc_info = "no further messages are written", None, None
        return self._left >= 0

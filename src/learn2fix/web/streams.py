"""Server-sent events for a page: its whole state after each change, and a heartbeat in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from learn2fix.web.board import Board

HEARTBEAT = 15
"""Seconds; a page that hears nothing for three heartbeats reconnects."""

NAMES = {"asking": "question", "finished": "finished"}


def stream(
    board: Board, view: Callable[[], dict[str, Any]], pause: float, good: Callable[[], bool]
) -> EventSourceResponse:
    """States as events (`question`, `progress`, `finished`), at most one every `pause` seconds.

    `good`: whether the link that the page came by still is; once it is not, the page hears nothing more.
    """
    return EventSourceResponse(
        _states(board, view, pause, good),
        ping=HEARTBEAT,
        ping_message_factory=lambda: ServerSentEvent("{}", event="heartbeat"),
    )


async def _states(
    board: Board, view: Callable[[], dict[str, Any]], pause: float, good: Callable[[], bool]
) -> AsyncIterator[ServerSentEvent]:
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        # The loop may be gone already when the server stops.
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    leave = board.listen(wake)
    last = ""
    try:
        while not board.closed and await run_in_threadpool(good):
            changed.clear()
            state = await run_in_threadpool(view)
            text = json.dumps(state)
            if text != last:
                last = text
                yield ServerSentEvent(text, event=NAMES.get(state["phase"], "progress"), retry=2000)
                await asyncio.sleep(pause)
            await changed.wait()
    finally:
        leave()

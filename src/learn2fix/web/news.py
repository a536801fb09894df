"""Live news for a page: its whole state whenever that has changed, and a heartbeat when it has not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.concurrency import run_in_threadpool

from learn2fix.web.desk import Desk

HEARTBEAT = 15
"""Seconds; a page that hears nothing for three of them connects again."""

NAMES = {"asking": "question", "finished": "finished"}


def news(desk: Desk, view: Callable[[], dict[str, Any]], pause: float) -> EventSourceResponse:
    """States as server-sent events (`question`, `progress`, `finished`), never two within `pause` seconds."""
    return EventSourceResponse(
        _states(desk, view, pause),
        ping=HEARTBEAT,
        ping_message_factory=lambda: ServerSentEvent("{}", event="heartbeat"),
    )


async def _states(
    desk: Desk, view: Callable[[], dict[str, Any]], pause: float
) -> AsyncIterator[ServerSentEvent]:
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        # The loop may be gone already when the server stops.
        if not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    leave = desk.listen(wake)
    last = ""
    try:
        while not desk.closed:
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

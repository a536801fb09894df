"""What counting the steps of a Python function costs: by calls put into it, as candidates are judged, and by
`sys.monitoring`, which came with Python 3.12. Nothing but the standard library is needed."""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

from learn2fix.languages.python.judging.counting import TICK, WHILE, counted

SOURCE = """
def f(n):
    total = 0
    for i in range(n):
        for j in range(4):
            if (i + j) % 3 == 0:
                total += j
    return total
"""
TURNS = 40_000
REPEATED = 7
MANY = 10**9


def _boom() -> Iterator[None]:
    raise RuntimeError("the steps are used up")
    yield


def _function(tree: ast.AST) -> Callable[[int], int]:
    space: dict[str, Any] = {}
    module = ast.fix_missing_locations(tree)
    assert isinstance(module, ast.Module)
    exec(compile(module, "f.py", "exec"), space)
    space[TICK] = space[WHILE] = chain(repeat(None, MANY), _boom()).__next__
    function: Callable[[int], int] = space["f"]
    return function


def _seconds(function: Callable[[int], int]) -> float:
    times = []
    for _ in range(REPEATED):
        began = time.process_time()
        function(TURNS)
        times.append(time.process_time() - began)
    return min(times)


def _monitored(events: str) -> float:
    """Seconds with a function called at these events that counts down, as a limit needs."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    function: Any = _function(ast.parse(SOURCE))
    left = MANY

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError("the steps are used up")

    tool = monitoring.PROFILER_ID
    monitoring.use_tool_id(tool, "steps")
    wanted = 0
    for name in events.split():
        event = getattr(monitoring.events, name)
        monitoring.register_callback(tool, event, count)
        wanted |= event
    monitoring.set_local_events(tool, function.__code__, wanted)
    try:
        return _seconds(function)
    finally:
        monitoring.free_tool_id(tool)


def main() -> None:
    plain = _seconds(_function(ast.parse(SOURCE)))
    print(
        f"own counters: {_seconds(_function(counted(ast.parse(SOURCE)))) / plain:.2f} times the time without"
    )
    if sys.version_info < (3, 12):
        print("sys.monitoring: not in this version of Python")
        return
    for events in ("JUMP PY_START", "BRANCH PY_START"):
        print(f"sys.monitoring, {events}: {_monitored(events) / plain:.2f} times")


if __name__ == "__main__":
    main()

"""Which lines a failing input executes: our counters say what the interpreter itself reports."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.model import Input
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent / "zoo"
PROGRAMS = [
    "py_binary_search",
    "py_depth",
    "py_discount",
    "py_merge",
    "py_votes",
    "py_word_count",
    "py_change",
]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def executed(path: Path, call: Callable[[dict[str, Any]], Any]) -> Counter[int]:
    """Line → how often it was entered: by sys.monitoring where there is such a thing, or by sys.settrace."""
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(path.read_bytes(), str(path), "exec"), space)
    lines: Counter[int] = Counter()
    if sys.version_info >= (3, 12):
        monitoring = sys.monitoring
        monitoring.use_tool_id(4, "test")

        def line(code: CodeType, number: int) -> None:
            if code.co_filename == str(path):
                lines[number] += 1

        monitoring.register_callback(4, monitoring.events.LINE, line)
        monitoring.set_events(4, monitoring.events.LINE)
        try:
            call(space)
        finally:
            monitoring.set_events(4, 0)
            monitoring.free_tool_id(4)
        return lines

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename != str(path):
            return None
        if event == "line":
            lines[frame.f_lineno] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call(space)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("name", PROGRAMS)
def test_counters_agree_with_the_interpreter(name: str, sandbox: Sandbox) -> None:
    folder = ZOO / name
    about = tomllib.loads((folder / "subject.toml").read_text())
    path = folder / "buggy.py"
    evaluator = PythonEvaluator(path, about["function"], sandbox)
    try:
        texts = [*about["failing"], *about["passing"]]
        for text, counts in zip(texts, evaluator.coverage([Input(text) for text in texts]), strict=True):
            seen = executed(path, lambda space, text=text: eval(f"{about['function']}({text})", space))
            found = {line for line, count in counts.items() if count}
            assert set(seen) <= found, text
            # What runs when the module is loaded (def, constants) is executed too, but not by the call.
            source = path.read_text().split("\n")
            inside = {line for line in found if source[line - 1].startswith("    ")}
            assert inside <= set(seen), text
    finally:
        evaluator.close()

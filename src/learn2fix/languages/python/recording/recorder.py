"""Runs inside a command of the user's, such as a test run: notes the calls of the project's functions.

What is to be noted stands in the environment; each event is a line of JSON in a file of our folder, written
when it happens, since a call may never come back:

    call      file and function, and the text of the call, or why it has none
    expected  what a failing comparison says that a call should have given
    failed    a test failed, and which call came last in it

Any Python from 3.9 on runs this, with nothing of ours installed. On 3.12 and newer functions that do not
matter cost nothing (sys.monitoring); before, every call of a function is seen (sys.setprofile).

For pytest, whose plugin this is too: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    from learn2fix.languages.python.recording import call_text
else:
    import learn2fix_call_text as call_text

MOST = 500
"""Calls in one file; of very many the last ones are kept."""
HELD = 2000
"""Objects whose history is kept."""
GENERATES = 0x20 | 0x80 | 0x200
"""Flags of code that is resumed: generators, coroutines, and both in one."""


class Noted:
    """A call, while its result may still be compared."""

    def __init__(self, number: int, space: dict[str, Any]) -> None:
        self.number, self.space = number, space
        self.result: Any = Noted


class Recorder:
    def __init__(self, folder: str, roots: list[str], file: str, function: str) -> None:
        """`roots`: the copy of the project, and the project. `file`, `function`: what is to be noted, or
        nothing for whatever the tests call."""
        self._folder, self._roots = folder, [os.path.realpath(root) + os.sep for root in roots]
        self._file, self._function = file, function
        self._busy = threading.local()
        self._codes: dict[CodeType, tuple[str, str] | None] = {}
        """The file of the project, and the name in it, of code that matters."""
        self._names: dict[str, dict[tuple[str, int], str]] = {}
        self._open: dict[FrameType, Noted] = {}
        self._resumed: dict[FrameType, None] = {}
        self._histories: dict[int, call_text.History] = {}
        self._last: list[Noted] = []
        self._count = 0
        self._written = 0
        self._out: Any = None

    # -- which code matters ---------------------------------------------------------------------------------

    def place(self, code: CodeType) -> tuple[str, str] | None:
        """Where code of the project stands that is no test, and what it is called there."""
        if code not in self._codes:
            self._codes[code] = self._find(code)
        return self._codes[code]

    def _find(self, code: CodeType) -> tuple[str, str] | None:
        file = self._inside(code.co_filename)
        if not file or is_test(file):
            return None
        if file not in self._names:
            self._names[file] = defined(code.co_filename)
        name = self._names[file].get((code.co_name, code.co_firstlineno))
        return None if name is None else (file, name)

    def _inside(self, name: str) -> str:
        real = os.path.realpath(name)
        return next((real[len(root) :] for root in self._roots if real.startswith(root)), "")

    def _wanted(self, file: str, name: str, frame: FrameType) -> bool:
        """Whether a call is one to be noted; of one that calls itself, the first."""
        if self._function:
            above = frame.f_back
            while above is not None:
                if above.f_code is frame.f_code:
                    return False
                above = above.f_back
            return (file, name) == (self._file, self._function)
        return not name.endswith("__init__") and self._from_test(frame)

    def _from_test(self, frame: FrameType) -> bool:
        above = frame.f_back
        return above is not None and is_test(self._inside(above.f_code.co_filename))

    # -- what happens ---------------------------------------------------------------------------------------

    def begun(self, frame: FrameType) -> None:
        found = self.place(frame.f_code)
        if found is None or getattr(self._busy, "now", False):
            return
        if frame.f_code.co_flags & GENERATES:
            if frame in self._resumed:
                return
            self._resumed[frame] = None
        self._busy.now = True
        try:
            self._begun(frame, *found)
        finally:
            self._busy.now = False

    def _begun(self, frame: FrameType, file: str, name: str) -> None:
        call = call_text.Call.of(frame, name)
        outside = self.place(frame.f_back.f_code) is None if frame.f_back is not None else True
        if self._wanted(file, name, frame):
            text, why = call.text(self._histories)
            self._count += 1
            noted = Noted(self._count, frame.f_globals)
            self.tell(event="call", id=self._count, file=file, function=name, text=text, why=why)
            self._last = [*self._last[-50:], noted]
            self._open[frame] = noted
        if outside:
            call.remember(self._histories)
            while len(self._histories) > HELD:
                del self._histories[next(iter(self._histories))]

    def ended(self, frame: FrameType, result: Any) -> None:
        noted = self._open.pop(frame, None)
        if noted is not None:
            noted.result = result

    def compared(self, one: Any, other: Any) -> None:
        """A comparison has failed: one of them may be what a call gave, the other what it should give."""
        self._busy.now = True
        try:
            for noted in reversed(self._last):
                for found, wanted in ((one, other), (other, one)):
                    if noted.result is found:
                        self.tell(event="expected", id=noted.number, text=call_text.expected(wanted))
                        return
        finally:
            self._busy.now = False

    def failed(self, test: str, missing: str = "") -> None:
        """A test has failed; `missing`: the exception that it waited for in vain."""
        last = self._last[-1].number if self._last else 0
        self.tell(event="failed", id=last, test=test, raises=missing)

    def next_test(self) -> None:
        self._last.clear()

    def tell(self, **event: Any) -> None:
        if self._out is None or self._written == MOST:
            turn = 0 if self._out is None or self._out.name.endswith("1") else 1
            self._out = open(os.path.join(self._folder, f"{os.getpid()}-{turn}"), "w")  # noqa: SIM115
            self._written = 0
        self._written += event["event"] == "call"
        self._out.write(json.dumps(event) + "\n")
        self._out.flush()

    # -- how it is seen -------------------------------------------------------------------------------------

    def watch(self) -> None:
        monitoring: Any = getattr(sys, "monitoring", None)
        if monitoring is None or any(monitoring.get_tool(tool) == "learn2fix" for tool in range(6)):
            sys.setprofile(self._profiled)
            threading.setprofile(self._profiled)
            return
        tool = next(each for each in (4, 3, 5) if monitoring.get_tool(each) is None)
        monitoring.use_tool_id(tool, "learn2fix")
        events = monitoring.events

        def begun(code: CodeType, offset: int) -> Any:
            if self.place(code) is None:
                return monitoring.DISABLE
            self.begun(sys._getframe(1))
            return None

        def ended(code: CodeType, offset: int, result: Any) -> Any:
            if self.place(code) is None:
                return monitoring.DISABLE
            self.ended(sys._getframe(1), result)
            return None

        monitoring.register_callback(tool, events.PY_START, begun)
        monitoring.register_callback(tool, events.PY_RETURN, ended)
        monitoring.set_events(tool, events.PY_START | events.PY_RETURN)

    def _profiled(self, frame: FrameType, event: str, value: Any) -> None:
        if event == "call":
            self.begun(frame)
        elif event == "return" and frame in self._open:
            self.ended(frame, value)


def is_test(file: str) -> bool:
    name = os.path.basename(file)
    return name.startswith("test_") or name.endswith("_test.py") or name in ("conftest.py", "tests.py")


def defined(file: str) -> dict[tuple[str, int], str]:
    """Functions at the top of a file and methods, by their name and the line at which their code begins."""
    import ast

    found: dict[tuple[str, int], str] = {}

    def look(body: Any, before: str) -> None:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = [node.lineno, *(each.lineno for each in node.decorator_list)]
                found[node.name, min(lines)] = before + node.name
            elif isinstance(node, ast.ClassDef) and not before:
                look(node.body, node.name + ".")
            elif isinstance(node, (ast.If, ast.Try)):
                look([*node.body, *node.orelse], before)

    try:
        with open(file, "rb") as source:
            look(ast.parse(source.read()).body, "")
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return found


# -- pytest and unittest ------------------------------------------------------------------------------------

recorder: Recorder | None = None


def pytest_runtest_setup(item: Any) -> None:
    assert recorder is not None
    recorder.next_test()


def pytest_assertrepr_compare(config: Any, op: str, left: Any, right: Any) -> None:
    if recorder is not None and op in ("==", "is"):
        recorder.compared(left, right)


def pytest_runtest_makereport(item: Any, call: Any) -> None:
    if recorder is not None and call.excinfo is not None and call.when == "call":
        # `DID NOT RAISE ValueError`, or `<class 'ValueError'>` in other versions
        found = re.search(r"DID NOT RAISE .*?(\w+)\W*\Z", str(call.excinfo.value))
        recorder.failed(item.nodeid, found[1] if found and call.excinfo.typename == "Failed" else "")


def watch_unittest() -> None:
    """`assertEqual` compares without a word to pytest."""
    import unittest

    usual = unittest.TestCase.assertEqual

    def compare(self: Any, first: Any, second: Any, msg: Any = None) -> None:
        try:
            usual(self, first, second, msg)
        except AssertionError:
            if recorder is not None:
                recorder.compared(first, second)
            raise

    replaced: Callable[..., None] = compare
    unittest.TestCase.assertEqual = replaced  # type: ignore[method-assign]


def begin() -> None:
    global recorder
    told = json.loads(os.environ["LEARN2FIX_RECORDING"])
    recorder = Recorder(told["folder"], told["roots"], told["file"], told["function"])
    if "unittest" in " ".join(told["words"]) or "pytest" in " ".join(told["words"]):
        watch_unittest()
    recorder.watch()


if not TYPE_CHECKING and "LEARN2FIX_RECORDING" in os.environ and __name__ != "__main__" and recorder is None:
    begin()

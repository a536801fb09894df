"""`--record "pytest tests/test_x.py::test_y"`: the calls that a command of the user's makes.

The command runs in a copy of the project, shut in: what it does to files is gone with the copy, and there is
no network. recorder.py runs inside of it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.project_copy import OURS, put_files
from learn2fix.languages.python.modules import MARKS
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.granting import project
from learn2fix.sandbox.interpreters import interpreter
from learn2fix.sandbox.place import INSIDE
from learn2fix.sandbox.values import COMPILER_LIMITS
from learn2fix.sandbox.workshop import Workshop

RUNNING = replace(COMPILER_LIMITS, seconds=60.0, processes=256, stack=256 << 20)
TESTING = ("pytest", "py.test")
PYTHONS = ("python", "python3")
HOOK = """import os, sys
from importlib.machinery import PathFinder
_here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(_here, "inside"))
import learn2fix_recorder
sys.path.remove(os.path.join(_here, "inside"))
# Whoever has a file of this name of their own gets it, too.
_own = PathFinder.find_spec("sitecustomize", [each for each in sys.path if os.path.abspath(each) != _here])
if _own is not None and _own.loader is not None:
    _own.loader.exec_module(type(sys)("sitecustomize"))
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One call, and what it should have given, where a comparison said it."""

    file: Path
    function: str
    text: str
    expected: str | None = None
    test: str = ""
    """The test that fails, where there is one."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, and by which interpreter."""

    words: tuple[str, ...]
    python: str
    shown: str

    @classmethod
    def read(cls, text: str, python: str | None) -> Command:
        try:
            words = shlex.split(text)
        except ValueError as problem:
            raise UsageError(f"cannot read --record: {problem}") from None
        if not words:
            raise UsageError("--record is empty", '--record "pytest tests/test_shop.py::test_discount"')
        name = os.path.basename(words[0])
        if name in TESTING:
            own = interpreter(python or _interpreter_of(words[0])).executable
            return cls((own, "-m", "pytest", *words[1:]), own, text)
        if name in PYTHONS or (python is not None and name == os.path.basename(python)):
            own = interpreter(python or shutil.which(words[0]) or sys.executable).executable
            return cls((own, *words[1:]), own, text)
        if shutil.which(words[0]) is None:
            raise UsageError(
                f"there is no command {words[0]}", '--record "pytest tests/test_shop.py::test_discount"'
            )
        return cls(tuple(words), python or sys.executable, text)

    @property
    def is_test(self) -> bool:
        return "pytest" in self.words or "unittest" in self.words


def _interpreter_of(script: str) -> str:
    """The interpreter of the pytest on the path; ours where there is none."""
    found = shutil.which(script)
    if found is None:
        return sys.executable
    with open(found, "rb") as file:
        first = file.readline(4096).decode("utf-8", "replace")
    named = first[2:].split() if first.startswith("#!") else []
    return named[0] if named and "python" in os.path.basename(named[0]) else sys.executable


def record(command: Command, program: tuple[Path, str] | None, sandbox: Sandbox, seconds: float) -> Recorded:
    """The call that fails, as far as the command tells; of several, the last. `program`: a file and a
    function or method in it; without it, what the tests call."""
    here = Path.cwd().resolve()
    top = _top(here)
    if program is not None and not program[0].resolve().is_relative_to(top):
        raise UsageError(f"{program[0]} is not below {top}", "start in the folder of the project")
    file = "" if program is None else str(program[0].resolve().relative_to(top))
    with sandbox.workshop() as shop:
        put_files(top, shop)
        outcome = _run(shop, command, top, here, file, "" if program is None else program[1], seconds)
        events = list(_events(shop))
    return _chosen(command, program, top, outcome, events)


def _top(here: Path) -> Path:
    found = project(here)
    if found != here or any((here / mark).exists() for mark in MARKS):
        return found
    return next((each for each in (here, here.parent) if (each / "tests").is_dir()), here)


def _run(
    shop: Workshop, command: Command, top: Path, here: Path, file: str, function: str, seconds: float
) -> Outcome:
    ours = Path(OURS, "python")
    own = files("learn2fix.languages.python.recording")
    shop.put(ours / "sitecustomize.py", HOOK.encode())
    shop.put(ours / "learn2fix_recorder.py", own.joinpath("recorder.py").read_bytes())
    shop.put(ours / "learn2fix_call_text.py", own.joinpath("call_text.py").read_bytes())
    for name in ("calling.py", "literals.py"):
        shop.put(ours / "inside" / name, (INSIDE / name).read_bytes())
    shop.put(Path(OURS, "calls", "none"), b"")
    copy = shop.folder
    told = {
        "folder": str(copy / OURS / "calls"),
        "roots": [str(copy), str(top)],
        "file": file,
        "function": function,
        "words": command.words,
    }
    python = interpreter(command.python)
    path = [copy / ours, *(copy / each for each in ("src", "") if (copy / each).is_dir())]
    variables = {
        "LEARN2FIX_RECORDING": json.dumps(told),
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTEST_PLUGINS": "learn2fix_recorder",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PATH": os.pathsep.join([os.path.dirname(command.python), "/usr/local/bin", "/usr/bin", "/bin"]),
    }
    words = [
        word.replace(str(top), str(copy)) if word.startswith(str(top)) else word for word in command.words
    ]
    words[0] = command.words[0]
    argv = ["env", *(f"{name}={value}" for name, value in variables.items()), *words]
    limits = replace(RUNNING, seconds=min(RUNNING.seconds, seconds))
    return shop.run(argv, limits, python.readable, here.relative_to(top))


def _events(shop: Workshop) -> Iterator[dict[str, Any]]:
    """What was noted, by process and in order; written where untrusted code runs."""
    folder = shop.folder / OURS / "calls"
    names = sorted(os.listdir(folder)) if folder.is_dir() and not folder.is_symlink() else []
    found: dict[str, list[dict[str, Any]]] = {}
    for name in names:
        for line in (shop.content(Path(OURS, "calls", name)) or b"").splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict) and isinstance(event.get("id"), int):
                found.setdefault(name.partition("-")[0], []).append(event)
    for events in found.values():
        yield from sorted(events, key=lambda event: event["id"])


def _chosen(
    command: Command,
    program: tuple[Path, str] | None,
    top: Path,
    outcome: Outcome,
    events: Sequence[dict[str, Any]],
) -> Recorded:
    wanted = "a function of the project" if program is None else f"{program[0]}:{program[1]}"
    calls = {event["id"]: event for event in events if event.get("event") == "call"}
    if command.is_test and outcome.ending is Ending.EXITED and outcome.status == 0:
        raise NotFailing(f"`{command.shown}` does not fail", "name a test that fails")
    if not calls:
        raise UsageError(f"`{command.shown}` calls {wanted} nowhere{_how(outcome, top)}", _HINT)
    failed = next((event for event in events if event.get("event") == "failed"), None)
    number = failed["id"] if failed is not None else max(calls)
    if not number:
        raise UsageError(
            f"{failed['test'] if failed else command.shown} fails without a call of {wanted}", _HINT
        )
    said = {event["id"]: event["text"] for event in events if event.get("event") == "expected"}
    if failed is not None and said:
        number = next((each for each in said if each in calls), number)
    call = calls.get(number, calls[max(calls)])
    if not isinstance(call.get("text"), str):
        raise UsageError(f"the call of {call['function']} cannot be written down: {call.get('why')}", _HINT)
    expected = said.get(number)
    if failed is not None and failed.get("raises") and expected is None:
        expected = f"⟨raises {failed['raises']}⟩"
    shown = os.path.relpath(top / str(call["file"]))
    return Recorded(
        Path(shown) if not shown.startswith("..") else top / str(call["file"]),
        str(call["function"]),
        call["text"],
        expected,
        str(failed["test"]) if failed is not None else "",
    )


_HINT = 'give the call: PROGRAM --failing "…"'


def _how(outcome: Outcome, top: Path) -> str:
    """How the command ended, where that says why nothing was seen."""
    if outcome.ending is Ending.EXITED and outcome.status in (0, 1):
        return ""
    said = (outcome.output + b"\n" + outcome.stderr).decode("utf-8", "replace").strip().splitlines()
    last = next((line.strip() for line in reversed(said) if line.strip()), "")
    how = (
        f"it ended with status {outcome.status}"
        if outcome.ending is Ending.EXITED
        else f"it was stopped: {str(outcome.response).strip('⟨⟩')}"
    )
    return f"; {how}" + (f" ({last[:200]})" if last else "")

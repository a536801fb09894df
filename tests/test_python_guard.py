"""Candidates of programs that import modules of others share a process, and answer as they would alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from learn2fix.cli.app import run
from learn2fix.edits.protocol import Hints
from learn2fix.languages.proving import prove_repeatable
from learn2fix.languages.python.edits.generator import PythonEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Edit, Input
from learn2fix.sandbox import Sandbox

STOCK = """import logging
import os
import random
from pathlib import Path
from helper import limit_of

LOG = logging.getLogger(__name__)


def place(orders, room):
    shelves = {}
    left = []
    for kind, count in orders:
        if count <= 0:
            LOG.warning("nothing of %s", kind)
            continue
        if kind not in shelves:
            if len(shelves) > room:
                left.append(kind)
                continue
            shelves[kind] = 0
        shelves[kind] += min(count, limit_of(kind))
    random.seed(3)
    return shelves, left, random.randrange(9), os.path.basename("a/b"), Path("x").suffix
"""
HELPER = """LIMITS = {"book": 5}

def limit_of(kind):
    return LIMITS.get(kind, 10)
"""
INPUTS = [Input("[('book', 7), ('food', 4)], 1"), Input("[('a', 0), ('b', 1), ('c', 2), ('b', 30)], 1")]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def both(
    sandbox: Sandbox,
    path: Path,
    function: str,
    inputs: list[Input],
    candidates: list[Candidate] | None = None,
) -> PythonEvaluator:
    """Compares what candidates answer in a shared process and in one each; the former evaluator."""
    shared = PythonEvaluator(path, function, sandbox)
    alone = PythonEvaluator(path, function, sandbox, isolate=True)
    assert shared.guarded
    if candidates is None:
        edits = PythonEdits().candidates(shared.source, Hints(function=function))
        candidates = list(islice(edits, 0, 900, 6))
    for evaluator in (shared, alone):
        evaluator.add(candidates)
    assert shared.original(inputs) == alone.original(inputs)
    among = range(len(candidates))
    assert shared.outputs(inputs, among) == alone.outputs(inputs, among)
    alone.close()
    shared.close()
    return shared


def change(source: str, old: str, new: str) -> Candidate:
    at = source.encode().index(old.encode())
    return Candidate((Edit(at, at + len(old.encode()), new.encode()),), "test", 1.0)


def test_modules_of_others_and_of_the_project(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "stock.py").write_text(STOCK)
    (tmp_path / "helper.py").write_text(HELPER)
    assert both(sandbox, tmp_path / "stock.py", "place", INPUTS).guarded


def test_coroutines_share_an_event_loop_that_waits_for_no_clock(sandbox: Sandbox, tmp_path: Path) -> None:
    source = (
        "import asyncio\n\nasync def slow(n):\n    await asyncio.sleep(3600 - n)\n    return n\n\n"
        "async def f(n):\n    left = asyncio.create_task(slow(9000))\n"
        "    first = [await each for each in asyncio.as_completed([slow(1), slow(n)])]\n"
        "    return first, left.done()\n"
    )
    (tmp_path / "program.py").write_text(source)
    candidates = [change(source, "slow(1)", text) for text in ("slow(7)", "slow(n)", "asyncio.sleep(9999)")]
    found = both(sandbox, tmp_path / "program.py", "f", [Input("3"), Input("0")], candidates)
    assert found.guarded


def test_a_trace_in_a_module_that_is_shared_is_noticed(sandbox: Sandbox, tmp_path: Path) -> None:
    source = "import memory\n\ndef f(n):\n    memory.remember(n + 1)\n    return memory.total()\n"
    (tmp_path / "memory.py").write_text(
        "SEEN = []\ndef remember(n):\n    SEEN.append(n)\ndef total():\n    return sum(SEEN)\n"
    )
    (tmp_path / "program.py").write_text(source)
    candidates = [change(source, "n + 1", text) for text in ("n + 2", "n - 1", "n")]
    found = both(sandbox, tmp_path / "program.py", "f", [Input("3"), Input("4")], candidates)
    assert not found.guarded


def test_a_trace_that_only_a_candidate_leaves_is_noticed(sandbox: Sandbox, tmp_path: Path) -> None:
    source = "import memory\n\ndef f(n):\n    memory.remember(0)\n    return n + memory.total()\n"
    (tmp_path / "memory.py").write_text(
        "SEEN = []\ndef remember(n):\n    SEEN.append(n)\ndef total():\n    return sum(SEEN)\n"
    )
    (tmp_path / "program.py").write_text(source)
    candidates = [change(source, "remember(0)", f"remember({text})") for text in ("0", "7", "-0", "n")]
    found = both(sandbox, tmp_path / "program.py", "f", [Input("3"), Input("4")], candidates)
    assert not found.guarded


EFFECTS = {
    "files": ("import os\ndef f(n):\n    if n > 3:\n        open('x', 'a').write('a')\n", "changes files: x"),
    "folders": ("import os\ndef f(n):\n    if n > 3:\n        os.mkdir(str(os.getpid()))\n", "changes files"),
    "network": ("import socket\ndef f(n):\n    if n > 3:\n        socket.socket()\n", "uses the network"),
    "processes": ("import os\ndef f(n):\n    if n > 3:\n        os.system('true')\n", "starts processes"),
    "threads": (
        "import threading\ndef f(n):\n    if n > 3:\n        threading.Thread(target=print).start()\n",
        "starts threads",
    ),
    "environment": (
        "import os\ndef f(n):\n    if n > 3:\n        os.environ.update(A=str(n))\n",
        "changes what is around it",
    ),
    "caught": (
        "import os\ndef f(n):\n    try:\n        os.mkdir('a' * n) if n > 3 else None\n"
        "    except BaseException:\n        return -1\n",
        "changes files",
    ),
}


@pytest.mark.parametrize("what", EFFECTS)
def test_what_reaches_beyond_a_run_is_stopped_and_run_alone(
    what: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    source, effect = EFFECTS[what]
    source += "    return n\n"
    (tmp_path / "program.py").write_text(source)
    candidates = [change(source, "n > 3", text) for text in ("n > 4", "n >= 3", "False")]
    found = both(sandbox, tmp_path / "program.py", "f", [Input("2"), Input("3")], candidates)
    assert found.guarded, "only a candidate does it"
    evaluator = PythonEvaluator(tmp_path / "program.py", "f", sandbox)
    evaluator.original([Input("5")])
    assert not evaluator.guarded
    assert [name.startswith(effect) for name in evaluator.effects] == [True]
    evaluator.close()


def test_effects_are_told_before_the_first_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    Path("save.py").write_text(
        "def save(n):\n    with open('log.txt', 'w') as f:\n        f.write('x' * n)\n    return n + 1\n"
    )
    Path("answers.jsonl").write_text("")
    run(["fix", "save.py:save", "--failing", "3", "--expected", "3", "--answers", "answers.jsonl"])
    assert "save.py:save changes files (log.txt)" in capsys.readouterr().err
    assert not Path("log.txt").exists()


def test_a_program_without_effects_has_nothing_said_of_it(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "stock.py").write_text(STOCK)
    (tmp_path / "helper.py").write_text(HELPER)
    subject = PythonSubject(tmp_path / "stock.py", "place", sandbox)
    prove_repeatable(subject, INPUTS)
    assert list(subject.notes) == []
    evaluator = subject.evaluator(time.monotonic)
    assert evaluator.pure
    evaluator.close()
    subject.close()


@pytest.mark.parametrize(
    "source",
    [
        "import ctypes",
        "import gc\ndef f(n): return gc.get_objects()",
        "import inspect",
        "import sys\ndef f(n): return sys.modules",
        "import sys\ndef f(n): return sys._getframe()",
        "import calendar\ndef f(n):\n    calendar.mdays[2] = n",
        "import os\ndef f(n):\n    os.sep = '/'",
        "def f(n): return ().__class__.__base__.__subclasses__()",
        "class A:\n    def __del__(self):\n        print(1)\ndef f(n): return A()",
    ],
)
def test_what_reaches_into_the_interpreter_never_shares(
    source: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "program.py").write_text(source)
    evaluator = PythonEvaluator(tmp_path / "program.py", "f", sandbox)
    assert not evaluator.pure
    evaluator.close()

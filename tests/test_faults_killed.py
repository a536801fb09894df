"""Helper processes that are killed or stopped at any moment change nothing but the time."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from attackers import CC
from evaluator_conformance import change
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.model import Input
from learn2fix.sandbox import Limits, Program, Sandbox
from learn2fix.sandbox.memory import tree

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


def helpers() -> list[int]:
    """Supervisors, engines and interpreters; not the runs that they fork, which are the program itself."""
    found = []
    for pid, depth in tree(os.getpid()):
        with suppress(OSError):
            name, parent = of(pid)
            if depth and name not in (of(parent)[0], "cat"):
                found.append(pid)
    return found


def of(pid: int) -> tuple[str, int]:
    """Name and parent of a process."""
    head, _, tail = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    return head.partition("(")[2], int(tail.split()[1])


@contextmanager
def one_killed(how: signal.Signals, rng: random.Random) -> Iterator[None]:
    """Signals one of the processes that help us, at a random moment."""

    def attack() -> None:
        time.sleep(rng.uniform(0, 0.1))
        found = [pid for pid in helpers() if how == signal.SIGKILL or not of(pid)[0].startswith("runner")]
        if found:
            with suppress(OSError):
                os.kill(rng.choice(found), how)

    thread = threading.Thread(target=attack)
    thread.start()
    try:
        yield
    finally:
        thread.join()


C_SOURCE = b"""
#include <stdio.h>
int main(void) {
    int n, s = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) s += i;
    printf("%d", s);
    return 0;
}
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_35_c_candidates_are_judged_alike_whoever_is_hit(how: signal.Signals) -> None:
    candidates = [change(C_SOURCE, b"s += i", b"s += i + %d" % n) for n in range(20)]
    inputs, rng = [Input("3"), Input("50")], random.Random(how)
    with closing(CEvaluator(C_SOURCE)) as evaluator:
        among = evaluator.add(candidates)
        expected = evaluator.outputs(inputs, among)
        for _ in range(50):
            with one_killed(how, rng):
                assert evaluator.outputs(inputs, among) == expected


def test_35_python_candidates_are_judged_alike_whoever_is_killed(tmp_path: Path) -> None:
    source = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"
    (tmp_path / "f.py").write_text(source)
    candidates = [change(source.encode(), b"total += i", b"total += i + %d" % n) for n in range(20)]
    inputs, rng = [Input("3"), Input("50")], random.Random(1)
    with Sandbox() as box, closing(PythonEvaluator(tmp_path / "f.py", "f", box)) as evaluator:
        among = evaluator.add(candidates)
        expected = evaluator.outputs(inputs, among)
        for _ in range(50):
            with one_killed(signal.SIGKILL, rng):
                assert evaluator.outputs(inputs, among) == expected


def test_35_a_worker_gives_the_same_outcomes_whoever_is_killed() -> None:
    inputs, rng = [str(number).encode() for number in range(40)], random.Random(2)
    with Sandbox(Limits(seconds=20.0)) as box:
        for _ in range(50):
            with box.start(Program(("/bin/cat",))) as worker, one_killed(signal.SIGKILL, rng):
                assert [outcome.output for outcome in worker.run_many(inputs)] == inputs

"""Faults 37 and 38: programs that nest without end, and work that does not end when its time is up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from learn2fix.cli.watchdog import TimeIsUp, TooLate, Watchdog
from learn2fix.languages.python.judging.process import WorkerProcess
from learn2fix.languages.python.judging.sites import Program
from learn2fix.sandbox import Sandbox

C = '#include <stdio.h>\nint main(void) {{ int a; if (scanf("%d", &a) != 1) return 1; {} return 0; }}\n'
PRINT = 'printf("%d\\n", {});'


def fix(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "LEARN2FIX_HOME": str(folder / "home")}
    command = [sys.executable, "-m", "learn2fix", "fix", program, "--failing", "3", "--expected", "7"]
    return subprocess.run(
        [*command, "--labels", "0", *words],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        ("terms.c", C.format(PRINT.format("a" + "+1" * 300)), (0, 1)),
        ("arms.c", C.format(PRINT.format("".join(f"a=={n}?{n}:" for n in range(4000)) + "0")), (1, 2)),
        ("braces.c", C.format("{" * 20000 + PRINT.format("a") + "}" * 20000), (2,)),
        ("parentheses.c", C.format(PRINT.format("(" * 3000 + "a" + ")" * 3000)), (2,)),
        ("terms.py", "def f(a):\n    return a" + "+1" * 3000 + "\n", (0, 1, 2)),
        (
            "arms.py",
            "def f(a):\n    return " + "".join(f"1 if a=={n} else " for n in range(400)) + "0\n",
            (2,),
        ),
        ("lists.py", "def f(a):\n    return " + "[" * 90 + "a" + "]" * 90 + "\n", (0, 1, 2)),
    ],
)
def test_37_deep_programs_work_or_are_refused_in_a_line(
    tmp_path: Path, name: str, text: str, codes: tuple[int, ...]
) -> None:
    (tmp_path / name).write_text(text)
    program = name if name.endswith(".c") else f"{name}:f"
    done = fix(tmp_path, program, "--timeout", "6")
    assert done.returncode in codes, done.stderr
    if done.returncode == 2:
        (line,) = [line for line in done.stderr.splitlines() if line.startswith("learn2fix: ")]
        assert "nests" in line or "recursion" in line


class Clock:
    """Shows what it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def spin() -> None:
    while True:
        pass


def wait_for_nothing() -> None:
    reading, writing = os.pipe()
    try:
        os.read(reading, 1)
    finally:
        os.close(reading)
        os.close(writing)


def swallow() -> None:
    """Code that takes every error for an answer."""
    while True:
        try:
            time.sleep(600)
        except Exception:
            continue


@pytest.mark.parametrize("stuck", [spin, wait_for_nothing, swallow])
def test_38_whatever_the_work_is_stuck_in_it_is_interrupted(stuck: Callable[[], None]) -> None:
    clock = Clock()

    def stuck_until(now: float) -> None:
        threading.Timer(0.05, lambda: setattr(clock, "now", now)).start()
        stuck()

    def work() -> None:
        with Watchdog(1000) as watchdog:
            watchdog.watch(clock)
            with pytest.raises(TimeIsUp):
                stuck_until(1030.0)
            stuck_until(1045.0)  # what gathers the result is interrupted, too

    with pytest.raises(TooLate, match="before there was anything to tell"):
        work()


def test_38_a_person_who_thinks_is_never_interrupted() -> None:
    clock = Clock()
    with Watchdog(1.0) as watchdog:
        watchdog.watch(clock)
        time.sleep(0.5)  # the clock stands still
        watchdog.disarm()
        clock.now = 1e9
        os.kill(os.getpid(), signal.SIGALRM)


STOPPERS = {
    "its parent": "os.kill(os.getppid(), signal.SIGSTOP)",
    "itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "everybody": "os.kill(-1, signal.SIGSTOP)",
    "its group": "os.killpg(0, signal.SIGSTOP)",
}


@pytest.mark.parametrize("whom", STOPPERS)
def test_35_a_python_candidate_that_stops_others_loses_only_itself(tmp_path: Path, whom: str) -> None:
    source = f"import os, signal\ndef f(n):\n    if n == 3: {STOPPERS[whom]}\n    return n * 2\n"
    path = tmp_path / "stopper.py"
    path.write_text(source)
    programs = [Program(compile(source, "main", "exec"), 0, 0)]
    with Sandbox() as sandbox:
        process = WorkerProcess(path, "f", sandbox, sandbox.limits, programs)
        try:
            jobs = [(0, [], str(n).encode(), 10**6, 0, ()) for n in (1, 3, 2)]
            records = list(process.run(jobs, together=False))
        finally:
            process.close()
    assert (records[0].text, records[2].text) == (b"2", b"4")
    assert records[1].kind in "=TS"  # whoever was stopped was made to go on, or was given up


def test_38_the_result_that_exists_is_given(tmp_path: Path) -> None:
    """A search that would go on for many minutes, cut by the watchdog: a document, and answers stored."""
    (tmp_path / "stopper.py").write_text(
        "import os, signal, time\ndef f(n):\n    os.kill(os.getppid(), signal.SIGSTOP)\n"
        "    time.sleep(0.5)\n    return n * 2\n"
    )
    done = fix(tmp_path, "stopper.py:f", "--timeout", "8", "--json")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert document["status"] in ("no_patch", "undecided")
    assert [label["expected"] for label in document["labels"]] == ["7"]

"""Executions a second: plain subprocess.run, a fresh sandbox each time, and a worker kept in one sandbox."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from learn2fix.sandbox import Limits, Program, Sandbox
from learn2fix.sandbox.build import compiler

ROUNDS = 7
C_SOURCE = (
    '#include <stdio.h>\nint main(void){int a,b;if(scanf("%d %d",&a,&b)!=2)return 1;printf("%d\\n",a+b);}\n'
)
PYTHON_SOURCE = "def add(a, b):\n    return a + b\n"
SCRIPT_SOURCE = "a, b = map(int, input().split())\nprint(a + b)\n"

Way = tuple[str, int, Callable[[int], None]]
"""A name, how many executions a round has, and a function that makes them."""


def measure(ways: list[Way]) -> list[tuple[str, float]]:
    """Rounds take turns, so that a busy machine is equally unfair to all; the median round counts."""
    rates: dict[str, list[float]] = {name: [] for name, _, _ in ways}
    for _, _, make in ways:
        make(2)
    for _ in range(ROUNDS):
        for name, count, make in ways:
            start = time.perf_counter()
            make(count)
            rates[name].append(count / (time.perf_counter() - start))
    return [(name, statistics.median(rates[name])) for name, _, _ in ways]


def show(title: str, rows: list[tuple[str, float]]) -> None:
    base = rows[0][1]
    print(f"\n{title:<58} {'a second':>9} {'ratio':>7}")
    for name, rate in rows:
        print(f"  {name:<56} {rate:>9.0f} {rate / base:>6.1f}x")


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    with (
        tempfile.TemporaryDirectory() as name,
        Sandbox(Limits()) as sandbox,
        Sandbox(Limits(), jobs=cores) as several,
    ):
        folder = Path(name)
        print(f"isolation: {sandbox.isolation}; --jobs {cores}")
        cc = compiler()
        if cc is not None:
            show("a trivial C program", measure(c_ways(folder, sandbox, several, cc)))
        show("a trivial Python function", measure(python_ways(folder, sandbox, several)))


def c_ways(folder: Path, sandbox: Sandbox, several: Sandbox, cc: str) -> list[Way]:
    (folder / "add.c").write_text(C_SOURCE)
    subprocess.run([cc, "-O1", "-o", "add", "add.c"], cwd=folder, check=True)
    path = str(folder / "add")
    program = Program((path,))
    exec_worker = sandbox.start(program)
    fork_worker = sandbox.start(Program((path,), fork_server=True))
    fork_workers = several.start(Program((path,), fork_server=True))
    list(fork_workers.run_many([b"1 2"] * 100))  # every copy is started

    def plain(count: int) -> None:
        for _ in range(count):
            assert subprocess.run([path], input=b"1 2", capture_output=True).stdout == b"3\n"

    def fresh(count: int) -> None:
        for _ in range(count):
            assert sandbox.run(program, b"1 2").output == b"3\n"

    def one(count: int) -> None:
        for _ in range(count):
            assert exec_worker.run(b"1 2").output == b"3\n"

    def many(count: int) -> None:
        assert all(outcome.output == b"3\n" for outcome in exec_worker.run_many([b"1 2"] * count))

    def forked(count: int) -> None:
        assert all(outcome.output == b"3\n" for outcome in fork_worker.run_many([b"1 2"] * count))

    def shared(count: int) -> None:
        assert all(outcome.output == b"3\n" for outcome in fork_workers.run_many([b"1 2"] * count))

    return [
        ("subprocess.run, no isolation", 100, plain),
        ("a fresh sandbox each time", 20, fresh),
        ("worker, exec for each input, one by one", 200, one),
        ("worker, exec for each input, run_many", 200, many),
        ("worker, fork server, run_many", 400, forked),
        ("worker, fork server, run_many, a copy for each core", 400, shared),
    ]


def python_ways(folder: Path, sandbox: Sandbox, several: Sandbox) -> list[Way]:
    (folder / "add.py").write_text(PYTHON_SOURCE)
    script = folder / "script.py"
    script.write_text(SCRIPT_SOURCE)
    calls = sandbox.python(folder / "add.py", "add")
    scripts = sandbox.python(script, None)
    many_calls, many_scripts = several.python(folder / "add.py", "add"), several.python(script, None)
    list(many_calls.run_many([b"1, 2"] * 300))
    list(many_scripts.run_many([b"1 2"] * 300))

    def fresh(count: int) -> None:
        for _ in range(count):
            run = subprocess.run([sys.executable, str(script)], input=b"1 2", capture_output=True)
            assert run.stdout == b"3\n"

    def warm_calls(count: int) -> None:
        assert all(outcome.output == b"3" for outcome in calls.run_many([b"1, 2"] * count))

    def warm_scripts(count: int) -> None:
        assert all(outcome.output == b"3\n" for outcome in scripts.run_many([b"1 2"] * count))

    def shared_calls(count: int) -> None:
        assert all(outcome.output == b"3" for outcome in many_calls.run_many([b"1, 2"] * count))

    def shared_scripts(count: int) -> None:
        assert all(outcome.output == b"3\n" for outcome in many_scripts.run_many([b"1 2"] * count))

    return [
        ("a fresh python3 for each input, no isolation", 8, fresh),
        ("warm interpreter, function", 150, warm_calls),
        ("warm interpreter, script", 150, warm_scripts),
        ("warm interpreters, function, one for each core", 150, shared_calls),
        ("warm interpreters, script, one for each core", 150, shared_scripts),
    ]


if __name__ == "__main__":
    main()

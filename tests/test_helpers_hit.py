"""Fault 35 for the real thing: one helper process of a session is hit at any moment, and only time changes.

A few times in `make test`; `pytest -s tests/test_helpers_hit.py --hits 200` for as many as one likes.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from at_terminal import environment
from attackers import CC
from learn2fix.sandbox.memory import tree
from test_kills import check_nothing_is_left

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

ZOO = Path(__file__).parent / "zoo"
PROGRAMS = {
    "triangle": ("buggy.c", "golden.c", "2 2 2"),
    "leap_year": ("buggy.c", "golden.c", "1900"),
    "py_leap_year": ("buggy.py:leap_year", "golden.py:leap_year", "2000"),
    "py_clamp": ("buggy.py:clamp", "golden.py:clamp", "5, 0, 10"),
}
COMPILERS = {"gcc", "cc", "cc1", "as", "collect2", "ld"}
FORK_SERVER = b"LEARN2FIX_FORKSERVER=1"
PATIENCE = 600.0
"""Seconds after which a session that was hit is taken to hang."""


@pytest.fixture
def hits(request: pytest.FixtureRequest) -> int:
    count = request.config.getoption("--hits")
    assert isinstance(count, int)
    return count


# Who can be hit.


@dataclass(frozen=True)
class Helper:
    pid: int
    kind: str
    pipe: str = ""
    """Its standard output, where that leads to the session."""


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[0].partition("(")[2]


def kind_of(pid: int, depth: int, parent: str) -> str:
    """What a process is for; empty for the program itself and for what helpers fork to run it."""
    name = name_of(pid)
    if name.startswith("runner"):
        return {1: "supervisor", 2: "runner"}.get(depth, "")
    if name in COMPILERS:
        return "compiler"
    if name == parent or depth > 3:
        return ""
    words = Path(f"/proc/{pid}/cmdline").read_bytes()
    if b"-engine\0" in words:
        return "C engine"
    if b"warm.py" in words:
        return "warm interpreter"
    if name.startswith("python"):
        return "Python evaluator"
    return "fork server" if FORK_SERVER in Path(f"/proc/{pid}/environ").read_bytes() else ""


def helpers(session: int) -> list[Helper]:
    found, above = list[Helper](), dict[int, str]()
    pipes = set[str]()
    with suppress(OSError):
        for fd in Path(f"/proc/{session}/fd").iterdir():
            with suppress(OSError):
                pipes.add(os.readlink(fd))
    for pid, depth in tree(session):
        with suppress(OSError):
            above[pid] = name_of(pid)
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            kind = kind_of(pid, depth, above.get(int(stat[1]), "")) if depth else ""
            if kind and stat[0] != "Z":
                leads = ""
                with suppress(OSError):
                    leads = os.readlink(f"/proc/{pid}/fd/1")
                found.append(Helper(pid, kind, leads if leads.startswith("pipe:") and leads in pipes else ""))
    return found


# What is done to it.


def kill(helper: Helper, rng: random.Random) -> None:
    os.kill(helper.pid, signal.SIGKILL)


def stop(helper: Helper, rng: random.Random) -> None:
    os.kill(helper.pid, signal.SIGSTOP)


def exhaust_time(helper: Helper, rng: random.Random) -> None:
    resource.prlimit(helper.pid, resource.RLIMIT_CPU, (0, 0))


def exhaust_files(helper: Helper, rng: random.Random) -> None:
    resource.prlimit(helper.pid, resource.RLIMIT_NOFILE, (0, 0))


def exhaust_memory(helper: Helper, rng: random.Random) -> None:
    resource.prlimit(helper.pid, resource.RLIMIT_AS, (1 << 20, 1 << 20))


def lie(helper: Helper, rng: random.Random) -> None:
    """Bytes among those that it writes to the session: few or many, random, empty or as large as can be."""
    size = rng.choice([1, 7, 64, 5000, 60_000])
    data = rng.choice([rng.randbytes(size), bytes(size), b"\xff" * size])
    fd = os.open(f"/proc/{helper.pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)


Attack = Callable[[Helper, random.Random], None]
ATTACKS: tuple[Attack, ...] = (kill, stop, exhaust_time, exhaust_files, exhaust_memory, lie)


def hit(process: subprocess.Popen[str], moment: float, attack: Attack, rng: random.Random) -> str:
    """Attacks one helper, of a kind chosen first, from this moment on; its kind, empty where too late."""
    time.sleep(moment)
    while process.poll() is None:
        kinds = dict[str, list[Helper]]()
        for each in helpers(process.pid):
            if attack is not lie or each.pipe:
                kinds.setdefault(each.kind, []).append(each)
        if kinds:
            with suppress(OSError):  # it has ended meanwhile
                helper = rng.choice(kinds[rng.choice(sorted(kinds))])
                attack(helper, rng)
                return helper.kind
        time.sleep(0.005)
    return ""


# A session.


def begun(folder: Path, name: str) -> subprocess.Popen[str]:
    buggy, golden, failing = PROGRAMS[name]
    words = [str(ZOO / name / buggy), "--failing", failing, "--golden", str(ZOO / name / golden)]
    (folder / "home").mkdir(parents=True)
    (folder / "tmp").mkdir()
    return subprocess.Popen(
        [sys.executable, "-m", "learn2fix", "fix", *words, "--seed", "3", "--labels", "4", "--json"],
        env=environment(folder / "home") | {"TMPDIR": str(folder / "tmp")},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    """What it found, without what only says how long that took and how often something had to be repeated."""
    try:
        out, errors = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return {"error": "it hangs"}
    if process.returncode:
        return {"error": f"exit {process.returncode}: {errors[-600:]}"}
    found: dict[str, Any] = json.loads(out)
    del found["effort"]["seconds"], found["effort"]["executions"], found["session"]
    return found


def test_35_whoever_helps_a_session_may_be_hit(tmp_path: Path, hits: int) -> None:
    tmp_path.chmod(0o755)
    undisturbed, lasted = dict[str, dict[str, Any]](), dict[str, float]()
    for name in PROGRAMS:
        start = time.monotonic()
        undisturbed[name] = ended(begun(tmp_path / name, name))
        lasted[name] = time.monotonic() - start
        assert undisturbed[name].get("status") == "repaired", undisturbed[name]

    def one(number: int) -> tuple[str, str, str, list[str]]:
        rng = random.Random(number)
        name, attack = rng.choice(sorted(PROGRAMS)), ATTACKS[number % len(ATTACKS)]
        folder = tmp_path / str(number)
        process = begun(folder, name)
        kind = hit(process, rng.uniform(0, 0.9 * lasted[name]), attack, rng)
        found, before = ended(process), undisturbed[name]
        check_nothing_is_left(folder)
        differ = sorted(key for key in before.keys() | found.keys() if before.get(key) != found.get(key))
        wrong = [found["error"]] if "error" in found else differ
        line = f"{number} {name}: {attack.__name__} {kind or 'nobody'}: {wrong or 'same'}"
        print(line, file=sys.stderr, flush=True)
        return kind, attack.__name__, name, wrong

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, range(hits)))
    table = Counter((kind, attack, not wrong) for kind, attack, _, wrong in results)
    for (kind, attack, same), count in sorted(table.items()):
        print(f"{kind or 'nobody'} | {attack} | {'same' if same else 'DIFFERENT'} | {count}")
    assert any(kind for kind, *_ in results)
    assert [each for each in results if each[3]] == []

"""Faults 46 and 47: what all processes of a program hold together, and what leaves its group."""

from __future__ import annotations

import os
import time
import zlib
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attackers import CC, attacker
from evaluator_conformance import change
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.python.judging.process import KINDS, LARGEST, RECORD, read_header
from learn2fix.model import Ending, Input
from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.link import Lost
from test_evaluation_faults import FORK, PAUSE, SETSID, system_call

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

EACH = 40 << 20
PRCTL, PR_SET_NAME = 157, 15
EATER = """
    long each = atol(argv[2]); int n = atoi(argv[3]);
    for (int i = 0; i < n; i++)
        if (fork() == 0) {
            char *p = malloc(each);
            for (long at = 0; at < each; at += 4096) p[at] = 1;
            for (;;) pause();
        }
    int left = n, status;
    while (left && wait(&status) > 0)
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) left--, printf("killed "), fflush(stdout);
"""


@pytest.mark.parametrize("isolation", [None, "landlock+seccomp", "limits"])
def test_46_many_processes_share_one_limit(folder: Path, mark: str, isolation: str | None) -> None:
    """Twenty children, each well within the limit of a process, are too much together."""
    program = attacker(folder, "eaters", EATER)
    limits = Limits(seconds=3.0, memory=128 << 20, processes=32)
    with Sandbox(isolation=isolation) as box, box.start(program, limits) as worker:
        outcome = worker.run(b"", (mark, str(EACH), "20"))
        few = worker.run(b"", (mark, str(EACH), "3"))
    assert outcome.ending in (Ending.TIMEOUT, Ending.EXITED)
    assert outcome.output.count(b"killed") + 6 >= 20 - 256 * 2**20 // EACH
    assert b"killed" in outcome.output
    assert (few.ending, few.output) == (Ending.TIMEOUT, b"")  # what is within the limit is left alone


def test_46_the_engine_and_its_candidates() -> None:
    """A candidate that fills memory in many processes is judged, and the others with it."""
    source = b'#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d", n); return 0; }\n'
    touch = b"static char a[1 << 22]; for (int i = 0; i < 1 << 22; i += 4096) a[i] = 1;"
    fork = system_call(FORK).encode()
    many = b"{ long k; for (int i = 0; i < 5; i++) {" + fork + b"} " + touch + b" } printf("
    hungry = change(source, b"printf(", many)
    other = change(source, b", n)", b", n + 1)")
    with closing(CEvaluator(source)) as evaluator:
        (groups,) = evaluator.outputs([Input("5")], evaluator.add([hungry, other]))
    assert {str(answer) for answer, who in groups.items() if 1 in who} == {"6"}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="system calls as this machine makes them")
@pytest.mark.parametrize("times", [1, 2], ids=["child", "grandchild"])
def test_47_what_leaves_its_group_ends_with_the_run(mark: str, times: int) -> None:
    """A process in a session of its own, found by a name that it gave itself."""
    name = f"l2f{zlib.crc32(mark.encode()):08x}"
    source = b'#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d", n); return 0; }\n'
    begin = "".join(system_call(FORK) + " if (k == 0) { " + system_call(SETSID) for _ in range(times))
    rename = system_call(PRCTL, PR_SET_NAME, f'"{name}"')
    hidden = (
        "{ long k; " + begin + rename + " for (;;) " + system_call(PAUSE) + " }" * (times + 1) + " printf("
    )
    daemon = change(source, b"printf(", hidden.encode())
    other = change(source, b", n)", b", n + 1)")
    named = f"Name:\t{name}\n"
    with closing(CEvaluator(source)) as evaluator:
        ids = evaluator.add([daemon, other])
        for text in ("5", "6"):
            (groups,) = evaluator.outputs([Input(text)], ids)
            assert {str(answer) for answer, who in groups.items() if 1 in who} == {str(int(text) + 1)}
        until = time.monotonic() + 20
        while (left := named_so(named)) and time.monotonic() < until:
            time.sleep(0.05)
        assert left == []
        assert evaluator.fast


def named_so(line: str) -> list[str]:
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if status.read_text().startswith(line):
                found.append(status.parent.name)
    return found


@given(st.binary(min_size=RECORD.size, max_size=RECORD.size))
def test_35_a_record_is_believed_only_if_it_makes_sense(data: bytes) -> None:
    kind, length, _ = RECORD.unpack(data)
    if chr(kind) in KINDS and length <= LARGEST:
        assert read_header(data)[:2] == (chr(kind), length)
    else:
        with pytest.raises(Lost):
            read_header(data)

"""A fork server does what a fresh start does, or is not used."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

PROGRAM = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static int counter;
__attribute__((constructor)) static void before(void) { counter++; }
int main(int argc, char **argv) {
    char word[64] = ""; int n = 0;
    setvbuf(stdout, NULL, _IOFBF, 4096);
    if (scanf("%63s %d", word, &n) < 1) { puts("nothing"); return 2; }
    counter++;
    if (!strcmp(word, "exit")) exit(n & 255);
    if (!strcmp(word, "signal")) raise(n);
    if (!strcmp(word, "crash")) *(volatile int *)8 = 1;
    if (!strcmp(word, "loop")) for (;;);
    if (!strcmp(word, "flood")) for (;;) puts("flood");
    if (!strcmp(word, "huge")) { volatile char *p = malloc(10ul << 30); p[5] = 1; }
    if (!strcmp(word, "file")) {
        puts(fopen("x", "r") ? "there" : "new");
        fclose(fopen("x", "w"));
    }
    if (!strcmp(word, "hold")) { if (fork() == 0) { setsid(); sleep(600); } puts("held"); }
    if (!strcmp(word, "child")) { if (fork() == 0) { puts("child"); exit(0); } wait(NULL); puts("parent"); }
    if (!strcmp(word, "murder")) { kill(getppid(), SIGKILL); usleep(300000); }
    if (!strcmp(word, "all")) { kill(-1, SIGKILL); }
    if (!strcmp(word, "env"))
        for (char **e = environ; *e; e++)
            if (strncmp(*e, "HOME", 4) && strncmp(*e, "TMP", 3)) puts(*e);
    if (!strcmp(word, "fds")) for (int fd = 0; fd < 256; fd++) if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
    if (!strcmp(word, "limits")) for (int i = 0; i < 16; i++) { struct rlimit l; getrlimit(i, &l);
        if (i != RLIMIT_NPROC) printf("%lu/%lu ", (unsigned long)l.rlim_cur, (unsigned long)l.rlim_max); }
    if (!strcmp(word, "signals")) for (int i = 1; i < 65; i++) {
        struct sigaction a;
        sigset_t m;
        sigprocmask(0, NULL, &m);
        sigaction(i, NULL, &a);
        printf("%d%d ", a.sa_handler == SIG_DFL, sigismember(&m, i));
    }
    if (!strcmp(word, "group")) printf("%d", getpgrp() == getpid());
    fputs("warned", stderr);
    printf("%s %d %d\n", word, n, counter);
    return 0;
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fork")
    (folder / "p.c").write_text(PROGRAM)
    assert CC is not None
    subprocess.run([CC, "-O1", "-w", "-o", str(folder / "p"), str(folder / "p.c")], check=True)
    return folder / "p"


@pytest.fixture(scope="module", params=[None, "landlock+seccomp", "limits"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(Limits(seconds=1.5), isolation=request.param) as box:
        yield box


WORDS = [
    "a 1", "exit 3", "crash", "b 2", "signal 9", "signal 6", "env", "fds", "limits", "signals", "group",
    "child",
    "file", "file", "flood", "c 3", "loop", "d 4", "huge", "e 5", "hold", "f 6", "", "g 7",
]  # fmt: skip


def test_every_outcome_is_that_of_a_fresh_start(sandbox: Sandbox, path: Path) -> None:
    inputs = [word.encode() for word in WORDS]
    with sandbox.start(Program((str(path),))) as exec_worker:
        expected = list(exec_worker.run_many(inputs))
    with sandbox.start(Program((str(path),), fork_server=True)) as fork_worker:
        for _ in range(3):  # past the copies that are checked anyway
            outcomes = list(fork_worker.run_many(inputs))
            for word, outcome, wanted in zip(WORDS, outcomes, expected, strict=True):
                if word == "huge" and sandbox.isolation == "limits":
                    continue  # a failed allocation, and then chance
                assert (word, outcome) == (word, wanted)
                assert outcome.stderr == wanted.stderr
        assert fork_worker.run(b"with", ("arguments",)).output == b"with 0 2\n"


def test_copies_are_forked(path: Path) -> None:
    """What a copy's parent is: the process that forks, and not the runner."""
    with Sandbox() as box, box.start(Program((str(path),), fork_server=True)) as worker:
        for _ in range(10):
            worker.run(b"a")
        assert worker.run(b"murder").status == 9  # its parent died, and all with it
        assert worker.run(b"a").output == b"a 0 2\n"
    with Sandbox() as box, box.start(Program((str(path),))) as worker:
        assert worker.run(b"murder").output == b"murder 0 2\n"  # its parent is the runner: out of reach


@pytest.mark.parametrize("isolation", [None, "landlock+seccomp"])
def test_attacks_on_the_process_that_forks(isolation: str | None, path: Path) -> None:
    canary = subprocess.Popen(["/bin/sleep", "60"])
    try:
        with (
            Sandbox(Limits(seconds=3.0), isolation=isolation) as box,
            box.start(Program((str(path),), fork_server=True)) as worker,
        ):
            for _ in range(5):
                worker.run(b"a")
            for attack in (b"murder", b"all"):
                assert worker.run(attack).ending in (Ending.SIGNALLED, Ending.EXITED)
                assert worker.run(b"x").output == b"x 0 2\n"
        assert canary.poll() is None
    finally:
        canary.kill()
        canary.wait()


def test_nothing_is_left_by_copies(sandbox: Sandbox, path: Path, tmp_path: Path) -> None:
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    copy = tmp_path / mark
    shutil.copy(path, copy)
    with sandbox.start(Program((str(copy),), fork_server=True)) as worker:
        for word in [b"a"] * 5 + [b"hold", b"loop", b"flood", b"hold"]:
            worker.run(word)
        assert running(mark) == []  # the last one left a grandchild; the process that forks went with it
        worker.run(b"a")
        assert len(running(mark)) == 1
    for _ in range(100):
        if not running(mark):
            break
        time.sleep(0.1)  # the kernel ends what was killed in its own time
    assert running(mark) == []


def running(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # A wrapper of ours may name the program, too.
                wrapped = (entry / "comm").read_text() == "bwrap\n"
                if not wrapped and mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def test_what_cannot_be_a_fork_server_is_started_afresh(tmp_path: Path) -> None:
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\nread word\necho got $word\n")
    script.chmod(0o755)
    static = tmp_path / "static"
    (tmp_path / "s.c").write_text(
        '#include <stdio.h>\nint main(){char w[9]="";scanf("%8s",w);printf("got %s\\n",w);}'
    )
    assert CC is not None
    built = subprocess.run([CC, "-w", "-static", "-o", str(static), str(tmp_path / "s.c")])
    for path in [script] + [static] * (built.returncode == 0):
        with Sandbox() as box, box.start(Program((str(path),), fork_server=True)) as worker:
            outcomes = list(worker.run_many([b"one\n", b"two\n"] * 4))
        assert outcomes == [Outcome(Ending.EXITED, b"got one\n"), Outcome(Ending.EXITED, b"got two\n")] * 4
    with Sandbox() as box, box.start(Program((str(tmp_path / "missing"),), fork_server=True)) as worker:
        assert worker.run(b"").ending is Ending.NOT_STARTED


def test_a_program_that_tells_copies_apart_is_started_afresh(tmp_path: Path) -> None:
    """It prints whether its parent is the same as last time: the first comparison shows a difference."""
    (tmp_path / "t.c").write_text(
        '#include <stdio.h>\n#include <unistd.h>\nint main(){printf("%d", getppid());}'
    )
    assert CC is not None
    subprocess.run([CC, "-w", "-o", str(tmp_path / "t"), str(tmp_path / "t.c")], check=True)
    with Sandbox() as box:
        with box.start(Program((str(tmp_path / "t"),))) as worker:
            expected = worker.run(b"").output
        with box.start(Program((str(tmp_path / "t"),), fork_server=True)) as worker:
            outputs = {outcome.output for outcome in worker.run_many([b""] * 10)}
    if "namespaces" in box.isolation:  # elsewhere the parent's number is never the same twice
        assert outputs == {expected}


def test_uninitialised_memory_is_that_of_a_fresh_start(tmp_path: Path) -> None:
    """Which of many uninitialised words are zero, wherever fresh starts agree among themselves."""
    (tmp_path / "u.c").write_text("""
    #include <stdio.h>
    static void __attribute__((noinline)) look(int deep) {
        volatile unsigned words[256];
        for (int i = 0; i < 256; i++) putchar(words[i] ? '1' : '0');
        if (deep) look(deep - 1);
    }
    int main() {
        volatile unsigned words[64];
        if (getchar() == 'q') return 0;
        for (int i = 0; i < 64; i++) putchar(words[i] ? '1' : '0');
        look(8);
    }
    """)
    assert CC is not None
    subprocess.run([CC, "-O1", "-w", "-o", str(tmp_path / "u"), str(tmp_path / "u.c")], check=True)
    with Sandbox() as box:
        program = Program((str(tmp_path / "u"),), fork_server=True)
        fresh = [box.run(program, b"x").output for _ in range(60)]
        with box.start(program) as worker:
            list(worker.run_many([b"q"] * 5))  # the first copies are compared with a fresh start anyway
            copies = [outcome.output for outcome in worker.run_many([b"x"] * 12)]
    stable = [place for place, seen in enumerate(zip(*fresh, strict=True)) if len(set(seen)) == 1]
    assert len(stable) > 500
    assert {b"1"[0], b"0"[0]} == {fresh[0][place] for place in stable}
    for copy in copies:
        # A few words hold traces of where things lie in memory, which no two processes share.
        differ = [place for place in stable if copy[place] != fresh[0][place]]
        assert len(differ) <= len(stable) // 100, differ


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=5), st.integers(-(2**33), 2**33)), min_size=4, max_size=12))
def test_any_inputs(path: Path, inputs: list[tuple[str, int]]) -> None:
    data = [f"x{word} {number}".encode("utf-8", "replace") for word, number in inputs]
    with Sandbox() as box:
        with box.start(Program((str(path),))) as worker:
            expected = list(worker.run_many(data))
        with box.start(Program((str(path),), fork_server=True)) as worker:
            assert list(worker.run_many(data)) == expected

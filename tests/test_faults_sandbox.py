"""Faults 2–11 of the list: real attacks by processes, memory and disk, bounded, against the sandbox itself.

Each runs under the strongest isolation of this machine and under weaker ones. Where a weaker layer
cannot stop an attack, the test says what it does instead, so that the attack is seen to be real.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from attackers import CC, attacker, survivors
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox, meets

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


@pytest.mark.parametrize("name", ["-o", "with space", "new\nline", "--", "$(touch x)", "ü"])
def test_fault_2_odd_names(sandbox: Sandbox, tmp_path: Path, name: str) -> None:
    built = attacker(tmp_path, "plain", 'printf("%s", argv[1]);')
    odd = tmp_path / name
    shutil.copy(built.argv[0], odd)
    assert sandbox.run(Program((str(odd),)), args=("-o",)) == Outcome(Ending.EXITED, b"-o")
    script = tmp_path / f"{name}.py"
    script.write_text("def f(x):\n    return x + 1\n")
    with sandbox.python(script, "f") as worker:
        assert worker.call("1") == Outcome(Ending.EXITED, b"2")


class TestFault3Compilers:
    def compile(self, tmp_path: Path, source: str, limits: Limits) -> Outcome:
        (tmp_path / "bomb.c").write_text(source)
        assert CC is not None
        with Sandbox() as box:
            return box.compile([CC, "-o", "out", "bomb.c"], cwd=tmp_path, limits=limits)

    def test_a_compile_bomb_meets_the_time_limit(self, tmp_path: Path) -> None:
        macros = "".join(f"#define M{n} M{n - 1} M{n - 1} M{n - 1} M{n - 1}\n" for n in range(1, 30))
        source = "#define M0 x +\n" + macros + "int x; int main() { return M29 0; }\n"
        outcome = self.compile(tmp_path, source, Limits(seconds=1.0, memory=1 << 30, processes=64))
        assert outcome.ending in (Ending.TIMEOUT, Ending.EXITED)
        assert outcome.ending is Ending.TIMEOUT or outcome.status != 0  # or the memory limit came first
        assert not (tmp_path / "out").exists()

    def test_including_an_endless_device(self, tmp_path: Path) -> None:
        outcome = self.compile(
            tmp_path, '#include "/dev/zero"\nint main(){}', Limits(seconds=2.0, memory=1 << 29)
        )
        assert outcome.ending is Ending.TIMEOUT or (outcome.ending, outcome.status != 0) == (
            Ending.EXITED,
            True,
        )

    def test_a_huge_result_is_cut(self, tmp_path: Path) -> None:
        outcome = self.compile(
            tmp_path,
            "char big[200 << 20] = {1}; int main(){}",
            Limits(seconds=20.0, memory=2 << 30, processes=64),
        )
        assert not (outcome.ending is Ending.EXITED and outcome.status == 0)

    def test_it_writes_nowhere_else(self, tmp_path: Path) -> None:
        canary = tmp_path / "canary"
        canary.write_text("mine")
        work = tmp_path / "work"
        work.mkdir()
        (work / "a.c").write_text("int main(){return 0;}")
        assert CC is not None
        with Sandbox() as box:
            outcome = box.compile([CC, "-o", str(canary), "a.c"], cwd=work)
        if meets(box.isolation, "landlock"):
            assert outcome.status != 0
            assert canary.read_text() == "mine"
        else:
            assert outcome.status == 0  # without Landlock the compiler is only limited


class TestFault4Endless:
    @pytest.mark.parametrize(
        "body",
        [
            "for (;;);",
            "for (;;) pause();",
            "for (int i = 1; i < 65; i++) signal(i, SIG_IGN); for (;;) sleep(1);",
            "close(0); close(1); close(2); for (;;);",
            "if (fork()) _exit(0); setsid(); signal(SIGTERM, SIG_IGN); for (;;) sleep(1);",
        ],
    )
    def test_c(self, sandbox: Sandbox, folder: Path, mark: str, body: str) -> None:
        program = attacker(folder, "endless", body)
        with sandbox.start(program, Limits(seconds=0.3)) as worker:
            outcome = worker.run(b"", (mark,))
            assert outcome.ending is (Ending.EXITED if "_exit" in body else Ending.TIMEOUT)
            assert survivors(mark) == []

    @pytest.mark.parametrize(
        "body",
        [
            "while True: pass",
            "import signal, time\nfor n in range(1, 32):\n  try: signal.signal(n, signal.SIG_IGN)\n"
            "  except OSError: pass\nwhile True: time.sleep(1)",
            "import os\nfor fd in range(300):\n  try: os.close(fd)\n  except OSError: pass\nwhile True: pass",
            "import os\nif os.fork() == 0:\n  os.setsid()\n  while True: pass\nwhile True: pass",
        ],
    )
    def test_python(self, sandbox: Sandbox, tmp_path: Path, mark: str, body: str) -> None:
        script = tmp_path / f"{mark}.py"
        script.write_text("if input() == 'go':\n" + "".join(f"  {line}\n" for line in body.splitlines()))
        with sandbox.python(script, None, Limits(seconds=1.5)) as worker:
            assert worker.run(b"stay") == Outcome(Ending.EXITED)
            before = survivors(mark)  # the warm interpreter and its supervisors
            assert worker.run(b"go") == Outcome(Ending.TIMEOUT)
            assert set(survivors(mark)) <= set(before)
            assert worker.run(b"stay") == Outcome(Ending.EXITED)


def test_fault_5_fork_bomb(sandbox: Sandbox, folder: Path, mark: str) -> None:
    program = attacker(
        folder,
        "bomb",
        """int made = 0;
        for (int i = 0; i < 200; i++) {
            pid_t pid = fork();
            if (pid == 0) { for (;;) pause(); }
            if (pid > 0) made++;
        }
        printf("%d", made);""",
    )
    with sandbox.start(program, Limits(seconds=5.0, processes=20)) as worker:
        for _ in range(3):
            outcome = worker.run(b"", (mark,))
            assert outcome.ending is Ending.EXITED
            assert 5 <= int(outcome.output) <= 20
            assert survivors(mark) == []


def test_fault_5_fork_bomb_that_keeps_going(sandbox: Sandbox, folder: Path, mark: str) -> None:
    """Every process forks on and on, in sessions of their own: the sweep must win the race."""
    program = attacker(folder, "bomber", "for (int i = 0; i < 100000; i++) { if (fork() == 0) setsid(); }")
    with sandbox.start(program, Limits(seconds=0.5, processes=20)) as worker:
        assert worker.run(b"", (mark,)).ending in (Ending.TIMEOUT, Ending.EXITED)
        assert survivors(mark) == []


def test_fault_6_daemon(sandbox: Sandbox, folder: Path, mark: str, tmp_path: Path) -> None:
    body = """
    if (fork() == 0) {
        setsid();
        if (fork() == 0) { close(0); close(1); close(2); for (;;) sleep(1); }
        _exit(0);
    }
    wait(NULL); puts("started");"""
    with sandbox.start(attacker(folder, "daemon", body)) as worker:
        assert worker.run(b"", (mark,)) == Outcome(Ending.EXITED, b"started\n")
        assert survivors(mark) == []
    script = tmp_path / f"{mark}.py"
    script.write_text(
        "import os, time\ndef f(go):\n  if go and os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "      os.closerange(0, 300)\n      time.sleep(600)\n    os._exit(0)\n  return 'started'\n"
    )
    with sandbox.python(script, "f") as python:
        python.call("False")
        before = survivors(mark)
        assert python.call("True") == Outcome(Ending.EXITED, b"'started'")
        assert set(survivors(mark)) <= set(before)


def test_fault_7_grandchild_holds_stdout(sandbox: Sandbox, folder: Path, mark: str) -> None:
    body = 'if (fork() == 0) { setsid(); sleep(600); } printf("right"); return 4;'
    # With a limit of a minute, only not waiting for the grandchild gives this outcome.
    with sandbox.start(attacker(folder, "holder", body), Limits(seconds=60.0)) as worker:
        outcome = worker.run(b"", (mark,))
    assert outcome == Outcome(Ending.EXITED, b"right", 4)
    assert outcome.seconds < 30
    assert survivors(mark) == []


class TestFault8Signals:
    @pytest.mark.parametrize("isolation", [None, "landlock+seccomp"])
    @pytest.mark.parametrize(
        "attack",
        ["kill(-1, SIGKILL)", "kill(getppid(), SIGKILL)", "kill(-getppid(), SIGKILL)", "kill(1, SIGKILL)"],
    )
    def test_c(self, isolation: str | None, folder: Path, attack: str) -> None:
        canary = subprocess.Popen(["/bin/sleep", "60"])
        try:
            with Sandbox(Limits(seconds=3.0), isolation=isolation) as box:
                body = f"int c = getchar(); if (c == 'k') {{ {attack}; usleep(1000); }} printf(\"%c\", c);"
                with box.start(attacker(folder, "killer", body)) as worker:
                    outcomes = list(worker.run_many([b"a", b"k", b"b"]))
            assert [outcomes[0].output, outcomes[2].output] == [b"a", b"b"]
            assert outcomes[1].ending in (Ending.EXITED, Ending.SIGNALLED)  # blamed, or without effect
            assert canary.poll() is None
        finally:
            canary.kill()
            canary.wait()

    def test_python(self, tmp_path: Path) -> None:
        script = tmp_path / "killer.py"
        script.write_text(
            "import os\ndef f(go):\n  if go == 1: os.kill(os.getppid(), 9)\n  if go == 2: os.kill(-1, 9)\n"
            "  if go == 3: os.kill(os.getppid(), 19)\n  return go\n"
        )
        with Sandbox(Limits(seconds=5.0)) as box, box.python(script, "f") as worker:
            assert worker.call("0").output == b"0"
            for go in (1, 2):
                assert worker.call(str(go)).ending is Ending.SIGNALLED
                assert worker.call("0").output == b"0"


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("stream", [1, 2])
def test_fault_9_floods(sandbox: Sandbox, folder: Path, stream: int) -> None:
    body = (
        f"char b[65536]; memset(b, 'x', sizeof b); for (;;) if (write({stream}, b, sizeof b) < 0) return 1;"
    )
    program = attacker(folder, "flood", body)
    with sandbox.start(program, Limits(seconds=20.0, output=1 << 16)) as worker:
        worker.run(b"")
        before = resident()
        for _ in range(20):
            outcome = worker.run(b"")
            assert outcome.ending is Ending.FLOOD
            assert len(outcome.output) == (1 << 16 if stream == 1 else 0)
            assert len(outcome.stderr) == (1 << 16 if stream == 2 else 0)
        assert resident() - before < 5 << 20


class TestFault10Memory:
    @pytest.mark.parametrize(
        "body",
        [
            'char *p = malloc(10ul << 30); if (!p) return puts("no"), 1; memset(p, 1, 10ul << 30);',
            "volatile char *p = malloc(10ul << 30); p[5ul << 30] = 1;",
            "volatile char *p = malloc(100); p = realloc((void *)p, 10ul << 30); p[9ul << 30] = 1;",
        ],
    )
    def test_one_huge_allocation(self, sandbox: Sandbox, folder: Path, body: str) -> None:
        outcome = sandbox.run(attacker(folder, "huge", body), limits=Limits(seconds=10.0, memory=1 << 28))
        if meets(sandbox.isolation, "seccomp"):
            assert outcome == Outcome(Ending.MEMORY)
        else:  # the allocation fails, and what the program makes of that is all there is to see
            assert outcome.ending in (Ending.SIGNALLED, Ending.EXITED)

    def test_many_small_ones(self, sandbox: Sandbox, folder: Path) -> None:
        body = "for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20); }"
        outcome = sandbox.run(attacker(folder, "eater", body), limits=Limits(seconds=10.0, memory=1 << 28))
        assert outcome == Outcome(Ending.MEMORY)

    def test_python(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "eat.py").write_text("def f(n):\n  return len(bytearray(n))\n")
        with sandbox.python(tmp_path / "eat.py", "f", Limits(seconds=10.0, memory=1 << 28)) as worker:
            assert worker.call("10 * 2").ending is Ending.NOT_STARTED
            assert worker.call("10_000_000_000") == Outcome(Ending.MEMORY)
            assert worker.call("1000").output == b"1000"


class TestFault11Disk:
    def test_large_files(self, sandbox: Sandbox, folder: Path) -> None:
        """Twelve files of 16 MB: each is capped at 1 MB, and all of them where scratch is a file system."""
        body = """
        static char block[1 << 20]; long total = 0; signal(SIGXFSZ, SIG_IGN);
        for (int i = 0; i < 12; i++) {
            char name[16]; sprintf(name, "f%d", i); int fd = open(name, O_CREAT | O_WRONLY, 0600);
            for (int j = 0; j < 16; j++) {
                ssize_t n = write(fd, block, sizeof block);
                if (n > 0) total += n;
            }
        }
        printf("%ld", total);"""
        with sandbox.start(attacker(folder, "disk", body), Limits(seconds=20.0, file_size=1 << 20)) as worker:
            amounts = [int(worker.run(b"").output) for _ in range(2)]
        most = 4 << 20 if meets(sandbox.isolation, "namespaces") else 12 << 20
        assert amounts[0] == amounts[1]  # the second run finds as much room as the first
        assert 0 < amounts[0] <= most

    def test_a_file_beyond_the_limit_ends_the_program(self, sandbox: Sandbox, folder: Path) -> None:
        body = 'FILE *f = fopen("x", "w"); for (;;) fputs("0123456789", f);'
        outcome = sandbox.run(attacker(folder, "file", body), limits=Limits(seconds=20.0, file_size=1 << 20))
        assert outcome.ending is Ending.FLOOD

    def test_many_files(
        self, sandbox: Sandbox, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        body = """
        int made = 0;
        for (int i = 0; i < 100000 && made < atoi(argv[1]); i++) {
            char name[32]; sprintf(name, "%d", i); int fd = open(name, O_CREAT | O_WRONLY, 0600);
            if (fd < 0) break; close(fd); made++;
        }
        printf("%d", made);"""
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        in_memory = meets(sandbox.isolation, "namespaces")
        with sandbox.start(attacker(folder, "files", body), Limits(seconds=60.0)) as worker:
            made = int(worker.run(b"", ("100000" if in_memory else "1000",)).output)
            assert 1000 <= made <= 20000
            assert [p for p in tmp_path.rglob("*") if p.is_file() and p.name != "lock"] == []
            assert int(worker.run(b"", ("5",)).output) == 5
        assert list(tmp_path.iterdir()) == []

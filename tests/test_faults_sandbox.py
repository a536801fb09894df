"""Faults 2–16 and 28 of the list: real attacks, bounded, against the sandbox itself.

Each runs under the strongest isolation of this machine and under weaker ones. Where a weaker layer
cannot stop an attack, the test says what it does instead, so that the attack is seen to be real.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from learn2fix.errors import IsolationError
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox, build, meets, observe, place, probe

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")
ROOT = os.geteuid() == 0

HEADERS = """
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attackers")


def attacker(folder: Path, name: str, body: str) -> Program:
    """A program with this body of main; argv[1] is a word by which its processes can be found."""
    path = folder / f"{name}.c"
    path.write_text(HEADERS + "int main(int argc, char **argv) {\n" + body + "\nreturn 0; }\n")
    assert CC is not None
    subprocess.run([CC, "-O1", "-w", "-o", str(folder / name), str(path)], check=True)
    return Program((str(folder / name),))


@pytest.fixture(params=[None, "landlock+seccomp", "limits"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    try:
        with Sandbox(Limits(seconds=3.0), isolation=request.param) as box:
            box.run(Program(("/bin/true",)))
            yield box
    except IsolationError as error:
        if all(one.works for one in probe().observed):
            raise  # what is not there must be reported as not there
        pytest.skip(f"{request.param} does not exist here: {error}")


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> str:
    return f"mark-{os.getpid()}-{time.monotonic_ns()}"


def survivors(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


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


NETWORK = """
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
"""


def test_fault_12_network(sandbox: Sandbox, tmp_path: Path) -> None:
    assert CC is not None
    source = (
        NETWORK
        + HEADERS
        + """
    static void hit(int fd, void *to, int size) { if (connect(fd, to, size) == 0) write(fd, "x", 1); }
    int main(int argc, char **argv) {
        struct sockaddr_in in = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}};
        struct sockaddr_un un = {AF_UNIX}; strcpy(un.sun_path, argv[3]);
        hit(socket(AF_INET, SOCK_STREAM, 0), &in, sizeof in);
        in.sin_port = htons(atoi(argv[2]));
        hit(socket(AF_INET, SOCK_DGRAM, 0), &in, sizeof in);
        sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0, (void *)&in, sizeof in);
        hit(socket(AF_UNIX, SOCK_STREAM, 0), &un, sizeof un);
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) sendto(pair[0], "x", 1, 0, (void *)&un, sizeof un);
        puts("tried");
    }"""
    )
    (tmp_path / "net.c").write_text(source)
    subprocess.run([CC, "-w", "-o", str(tmp_path / "net"), str(tmp_path / "net.c")], check=True)
    with observe.canaries() as canary:
        targets = tuple(canary.target(name) for name in ("tcp", "udp", "unix"))
        assert sandbox.run(Program((str(tmp_path / "net"),)), args=targets).output == b"tried\n"
        seen = [canary.hurt(name, False) for name in ("tcp", "udp", "unix")]
    # Limits alone let everything through, which also shows that the attack would be seen.
    assert seen == [not meets(sandbox.isolation, "seccomp")] * 3


def test_fault_13_files_of_the_user(sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
    body = """
    char *file = argv[1], *dir = argv[2], name[4096];
    chmod(file, 0777); chown(file, getuid(), getgid()); truncate(file, 0); rename(file, "mine");
    int fd = open(file, O_WRONLY | O_TRUNC); if (fd >= 0) write(fd, "x", 1);
    unlink(file); rmdir(dir); link(file, "hard"); utimensat(AT_FDCWD, file, NULL, 0);
    snprintf(name, sizeof name, "%s/planted", dir); open(name, O_CREAT | O_WRONLY, 0600);
    symlink(file, "soft"); fd = open("soft", O_WRONLY); if (fd >= 0) write(fd, "x", 1);
    fd = open(file, O_RDONLY); char c = '-'; if (fd >= 0) read(fd, &c, 1); putchar(c);"""
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    canary = home / "canary"
    canary.write_text("secret")
    before = canary.stat()
    outcome = sandbox.run(attacker(folder, "vandal", body), args=(str(canary), str(home)))
    assert outcome.ending is Ending.EXITED
    if meets(sandbox.isolation, "landlock+seccomp"):
        assert outcome.output == b"-"
    if ROOT or meets(sandbox.isolation, "landlock+seccomp"):
        after = canary.stat()
        assert canary.read_text() == "secret"
        assert (after.st_mode, after.st_uid, after.st_mtime_ns, after.st_nlink) == (
            before.st_mode,
            before.st_uid,
            before.st_mtime_ns,
            1,
        )
        assert list(home.iterdir()) == [canary]
    else:  # an ordinary user's programs can do what the user can, unless a layer stands in between
        assert not canary.exists()


class TestFault14Links:
    def test_links_in_the_scratch_folder(self, sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
        """Planted at likely names, and as folders: emptying and removing must not follow them."""
        home = tmp_path / "home"
        home.mkdir()
        (home / "canary").write_text("mine")
        body = """
        static const char *names[] = {"core", "a.out", "program", "modules", "scratch", "result", "-"};
        for (int i = 0; i < 7; i++) symlink(argv[1], names[i]);
        mkdir("d", 0700); chdir("d"); symlink(argv[1], "e"); symlink("..", "loop"); puts("planted");"""
        with sandbox.start(attacker(folder, "planter", body)) as worker:
            for _ in range(3):
                assert worker.run(b"", (str(home),)).output == b"planted\n"
        assert (home / "canary").read_text() == "mine"
        assert list(home.iterdir()) == [home / "canary"]

    def test_a_link_where_the_runner_is_cached(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        victim = tmp_path / "victim"
        victim.write_text("mine")
        cache = tmp_path / "cache"
        (cache / "learn2fix").mkdir(parents=True, mode=0o700)
        planted = cache / "learn2fix" / f"runner-{build.source_digest()}"
        planted.symlink_to(victim)
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        built = build.runner.__wrapped__()
        assert built == planted
        assert not planted.is_symlink()
        assert victim.read_text() == "mine"

    @pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
    def test_a_cache_that_others_can_write_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
    ) -> None:
        (tmp_path / "learn2fix").mkdir()
        (tmp_path / "learn2fix").chmod(mode)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert build.cache_folder() is None

    def test_a_linked_cache_is_not_used(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        (tmp_path / "learn2fix").symlink_to(tmp_path / "elsewhere")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert build.cache_folder() is None


def test_faults_15_and_16_bytes_are_kept(sandbox: Sandbox, folder: Path) -> None:
    """Escape sequences, bidi marks, NUL and invalid UTF-8 come back byte for byte."""
    body = "char b[65536]; ssize_t n; while ((n = read(0, b, sizeof b)) > 0) write(1, b, n);"
    data = bytes(range(256)) * 4 + "\x1b]0;title\x07\x9b31m\u202e\u2066".encode() + b"\xff\xfe\0\0"
    with sandbox.start(attacker(folder, "cat", body)) as worker:
        assert worker.run(data) == Outcome(Ending.EXITED, data)


class TestFault28LessIsolation:
    def test_the_layer_in_force_is_named_and_seen_to_hold(self) -> None:
        report = probe()
        with Sandbox() as box:
            assert box.isolation == report.isolation
        assert report.text()[0] == f"isolation in force: {report.isolation}"
        assert report.holds or report.isolation != "namespaces+landlock+seccomp"

    def test_every_layer_says_what_it_stops(self) -> None:
        seen = {one.isolation: dict(one.blocked) for one in probe().observed if one.works}
        assert seen["limits"]["tcp"] is False
        assert seen["limits"]["daemon"] is True
        if "landlock" in seen:
            assert seen["landlock"]["read"] is True
        if "seccomp" in seen:
            assert (seen["seccomp"]["tcp"], seen["seccomp"]["udp"], seen["seccomp"]["chmod"]) == (
                True,
                True,
                True,
            )

    def test_bubblewrap_missing_is_said_plainly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nonexistent")
        with (
            Sandbox(isolation="bubblewrap+seccomp") as box,
            pytest.raises(IsolationError, match="bubblewrap is not installed"),
        ):
            box.run(Program(("/bin/true",)))

    def test_bubblewrap_where_it_works(self, folder: Path, tmp_path: Path) -> None:
        isolation = "bubblewrap+namespaces+landlock+seccomp"
        seen = next(one for one in probe().observed if one.isolation == isolation)
        if not seen.works:
            assert seen.problem
            return
        assert seen.holds
        (tmp_path / "secret").write_text("x")
        program = attacker(folder, "stat", 'struct stat s; printf(stat(argv[1], &s) ? "hidden" : "seen");')
        with Sandbox(isolation=isolation) as box:
            assert box.run(program, args=(str(tmp_path / "secret"),)).output == b"hidden"
            (tmp_path / "f.py").write_text("def f(x):\n  return x * 2\n")
            with box.python(tmp_path / "f.py", "f") as worker:
                assert worker.call("21") == Outcome(Ending.EXITED, b"42")
            with tempfile.TemporaryDirectory() as name:  # everyone may go there: we are someone else inside
                Path(name).chmod(0o755)
                copy = Path(name) / "deep" / "stat"
                copy.parent.mkdir(mode=0o755)
                shutil.copy(program.argv[0], copy)
                copy.chmod(0o755)
                assert box.run(Program((str(copy),)), args=("/nonexistent",)).output == b"hidden"

    def test_no_compiler_is_said_plainly(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(build, "runner", lambda: None)
        monkeypatch.setattr(build, "compiler", lambda: None)
        monkeypatch.setattr(observe, "strongest", observe.strongest.__wrapped__)
        report = observe.probe.__wrapped__()
        assert report.isolation == "limits"
        assert any("no C compiler was found" in line and "slower" in line for line in report.text())
        with Sandbox() as box:
            assert box.isolation == "limits"
            assert box.run(Program(("/bin/echo", "hi"))) == Outcome(Ending.EXITED, b"hi\n")
        with Sandbox(isolation="seccomp") as box, pytest.raises(IsolationError, match="no C compiler"):
            box.run(Program(("/bin/true",)))

    def test_what_does_not_exist_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no such layer: magic"):
            Sandbox(isolation="magic")

    @pytest.mark.skipif(not ROOT, reason="needs root to become someone else")
    @pytest.mark.parametrize("forbidden", [False, True])
    def test_an_ordinary_user(self, request: pytest.FixtureRequest, forbidden: bool) -> None:
        """The same attacks when we are not root: with user namespaces, and where they are forbidden."""
        script = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from learn2fix.sandbox import observe\n"
            "names = observe.choose()\n"
            "one = observe.observe(names)\n"
            "print(one.isolation, one.holds)\n"
        )
        python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
        if (
            python is None
            or subprocess.run([python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]).returncode
        ):
            python = sys.executable
        home = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own folders are closed to others
        request.addfinalizer(lambda: shutil.rmtree(home))
        shutil.copytree(Path(build.__file__).parents[1], home / "learn2fix")
        cache = home / "cache"
        cache.mkdir()
        for path in (home, cache):
            os.chown(path, 12345, 12345)
        command = [python, "-c", (NO_NAMESPACES if forbidden else "") + script, str(home)]
        env = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(cache), "TMPDIR": "/tmp"}
        done = subprocess.run(
            command, user=12345, group=12345, extra_groups=[], env=env, capture_output=True, cwd="/"
        )
        if b"Permission denied" in done.stderr and python == sys.executable:
            pytest.skip("this interpreter is out of reach of ordinary users")
        assert done.returncode == 0, done.stderr.decode()
        isolation, holds = done.stdout.decode().split()
        if forbidden:
            assert "namespaces" not in isolation
        assert holds == "True" or "landlock" not in isolation


NO_NAMESPACES = """
import ctypes, errno
class Header(ctypes.Structure): _fields_ = [("n", ctypes.c_ushort), ("f", ctypes.c_void_p)]
import os, struct
libc = ctypes.CDLL(None, use_errno=True)
calls = {"x86_64": 272, "aarch64": 97}
code = b"".join(struct.pack("HBBI", *line) for line in [
    (0x20, 0, 0, 0), (0x15, 0, 1, calls[os.uname().machine]),
    (6, 0, 0, 0x50000 | errno.EPERM), (6, 0, 0, 0x7fff0000)])
memory = ctypes.create_string_buffer(code)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Header(4, ctypes.cast(memory, ctypes.c_void_p))), 0, 0) == 0
"""
"""A container that forbids unshare, as many do."""


def test_folders_of_a_killed_host_are_removed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "import os\nfrom learn2fix.sandbox import *\nbox = Sandbox()\n"
    script += "box.start(Program(('/bin/true',))).run(b'')\n"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script + "os.kill(os.getpid(), 9)"], env=env)
    abandoned = list(tmp_path.iterdir())
    assert len(abandoned) == 1
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Sandbox() as box:
        box.start(Program(("/bin/true",)))
        held = [path for path in tmp_path.iterdir() if path not in abandoned]
        monkeypatch.setattr("learn2fix.sandbox.place.time.time", lambda: time.monotonic() + 1e10)
        place.remove_abandoned.__wrapped__(str(tmp_path))
        assert list(tmp_path.iterdir()) == held


def test_nothing_outlives_a_killed_host(folder: Path, mark: str, tmp_path: Path) -> None:
    """We die by SIGKILL in the middle of an execution: the sandbox and all in it end too."""
    program = attacker(folder, "forever", "fork(); for (;;) pause();")
    script = (
        "import sys\nfrom learn2fix.sandbox import *\nbox = Sandbox()\n"
        f"engine = box.popen(['/bin/sleep', '600.{mark[-9:]}'], limits=Limits())\n"
        "worker = box.start(Program((sys.argv[1],)), Limits(seconds=600))\nprint('up', flush=True)\n"
        "worker.run(b'', (sys.argv[2],))\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
    host = subprocess.Popen(
        [sys.executable, "-c", script, program.argv[0], mark], stdout=subprocess.PIPE, env=env
    )
    assert host.stdout is not None
    assert host.stdout.readline() == b"up\n"
    while len(survivors(mark)) < 3:  # the host, the program and its child
        time.sleep(0.01)
    host.send_signal(signal.SIGKILL)
    host.wait()
    deadline = time.monotonic() + 60
    while (survivors(mark) or survivors(f"600.{mark[-9:]}")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert survivors(mark) == []
    assert survivors(f"600.{mark[-9:]}") == []

"""The sandbox runs programs and says truly how they ended, under every layer that this machine has."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Program, Sandbox, meets
from learn2fix.sandbox.frames import MARK, RESULT, Header, configuration, request
from learn2fix.sandbox.place import SYSTEM

CC = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(CC is None, reason="no C compiler")


def build(folder: Path, source: str, name: str = "program") -> Path:
    path = folder / f"{name}.c"
    path.write_text(source)
    assert CC is not None
    subprocess.run([CC, "-O1", "-w", "-o", str(folder / name), str(path)], check=True)
    return folder / name


ECHO = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
    fflush(stdout);
    char data[65536]; ssize_t n;
    while ((n = read(0, data, sizeof data)) > 0) if (write(1, data, n) != n) return 9;
    fputs("warned", stderr);
    return 7;
}
"""

MANY_WAYS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
static int deeper(volatile int n) {
    volatile char pad[4096];
    pad[n % 4096] = n;
    return deeper(n + 1) + pad[7];
}
int main(void) {
    char word[32] = "";
    scanf("%31s", word);
    if (!strcmp(word, "crash")) *(volatile int *)8 = 1;
    if (!strcmp(word, "abort")) abort();
    if (!strcmp(word, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(word, "term")) raise(SIGTERM);
    if (!strcmp(word, "loop")) for (;;);
    if (!strcmp(word, "sleep")) for (;;) pause();
    if (!strcmp(word, "flood")) for (;;) puts("flood");
    if (!strcmp(word, "recurse")) return deeper(0);
    printf("done %s\\n", word);
    return 0;
}
"""


NO_COMPILER = "no compiler"


@pytest.fixture(params=[None, "landlock+seccomp", "limits", NO_COMPILER])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param == NO_COMPILER:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("learn2fix.sandbox.build.runner", lambda: None)
            with Sandbox(Limits(seconds=3.0, stack=16 << 20), isolation="limits") as box:
                yield box
        return
    with Sandbox(Limits(seconds=3.0, stack=16 << 20), isolation=request.param) as box:
        yield box


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def echo(folder: Path) -> Program:
    return Program((str(build(folder, ECHO, "echo")),))


@pytest.fixture(scope="module")
def many_ways(folder: Path) -> Program:
    return Program((str(build(folder, MANY_WAYS, "many_ways")),))


@needs_compiler
class TestPrograms:
    def test_output_status_stderr_and_arguments_come_back(self, sandbox: Sandbox, echo: Program) -> None:
        outcome = sandbox.run(echo, b"in\0put\xff", ("-o", "a b", "new\nline", ""))
        assert outcome == Outcome(Ending.EXITED, b"[-o][a b][new\nline][]in\0put\xff", 7)
        assert outcome.stderr == b"warned"
        assert outcome.seconds > 0

    @pytest.mark.parametrize(
        ("word", "expected"),
        [
            ("fine", Outcome(Ending.EXITED, b"done fine\n")),
            ("crash", Outcome(Ending.SIGNALLED, status=11)),
            ("abort", Outcome(Ending.SIGNALLED, status=6)),
            ("kill", Outcome(Ending.SIGNALLED, status=9)),
            ("term", Outcome(Ending.SIGNALLED, status=15)),
            ("recurse", Outcome(Ending.SIGNALLED, status=11)),
            ("loop", Outcome(Ending.TIMEOUT)),
            ("sleep", Outcome(Ending.TIMEOUT)),
        ],
    )
    def test_every_ending_is_told_apart(
        self, sandbox: Sandbox, many_ways: Program, word: str, expected: Outcome
    ) -> None:
        limits = Limits(seconds=0.5) if expected.ending is Ending.TIMEOUT else None
        assert sandbox.run(many_ways, word.encode(), limits=limits) == expected

    def test_a_flood_is_capped(self, sandbox: Sandbox, many_ways: Program) -> None:
        outcome = sandbox.run(many_ways, b"flood", limits=Limits(seconds=5, output=1000))
        assert outcome.ending is Ending.FLOOD
        assert outcome.output == (b"flood\n" * 200)[:1000]

    def test_output_of_exactly_the_limit_is_no_flood(self, sandbox: Sandbox, echo: Program) -> None:
        limits = Limits(output=5000)
        assert sandbox.run(echo, b"x" * 5000, limits=limits) == Outcome(Ending.EXITED, b"x" * 5000, 7)
        assert sandbox.run(echo, b"x" * 5001, limits=limits).ending is Ending.FLOOD

    def test_input_larger_than_a_pipe(self, sandbox: Sandbox, echo: Program) -> None:
        data = bytes(range(256)) * 3000
        assert sandbox.run(echo, data).output == data

    def test_a_worker_keeps_going_whatever_the_program_does(
        self, sandbox: Sandbox, many_ways: Program
    ) -> None:
        words = [b"a", b"crash", b"b", b"loop", b"c", b"flood", b"kill", b"d"]
        with sandbox.start(many_ways, Limits(seconds=1.5)) as worker:
            one_by_one = [worker.run(word) for word in words]
            assert list(worker.run_many(words)) == one_by_one
        assert [outcome.ending.value for outcome in one_by_one] == [
            "exited", "signalled", "exited", "timeout", "exited", "flood", "signalled", "exited",
        ]  # fmt: skip

    def test_many_inputs_of_any_size_keep_their_order(self, sandbox: Sandbox, echo: Program) -> None:
        inputs = [b"%d" % i * (1 + i * 97 % 40000) for i in range(60)]
        with sandbox.start(echo) as worker:
            assert [outcome.output for outcome in worker.run_many(inputs)] == inputs

    def test_copies_share_many_inputs_and_keep_their_order(
        self, sandbox: Sandbox, many_ways: Program, echo: Program
    ) -> None:
        words = [b"a", b"crash", b"b", b"flood", b"kill"] * 30
        same = sandbox.isolation
        with (
            Sandbox(isolation=same, jobs=3) as box,
            box.start(many_ways) as several,
            sandbox.start(many_ways) as one,
        ):
            assert list(several.run_many(words)) == list(one.run_many(words))
            assert several.run(b"z").output == one.run(b"z").output
        inputs = [b"%d" % i * (1 + i * 97 % 9000) for i in range(150)]
        with Sandbox(isolation=same, jobs=2) as box, box.start(echo) as worker:
            assert [outcome.output for outcome in worker.run_many(inputs)] == inputs
            stream = worker.run_many(inputs)
            assert next(stream).output == inputs[0]
            del stream  # with outcomes of both copies still to come
            assert [outcome.output for outcome in worker.run_many(inputs[:5])] == inputs[:5]

    def test_a_refused_argument_keeps_its_place_among_many(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.start(Program(("/bin/echo",))) as worker:
            outcomes = list(worker.run_many([b""] * 3, [("a",), ("b\0",), ("c",)]))
        assert [outcome.output for outcome in outcomes] == [b"a\n", b"", b"c\n"]
        assert outcomes[1].ending is Ending.NOT_STARTED

    def test_an_abandoned_run_leaves_the_worker_in_step(self, sandbox: Sandbox, echo: Program) -> None:
        with sandbox.start(echo) as worker:
            stream = worker.run_many(b"%d" % i for i in range(50))
            assert next(stream).output == b"0"
            del stream
            assert worker.run(b"next").output == b"next"

    def test_what_cannot_start_is_data(self, sandbox: Sandbox, folder: Path) -> None:
        missing = sandbox.run(Program((str(folder / "missing"),)))
        assert (missing.ending, missing.detail) == (Ending.NOT_STARTED, "No such file or directory")
        text = folder / "text"
        text.write_text("hello")
        assert sandbox.run(Program((str(text),))).ending is Ending.NOT_STARTED

    def test_a_nul_in_an_argument_is_refused_as_data(self, sandbox: Sandbox, echo: Program) -> None:
        assert sandbox.run(echo, args=("a\0b",)).ending is Ending.NOT_STARTED

    def test_the_environment_is_ours(
        self, sandbox: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SECRET_TOKEN", "hunter2")
        program = build(
            folder,
            "#include <stdio.h>\nextern char **environ;int main(){for(char**e=environ;*e;e++)puts(*e);}",
            "e",
        )
        names = {line.split(b"=")[0] for line in sandbox.run(Program((str(program),))).output.splitlines()}
        assert names == {b"PATH", b"LANG", b"TZ", b"HOME", b"TMPDIR"}

    def test_the_scratch_folder_is_writable_and_empty_each_time(self, sandbox: Sandbox, folder: Path) -> None:
        source = r"""
        #include <stdio.h>
        #include <sys/stat.h>
        int main() {
            FILE *old = fopen("d/left", "r"); if (old) { puts("left over"); return 1; }
            mkdir("d", 0700); mkdir("d/e", 0);
            FILE *f = fopen("d/left", "w"); if (!f) { perror("d/left"); return 2; }
            fputs("x", f); fclose(f); FILE *g = fopen("d/left", "r"); printf("%c", fgetc(g)); return 0;
        }
        """
        with sandbox.start(Program((str(build(folder, source, "scratch")),))) as worker:
            assert [worker.run(b"") for _ in range(3)] == [Outcome(Ending.EXITED, b"x")] * 3

    def test_scratch_folders_are_removed(
        self, echo: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        with Sandbox() as box:
            box.run(echo)
            worker = box.start(echo)
            worker.run(b"")
            assert len(list(tmp_path.iterdir())) == 1
        assert list(tmp_path.iterdir()) == []

    def test_a_forgotten_sandbox_cleans_up(
        self, echo: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        box = Sandbox()
        worker = box.start(echo)
        process = box.connect(["/bin/sleep", "600"], limits=Limits()).process
        del box
        gc.collect()
        assert worker.run(b"still").output == b"still"
        assert len(list(tmp_path.iterdir())) == 2
        del worker
        gc.collect()
        assert list(tmp_path.iterdir()) == []
        assert process.poll() is not None

    def test_a_program_only_its_owner_may_execute_runs(self, sandbox: Sandbox, tmp_path: Path) -> None:
        program = build(tmp_path, ECHO)
        program.chmod(0o700)
        assert sandbox.run(Program((str(program),)), b"x").output == b"x"

    def test_readable_files_can_be_read(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("hello")
        (tmp_path / "data").chmod(0o600)
        program = Program(("/bin/cat", str(tmp_path / "data")), readable=(tmp_path / "data",))
        assert sandbox.run(program).output == b"hello"

    def test_a_workshop_is_reached_by_its_path_wherever_it_lies(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A build finds on PATH what was put there, whichever folders lead to it."""
        with tempfile.TemporaryDirectory(prefix="learn2fix-run-") as folder:
            os.chmod(folder, 0o711)
            monkeypatch.setattr(tempfile, "tempdir", folder)
            with sandbox.workshop() as workshop:
                workshop.put("bin/hello", b"#!/bin/sh\necho hello\n", executable=True)
                command = f"PATH={workshop.folder}/bin:$PATH; hello"
                assert workshop.run(["sh", "-c", command]).output == b"hello\n"

    def test_the_system_s_files_can_be_read(self, sandbox: Sandbox) -> None:
        """Those below /etc too: `cc` is a link to /etc/alternatives/cc on many a machine."""
        names = [name for name in SYSTEM if os.path.exists(name)]
        assert any(name.startswith("/etc/") for name in names)
        refused = 'for name; do test -r "$name" || echo "$name"; done'
        assert sandbox.run(Program(("/bin/sh", "-c", refused, "sh", *names))).output == b""


@needs_compiler
class TestCompile:
    def test_the_result_can_be_run(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "-o.c").write_text('#include <stdio.h>\nint main(){puts("built");}')
        assert CC is not None
        built = sandbox.compile([CC, "-o", "out", "./-o.c"], cwd=tmp_path)
        assert built == Outcome(Ending.EXITED)
        assert sandbox.run(Program((str(tmp_path / "out"),))).output == b"built\n"

    def test_diagnostics_come_back(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "bad.c").write_text("int main(){return x;}")
        assert CC is not None
        outcome = sandbox.compile([CC, "bad.c"], cwd=tmp_path)
        assert outcome.ending is Ending.EXITED
        assert outcome.status != 0
        assert b"bad.c:1" in outcome.stderr


@needs_compiler
class TestConnect:
    def test_a_conversation(self, sandbox: Sandbox) -> None:
        link = sandbox.connect(["/bin/cat"], limits=Limits())
        for word in (b"one\n", b"two\n"):
            link.send(word)
            assert link.read(4) == word
        assert link.process.stdin is not None
        link.process.stdin.close()
        assert link.process.wait(10) == 0
        link.close()

    def test_its_status_is_passed_on(self, sandbox: Sandbox) -> None:
        assert sandbox.connect(["/bin/sh", "-c", "exit 5"], limits=Limits()).process.wait(10) == 5

    def test_killing_it_kills_its_children(self, sandbox: Sandbox) -> None:
        marker = f"{os.getpid()}.{id(sandbox)}"
        script = f"setsid sleep 9999 {marker} & setsid sleep 9998 {marker} & echo up; wait"
        link = sandbox.connect(["/bin/sh", "-c", script], limits=Limits())
        assert link.read(3) == b"up\n"
        link.close()
        assert not [line for line in all_commands() if marker in line]


def all_commands() -> list[str]:
    commands = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                commands.append((entry / "cmdline").read_bytes().decode(errors="replace"))
            except OSError:
                continue
    return commands


class TestFrames:
    @given(st.binary(), st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8"))))
    def test_a_request_can_be_read_back(self, stdin: bytes, args: list[str]) -> None:
        frame = request(stdin, args)
        count, size, length = (int.from_bytes(frame[i : i + 4], "little") for i in (0, 4, 8))
        body = frame[12:]
        assert (count, length) == (len(args), len(stdin))
        assert body[:size].decode().split("\0")[:-1] == args
        assert body[size:] == stdin

    def test_a_nul_cannot_end_a_value_early(self) -> None:
        with pytest.raises(ValueError):
            configuration([("a", "x\0y")])

    @given(st.binary(max_size=50), st.binary(max_size=50), st.text(max_size=20))
    def test_a_result_can_be_read_back(self, output: bytes, error: bytes, detail: str) -> None:
        text = detail.encode("utf-8", "replace")
        header = Header.unpack(RESULT.pack(6, 0, 5, 6, len(output), len(error), len(text), MARK))
        outcome = header.outcome(output + error + text)
        assert (outcome.output, outcome.stderr, outcome.detail) == (output, error, text.decode())


def test_isolation_is_compared_layer_by_layer() -> None:
    assert meets("namespaces+landlock+seccomp", "landlock+seccomp")
    assert meets("landlock", "limits")
    assert not meets("landlock", "landlock+seccomp")
    assert not meets("limits", "seccomp")
    with pytest.raises(ValueError):
        meets("limits", "magic")


@pytest.fixture
def many_descriptors() -> Iterator[None]:
    """So many files are open that whatever is opened now has a number above 1023."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2048:
        pytest.skip("this machine allows fewer open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    opened = [os.open(os.devnull, os.O_RDONLY) for _ in range(1024)]
    try:
        yield
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_descriptors")
def test_many_open_files_are_no_trouble() -> None:
    with Sandbox() as sandbox, sandbox.start(Program(("/bin/echo", "here"))) as worker:
        assert str(worker.run(b"").response) == "here"

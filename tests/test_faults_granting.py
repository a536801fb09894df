"""Faults 29 to 36: what the tool itself makes readable, to programs and to the compilers that build them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from attackers import CC, ROOT, attacker
from learn2fix.cli.settings import settings_for
from learn2fix.errors import BuildError, IsolationError
from learn2fix.languages.c.building import BuildOptions, build_c
from learn2fix.languages.executable.subject import ExecutableSubject
from learn2fix.model import Ending, Input
from learn2fix.sandbox import Program, Sandbox, meets
from learn2fix.sandbox.granting import belongs, project

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")

SECRET = "the secret that nobody may read"


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with Sandbox() as box:
        if not meets(box.isolation, "landlock") and "bubblewrap" not in box.isolation:
            pytest.skip("nothing here confines what can be read")
        yield box


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "key").write_text(SECRET)
    return folder / "key"


class TestFault29Links:
    """A program brings links of its own, named in an import that never runs."""

    READER = (
        "def f(path):\n  if path is None:\n    import {name}\n  try:\n    return open(path).read()\n"
        "  except OSError as error:\n    return type(error).__name__\n"
    )

    def project(self, tmp_path: Path, name: str) -> Path:
        folder = tmp_path / "project"
        folder.mkdir()
        (folder / "shop.py").write_text(self.READER.format(name=name))
        return folder / "shop.py"

    def test_a_folder(self, box: Sandbox, tmp_path: Path, secret: Path) -> None:
        source = self.project(tmp_path, "keys")
        (source.parent / "keys").symlink_to(secret.parent)
        with box.python(source, "f") as worker:
            for path in (secret, source.parent / "keys" / "key"):
                assert SECRET.encode() not in worker.call(repr(str(path))).output

    def test_a_file(self, box: Sandbox, tmp_path: Path, secret: Path) -> None:
        source = self.project(tmp_path, "shadow")
        (source.parent / "shadow.py").symlink_to(secret)
        with box.python(source, "f") as worker:
            for path in (secret, source.parent / "shadow.py"):
                assert SECRET.encode() not in worker.call(repr(str(path))).output

    def test_a_link_in_a_package(self, box: Sandbox, tmp_path: Path, secret: Path) -> None:
        source = self.project(tmp_path, "parts")
        (source.parent / "parts").mkdir()
        (source.parent / "parts" / "__init__.py").write_text("")
        (source.parent / "parts" / "keys").symlink_to(secret.parent)
        with box.python(source, "f") as worker:
            for path in (secret, source.parent / "parts" / "keys" / "key"):
                assert SECRET.encode() not in worker.call(repr(str(path))).output

    def test_links_inside_of_the_project_work(self, box: Sandbox, tmp_path: Path) -> None:
        folder = tmp_path / "project"
        (folder / "real").mkdir(parents=True)
        (folder / "real" / "prices.py").write_text("TAX = 21\n")
        (folder / "prices.py").symlink_to("real/prices.py")
        (folder / "shop.py").write_text("import prices\ndef f(x):\n  return prices.TAX * x\n")
        with box.python(folder / "shop.py", "f") as worker:
            assert worker.call("2").output == b"42"


class TestFault30TheCompilerAsAReader:
    def built(self, box: Sandbox, folder: Path, source: str) -> bytes:
        """What a program prints that took something in when it was compiled; nothing if it did not build."""
        folder.mkdir(exist_ok=True)
        try:
            binary = build_c(source.encode(), folder, "p.c", BuildOptions(), box)
        except BuildError as refused:
            return refused.diagnostics.encode()
        return box.run(Program((str(binary),))).output

    def including(self, path: Path) -> tuple[str, str]:
        incbin = (
            f'__asm__(".data\\nstolen: .incbin \\"{path}\\"\\n.byte 0\\n.text");\n'
            "#include <stdio.h>\nextern char stolen[];\nint main(void) { puts(stolen); }\n"
        )
        return incbin, f'#include "{path}"\nint main(void) {{ return 0; }}\n'

    @pytest.mark.parametrize("way", [0, 1])
    def test_by_its_path(self, box: Sandbox, tmp_path: Path, secret: Path, way: int) -> None:
        printed = self.built(box, tmp_path / "project", self.including(secret)[way])
        assert b"secret that nobody" not in printed

    @pytest.mark.parametrize("way", [0, 1])
    def test_by_climbing(self, box: Sandbox, tmp_path: Path, secret: Path, way: int) -> None:
        printed = self.built(box, tmp_path / "project", self.including(Path("../home/key"))[way])
        assert b"secret that nobody" not in printed

    @pytest.mark.parametrize("way", [0, 1])
    def test_by_a_link_beside_the_source(self, box: Sandbox, tmp_path: Path, secret: Path, way: int) -> None:
        (tmp_path / "project").mkdir()
        (tmp_path / "project" / "innocent.h").symlink_to(secret)
        printed = self.built(box, tmp_path / "project", self.including(Path("innocent.h"))[way])
        assert b"secret that nobody" not in printed

    @pytest.mark.skipif(not ROOT, reason="only root can read it to begin with")
    def test_what_only_root_may_read(self, box: Sandbox, tmp_path: Path) -> None:
        printed = self.built(box, tmp_path / "project", self.including(Path("/etc/shadow"))[0])
        assert b"root:" not in printed

    def test_it_runs_as_nobody_in_particular(self, tmp_path: Path) -> None:
        (tmp_path / "whoami.sh").write_text("#!/bin/sh\nid -u\ncat /proc/self/status | grep CapEff\n")
        (tmp_path / "whoami.sh").chmod(0o755)
        for isolation in (None, "limits"):
            with Sandbox(isolation=isolation) as box:
                said = box.compile(["/bin/sh", "whoami.sh"], cwd=tmp_path).output.split()
            assert (said[0] != str(os.geteuid()).encode()) == ROOT
            if isolation == "limits":
                assert int(said[-1], 16) == 0

    def test_what_it_leaves_is_no_way_out_of_its_folder(self, tmp_path: Path, secret: Path) -> None:
        """Links that it leaves under the names that we read; a pipe, on which a reader would wait."""
        target = tmp_path / "target"
        target.mkdir()
        script = f"ln -s {secret} program; ln -s {secret.parent} folder; mkfifo pipe; echo done > made"
        with Sandbox() as box:
            assert box.compile(["/bin/sh", "-c", script], cwd=target).status == 0
            with box.workshop() as workshop:
                workshop.run(["/bin/sh", "-c", script])
                assert workshop.content("program") is None
                assert workshop.content("pipe") is None
                with pytest.raises(OSError):
                    workshop.put("folder/key", b"overwritten")
        assert [path.name for path in target.iterdir()] == ["made"]
        assert secret.read_text() == SECRET

    def test_headers_of_the_project_are_there(self, box: Sandbox, tmp_path: Path) -> None:
        for name in ("src", "include"):
            (tmp_path / name).mkdir()
        (tmp_path / "Makefile").write_text("")
        (tmp_path / "src" / "own.h").write_text('#include "../include/size.h"\n')
        (tmp_path / "include" / "size.h").write_text("#define SIZE 42\n")
        source = '#include <stdio.h>\n#include "own.h"\nint main(void) { printf("%d", SIZE); }\n'
        assert self.built(box, tmp_path / "src", source) == b"42"


class TestFault31RootWithoutLandlock:
    """The right to read what only root may read is never kept where nothing confines it."""

    @pytest.mark.skipif(not ROOT, reason="root is who has such a right")
    @pytest.mark.parametrize("isolation", ["limits", "seccomp", "namespaces+seccomp", "landlock+seccomp"])
    def test_files_of_root(self, isolation: str, folder: Path, tmp_path: Path) -> None:
        body = (
            "char line[100] = {0}; int fd = open(argv[1], O_RDONLY);"
            'if (fd < 0) { printf("closed"); return 0; } read(fd, line, 99); printf("%s", line);'
        )
        program = attacker(folder, "reader", body)  # in a folder that only root may enter
        key = tmp_path / "key"
        key.write_text(SECRET)
        key.chmod(0o600)
        try:
            with Sandbox(isolation=isolation) as box:
                for path in (key, Path("/etc/shadow")):
                    outcome = box.run(program, args=(str(path),))
                    assert (outcome.ending, outcome.output) == (Ending.EXITED, b"closed")
        except IsolationError as missing:
            pytest.skip(str(missing))

    @pytest.mark.skipif(not ROOT, reason="root is who has such a right")
    def test_an_interpreter_that_only_root_may_read_is_refused_in_a_line(self, tmp_path: Path) -> None:
        (tmp_path / "lib").mkdir()
        with (tmp_path / "lib" / "large").open("wb") as file:
            file.truncate(100 << 20)
        (tmp_path / "f.py").write_text("def f(x):\n  return x\n")
        with (
            Sandbox(isolation="limits") as box,
            pytest.raises(IsolationError, match="can be read by root alone"),
            box.python(
                tmp_path / "f.py", "f", interpreter="/usr/bin/python3", readable=(tmp_path / "lib",)
            ) as worker,
        ):
            worker.call("1")

    @pytest.mark.skipif(not ROOT, reason="root is who has such a right")
    def test_programs_that_only_root_may_read_still_run(self, tmp_path: Path, folder: Path) -> None:
        program = attacker(folder, "hello", 'printf("hello");')
        (tmp_path / "prices.py").write_text("TAX = 21\n")
        (tmp_path / "f.py").write_text("import prices\ndef f(x):\n  return prices.TAX * x\n")
        for path in (tmp_path / "prices.py", tmp_path / "f.py"):
            path.chmod(0o600)
        with Sandbox(isolation="limits") as box:
            assert box.run(program).output == b"hello"
            with box.python(tmp_path / "f.py", "f", interpreter="/usr/bin/python3") as worker:
                assert worker.call("2").output == b"42"


def test_fault_34_an_executable_does_not_see_its_folder(box: Sandbox, tmp_path: Path, secret: Path) -> None:
    source = tmp_path / "reader.c"
    source.write_text(
        "#include <stdio.h>\nint main(void) { char line[200]; if (!fgets(line, 200, stdin)) return 1;\n"
        'line[__builtin_strlen(line) - 1] = 0; FILE *f = fopen(line, "r");\n'
        'if (!f) { puts("closed"); return 0; } puts(fgets(line, 200, f)); }\n'
    )
    assert CC is not None
    subprocess.run([CC, "-w", "-o", str(secret.parent / "tool"), str(source)], check=True)
    subject = ExecutableSubject([str(secret.parent / "tool")], box)
    try:
        found = subject.run([Input(f"{secret}\n"), Input("/etc/localtime\n")])
    finally:
        subject.close()
    assert found[0].output == b"closed\n"


HOSTILE_NAMES = ["x" * 300 + ".h", "/proc/self/mem", "/proc/kmsg", "/dev/zero", "/dev/tty", "/etc/shadow"]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_fault_36_names_that_are_no_headers(box: Sandbox, name: str, tmp_path: Path) -> None:
    """The documented exit, and no waiting for a device that never ends: the limits do not come into play."""
    (tmp_path / "p.c").write_text(f'#include "{name}"\nint main(void) {{ return 0; }}\n')
    env = {**os.environ, "LEARN2FIX_HOME": str(tmp_path / "store")}
    command = [sys.executable, "-m", "learn2fix", "fix", "p.c", "--failing", "1", "--expected", "2"]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "p.c does not compile" in done.stderr
    assert "stopped" not in done.stderr


class TestProjects:
    def test_the_nearest_mark_is_the_top(self, tmp_path: Path) -> None:
        (tmp_path / "src" / "deep").mkdir(parents=True)
        assert project(tmp_path / "src" / "deep") == tmp_path / "src" / "deep"
        (tmp_path / "Makefile").write_text("")
        assert project(tmp_path / "src" / "deep") == tmp_path
        (tmp_path / "src" / "pyproject.toml").write_text("")
        assert project(tmp_path / "src" / "deep") == tmp_path / "src"

    def test_a_folder_that_anybody_may_write_to_is_no_project(self) -> None:
        base = Path(tempfile.mkdtemp())
        try:
            (base / "mine").mkdir()
            (base / ".git").mkdir()
            base.chmod(0o777)
            assert project(base / "mine") == base / "mine"
        finally:
            shutil.rmtree(base)

    def test_a_home_is_no_project(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        (tmp_path / ".git").mkdir()
        (tmp_path / "tool").mkdir()
        assert project(tmp_path / "tool") == tmp_path / "tool"

    def test_names_that_no_file_can_have(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        for name in ("loop", "a\0b", "x" * 300, "missing"):
            assert not belongs(tmp_path / name, tmp_path)


def test_33_commands_come_from_the_project_itself(tmp_path: Path) -> None:
    inner = tmp_path / "project/src"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(
        "[tool.learn2fix]\nlabels = 5\ngolden = 'evil.py'\nbuild = 'sh evil.sh'\n"
    )
    (tmp_path / "project/.git").mkdir()
    said: list[str] = []
    assert settings_for(str(inner), "fix", said.append) == {"fix": {"labels": 5}}
    assert [line.split(" ")[0] for line in said] == ["Ignored", "Settings"]
    assert "build, golden" in said[0]
    assert "labels = 5" in said[1]
    (tmp_path / "project/pyproject.toml").write_text("[tool.learn2fix]\nbuild = 'make'\n")
    assert settings_for(str(inner), "fix", said.append) == {"fix": {"build": "make"}}
    assert "build = 'make'" in said[2]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give a file away")
def test_33_files_of_somebody_else_are_not_obeyed(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.learn2fix]\nlabels = 5\n")
    os.chown(file, 12345, 12345)
    said: list[str] = []
    assert settings_for(str(tmp_path), "fix", said.append) == {}
    assert said == [f"Ignored: {file}, which belongs to somebody else."]

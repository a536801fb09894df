"""Fault 28 of the list, machines that offer less isolation; and a host that is killed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from attackers import CC, ROOT, attacker, forbidding, survivors
from learn2fix.errors import IsolationError
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Program, Sandbox, build, folders, observe, probe

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


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

    def test_the_weaker_the_layer_the_plainer_the_words(self) -> None:
        seen = {one.isolation: one for one in probe().observed if one.works}
        said = observe.warning(seen["limits"])
        assert re.fullmatch(r"Under limits a hostile program could read a file of yours, .* and .*\.", said)
        for meaning in ("by a link", "have the compiler read", "watch", "connect by TCP"):
            assert meaning in said
        with Sandbox(isolation="limits") as box:
            assert box.warning == said
        assert observe.warning(None) == ""
        best = seen[probe().isolation]
        assert (observe.warning(best) == "") == best.holds

    def test_48_what_leaks_is_told(self) -> None:
        lines = probe().text()
        (line,) = [line for line in lines if line.startswith("see names, sizes and times")]
        assert "allowed" in line
        assert "stopped" in lines[-1] or "could" in lines[-1]

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
            assert subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], check=False).returncode != 0
            return
        assert (seen.holds, seen.leaks) == (True, ())
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
            "one = observe.choose()\n"
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
        command = [python, "-c", (forbidding("namespaces") if forbidden else "") + script, str(home)]
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


LEARN = ["learn", "triangle.c", "--failing", "2 2 2", "--labels", "0", "--seed", "1"]


@pytest.mark.parametrize(
    ("forbidden", "isolation", "attack"),
    [
        (("namespaces", "landlock", "seccomp"), "limits", "read a file of yours"),
        (("namespaces", "landlock"), "seccomp", "read a file of yours"),
        (("namespaces",), "landlock+seccomp", None),
    ],
)
def test_require_isolation_refuses_where_an_attack_is_not_stopped(
    tmp_path: Path, forbidden: tuple[str, ...], isolation: str, attack: str | None
) -> None:
    zoo = Path(__file__).parent / "zoo/triangle/buggy.c"
    (tmp_path / "triangle.c").write_bytes(zoo.read_bytes())
    script = forbidding(*forbidden) + "import sys\nfrom learn2fix.cli import main\nmain()\n"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LEARN2FIX_HOME": str(tmp_path / "home")}
    # What was observed outside of the filter does not count; what was built there does.
    env["XDG_CACHE_HOME"] = str(tmp_path)
    (tmp_path / "learn2fix").mkdir(mode=0o700)
    for built in (build.runner(), build.fork_library()):
        assert built is not None
        shutil.copy2(built, tmp_path / "learn2fix")

    def learn(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, *LEARN, *words]
        return subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = learn("--require-isolation")
    if attack is None:
        assert f"isolation {isolation}." in done.stderr
        return
    assert done.returncode == 2
    assert re.fullmatch(
        rf"learn2fix: under {isolation} a program could {attack}.* "
        r"\(see learn2fix doctor, or leave out --require-isolation\)\n",
        done.stderr,
    )
    assert not (tmp_path / "home").exists()
    assert f"isolation {isolation}." in learn().stderr


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
        monkeypatch.setattr("learn2fix.sandbox.folders.time.time", lambda: time.monotonic() + 1e10)
        folders.remove_abandoned(str(tmp_path))
        assert list(tmp_path.iterdir()) == held


@pytest.mark.parametrize("end", ["by itself", "by SIGKILL"])
def test_49_nothing_is_left_in_the_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Of a whole session, wherever it ends: what the killed left, the next process removes."""
    zoo = Path(__file__).parent / "zoo/triangle/buggy.c"
    (tmp_path / "triangle.c").write_bytes(zoo.read_bytes())
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    env = {**os.environ, "TMPDIR": str(temporary), "LEARN2FIX_HOME": str(tmp_path / "home")}
    command = [
        sys.executable,
        "-m",
        "learn2fix",
        "fix",
        "triangle.c",
        "--failing",
        "2 2 2",
        "--expected",
        "1",
    ]
    session = subprocess.Popen(
        [*command, "--labels", "0", "--timeout", "20"], cwd=tmp_path, env=env, stderr=subprocess.DEVNULL
    )
    if end == "by SIGKILL":
        while not list(temporary.glob("learn2fix-run-*/learn2fix-place-*")) and session.poll() is None:
            time.sleep(0.01)
        session.kill()
    session.wait()
    assert bool(list(temporary.iterdir())) == (end == "by SIGKILL")
    monkeypatch.setattr("learn2fix.sandbox.folders.time.time", lambda: time.monotonic() + 1e10)
    folders.remove_abandoned(str(temporary))
    assert list(temporary.iterdir()) == []


def test_nothing_outlives_a_killed_host(folder: Path, mark: str, tmp_path: Path) -> None:
    """We die by SIGKILL in the middle of an execution: the sandbox and all in it end too."""
    program = attacker(folder, "forever", "fork(); for (;;) pause();")
    script = (
        "import sys\nfrom learn2fix.sandbox import *\nbox = Sandbox()\n"
        f"engine = box.connect(['/bin/sleep', '600.{mark[-9:]}'], limits=Limits())\n"
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

"""Faults 12–16 of the list: attacks on network, files and links of the user; output kept byte for byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from attackers import CC, HEADERS, ROOT, attacker
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Program, Sandbox, build, meets, observe

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler")


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

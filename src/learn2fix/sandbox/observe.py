"""What holds here, found out by attacking: canaries of ours, and hostile attempts on them from inside."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from learn2fix.errors import IsolationError
from learn2fix.model import Ending, digest
from learn2fix.sandbox import build, layers
from learn2fix.sandbox.imports import imports
from learn2fix.sandbox.link import Link
from learn2fix.sandbox.place import Place
from learn2fix.sandbox.values import Limits
from learn2fix.sandbox.worker import Connection, Worker
from learn2fix.sandbox.workshop import Workshop

ATTACKS = {
    "read": "read a file of yours",
    "beside": "read a file beside it",
    "link": "read a file of yours by a link",
    "compile": "have the compiler read a file of yours",
    "watch": "watch a file of yours being used",
    "write": "write to a file of yours",
    "chmod": "change the mode of a file of yours",
    "delete": "delete a file of yours",
    "tcp": "connect by TCP",
    "udp": "send by UDP",
    "unix": "connect to a unix socket",
    "trace": "trace a process of yours",
    "kill": "kill a process of yours",
    "fork": "start more processes than allowed",
    "daemon": "leave a process behind",
}
"""Each attack, and what it means to a user. The order matters: the canary file is deleted late."""

LEAKS = {"stat": "see names, sizes and times of files of yours"}
"""What is told and not counted: only bubblewrap hides it, at a price that few would pay."""

PROCESSES = 8
DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Observed:
    """What happened under one isolation: attack → was it stopped? Or why it did not start."""

    isolation: str
    blocked: tuple[tuple[str, bool], ...] = ()
    problem: str = ""
    leaks: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        return not self.problem

    @property
    def holds(self) -> bool:
        return self.works and all(blocked for _, blocked in self.blocked)

    @property
    def score(self) -> int:
        return sum(blocked for _, blocked in self.blocked)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The attacks that reached their target; all of them where none could be tried."""
        blocked = dict(self.blocked)
        return tuple(attack for attack in ATTACKS if not blocked.get(attack))


@dataclass(frozen=True, slots=True)
class Report:
    """What this machine offers; `text` is for people."""

    isolation: str
    observed: tuple[Observed, ...]
    compiler: str | None
    runner: Path | None

    @property
    def holds(self) -> bool:
        """Was every attack on the isolation in force stopped?"""
        return any(one.isolation == self.isolation and one.holds for one in self.observed)

    def text(self) -> tuple[str, ...]:
        lines = [f"isolation in force: {self.isolation}"]
        if self.runner is None:
            why = "no C compiler was found" if self.compiler is None else "the runner could not be built"
            lines.append(f"{why}: programs run under limits only, and slower (install gcc or clang)")
        else:
            lines.append(f"runner: {self.runner}")
        names = {one.isolation: f"[{number}]" for number, one in enumerate(self.observed, 1)}
        for one in self.observed:
            mark = names[one.isolation] if one.works else "   "
            lines.append(
                f"{mark} {one.isolation}" + (f": not available ({one.problem})" if one.problem else "")
            )
        working = [one for one in self.observed if one.works]
        if working:
            width = max(map(len, (*ATTACKS.values(), *LEAKS.values())))
            heads = " ".join(f"{names[one.isolation]:>7}" for one in working)
            lines.append(f"{'attempt':<{width}} {heads}")
            for attack, meaning in ATTACKS.items():
                cells = ("blocked" if dict(one.blocked).get(attack) else "ALLOWED" for one in working)
                lines.append(f"{meaning:<{width}} " + " ".join(f"{cell:>7}" for cell in cells))
            for leak, meaning in LEAKS.items():
                cells = ("allowed" if leak in one.leaks else "blocked" for one in working)
                lines.append(f"{meaning:<{width}} " + " ".join(f"{cell:>7}" for cell in cells))
        in_force = next((one for one in self.observed if one.isolation == self.isolation), None)
        lines.append(warning(in_force) or "Every attack that counts was stopped by the isolation in force.")
        return tuple(lines)


def warning(seen: Observed | None) -> str:
    """What a hostile program could do, in a sentence; nothing where all that was tried was stopped."""
    if seen is None or not seen.allowed:
        return ""
    could = [ATTACKS[attack] for attack in seen.allowed]
    listed = " and ".join([", ".join(could[:-1]), could[-1]] if could[1:] else could)
    return f"Under {seen.isolation} a hostile program could {listed}."


@cache
def probe() -> Report:
    """Attack every isolation that might exist here, each alone and the strongest together."""
    runner = build.runner()
    chosen = layers.parse(strongest().isolation)
    if runner is None:
        return Report(layers.join(chosen), (), build.compiler(), None)
    alone = (frozenset({name}) for name in layers.NAMES)
    wanted = dict.fromkeys([chosen, *layers.PREFERRED[:2], *alone, frozenset[str]()])
    return Report(layers.join(chosen), tuple(observe(names) for names in wanted), build.compiler(), runner)


@cache
def strongest() -> Observed:
    """The isolation that stopped every attack, or else most; remembered a while for this kernel and user."""
    if build.runner() is None:
        return Observed(layers.LIMITS, problem="no runner")
    folder = build.cache_folder()
    memory = folder / f"observed-{situation()}" if folder is not None else None
    if memory is not None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            known = json.loads(memory.read_bytes())
            names = layers.parse(known["isolation"])
            # A busy machine can make the first choice look weak: second best is looked at again soon.
            if 0 <= time.time() - known["when"] < (DAY if names == layers.PREFERRED[0] else DAY / 96):
                return Observed(
                    layers.join(names), tuple((each, bool(known["blocked"][each])) for each in ATTACKS)
                )
    best = choose()
    if folder is not None and memory is not None:
        with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            known = {"when": time.time(), "isolation": best.isolation, "blocked": dict(best.blocked)}
            file.write(json.dumps(known).encode())
            Path(file.name).replace(memory)
    return best


def choose() -> Observed:
    """The first isolation that stops every attack, else the one that stops most."""
    seen = []
    for names in (*layers.PREFERRED, frozenset[str]()):
        seen.append(observe(names))
        if seen[-1].holds:
            return seen[-1]
    return max((one for one in seen if one.works), key=lambda one: one.score, default=seen[-1])


def situation() -> str:
    """All that decides which layers work: kernel, user, runner, and the container we are in."""
    spaces = [str(os.stat(f"/proc/self/ns/{name}").st_ino) for name in ("mnt", "user", "pid")]
    status = [
        line
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith(("Cap", "Seccomp:", "NoNewPrivs"))
    ]
    facts = [os.uname().release, str(os.geteuid()), build.source_digest(), shutil.which("bwrap") or "-"]
    return digest(*facts, *spaces, *status)


def observe(names: frozenset[str]) -> Observed:
    """Attack our canaries from inside, and look at the canaries, not at what the attacker says."""
    isolation = layers.join(names)
    runner = build.runner()
    if runner is None:
        return Observed(isolation, problem="no runner")
    place = Place(names)

    blocked: list[tuple[str, bool]] = []
    leaks: list[str] = []
    try:
        with canaries() as canary:
            with attacking(place, runner) as worker:
                for attack in (*ATTACKS, *LEAKS):
                    if attack in ELSEWHERE:
                        continue
                    outcome = worker.run(b"", (attack, canary.target(attack)))
                    if outcome.ending is Ending.NOT_STARTED:
                        return Observed(isolation, problem=outcome.detail)
                    hurt = canary.hurt(attack, outcome.output.startswith(b"allowed"))
                    if attack in LEAKS:
                        leaks += [attack] if hurt else []
                    else:
                        blocked.append((attack, not hurt))
            blocked += [(attack, not hurt(names, runner, canary)) for attack, hurt in ELSEWHERE.items()]
    except IsolationError as error:
        return Observed(isolation, problem=error.message)
    return Observed(isolation, tuple(blocked), leaks=tuple(leaks))


def attacking(place: Place, program: Path, readable: tuple[Path, ...] = ()) -> Worker:
    """The attacker at work; with it goes its place."""
    limits = Limits(seconds=5, processes=PROCESSES)

    def connect() -> Link:
        return Link(place.serve((str(program), "attack"), readable, limits, 0))

    return Worker(Connection(connect, place.remove), limits)


def reads_beside(names: frozenset[str], runner: Path, canary: Canaries) -> bool:
    """A program of ours in a folder of ours, as an executable that a user brings lies among other files."""
    tool = canary.private / "tool"
    shutil.copyfile(runner, tool)
    tool.chmod(0o755)
    with attacking(Place(names), tool) as worker:
        return worker.run(b"", ("read", str(canary.private / "key"))).output.startswith(b"allowed")


def reads_by_link(names: frozenset[str], runner: Path, canary: Canaries) -> bool:
    """A Python program that imports a link to a folder that is not part of its project."""
    folder = canary.file.parent / "project"
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "main.py").write_text("import keys\n")
    (folder / "keys").symlink_to(canary.elsewhere)
    granted = imports(folder / "main.py").beside
    with attacking(Place(names), runner, granted) as worker:
        path = str(canary.elsewhere / "key")
        return worker.run(b"", ("read", path)).output.startswith(b"allowed")


def compiles_in(names: frozenset[str], runner: Path, canary: Canaries) -> bool:
    """A source that has the assembler take in a file."""
    compiler = build.compiler()
    if compiler is None:
        return False
    with Workshop(Place(names)) as workshop:
        path = canary.elsewhere / "key"
        workshop.put("stolen.c", f'__asm__(".data\\n.incbin \\"{path}\\"\\n.text");\n'.encode())
        workshop.run([compiler, "-c", "-o", "stolen.o", "stolen.c"])
        return SECRET in (workshop.content("stolen.o") or b"")


ELSEWHERE = {"beside": reads_beside, "link": reads_by_link, "compile": compiles_in}
"""Attacks by other means than a program that runs in the scratch folder."""
SECRET = b"secret of the canary"


class Canaries:
    """Things of ours that an attacker would like to get at."""

    def __init__(self, folder: Path, tcp: socket.socket, udp: socket.socket, unix: socket.socket) -> None:
        self.file = folder / "canary"
        self.file.write_bytes(SECRET)
        self.file.chmod(0o644)
        self.elsewhere, self.private = folder / "elsewhere", folder / "private"
        for place, mode in ((self.elsewhere, 0o755), (self.private, 0o700)):
            place.mkdir()
            place.chmod(mode)
            (place / "key").write_bytes(SECRET)
            (place / "key").chmod(0o644 if mode == 0o755 else 0o600)
        self.mark = f"learn2fix-canary-{os.getpid()}-{time.monotonic_ns()}"
        self.sockets = {"tcp": tcp, "udp": udp, "unix": unix}
        self.process = subprocess.Popen(["/bin/sleep", "60"], stdin=subprocess.DEVNULL)

    def target(self, attack: str) -> str:
        match attack:
            case "tcp" | "udp":
                return str(self.sockets[attack].getsockname()[1])
            case "unix":
                return str(self.sockets[attack].getsockname())
            case "kill" | "trace":
                return str(self.process.pid)
            case "fork":
                return str(PROCESSES * 2)
            case "daemon":
                return self.mark
            case _:
                return str(self.file)

    def hurt(self, attack: str, claimed: bool) -> bool:
        """Did the attack reach its target? Where we cannot see it, the attacker's word counts."""
        match attack:
            case "write":
                return self.file.read_bytes() != SECRET
            case "chmod":
                return self.file.stat().st_mode & 0o777 != 0o644
            case "delete":
                return not self.file.exists()
            case "tcp" | "unix":
                return arrived(self.sockets[attack])
            case "udp":
                return received(self.sockets[attack])
            case "kill":
                return claimed or self.process.poll() is not None
            case "daemon":
                return running(self.mark)
            case _:
                return claimed


@contextlib.contextmanager
def canaries() -> Iterator[Canaries]:
    with (
        tempfile.TemporaryDirectory(prefix="learn2fix-canary-") as name,
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        folder = Path(name)
        folder.chmod(0o755)  # what protects it must be the sandbox
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(folder / "socket"))
        unix.listen()
        (folder / "socket").chmod(0o777)
        for one in (tcp, udp, unix):
            one.setblocking(False)
        canary = Canaries(folder, tcp, udp, unix)
        try:
            yield canary
        finally:
            canary.process.kill()
            canary.process.wait()


def arrived(listener: socket.socket) -> bool:
    try:
        connection, _ = listener.accept()
    except BlockingIOError:
        return False
    connection.close()
    return True


def received(receiver: socket.socket) -> bool:
    try:
        receiver.recv(16)
    except BlockingIOError:
        return False
    return True


def running(mark: str) -> bool:
    """Is there a process with this word in its command line?"""
    word = mark.encode()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if word in Path(entry.path, "cmdline").read_bytes() and int(entry.name) != os.getpid():
                    return True
            except OSError:
                continue
    return False

"""Power cuts at every write: a real process is logged, and the disk rebuilt as a cut leaves it.

What was synced is there. Of what was written since there may be nothing, all, or any of its sectors. Folders
are as a journaling file system keeps them: their changes come in order, and what was synced is there.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from attackers import CC
from conversation_driver import conversation
from learn2fix.model import Answer, Verdict
from learn2fix.store import Store
from test_faults_store import DRIVER, environment, operations

pytestmark = pytest.mark.skipif(CC is None, reason="no C compiler for the library that logs")
HEAD = struct.Struct("iiiiq")
SECTOR = 512
LABELS = 7


@dataclass(frozen=True)
class Step:
    what: str
    """w(rite), t(runcate), s(ync), c(reate), m(ake folder), r(ename), u(nlink), o(utput)."""
    path: str
    data: bytes
    offset: int


@dataclass
class Inode:
    synced: bytearray = field(default_factory=bytearray)
    since: list[Step] = field(default_factory=list)


def logged(tmp_path: Path, home: Path, runs: Sequence[Sequence[str]]) -> list[Step]:
    library = tmp_path / "disk_log.so"
    source = Path(__file__).with_name("disk_log.c")
    assert CC is not None
    subprocess.run([CC, "-shared", "-fPIC", "-w", "-o", str(library), str(source), "-ldl"], check=True)
    with (tmp_path / "log").open("ab") as log:
        for words in runs:
            subprocess.run(
                [sys.executable, str(DRIVER), str(home), *words],
                env=environment() | {"LD_PRELOAD": str(library), "DISK_LOG": str(log.fileno())},
                pass_fds=(log.fileno(),), stdout=subprocess.PIPE, check=True, timeout=120,
            )  # fmt: skip
    return list(read_log((tmp_path / "log").read_bytes(), str(home)))


def read_log(data: bytes, home: str) -> Iterator[Step]:
    at = 0
    while at < len(data):
        what, first, second, _, offset = HEAD.unpack_from(data, at)
        at += HEAD.size
        path, rest = data[at : at + first].decode(), data[at + first : at + first + second]
        at += first + second
        if chr(what) == "o" or path.startswith(home):
            yield Step(chr(what), path, rest, offset)


class Disk:
    """Takes the steps of the log, and can say what a cut would leave."""

    def __init__(self) -> None:
        self.inodes: list[Inode] = []
        self.names: dict[str, int] = {}
        self.changes: list[Step] = []
        """Of folders, in order."""
        self.safe = 0
        """So many of them are on the disk."""
        self.said: list[str] = []

    def take(self, step: Step) -> None:
        if step.what == "o":
            self.said += step.data.decode().splitlines()
        elif step.what in "cmru":
            self.changes.append(step)
            if step.what == "c":
                self.inodes.append(Inode())
            self.names = changed(self.names, step, len(self.inodes) - 1)
        elif step.what == "s" and self.names.get(step.path, -1) < 0:  # a folder
            of = [i for i, each in enumerate(self.changes) if os.path.dirname(each.path) == step.path]
            self.safe = max([self.safe, *(i + 1 for i in of)])
        elif step.path in self.names:
            inode = self.inodes[self.names[step.path]]
            inode.since.append(step)
            if step.what == "s":
                for each in inode.since:
                    put(inode.synced, each)
                inode.since.clear()

    def left(self, rng: random.Random, share: float, changes: int) -> dict[str, bytes | None]:
        """Files with contents, and folders; `share` of the sectors that were not synced is there."""
        names: dict[str, int] = {}
        files = 0
        for step in self.changes[:changes]:
            names = changed(names, step, files)
            files += step.what == "c"
        found: dict[str, bytes | None] = {}
        for path, number in names.items():
            found[path] = None if number < 0 else bytes(torn(self.inodes[number], rng, share))
        return found


def changed(names: dict[str, int], step: Step, fresh: int) -> dict[str, int]:
    """The names after a change; the number of a folder is negative."""
    match step.what:
        case "c":
            return names | {step.path: fresh}
        case "m":
            return names | {step.path: -1}
        case "u":
            return {path: number for path, number in names.items() if path != step.path}
    target, source = step.data.decode(), step.path
    moved = {
        target + path[len(source) :]: number
        for path, number in names.items()
        if path == source or path.startswith(f"{source}/")
    }
    return {
        path: n for path, n in names.items() if path != source and not path.startswith(f"{source}/")
    } | moved


def put(content: bytearray, step: Step) -> None:
    if step.what == "t":
        content[step.offset :] = bytes(max(0, step.offset - len(content)))
    elif step.what == "w":
        content.extend(bytes(max(0, step.offset - len(content))))
        content[step.offset : step.offset + len(step.data)] = step.data


def torn(inode: Inode, rng: random.Random, share: float) -> bytearray:
    content = bytearray(inode.synced)
    for step in inode.since:
        if step.what == "t":
            if rng.random() < share:
                put(content, step)
            continue
        at = 0
        while at < len(step.data):
            end = min(len(step.data), at + SECTOR - (step.offset + at) % SECTOR)
            if rng.random() < share:
                put(content, Step("w", step.path, step.data[at:end], step.offset + at))
            at = end
    return content


def rebuilt(home: Path, files: dict[str, bytes | None]) -> None:
    for path, content in sorted(files.items()):
        if content is None:
            Path(path).mkdir(parents=True, exist_ok=True)
        else:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(content)
    home.mkdir(exist_ok=True)


@pytest.fixture
def in_memory(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk that is never slow to sync, where there is one."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        yield Path(name)


def test_a_power_cut_at_any_write_loses_nothing_acknowledged(tmp_path: Path, in_memory: Path) -> None:
    home = in_memory / "home"
    steps = logged(tmp_path, home, [("new", "script", str(LABELS)), ("triangle-1", "script", str(LABELS))])
    assert sum(step.what == "s" for step in steps) > 30
    assert {step.what for step in steps} >= set("wscmro")
    disk, rng, cuts = Disk(), random.Random(1), 0
    for step in steps:
        disk.take(step)
        for share, changes in (
            (0.0, disk.safe),
            (0.0, len(disk.changes)),
            (1.0, disk.safe),
            (0.5, len(disk.changes)),
        ):
            shutil.rmtree(home)
            rebuilt(home, disk.left(rng, share, changes))
            cuts += 1
            check(Store(home), disk.said)
    assert cuts > 400
    assert len([line for line in disk.said if line.startswith("ack")]) > LABELS


def check(store: Store, said: Sequence[str]) -> None:
    """All that was said to be saved is there, and the session goes on."""
    told = [line for line in said if line.startswith(("ack", "undone"))]
    ids = store.ids()
    if not ids:
        assert not said
        return
    assert ids == ["triangle-1"]
    committed = operations(store, "triangle-1")
    assert committed[: len(told)] == told
    assert len(committed) <= len(told) + 1
    with store.open("triangle-1") as session:
        assert "entries lost" not in session.saved.damage
        talk = conversation(LABELS)
        question = next(talk)
        for asked, reply in session.exchanges:  # each answer is about the question that comes up in its place
            assert asked == question
            question = talk.send(reply) if question.remaining else question
        session.append(question, Answer(Verdict.OK))
    assert operations(store, "triangle-1")[: len(committed)] == committed

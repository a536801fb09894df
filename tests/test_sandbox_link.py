"""The one client of a worker's pipe, and what a hostile other end can do to it: nothing."""

from __future__ import annotations

import resource
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.model import Ending
from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.frames import MARK, RESULT, Header, receive
from learn2fix.sandbox.link import LONGEST, Link, Lost


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@contextmanager
def linked(sandbox: Sandbox, *argv: str) -> Iterator[Link]:
    link = sandbox.connect(argv, limits=Limits())
    try:
        yield link
    finally:
        link.close()


def test_what_was_sent_comes_back_in_pieces_of_any_size(sandbox: Sandbox) -> None:
    with linked(sandbox, "/bin/cat") as link:
        link.send(struct.pack("<I", 300) + bytes(range(256)) + b"x" * 44)
        (size,) = link.unpack(struct.Struct("<I"))
        assert [link.read(0), link.read(256), link.read(size - 256)] == [b"", bytes(range(256)), b"x" * 44]


def test_a_message_that_fills_the_pipe_arrives_whole(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 8192
    with linked(sandbox, "/bin/sh", "-c", f"head -c {len(data)} > all; cat all") as link:
        link.send(data)
        assert link.read(len(data)) == data


def test_an_end_that_died_is_lost_and_not_late(sandbox: Sandbox) -> None:
    with linked(sandbox, "/bin/sh", "-c", "printf abc") as link:
        assert link.read(2) == b"ab"
        with pytest.raises(Lost) as lost:
            link.read(2)
        assert not lost.value.late
        with pytest.raises(Lost):
            link.send(bytes(1 << 20))


def test_an_end_that_is_silent_or_never_reads_is_late(sandbox: Sandbox) -> None:
    with linked(sandbox, "/bin/sleep", "600") as link:
        with pytest.raises(Lost) as lost:
            link.read(1, time.monotonic() + 0.05)
        assert lost.value.late
        with pytest.raises(Lost) as lost:
            link.send(bytes(1 << 20), seconds=0.05)
        assert lost.value.late


def test_a_length_that_nobody_believes(sandbox: Sandbox) -> None:
    with linked(sandbox, "/bin/cat") as link, pytest.raises(Lost, match="announced"):
        link.read(LONGEST + 1)


def test_descriptors_above_a_thousand(sandbox: Sandbox) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1300:
        pytest.skip("this machine allows no process more than 1,300 descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1300), hard))
    held = [open("/dev/null") for _ in range(1100)]  # noqa: SIM115
    try:
        with linked(sandbox, "/bin/cat") as link:
            assert link.process.stdout is not None
            assert link.process.stdout.fileno() > 1023
            link.send(b"far")
            assert link.read(3) == b"far"
    finally:
        for file in held:
            file.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_nothing_is_left_of_a_closed_link(sandbox: Sandbox) -> None:
    with linked(sandbox, "/bin/sh", "-c", "printf %s:: $HOME; exec sleep 600") as link:
        name = b""
        while not name.endswith(b"::"):
            name += link.read(1)
        scratch = Path(name[:-2].decode())
        assert scratch.is_dir()
    assert link.process.poll() is not None
    assert not scratch.exists()


@given(st.binary(min_size=RESULT.size, max_size=RESULT.size), st.binary(max_size=100))
def test_any_result_is_an_outcome_or_lost(head: bytes, body: bytes) -> None:
    try:
        outcome = Header.unpack(head).outcome(body)
    except Lost:
        return
    assert outcome.ending in Ending


@pytest.mark.parametrize("head", [RESULT.pack(77, 0, 0, 0, 0, 0, 0, MARK), bytes(RESULT.size)])
def test_a_result_of_an_unknown_ending_or_without_a_mark_is_lost(sandbox: Sandbox, head: bytes) -> None:
    with linked(sandbox, "/bin/cat") as link:
        link.send(head)
        with pytest.raises(Lost, match="no sense"):
            receive(link, 5)

"""Faults 18 to 23: kills, damage, a full disk, a clock that moves, two processes, hang-ups.

Each attacks a real store, most of them in a real process (`conversation_driver.py`)."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pytest

from conversation_driver import RECORD, conversation
from learn2fix.errors import StoreError
from learn2fix.model import Answer, Question, Verdict
from learn2fix.store import Exchange, Store, files
from learn2fix.store.codec import question_from_json
from learn2fix.store.entry import EntryKind

DRIVER = Path(__file__).with_name("conversation_driver.py")
OK = Answer(Verdict.OK)


def environment() -> dict[str, str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {"PYTHONPATH": path, "PATH": os.environ["PATH"], "TERM": "dumb"}


def start(
    home: Path, id: str, who: str = "script", preexec: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(DRIVER), str(home), id, who],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=preexec,
    )


def line_of(process: subprocess.Popen[str], beginning: str) -> str:
    """The first line that begins so."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(beginning):
            return line.strip()
    raise AssertionError(f"it ended without {beginning!r}")


def filled(store: Store, answers: int = 6) -> tuple[Exchange, ...]:
    """A closed session `triangle-1` with that many answers."""
    with store.create(RECORD) as session:
        for _ in range(answers):
            question = next_question(session.exchanges)
            session.append(question, Answer(Verdict.BUG, "1") if question.number % 3 == 0 else OK)
        return tuple(session.exchanges)


def next_question(exchanges: Sequence[Exchange]) -> Question:
    """What is asked after these answers; each must be about the question that comes up in its place."""
    talk = conversation(1_000_000)
    question = next(talk)
    for asked, reply in exchanges:
        assert asked == question
        question = talk.send(reply)
    return question


def operations(store: Store, id: str) -> list[str]:
    """Everything ever committed, in the words in which the driver acknowledges it."""
    told = []
    for entry in files.read(store.home / "sessions" / id, id).entries:
        if entry.kind is EntryKind.REPLY:
            asked = question_from_json(entry.data["question"])
            told.append(f"ack {asked.number} {asked.observation.input.text}")
        elif entry.kind is EntryKind.UNDO:
            told.append("undone")
    return told


# 18: kill -9


def test_18_killed_a_hundred_times_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    rng = random.Random(18)
    store, id, done = Store(tmp_path), "new", list[str]()
    kills_in_session = 0
    for _ in range(100):
        process = start(tmp_path, id)
        assert process.stdout is not None
        assert process.stderr is not None
        told = []
        # One in ten is killed while the session is made or taken up, the others while answers are saved.
        if rng.random() < 0.9:
            told.append(line_of(process, "open"))
            time.sleep(rng.random() * 0.03)
        else:
            time.sleep(rng.random() * 0.2)
        process.kill()
        # Not communicate(): it would overlook the lines that were read ahead by line_of().
        rest, errors = process.stdout.read(), process.stderr.read()
        process.communicate()
        assert "Traceback" not in errors
        # A line without its end was not acknowledged.
        told += rest.split("\n")[:-1]
        if id == "new":
            if not store.ids():
                assert told == []
                continue
            (id,) = store.ids()
        acknowledged = done + [line for line in told if line.startswith(("ack", "undone"))]
        committed = operations(store, id)
        assert committed[: len(acknowledged)] == acknowledged
        assert len(committed) - len(acknowledged) <= 1, "at most one commit had no time to be acknowledged"
        saved = store.load(id)
        assert saved.damage == ""
        next_question(saved.exchanges)  # resumes at the same question: every answer still has its place
        kills_in_session += len(committed) > len(done)
        done = committed
    assert kills_in_session > 50
    assert "undone" in done


# 19: damage


def truncate_to(share: float) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, int(path.stat().st_size * share))


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def swap(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[len(content) // 2 :] + content[: len(content) // 2])


DAMAGE: dict[str, Callable[[Path], object]] = {
    "truncated to half": truncate_to(0.5),
    "truncated by a little": truncate_to(0.97),
    "truncated to a header": lambda path: os.truncate(path, 100),
    "zeroed": zero,
    "0 bytes": lambda path: os.truncate(path, 0),
    "missing": lambda path: path.unlink(),
    "other text": lambda path: path.write_text("This is not a database.\n" * 400),
    "halves swapped": swap,
}


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("file", [files.DATABASE, files.JOURNAL])
def test_19_a_damaged_file_is_noticed_kept_and_rebuilt(tmp_path: Path, name: str, file: str) -> None:
    store = Store(tmp_path)
    exchanges = filled(store)
    path = tmp_path / "sessions/triangle-1" / file
    DAMAGE[name](path)
    damaged = path.read_bytes() if path.exists() else None
    assert store.load("triangle-1").exchanges == exchanges
    with store.open("triangle-1") as session:
        # A last line cut short is what a kill leaves: mended, but no damage.
        torn_end = (file, name) == (files.JOURNAL, "truncated by a little")
        assert (session.saved.damage == "") == torn_end
        assert "entries lost" not in session.saved.damage
        assert tuple(session.exchanges) == exchanges
        session.append(next_question(exchanges), OK)
    if damaged is not None and not torn_end:
        assert (path.parent / "damaged-1" / file).read_bytes() == damaged
    saved = store.load("triangle-1")
    assert (saved.exchanges[:-1], saved.damage) == (exchanges, "")


@pytest.mark.parametrize("file", [files.DATABASE, files.JOURNAL, f"{files.DATABASE}-wal"])
def test_19_one_flipped_bit_anywhere(tmp_path: Path, file: str) -> None:
    """Wherever it is, every answer is there and the next is saved; most are noticed."""
    store = Store(tmp_path / "original")
    exchanges = filled(store)
    original = tmp_path / "original/sessions/triangle-1"
    if file.endswith("-wal"):  # what a kill leaves behind: the newest answers are in the log alone
        session = store.open("triangle-1")
        session.append(next_question(exchanges), OK)
        exchanges = tuple(session.exchanges)
        shutil.copytree(original, tmp_path / "killed")
        session.close()
        original = tmp_path / "killed"
    content = (original / file).read_bytes()
    rng, noticed = random.Random(19), 0
    # Every bit of the header of the file, which says how to read it, is worth more than one in the middle.
    places = [rng.randrange(100 * 8) for _ in range(20)] + [
        rng.randrange(len(content) * 8) for _ in range(30)
    ]
    for number, place in enumerate(places):
        folder = tmp_path / str(number) / "sessions/triangle-1"
        shutil.copytree(original, folder)
        flipped = bytearray(content)
        flipped[place // 8] ^= 1 << place % 8
        (folder / file).write_bytes(flipped)
        flawed = Store(tmp_path / str(number))
        with flawed.open("triangle-1") as session:
            assert tuple(session.exchanges) == exchanges, place
            noticed += session.saved.damage != ""
            session.append(next_question(exchanges), OK)
        saved = flawed.load("triangle-1")
        assert (saved.exchanges[:-1], saved.damage) == (exchanges, ""), place
        shutil.rmtree(tmp_path / str(number))
    assert noticed > 10


def test_19_what_cannot_be_rebuilt_is_stated(tmp_path: Path) -> None:
    store = Store(tmp_path)
    exchanges = filled(store)
    folder = tmp_path / "sessions/triangle-1"
    zero(folder / files.DATABASE)
    lines = (folder / files.JOURNAL).read_text().split("\n")
    lines[4] = lines[4].replace("exited", "exitee")  # session, opened, answer 1, answer 2, answer 3
    (folder / files.JOURNAL).write_text("\n".join(lines))
    with store.open("triangle-1") as session:
        assert tuple(session.exchanges) == exchanges[:2]
        assert "4 entries lost" in session.saved.damage
        session.append(next_question(exchanges[:2]), OK)
    assert store.load("triangle-1").damage == ""
    kept = [path.name for path in folder.glob("damaged-*/*")]
    assert sorted(kept) == [files.JOURNAL, files.DATABASE]


@pytest.mark.parametrize("kept", range(3, 7))
@pytest.mark.parametrize("how", ["removed", "cut"])
def test_39_what_cannot_be_known_is_not_claimed(tmp_path: Path, kept: int, how: str) -> None:
    """Nobody can see that lines are missing at the end of a journal, once the database is gone."""
    store = Store(tmp_path)
    exchanges = filled(store)
    folder = tmp_path / "sessions/triangle-1"
    if how == "removed":
        (folder / files.DATABASE).unlink()
        Path(f"{folder / files.DATABASE}-wal").unlink(missing_ok=True)
    else:
        os.truncate(folder / files.DATABASE, 0)
    lines = (folder / files.JOURNAL).read_text().splitlines(keepends=True)
    (folder / files.JOURNAL).write_text("".join(lines[:kept]))
    with store.open("triangle-1") as session:
        assert tuple(session.exchanges) == exchanges[: len(session.exchanges)]
        assert len(session.exchanges) < len(exchanges)
        assert "nothing lost" not in session.saved.damage
        assert "cannot be known" in session.saved.damage


def test_39_a_database_that_tells_how_many_there_were_vouches_for_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    exchanges = filled(store)
    (tmp_path / "sessions/triangle-1" / files.JOURNAL).unlink()
    with store.open("triangle-1") as session:
        assert tuple(session.exchanges) == exchanges
        assert "nothing lost" in session.saved.damage


def test_19_an_empty_file_is_never_taken_for_a_new_session(tmp_path: Path) -> None:
    store = Store(tmp_path)
    filled(store)
    folder = tmp_path / "sessions/triangle-1"
    for name in (files.DATABASE, files.JOURNAL):
        os.truncate(folder / name, 0)
    for access in (store.open, store.load):
        with pytest.raises(StoreError, match="cannot be read, its answers are lost"):
            access("triangle-1")
    assert (folder / files.DATABASE).stat().st_size == 0
    with store.create(RECORD) as session:
        assert session.id == "triangle-2"


# 20: a full disk


def assert_refused_but_intact(output: str, returncode: int, store: Store) -> None:
    *acknowledged, last = output.splitlines()
    assert last.startswith("error not saved:")
    assert returncode == StoreError.exit_code
    told = [line for line in acknowledged if line.startswith(("ack", "undone"))]
    assert len(told) > 5
    assert operations(store, "triangle-1") == told
    with store.open("triangle-1") as session:
        session.append(next_question(session.exchanges), OK)


def test_20_no_room_for_an_answer(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk where nothing can be mounted."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    process = start(tmp_path, "new", preexec=limit)
    output, _ = process.communicate(timeout=60)
    assert_refused_but_intact(output, process.returncode, Store(tmp_path))


def test_20_answers_on_a_full_disk(tmp_path: Path) -> None:
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    script = (
        'mount -t tmpfs -o size=400k none "$1" || exit 99; "$2" "$3" "$1" new script; code=$?; '
        'cp -r "$1" "$4" && exit $code'
    )
    run = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", str(disk), sys.executable, str(DRIVER), str(copy)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if run.returncode == 99 or "unshare" in run.stderr:
        pytest.skip("nothing can be mounted here")
    assert_refused_but_intact(run.stdout, run.returncode, Store(copy))


# 21: the clock


def test_21_a_clock_that_moves_a_day_changes_no_order(tmp_path: Path) -> None:
    day, times = 86_400.0, [1_800_000_000.0]
    store = Store(tmp_path, clock=lambda: times[0])
    asked = []
    for shift in (0, -day, 2 * day, -5 * day):
        times[0] += shift
        with store.create(RECORD) as session:
            for step in (day, -day, -day):
                times[0] += step
                question = next_question(session.exchanges)
                session.append(question, OK)
                asked.append(question)
            times[0] -= day
            session.undo()
            asked.pop()
    assert store.ids() == [f"triangle-{number}" for number in (1, 2, 3, 4)]
    assert [question for id in store.ids() for question, _ in store.load(id).exchanges] == asked


# 22: two processes


def test_22_the_second_process_is_refused_and_told_who_holds_the_session(tmp_path: Path) -> None:
    first = start(tmp_path, "new", "terminal")
    line_of(first, "open")
    second = start(tmp_path, "triangle-1", "terminal")
    output, _ = second.communicate(timeout=60)
    assert f"error session triangle-1 is in use by process {first.pid}" in output
    assert second.returncode == 2
    assert Store(tmp_path).load("triangle-1").exchanges == ()  # looking is allowed
    first.kill()
    first.communicate()
    third = start(tmp_path, "triangle-1", "terminal")
    output, _ = third.communicate("n\n", timeout=60)
    assert "ack 1 2 1 2" in output


def test_22_sessions_made_at_once_do_not_collide(tmp_path: Path) -> None:
    processes = [start(tmp_path, "new", "terminal") for _ in range(6)]
    ids = [process.communicate("n\n", timeout=60)[0].split()[1] for process in processes]
    assert sorted(ids) == Store(tmp_path).ids() == [f"triangle-{number}" for number in range(1, 7)]


# 40: a store that cannot be written


def test_40_a_lock_that_is_a_directory_is_named_in_one_line(tmp_path: Path) -> None:
    filled(store := Store(tmp_path))
    lock = tmp_path / "sessions/triangle-1/lock"
    lock.unlink()
    lock.mkdir()
    assert_resume_is_refused(tmp_path, f"cannot be locked: {lock}: Is a directory")
    assert len(store.load("triangle-1").exchanges) == 6


def test_40_a_read_only_store_can_be_read_and_refuses_answers(tmp_path: Path) -> None:
    filled(Store(tmp_path))
    script = (
        'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99\n'
        '"$2" -m learn2fix show last; "$2" -m learn2fix resume last'
    )
    run = subprocess.run(
        ["unshare", "--mount", "sh", "-c", script, "sh", str(tmp_path), sys.executable],
        env=environment() | {"LEARN2FIX_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode == 99 or "unshare" in run.stderr:
        pytest.skip("nothing can be mounted here")
    assert run.returncode == 2
    assert "Session triangle-1" in run.stdout
    assert re.fullmatch(
        r"learn2fix: session triangle-1 cannot be locked: .*: Read-only file system.*\n", run.stderr
    )


def assert_resume_is_refused(home: Path, why: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "learn2fix", "resume", "triangle-1"],
        env=environment() | {"LEARN2FIX_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert why in run.stderr


# 23: Ctrl-C, closed stdin, SIGHUP


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (None, 4)])
def test_23_interrupted_in_a_question(tmp_path: Path, stop: signal.Signals | None, code: int) -> None:
    process = start(tmp_path, "new", "terminal")
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("n\n")
    process.stdin.flush()
    line_of(process, "ack 1")
    if stop is not None:
        process.send_signal(stop)
    process.communicate(timeout=60)
    assert process.returncode == code
    resumed = start(tmp_path, "triangle-1", "terminal")
    output, _ = resumed.communicate("n\n", timeout=60)
    assert "open triangle-1 1\nack 2 2 2 2\n" in output


def test_23_the_terminal_goes_away(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable, [str(DRIVER), str(tmp_path), "new", "terminal"], env=environment(), timeout=60
    )
    child.expect_exact(b"> ")
    child.send("n")
    child.expect_exact(b"Question 2")
    child.close()  # hangs up
    assert not child.isalive()
    with Store(tmp_path).open("triangle-1") as session:
        assert len(session.exchanges) == 1
        assert next_question(session.exchanges).number == 2

"""Fault 18 for the real thing: sessions at a terminal, and a server with three people, killed at any moment.

A few times each in `make test`; `pytest tests/test_kills.py --kills 100` for as many as one likes.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pytest

from at_terminal import PROMPT, AtTerminal, at_terminal, environment
from attackers import survivors
from learn2fix.model import Answer, Reply, Verdict
from learn2fix.sandbox import folders
from learn2fix.store import Saved, Store
from learn2fix.web.board import question_id
from test_asking import SHOP
from web_server import ZOO, Site, answer_for, classify

LONGEST = 12.0
"""Seconds within which somebody is killed who is killed at any time."""
PATIENCE = 60.0
"""Seconds to wait for a question that is to be answered before the kill."""
TURNS = 8
"""So often one session is killed and resumed, then another begins."""
KEYS = {"y": Verdict.BUG, "n": Verdict.OK}


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    count = request.config.getoption("--kills")
    assert isinstance(count, int)
    return count


@dataclass
class Tally:
    """What came of the kills; printed at the end (`pytest -s`)."""

    kills: int = 0
    before_a_session: int = 0
    acknowledged: int = 0
    unacknowledged: int = 0
    """Answers that were on the disk although nobody had been told so yet."""
    ended: int = 0
    at_a_question: int = 0
    """Kills of processes that had asked something."""
    sessions: int = 1


def price(text: str) -> str:
    qty, unit = map(int, text.split())
    return str(qty * unit * 9 // 10 if qty >= 10 else qty * unit)


@dataclass(frozen=True)
class Case:
    words: tuple[str, ...]
    right: Callable[[str], str]


CASES = [
    Case(("fix", "shop.py:price", "--failing", "10, 5", "--expected", "45"), price),
    Case(("fix", "triangle.c", "--failing", "2 2 2", "--expected", "1"), classify),
]


def prepared(tmp_path: Path) -> Path:
    for name in ("home", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "triangle.c").write_bytes((ZOO / "buggy.c").read_bytes())
    tmp_path.chmod(0o755)
    return tmp_path


def check_kept(before: Saved | None, after: Saved, told: dict[int, Reply]) -> None:
    """All that was told to be saved is there, nothing else was changed, and the same question is open."""
    assert after.damage == ""
    for number, reply in told.items():
        assert after.exchanges[number - 1][0].number == number
        assert after.exchanges[number - 1][1] == reply
    if before is not None:
        assert after.exchanges[: len(before.exchanges)] == before.exchanges
        if len(before.exchanges) == len(after.exchanges) and None not in (before.pending, after.pending):
            assert after.pending == before.pending


def check_nothing_is_left(folder: Path) -> None:
    """No process, and no folder once the next run has tidied up."""
    until = time.monotonic() + 20
    while (left := survivors(str(folder))) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders, "YOUNG", 0.0)
        folders.remove_abandoned(str(folder / "tmp"))
    assert list((folder / "tmp").iterdir()) == []


# At the terminal.


def answered(person: AtTerminal, right: Callable[[str], str]) -> tuple[int, Reply]:
    """Types what somebody says who knows what is right; the number of the question, and the answer."""
    number = int(re.findall(r"Question (\d+)", person.seen)[-1])
    shown = re.findall(r"^  input +(.*)$", person.seen, re.MULTILINE)[-1]
    printed = re.findall(r"^  (?:returns|prints|output) +(.*)$", person.seen, re.MULTILINE)[-1]
    key = "n" if right(" ".join(re.findall(r"-?\d+", shown))) == printed.strip() else "y"
    person.child.send(key)
    return number, Answer(KEYS[key])


def visit(
    folder: Path, words: tuple[str, ...], case: Case, rng: random.Random, tally: Tally
) -> dict[int, Reply]:
    """One process at the terminal, until it ends or is killed; the answers that it showed to be saved."""
    said: dict[int, Reply] = {}
    # One of three is killed at any time from its start on, the others between two questions.
    most, patience = rng.choice([(99, rng.uniform(0, LONGEST)), (1, PATIENCE), (3, PATIENCE)])
    until = time.monotonic() + patience
    with at_terminal(folder, *words, TMPDIR=str(folder / "tmp")) as person:
        while (left := until - time.monotonic()) > 0:
            try:
                if person.child.expect_exact([PROMPT, pexpect.EOF], timeout=left):
                    tally.ended += 1
                    break
            except pexpect.TIMEOUT:
                break
            if len(said) == most:
                break
            number, reply = answered(person, case.right)
            said[number] = reply
            if len(said) == most:
                until = time.monotonic() + rng.choice([0.03, 0.3, 3.0]) * rng.random()
        os.kill(person.child.pid, signal.SIGKILL)
        person.child.expect(pexpect.EOF, timeout=30)
        shown = max(map(int, re.findall(r"Question (\d+)", person.seen)), default=0)
    tally.at_a_question += shown > 0
    return {number: reply for number, reply in said.items() if number < shown}


def test_18_sessions_at_the_terminal(tmp_path: Path, kills: int) -> None:
    folder, rng, tally = prepared(tmp_path), random.Random(kills), Tally()
    store = Store(folder / "home")
    case, id, before, turns = CASES[0], "", None, 0
    while tally.kills < kills:
        if not id:
            case = rng.choice(CASES)
            words = (
                *case.words,
                "--seed",
                str(rng.randrange(1000)),
                "--feedback",
                "verdict",
                "--labels",
                "20",
            )
        else:
            words = ("resume", id)
        known = store.ids()
        told = visit(folder, words, case, rng, tally)
        tally.kills += 1
        tally.acknowledged += len(told)
        fresh = [each for each in store.ids() if each not in known]
        id = id or (fresh[0] if fresh else "")
        if not id:
            assert not told
            tally.before_a_session += 1
            continue
        after = store.load(id)
        check_kept(before, after, told)
        turns += 1
        tally.unacknowledged += len(after.exchanges) - len(before.exchanges if before else ()) - len(told)
        if after.result is not None or turns == TURNS:
            id, before, turns, tally.sessions = "", None, 0, tally.sessions + 1
        else:
            before = after
    check_nothing_is_left(folder)
    print(f"\nterminal: {tally}")
    assert tally.acknowledged > 0


# A server.

PEOPLE = ("ann", "bob", "cleo")


class Person(threading.Thread):
    """Answers what is asked, as one voice, for as long as the server is there."""

    def __init__(self, name: str, site: Site, path: str, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.who, self._site, self._path, self._rng = name, site, path, rng
        self.saved: list[tuple[str, Verdict]] = []
        """Questions, by their ids, with the answers that the server said to have."""
        self.over = False
        self.fault = ""

    def run(self) -> None:
        answered = set[str]()
        try:
            for state in self._site.news(self._path):
                if state["phase"] in ("finished", "failed"):
                    self.over, self.fault = True, "" if state["phase"] == "finished" else str(state)
                    return
                if state["phase"] != "asking" or (question := state["question"])["id"] in answered:
                    continue
                answered.add(question["id"])
                time.sleep(self._rng.uniform(0, 0.2))
                answer = answer_for(question)
                status, said = self._site.post(f"{self._path}answer", answer)
                if status == 200:
                    self.saved.append((question["id"], KEYS[answer["key"]]))
                elif status != 409:
                    self.fault = f"{status} {said}"
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            return  # the server is gone


def serving(folder: Path, words: list[str]) -> subprocess.Popen[str]:
    named = [word for name in PEOPLE for word in ("--reporter", name)]
    return subprocess.Popen(
        [sys.executable, "-m", "learn2fix", "serve", *words, *named, "--port", "0"],
        env=environment(folder / "home") | {"TMPDIR": str(folder / "tmp")},
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip


def links_of(process: subprocess.Popen[str]) -> dict[str, str]:
    """Fewer than there are where it died before it had said them all."""
    assert process.stdout is not None
    lines = [process.stdout.readline().split() for _ in range(2 + len(PEOPLE))]
    return {words[0]: words[1] for words in lines if len(words) == 2}


def hosted(
    folder: Path, words: list[str], rng: random.Random, tally: Tally
) -> list[tuple[str, str, Verdict]]:
    """One server with three people, until it is killed; who was told that which answer is saved."""
    process = serving(folder, words)
    many, patience = rng.choice([(99, rng.uniform(0, LONGEST)), (1, PATIENCE), (4, PATIENCE)])
    killer = threading.Timer(patience, process.kill)
    killer.start()
    people: list[Person] = []
    try:
        links = links_of(process)
        if len(links) == 2 + len(PEOPLE):
            port = int(links["reporter"].split("/")[2].rpartition(":")[2])
            site = Site(port, None, None, folder / "home")  # type: ignore[arg-type]
            for name in PEOPLE:
                path = "/" + links[f"reporter:{name}"].split("/", 3)[3]
                people.append(Person(name, site, path, random.Random(rng.random())))
                people[-1].start()
        while process.poll() is None:
            time.sleep(0.01)
            if sum(len(each.saved) for each in people) >= many or any(each.over for each in people):
                time.sleep(rng.choice([0.03, 0.3, 1.0]) * rng.random())
                process.kill()
    finally:
        killer.cancel()
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    for each in people:
        each.join(30)
        assert not each.is_alive()
        assert not each.fault
    tally.ended += any(each.over for each in people)
    tally.at_a_question += any(each.saved for each in people)
    return [(each.who, question, verdict) for each in people for question, verdict in each.saved]


def test_18_a_server_with_three_people(tmp_path: Path, kills: int) -> None:
    folder, rng, tally = prepared(tmp_path), random.Random(kills), Tally()
    store = Store(folder / "home")
    before: Saved | None = None
    everything: list[tuple[str, str, Verdict]] = []
    words: list[str] = []
    turns = 0
    while tally.kills < kills:
        if before is None:
            seed = str(rng.randrange(1000))
            words = ["triangle.c", "--failing", "2 2 2", "--expected", "1", "--seed", seed, "--labels", "20"]
            everything = []
        known = store.ids()
        told = hosted(folder, words, rng, tally)
        tally.kills += 1
        tally.acknowledged += len(told)
        everything += told
        fresh = [each for each in store.ids() if each not in known]
        if before is None and not fresh:
            assert not told
            tally.before_a_session += 1
            continue
        after = store.load(before.id if before else fresh[0])
        check_kept(before, after, {})
        stored = {(each.who, question_id(each.question)): each.reply for each in after.opinions}
        for who, question, verdict in everything:
            reply = stored[who, question]
            assert isinstance(reply, Answer)
            assert reply.verdict is verdict
        assert len({each.number for each, _ in after.exchanges}) == len(after.exchanges)
        turns += 1
        before, words = after, [after.id]
        if after.result is not None or turns == TURNS:
            tally.unacknowledged += len(stored) - len(set(everything))
            before, turns, tally.sessions = None, 0, tally.sessions + 1
    check_nothing_is_left(folder)
    print(f"\nserver: {tally}")
    assert tally.acknowledged > 0

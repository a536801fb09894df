"""Twenty questions answered by three people at once in a browser; a session that goes through every door."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from at_terminal import at_terminal, environment
from learn2fix.model import Answer, Verdict
from learn2fix.store import Store
from test_asking import FIX, SHOP
from web_browser import GONE, PHONE, browser, chromium_path, counts, until
from web_people import Visitor, together
from web_server import classify, running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        chromium_path() is None and os.environ.get("CI") != "true",
        reason="chromium is not installed (tools/system-packages.sh installs it as root)",
    ),
]


def test_twenty_questions_answered_by_three_people_at_once(tmp_path: Path) -> None:
    with running(tmp_path, labels=20) as site:
        ann = Visitor("ann", site.link_of("ann"))
        bob = Visitor("bob", site.link_of("bob"), size=PHONE)
        # Whoever errs is outvoted, or is the first and is set right by the other two.
        cleo = Visitor("cleo", site.link_of("cleo"), errs=lambda number: number % 4 == 3)
        people = [ann, bob, cleo]
        together(site, people)
        board = site.host.board
        asked = [question for question, _ in board.exchanges]
        assert len(asked) == 20
        # Nothing is asked twice but what fits the other answers badly, and then it says so.
        once = [question.observation.input.text for question in asked if question.again is None]
        assert len(once) == len(set(once)) >= 18
        # One answer counts for each question, and it is on the disk.
        saved = Store(tmp_path / "home").load(site.host.held.id)
        assert [question.number for question, _ in saved.exchanges] == list(range(1, 21))
        assert saved.result is not None
        # Everybody took part, and nobody was counted twice.
        by_question: dict[int, list[str]] = {}
        for opinion in saved.opinions:
            by_question.setdefault(opinion.question.number, []).append(opinion.who)
        assert {who for names in by_question.values() for who in names} == {"ann", "bob", "cleo"}
        assert all(len(names) == len(set(names)) for names in by_question.values())
        # Where two of them spoke up against a slip, theirs counts.
        for question, reply in saved.exchanges:
            said = [each.reply for each in saved.opinions if each.question.number == question.number]
            assert isinstance(reply, Answer)
            votes = [each.verdict for each in said if isinstance(each, Answer)]
            assert votes.count(reply.verdict) * 2 >= len(votes)
            if votes.count(Verdict.BUG) >= 2 or votes.count(Verdict.OK) >= 2:
                right = classify(question.observation.input.text)
                shown = str(question.observation.outcome.response)
                assert reply.verdict is (Verdict.OK if right == shown else Verdict.BUG)
        # A browser names in its console every answer that comes when its question is asked no more.
        complaints = [text for each in people for text in each.complaints if "409 (Conflict)" not in text]
        assert complaints == []


def test_begun_at_the_terminal_answered_by_command_ended_in_the_browser(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "shop.py").write_text(SHOP)
    home = {"LEARN2FIX_HOME": str(tmp_path / "home")}
    with at_terminal(work, *FIX, **home) as person:
        person.type("45\r")
        person.type("\x04")
        assert person.ended() == 4

    def command(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "learn2fix", *words],
            env=environment(tmp_path / "home"),
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    asked = command("pending", "last")
    (paste,) = [line.strip().split("  ")[0] for line in asked.splitlines() if "Q2 ok" in line]
    command(*shlex.split(paste)[1:])
    with running(tmp_path, session="shop-1") as site, browser() as chromium:
        page = chromium.new_page()
        page.goto(site.origin + site.reporter)
        counts(page, 3)
        expect(page.locator("#ask")).to_have_text("What should it return?")
        while not page.locator("#thanks").is_visible():
            page.wait_for_selector("#question:not([hidden]), #thanks:not([hidden])", timeout=60_000)
            if page.locator("#question").is_visible():
                before = page.locator("#count").inner_text()
                qty, unit = (int(text) for text in page.locator("#fields dd").all_inner_texts())
                right = str(qty * unit * 9 // 10 if qty >= 10 else qty * unit)
                offered = page.locator("#choices button").filter(has=page.get_by_text(right, exact=True))
                if offered.count():
                    offered.click()
                else:
                    page.fill("#expected", right)
                    page.click("#send")
                until(page, GONE, before)
        expect(page.locator("#learned")).to_contain_text("A repair was found")
    saved = Store(tmp_path / "home").load("shop-1")
    answers = [reply for _, reply in saved.exchanges if isinstance(reply, Answer)]
    assert answers[0] == Answer(Verdict.BUG, "45")
    assert answers[1] == Answer(Verdict.OK)
    assert len(answers) > 2
    assert "qty >= 10" in saved.patches[0].diff
    assert command("show", "shop-1").count(" -> ") >= len(answers)

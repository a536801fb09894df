"""A session by commands: `pending` prints the open question, `answer` takes an answer, other doors go on."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

from at_terminal import at_terminal, environment
from learn2fix.model import Answer, Verdict
from test_asking import FIX, KNOWN, SHOP, folder, run, said, saved
from web_server import running

__all__ = ["folder"]


def commands(text: str) -> list[str]:
    return [line.split("  ")[1] for line in text.splitlines() if line.startswith("  learn2fix answer ")]


def test_a_session_begun_at_a_terminal_goes_on_by_command_and_ends_at_a_terminal(folder: Path) -> None:
    with at_terminal(folder, *FIX) as person:
        person.type("45\r")
        person.type("\x04")
        assert person.ended() == 4
        assert "`learn2fix pending shop-1`" in person.seen
    printed = run(folder, "pending", "shop-1")
    assert printed.stdout.startswith("Question 2 of at least 4 and at most 10 (so far: 1 bug)\n")
    (ok,) = [command for command in commands(printed.stdout) if command.endswith(" ok")]
    done = run(folder, *shlex.split(ok)[1:])
    assert done.stdout.startswith("Question 3 of at least 4 and at most 10 (so far: 1 bug, 1 ok)\n")
    assert run(folder, "resume", "shop-1", lines="u\nf\n").stderr.count("\nQuestion ") == 2
    assert said(folder) == [Answer(Verdict.BUG, "45"), Answer(Verdict.OK), Answer(Verdict.UNSURE)]
    assert saved(folder).result is not None


def test_programs_read_and_answer_in_json(folder: Path) -> None:
    run(folder, *FIX)
    asked = json.loads(run(folder, "pending", "--json").stdout)
    assert (asked["session"], asked["status"], asked["question"]["id"]) == ("shop-1", "open", "Q1")
    assert asked["question"]["reported"]
    assert "45" in asked["question"]["choices"]
    words = ["answer", "last", "Q1", "bug", "--expected", "45", "--json"]
    assert json.loads(run(folder, *words).stdout)["question"]["id"] == "Q2"
    ended = json.loads(run(folder, "answer", "last", "Q2", "finish", "--json").stdout)
    assert ended["question"] is None
    assert ended["result"]["labels"][0]["expected"] == "45"
    assert run(folder, "pending").returncode == 0


def test_what_is_no_answer_changes_nothing(folder: Path) -> None:
    run(folder, *KNOWN, "--feedback", "verdict")
    for words in ("Q2 ok", "Q1 perhaps", "Q1 ok --expected 5", "first ok", "Q1 x"):
        assert run(folder, "answer", "last", *words.split()).returncode == 2, words
        assert said(folder) == []


def test_the_report_taken_back_ends_in_exit_3(folder: Path) -> None:
    run(folder, *FIX)
    done = run(folder, "answer", "last", "Q1", "ok")
    assert done.returncode == 3
    assert "learn2fix undo shop-1" in done.stderr


def test_a_session_begun_by_command_ends_on_the_page(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "shop.py").write_text(SHOP)
    for words in (FIX, ["answer", "last", "Q1", "bug", "--expected", "45"]):
        subprocess.run(
            [sys.executable, "-m", "learn2fix", *words],
            env=environment(tmp_path / "home"),
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    with running(tmp_path, session="shop-1") as site:
        question = site.state("asking")["question"]
        assert question["number"] == 2
        assert question["ask"] == "What should it return?"
        (own,) = [choice["key"] for choice in question["choices"] if choice["own"]]
        assert site.post(f"{site.reporter}answer", {"question": question["id"], "key": own})[0] == 200
        while (now := site.state("asking")["question"])["id"] == question["id"]:
            pass
        assert site.post(f"{site.reporter}answer", {"question": now["id"], "key": "f"})[0] == 200
        assert site.state("finished")["learned"]["text"]
    assert said(tmp_path) == [Answer(Verdict.BUG, "45"), Answer(Verdict.OK)]

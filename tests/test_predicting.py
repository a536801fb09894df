"""Predictions of a session that has ended: the same as its own, without the conversation, one by one."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from at_terminal import environment
from learn2fix.cli import predict as command
from learn2fix.cli.opening import reopen
from learn2fix.cli.progress import Watcher
from learn2fix.session import Session
from learn2fix.store import Store
from test_asking import KNOWN, folder, run, saved

__all__ = ["folder"]

ANSWERS = "e 45\n" + "n\n" * 3 + "f\n"
INPUTS = [f"{qty}, {unit}" for qty in (0, 1, 9, 10, 11, 12, 100) for unit in (0, 1, 5)]


def predicted(folder: Path, without_grounds: bool) -> list[float]:
    store = Store(folder / "home")
    found = store.load("shop-1")
    assert found.grounds is not None
    assert found.grounds.fixes
    before = os.getcwd()
    try:
        with reopen(found, Watcher(sys.stderr, asks=False)) as running:
            command._begin(running, replace(found, grounds=None) if without_grounds else found)
            return running.chances(INPUTS)
    finally:
        os.chdir(before)


def test_what_is_recalled_is_what_the_session_says(folder: Path) -> None:
    run(folder, *KNOWN, lines=ANSWERS)
    recalled = predicted(folder, without_grounds=False)
    assert recalled == predicted(folder, without_grounds=True)
    assert {0.0, 1.0} < set(recalled)


def test_a_session_that_has_ended_is_not_gone_through_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(folder, *KNOWN, lines=ANSWERS)
    monkeypatch.setenv("LEARN2FIX_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)

    def conversation(session: Session) -> None:
        raise AssertionError("nothing is to be asked or searched")

    monkeypatch.setattr(Session, "conversation", conversation)
    command.predict.main(["shop-1", "10, 5", "10, 7"], standalone_mode=False)
    assert capsys.readouterr().out == "bug\nbug\n"


def test_an_answer_more_makes_what_was_found_void(folder: Path) -> None:
    run(folder, *KNOWN, lines=ANSWERS)
    assert run(folder, "undo", "shop-1").returncode == 0
    assert saved(folder).grounds is None
    assert run(folder, "predict", "shop-1", "10, 5").stdout == "bug\n"


def test_each_input_is_answered_when_it_comes(folder: Path) -> None:
    run(folder, *KNOWN, lines=ANSWERS)
    with subprocess.Popen(
        [sys.executable, "-m", "learn2fix", "predict", "shop-1"],
        env=environment(folder / "home"),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text, word in (("10, 5", "bug"), ("nonsense(", "invalid"), ("10, 5", "bug")):
            process.stdin.write(f"{text}\n")
            process.stdin.flush()
            # Would wait for ever if the end of the input were waited for.
            assert process.stdout.readline().strip() == word
        process.stdin.close()
    assert process.returncode == 0

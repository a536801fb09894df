"""A command line is a translation: words become calls with values."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from learn2fix.cli.app import run
from learn2fix.session import Options, Session
from learn2fix.store import Store

ZOO = Path(__file__).parent / "zoo/triangle"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LEARN2FIX_DEBUG", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    for name in ("buggy.c", "golden.c"):
        (work / name).write_bytes((ZOO / name).read_bytes())
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(Path(os.environ["LEARN2FIX_HOME"]))


class Called(Exception):
    pass


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, ...], tuple[str, ...], Options]]:
    """What `Session.create` is called with; nothing is run."""
    seen: list[tuple[tuple[str, ...], tuple[str, ...], Options]] = []

    def create(program: str | Sequence[str], failing: Sequence[str], options: Options, **_: Any) -> Session:
        seen.append(((program,) if isinstance(program, str) else tuple(program), tuple(failing), options))
        raise Called

    monkeypatch.setattr(Session, "create", create)
    return seen


DEFAULTS = Options(jobs=len(os.sched_getaffinity(0)))

TRANSLATIONS: list[tuple[list[str], tuple[str, ...], tuple[str, ...], dict[str, Any]]] = [
    (["fix", "triangle.c", "--failing", "2 2 2", "--seed", "3"], ("triangle.c",), ("2 2 2",), {"seed": 3}),
    (
        ["learn", "--failing", "-1 2", "--failing", "3", "--seed=3", "--", "./tool", "{a}", "--x", "{b}"],
        ("./tool", "{a}", "--x", "{b}"),
        ("-1 2", "3"),
        {"seed": 3, "only_learn": True},
    ),
    (
        [
            "fix",
            "shop.py:discount",
            "--failing",
            "price=100,qty=3",
            "--labels",
            "5",
            "--feedback",
            "verdict",
            "--strategy",
            "paper",
            "--learner",
            "tree",
            "--mutations",
            "extended",
            "--seed",
            "7",
            "--timeout",
            "1.5",
            "--jobs",
            "3",
            "--build",
            "make",
            "--cflags",
            "-O0",
            "--range",
            "a=1..9",
            "--range",
            "b=2..3",
            "--noise",
            "0.1",
            "--require-isolation",
            "--expected",
            "270",
        ],
        ("shop.py:discount",),
        ("price=100,qty=3",),
        {
            "labels": 5,
            "feedback": "verdict",
            "strategy": "paper",
            "learner": "tree",
            "mutations": "extended",
            "seed": 7,
            "timeout": 1.5,
            "jobs": 3,
            "build": "make",
            "cflags": "-O0",
            "ranges": ("a=1..9", "b=2..3"),
            "noise": 0.1,
            "require_isolation": True,
            "expected": "270",
        },
    ),
    (
        ["learn", "--failing", "1", "--seed", "1", "--", "-o"],
        ("-o",),
        ("1",),
        {"seed": 1, "only_learn": True},
    ),
    (["fix", "--failing", "1", "--seed", "1", "--", "-o.c"], ("-o.c",), ("1",), {"seed": 1}),
]


@pytest.mark.parametrize(("words", "program", "failing", "changed"), TRANSLATIONS)
def test_words_become_a_call(
    folder: Path,
    calls: list[tuple[tuple[str, ...], tuple[str, ...], Options]],
    words: list[str],
    program: tuple[str, ...],
    failing: tuple[str, ...],
    changed: dict[str, Any],
) -> None:
    assert run(words) == 70
    assert calls == [(program, failing, dataclasses.replace(DEFAULTS, **changed))]


def test_settings_are_defaults_and_options_win(
    folder: Path, calls: list[tuple[tuple[str, ...], tuple[str, ...], Options]]
) -> None:
    (folder / "pyproject.toml").write_text("[tool.learn2fix]\nlabels = 5\nseed = 9\nstrategy = 'paper'\n")
    run(["fix", "buggy.c", "--failing", "1", "--labels", "6"])
    ((_, _, options),) = calls
    assert (options.labels, options.seed, options.strategy) == (6, 9, "paper")
    (folder / "pyproject.toml").write_text("[tool.learn2fix]\nlabels = 'many'\n")
    assert run(["fix", "buggy.c", "--failing", "1"]) == 2


def test_a_seed_is_drawn_when_none_is_given(
    folder: Path, calls: list[tuple[tuple[str, ...], tuple[str, ...], Options]]
) -> None:
    for _ in range(3):
        run(["fix", "buggy.c", "--failing", "1"])
    assert len({options.seed for _, _, options in calls}) == 3


@pytest.mark.parametrize(
    "words",
    [
        ["fix", "buggy.c"],
        ["fix", "--failing", "1"],
        ["fix", "buggy.c", "--failing", "1", "--labels", "-1"],
        ["fix", "buggy.c", "--failing", "1", "--golden", "golden.c", "--answers", "a"],
        ["fix", "buggy.c", "--failing", "1", "--answers", "missing.jsonl"],
        ["fix", "missing.c", "--failing", "1"],
        ["fix", "buggy.c", "--failing", "@missing"],
        ["fix", ".", "--failing", "1"],
        ["fix", "--failing", "1 2", "--", "/bin/echo", "{a}", "{b}"],
        ["learn", "buggy.c", "--failing", "2 2 2", "--learner", "nonsense"],
        ["repair", "buggy.c", "--tests", "nowhere"],
        ["repair", "nothing"],
        ["predict", "nothing", "1"],
        ["export", "nothing", "--to", "pytest", "out"],
    ],
)
def test_wrong_usage_is_2_and_makes_no_session(
    folder: Path, store: Store, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert store.ids() == []

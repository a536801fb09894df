"""From a failing pytest test to a repaired program and tests beside it, with real pytest before and after."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from learn2fix.cli.app import run

SHOP = '''"""A shop."""


def discount(price, qty):
    """Three pieces or more are ten percent cheaper."""
    total = price * qty
    if qty > 3:  # from three on
        total = total * 0.9
    return total


def check_age(age):
    if age < 0:
        raise ValueError("no such age")
    return age >= 18
'''
GOLDEN = SHOP.replace("qty > 3", "qty >= 3").replace("age < 0", "age <= 0")
TESTS = """import pytest
from shop import check_age, discount


@pytest.mark.parametrize(("price", "qty", "expected"), [(100, 2, 200), (100, 3, 270), (10, 10, 90)])
def test_discount(price, qty, expected):
    assert discount(price, qty) == expected


def test_age():
    assert check_age(18)
    with pytest.raises(ValueError):
        check_age(0)


def test_passes():
    assert discount(1, 1) == 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    work = tmp_path / "work"
    (work / "tests").mkdir(parents=True)
    (work / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n")
    (work / "shop.py").write_text(SHOP)
    (work / "golden.py").write_text(GOLDEN)
    (work / "tests/test_shop.py").write_text(TESTS)
    monkeypatch.chdir(work)
    return work


def pytest_run(file: str) -> dict[str, int]:
    """How many tests passed and failed, by pytest itself."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", file],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {word: int(count) for count, word in re.findall(r"(\d+) (passed|failed)", done.stdout)}


@pytest.mark.parametrize(
    ("test", "function", "line"),
    [
        ("test_discount", "discount", "    if qty >= 3:  # from three on"),
        ("test_age", "check_age", "age <= 0"),
    ],
)
def test_a_failing_test_becomes_a_fix_and_more_tests(
    folder: Path, test: str, function: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fix", "--test", f"tests/test_shop.py::{test}", "--golden", f"golden.py:{function}", "--json"]
    assert run([*words, "--seed", "1"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    made = f"tests/test_{function}_learn2fix.py"
    assert made in said.err
    bugs = sum(label["verdict"] == "bug" for label in document["labels"])
    fine = sum(label["verdict"] == "ok" for label in document["labels"])
    assert bugs >= 1
    assert fine >= 2
    # Red on the original exactly where the person saw the bug, green on the repaired program.
    assert pytest_run(made) == {"failed": bugs, "passed": fine}
    assert run(["apply", document["session"]]) == 0
    assert line in (folder / "shop.py").read_text()
    assert pytest_run(made) == {"passed": bugs + fine}
    assert "failed" not in pytest_run(f"tests/test_shop.py::{test}")


def test_a_file_that_is_not_ours_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = folder / "tests/test_discount_learn2fix.py"
    mine.write_text("# mine\n")
    words = ["fix", "--test", "tests/test_shop.py::test_discount", "--golden", "golden.py:discount"]
    assert run([*words, "--seed", "1"]) == 0
    assert mine.read_text() == "# mine\n"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--test", "tests/test_shop.py::test_passes"], 3, "does not fail"),
        (["--test", "tests/test_shop.py::test_discount[100-2-200]"], 3, "does not fail"),
        (["--test", "tests/test_shop.py::test_nothing"], 2, "it has: test_discount, test_age"),
        (["--test", "tests/test_shop.py::test_age", "--failing", "1"], 2, "leave out --failing"),
        (["--test", "tests/test_shop.py::test_age", "shop.py:discount"], 2, "it calls shop.py:check_age"),
        (["--test", "nowhere.py::test_age"], 2, "no test file"),
    ],
)
def test_errors_are_one_line(
    folder: Path, words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fix", *words]) == code
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""

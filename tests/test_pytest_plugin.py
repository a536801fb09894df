"""pytest --learn2fix and --learn2fix-check, as somebody types them."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parent.parent
SHOP = "def discount(price, qty):\n    return price * qty\n"
TESTS = """
from shop import discount


def test_passes():
    assert discount(1, 1) == 1


def test_of_a_run(tmp_path):
    assert discount(len(str(tmp_path)), 1) == 0


def test_fails():
    assert discount(100, 3) == 270
"""
EXPORTED = "def test_answer():\n    assert False\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_shop.py").write_text(TESTS)
    return tmp_path


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Without what else is installed: the plugin may be registered there, too."""
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "learn2fix.pytest_plugin", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_red_run_offers_the_first_failing_test_that_can_be_read(folder: Path) -> None:
    status, shown = run(folder, "--learn2fix")
    assert status == 1
    assert "learn2fix fix --test test_shop.py::test_fails" in shown
    assert "Begin with it now?" not in shown


def test_at_a_terminal_it_asks_whether_to_begin(folder: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "pytest", "-p", "learn2fix.pytest_plugin", "-p", "no:cacheprovider", "--learn2fix"],
        cwd=str(folder),
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "src")},
        encoding="utf-8",
        timeout=60,
    )
    child.expect_exact("learn2fix fix --test test_shop.py::test_fails")
    child.expect_exact("Begin with it now? [y/N] ")
    child.sendline("n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert "Session" not in child.before


def test_a_green_run_and_one_that_did_not_ask_say_nothing(folder: Path) -> None:
    assert "learn2fix fix" not in run(folder, "--learn2fix", "-k", "passes")[1]
    assert "learn2fix fix" not in run(folder)[1]


def test_a_failing_test_that_cannot_be_read_is_offered_to_be_recorded(folder: Path) -> None:
    _, shown = run(folder, "--learn2fix", "-k", "of_a_run")
    assert "learn2fix fix --test test_shop.py::test_of_a_run" in shown


def test_a_check_runs_what_was_answered_and_nothing_else(folder: Path) -> None:
    status, shown = run(folder, "--learn2fix-check")
    assert status == 5
    assert "learn2fix export SESSION --to pytest DIR" in shown
    (folder / "test_discount_learn2fix.py").write_text(EXPORTED)
    status, shown = run(folder, "--learn2fix-check")
    assert status == 1
    assert "1 failed, 3 deselected" in shown


def test_the_plugin_is_registered_and_imports_no_more_than_pytest() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"learn2fix": "learn2fix.pytest_plugin"}
    code = (
        "import pytest, sys; before = set(sys.modules); import learn2fix.pytest_plugin; "
        "print(*[m for m in set(sys.modules) - before if m.startswith('learn2fix.')])"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["learn2fix.pytest_plugin"]

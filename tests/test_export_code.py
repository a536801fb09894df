"""Answers about objects, effects and generators become tests that say whether a program gives them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learn2fix.errors import UsageError
from learn2fix.export import Case, Program, pytest_files
from learn2fix.languages.protocol import RunKind, RunRecipe
from learn2fix.model import Answer, Ending, Input, Label, Observation, Outcome, Verdict

RIGHT = """
from decimal import Decimal


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
        return self.balance


def drop(items):
    for item in list(items):
        if item < 0:
            items.remove(item)


def stars(n):
    for i in range(1, n + 1):
        print("*" * i)


def halves(n):
    while n:
        yield n
        n //= 2


async def later(n):
    return n + 1


def tax(price):
    return price * 2
"""
WRONG = (
    RIGHT.replace("amount > self", "amount >= self")
    .replace("in list(items)", "in items")
    .replace("n + 1", "n")
    .replace("while n:", "while n > 1:")
    .replace("price * 2", "price * 3")
)
CASES = [
    ("Account.withdraw", "Account('Ann', 5).withdraw(5)", "returns 0\nself.balance = 0", False),
    ("Account.withdraw", "a = Account('Ann', 5); a.withdraw(5); a.balance", "0", False),
    ("Account.withdraw", "Account('Ann', 5), 5", "0", False),
    ("drop", "[-1, -2]", "items = []", False),
    ("stars", "2", "prints:\n*\n**", False),
    ("halves", "4", "[4, 2, 1]", True),
    ("later", "4", "5", True),
    ("tax", "Decimal('1.5')", "Decimal('3.0')", False),
]


def exported(function: str, text: str, expected: str, lazy: bool) -> dict[str, bytes]:
    label = Label(Observation(Input(text), Outcome(Ending.EXITED, b"?")), Answer(Verdict.BUG, expected))
    recipe = RunRecipe(RunKind.FUNCTION, function, lazy=lazy)
    return pytest_files("shop-1", Program(recipe, f"shop.py:{function}", "shop.py"), [Case(label, text)])


def run(folder: Path) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, check=False, env=env, cwd=folder).returncode


@pytest.mark.parametrize(("source", "status"), [(RIGHT, 0), (WRONG, 1)])
def test_exported_tests_tell_right_from_wrong(source: str, status: int, tmp_path: Path) -> None:
    for number, (function, text, expected, lazy) in enumerate(CASES):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "shop.py").write_text(source)
        for name, content in exported(function, text, expected, lazy).items():
            (folder / name).write_bytes(content)
        if status:
            assert run(folder) == 1, (function, text)
    if not status:
        for number in range(len(CASES)):
            (file,) = (tmp_path / str(number)).glob("test_*.py")
            file.rename(file.with_name(f"test_{number}.py"))
        assert run(tmp_path) == 0


def test_an_exception_is_a_test_too() -> None:
    (content,) = exported(
        "Account.withdraw", "Account('Ann', 5).withdraw(6)", "raises ValueError", False
    ).values()
    assert b"pytest.raises" in content
    assert b"== 'ValueError'" in content


def test_what_no_test_can_say_is_refused() -> None:
    with pytest.raises(UsageError, match="no answer that a pytest test can say"):
        exported("copy", "Account('Ann', 5)", "Account(owner='Ann', balance=5)", False)

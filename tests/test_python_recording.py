"""A failing command gives the call: run for real, in a copy, by interpreters with nothing of ours in them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from learn2fix.cli.app import run
from learn2fix.cli.from_test import Begun, begin_from, begin_recorded
from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.python.recording.call_text import Call, state

BANK = '''"""Accounts."""
import datetime
import enum
from collections import deque
from decimal import Decimal


class Kind(enum.Enum):
    BOOK = 1
    FOOD = 2


class Account:
    made = 0

    def __init__(self, owner, balance=0):
        self.owner, self.balance, self.log = owner, balance, []

    def deposit(self, amount):
        self.balance += amount
        self.log.append(amount)

    def withdraw(self, amount):
        if amount >= self.balance:
            return None
        self.balance -= amount
        return self.balance

    @property
    def rich(self):
        return self.balance > 1000

    @classmethod
    def parse(cls, text):
        owner, _, balance = text.partition(":")
        return cls(owner, int(balance)).balance + 1

    @staticmethod
    def fee(amount):
        return amount // 10


class Secret:
    def __init__(self, word):
        self.length = len(word)


def total(lines, rate, *more, tax=0, **options):
    return sum(price for _, price in lines) * rate + tax


def price(kind, day, amount):
    return amount * kind.value


def rotate(queue):
    return queue[0]


def load(connection, n):
    return n


def guess(secret):
    return secret.length


def spin(n):
    while n > 0:
        n += 1
    return n


def factorial(n):
    return 1 if n < 1 else n * factorial(n - 2)
'''
TESTS = """import datetime
import json
import sqlite3
from collections import deque
from decimal import Decimal

import pytest
from bank import *
from bank import Account, Kind


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "lines.json").write_text(json.dumps([["a", 100], ["b", 250]]))
    return [tuple(line) for line in json.loads((tmp_path / "lines.json").read_text())]


def test_fixture(lines):
    assert total(lines, 2, tax=5) == 700


def test_more(lines):
    assert total(lines, 2, 3, 4, note="x") == 1


def test_history():
    account = Account("Ann")
    for amount in (10, 20):
        account.deposit(amount)
    assert account.withdraw(30) == 0


def test_state():
    accounts = [Account(name, 100) for name in ("Ann", "Bob")]
    assert accounts[1].withdraw(100) == 0


def test_property():
    accounts = [Account("Ann", 1000)]
    assert accounts[0].rich == True


def test_static():
    amounts = [max(3, 35)]
    assert Account.fee(amounts[0]) == 4


def test_class():
    text = "".join(["Ann", ":", "5"])
    assert Account.parse(text) == 5


def test_values():
    days = [datetime.date(2024, 3, n) for n in (1, 2)]
    assert price(Kind.FOOD, days[1], Decimal("1.50")) == Decimal("3.10")


def test_queue():
    assert rotate(deque(range(3), 4)) == 2


def test_loop():
    for n in range(3):
        assert factorial(n + 3) == 6 or n > 1


def test_recursion():
    assert factorial(len("abc")) == 6


def test_raises(lines):
    with pytest.raises(ValueError):
        total(lines[:0], 1)


def test_approx(lines):
    assert total(lines, 1) == pytest.approx(351.0)


def test_connection():
    assert load(sqlite3.connect(":memory:"), 3) == 2


def test_made():
    assert guess([Secret("abc")][0]) == 4


def test_secret():
    secret = Secret("abc")
    secret.length = 7
    assert guess(secret) == 4


def test_spin():
    assert spin(max(1, 3)) == 0


def test_touch():
    with open("bank.py", "w") as file:
        file.write("gone")
    assert rotate([1 for _ in "a"]) == 2


def test_nothing(tmp_path):
    assert tmp_path.exists() is False


def test_passes():
    assert factorial(len("a")) == 1
"""
UNITTEST = """import unittest
from bank import total


class Totals(unittest.TestCase):
    def test_total(self):
        lines = dict(a=1, b=2).items()
        self.assertEqual(total(sorted(lines), 3), 10)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        "[tool.pytest.ini_options]\npythonpath = ['.']\naddopts = '-p no:hypothesispytest'\n"
    )
    (tmp_path / "bank.py").write_text(BANK)
    (tmp_path / "tests/test_bank.py").write_text(TESTS)
    (tmp_path / "tests/test_units.py").write_text(UNITTEST)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    return tmp_path


def recorded(test: str, *program: str, seconds: float = 60) -> Begun:
    return begin_recorded(f"pytest tests/test_bank.py::{test}", program, (), sys.executable, seconds)


@pytest.mark.parametrize(
    ("test", "function", "text", "expected"),
    [
        ("test_fixture", "total", "[('a', 100), ('b', 250)], 2, tax=5", "700"),
        ("test_more", "total", "[('a', 100), ('b', 250)], 2, 3, 4, tax=0, note='x'", "1"),
        (
            "test_history",
            "Account.withdraw",
            "account = Account('Ann', 0); account.deposit(10); account.deposit(20); account.withdraw(30)",
            "0",
        ),
        ("test_state", "Account.withdraw", "Account('Bob', 100).withdraw(100)", "0"),
        ("test_property", "Account.rich", "Account('Ann', 1000).rich", "True"),
        ("test_made", "guess", "secret = Secret('abc'); guess(secret)", "4"),
        ("test_static", "Account.fee", "35", "4"),
        ("test_class", "Account.parse", "'Ann:5'", "5"),
        ("test_values", "price", "Kind.FOOD, datetime.date(2024, 3, 2), Decimal('1.50')", "Decimal('3.10')"),
        ("test_queue", "rotate", "deque([0, 1, 2], 4)", "2"),
        ("test_loop", "factorial", "3", "6"),
        ("test_recursion", "factorial", "3", "6"),
        ("test_raises", "total", "[], 1, tax=0", "⟨raises ValueError⟩"),
        ("test_approx", "total", "[('a', 100), ('b', 250)], 1, tax=0", "351.0"),
    ],
)
def test_the_call_that_fails(folder: Path, test: str, function: str, text: str, expected: str) -> None:
    begun = recorded(test)
    assert (begun.program, begun.failing) == (f"bank.py:{function}", (text,))
    assert begun.tests == ((text, expected),)


def test_a_test_that_cannot_be_read_is_run(folder: Path) -> None:
    begun = begin_from("tests/test_bank.py::test_fixture", (), (), None, sys.executable)
    assert begun.failing == ("[('a', 100), ('b', 250)], 2, tax=5",)
    assert "Recorded in tests/test_bank.py::test_fixture" in begun.note


def test_a_function_that_is_not_called_by_the_test_itself(folder: Path) -> None:
    assert recorded("test_history", "bank.py:Account.deposit").failing == (
        "account = Account('Ann', 0); account.deposit(10); account.deposit(20)",
    )


def test_what_a_command_does_to_files_stays_in_the_copy(folder: Path) -> None:
    assert recorded("test_touch").failing == ("[1]",)
    assert (folder / "bank.py").read_text() == BANK
    assert not list(folder.rglob(".pytest_cache"))


def test_a_call_that_never_comes_back(folder: Path) -> None:
    begun = recorded("test_spin", seconds=8)
    assert begun.failing == ("3",)
    assert begun.tests == ()


def test_unittest_and_plain_scripts(folder: Path) -> None:
    begun = begin_recorded("python -m unittest tests.test_units", (), (), sys.executable, 60)
    assert begun.tests == (("[('a', 1), ('b', 2)], 3, tax=0", "10"),)
    (folder / "demo.py").write_text("from bank import factorial\nprint(factorial(int('4')))\n")
    begun = begin_recorded("python demo.py", ("bank.py:factorial",), (), sys.executable, 60)
    assert (begun.failing, begun.tests) == (("4",), ())


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("test_connection", "connection is a sqlite3.Connection"),
        ("test_secret", "secret is a Secret that does not keep word"),
        ("test_nothing", "calls a function of the project nowhere"),
        ("test_missing", "calls a function of the project nowhere; it ended with status 4"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_a_line(folder: Path, test: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        recorded(test)
    assert message in str(refused.value)
    assert "--failing" in str(refused.value.hint)


def test_a_test_that_passes_and_words_that_make_no_sense(folder: Path) -> None:
    with pytest.raises(NotFailing):
        recorded("test_passes")
    assert run(["fix", "bank.py", "--record", "pytest"]) == 2
    assert run(["fix", "gone.py:f", "--record", "pytest"]) == 2
    assert run(["fix", "--record", "no-such-command-anywhere"]) == 2
    assert run(["fix", "--record", ""]) == 2
    assert run(["fix", "--record", "pytest", "--failing", "3"]) == 2
    assert run(["fix", "--record", "pytest", "--test", "tests/test_bank.py"]) == 2


def test_a_session_from_a_recorded_call(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "right.py").write_text(BANK.replace("amount >= self.balance", "amount > self.balance"))
    words = ["fix", "--record", "pytest tests/test_bank.py::test_state", "--golden"]
    assert run([*words, "right.py:Account.withdraw", "--seed", "1"]) == 0
    shown = capsys.readouterr()
    assert "Recorded in tests/test_bank.py::test_state" in shown.err
    assert "`if amount >= self.balance:` → `if amount > self.balance:`" in shown.out


class Point:
    def __init__(self, x: int, y: int = 0) -> None:
        self.x, self._y = x, y
        self.seen = 3


def move(point: Point, *, by: int) -> None:
    """Only its code is looked at."""


def test_an_object_is_written_as_what_makes_it_again_and_refused_otherwise() -> None:
    space = {"Point": Point, "move": move}
    point = Point(1, 2)
    call = Call("move", space, {"point": point, "by": 3}, move.__code__)
    assert call.text({}) == ("Point(1, 2), by=3", "")
    point.seen = 4
    text, why = Call("move", space, {"point": point, "by": 3}, move.__code__).text({})
    assert text is None
    assert "cannot be made again" in why
    assert state(point) != state(Point(1, 2))

"""Tests that work on objects, read off their source: fixtures, setUp, rows, comparisons, docstrings."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn2fix.cli.from_test import begin_from
from learn2fix.errors import UsageError
from learn2fix.languages.python.pytest_tests import read_test
from learn2fix.languages.python.wishes import Compares, Equal, Raises, Truth, Wish, expected_output, holds
from learn2fix.model import Ending, Response

BANK = '''
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount >= self.balance:
            raise ValueError("not enough money")
        self.balance -= amount
        return self.balance

    @property
    def empty(self):
        return self.balance == 0


def halves(n):
    """
    >>> halves(8)
    [8, 4, 2, 1]
    >>> halves(0)
    Traceback (most recent call last):
    ValueError: zero
    """
    while n > 1:
        yield n
        n //= 2
'''
TESTS = """
import unittest
import pytest
from bank import Account, halves


@pytest.fixture
def account():
    return Account("Ann", 100)


@pytest.fixture
def rich(account, more):
    account.deposit(more)
    yield account


def test_fixture(account):
    account.withdraw(100)
    assert account.balance == 0


def test_fixture_of_fixtures(rich):
    left = rich.withdraw(30)
    assert left == 120


def test_property(account):
    assert not account.empty


def test_raises(account):
    with pytest.raises(ValueError, match="enough"):
        account.withdraw(101)


def test_compares(account):
    assert account.withdraw(1) < 100


@pytest.mark.parametrize(("start", "amount"), [(5, 5), (6, 1)], ids=["all", "one"])
def test_rows(start, amount):
    account = Account("Ann", balance=start)
    assert account.withdraw(amount) == start - amount


def test_list():
    assert list(halves(3)) == [3, 1]


def test_in():
    assert 1 in halves(3)


def test_loop(account):
    while account.balance:
        account.withdraw(1)
    assert account.balance == 0


class TestAll(unittest.TestCase):
    def setUp(self):
        self.account = Account("Bob", 5)

    def test_all(self):
        self.account.withdraw(5)
        self.assertEqual(self.account.balance, 0)
"""
CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef more():\n    return 50\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bank.py").write_text(BANK)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_bank.py").write_text(TESTS)
    (tmp_path / "tests" / "conftest.py").write_text(CONFTEST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("test", "function", "code", "wish"),
    [
        (
            "test_fixture",
            "Account.withdraw",
            "account = Account('Ann', 100); account.withdraw(100); account.balance",
            Equal("0"),
        ),
        (
            "test_fixture_of_fixtures",
            "Account.withdraw",
            "account = Account('Ann', 100); more = 50; account.deposit(more); rich = account; "
            "rich.withdraw(30)",
            Equal("120"),
        ),
        ("test_property", "Account.empty", "account = Account('Ann', 100); account.empty", Truth(False)),
        (
            "test_raises",
            "Account.withdraw",
            "account = Account('Ann', 100); account.withdraw(101)",
            Raises("ValueError", "enough"),
        ),
        (
            "test_compares",
            "Account.withdraw",
            "account = Account('Ann', 100); account.withdraw(1)",
            Compares("<", "100", True),
        ),
        (
            "test_rows[all]",
            "Account.withdraw",
            "account = Account('Ann', balance=5); account.withdraw(5)",
            Equal("0"),
        ),
        ("test_list", "halves", "3", Equal("[3, 1]")),
        ("test_in", "halves", "3", Compares("in", "1", False)),
        (
            "TestAll::test_all",
            "Account.withdraw",
            "account = Account('Bob', 5); account.withdraw(5); account.balance",
            Equal("0"),
        ),
    ],
)
def test_what_people_write(folder: Path, test: str, function: str, code: str, wish: Wish) -> None:
    (found,) = read_test(f"tests/test_bank.py::{test}")
    assert (found.call.function, found.call.arguments, found.wish) == (function, code, wish)
    assert found.call.file == Path("src/bank.py")


def test_the_examples_of_a_docstring(folder: Path) -> None:
    first, second = read_test("src/bank.py::halves")
    assert (first.call.arguments, first.wish) == ("8", Equal("[8, 4, 2, 1]"))
    assert (second.call.arguments, second.wish) == ("0", Raises("ValueError"))


def test_what_cannot_be_followed_is_refused_in_a_line(folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot read a call off") as refused:
        read_test("tests/test_bank.py::test_loop")
    assert "--failing" in str(refused.value.hint)


def test_a_fixture_test_begins_a_session(folder: Path) -> None:
    begun = begin_from("tests/test_bank.py::test_fixture", (), (), None)
    code = "account = Account('Ann', 100); account.withdraw(100); account.balance"
    assert begun.program == "src/bank.py:Account.withdraw"
    assert begun.failing == (code,)
    assert begun.tests == ((code, "0"),)


@pytest.mark.parametrize(
    ("wish", "answer", "held"),
    [
        (Compares("<", "10", True), Response(Ending.EXITED, "9"), True),
        (Compares("<", "10", True), Response(Ending.EXITED, "10"), False),
        (Compares("<", "10", False), Response(Ending.EXITED, "11"), True),
        (Compares("in", "'a'", False), Response(Ending.EXITED, "['a']"), True),
        (Compares("not in", "'a'", False), Response(Ending.EXITED, "['a']"), False),
        (Compares("<", "10", True), Response(Ending.EXITED, "'a'"), False),
        (Compares("<", "10", True), Response(Ending.RAISED, "ValueError"), False),
        (Raises("ValueError", "enough"), Response(Ending.RAISED, "ValueError: not enough"), True),
        (Raises("ValueError", "enough"), Response(Ending.RAISED, "ValueError: zero"), False),
        (Raises("ValueError", "enough"), Response(Ending.EXITED, "3"), False),
    ],
)
def test_wishes(wish: Wish, answer: Response, held: bool) -> None:
    assert holds(wish, answer) is held
    if isinstance(wish, Compares):
        assert expected_output(wish, answer) is None

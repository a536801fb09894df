"""Methods, generators, side effects, objects: what is called, what varies, and what the answer is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.fuzzing import EXTENDED, Fuzzer
from learn2fix.languages.opening import open_subject
from learn2fix.languages.python.parts import parts_of, written_parts
from learn2fix.languages.python.same import normal_value, same_value
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Ending, Kind, Response
from learn2fix.sandbox import Sandbox

SHOP = """
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cached_property
from itertools import count


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Item:
    name: str
    price: int = 1


class Account:
    rate = 3

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def withdraw(self, amount):
        self.balance -= amount
        self.history.append(amount)
        return self.balance

    def deposit(self, amount):
        self.balance += amount

    @property
    def rich(self):
        return self.balance > 100

    @cached_property
    def label(self):
        return self.owner.upper()

    @staticmethod
    def fee(amount):
        return amount // 10

    @classmethod
    def interest(cls, amount):
        return amount * cls.rate


class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        return self._items.pop()


def drop_negatives(items):
    for item in list(items):
        if item < 0:
            items.remove(item)


def stars(n):
    for i in range(n):
        print("*" * i)


def noisy(n):
    print("debugging", n)
    return n + 1


def evens(n):
    for i in range(0, n, 2):
        yield i


def naturals(start):
    return count(start)


async def later(n):
    return n + 1


async def several(n):
    for i in range(n):
        yield i


def total(*prices, tax=0):
    return sum(prices) + tax


def settings(**options):
    return sorted(options.items())


def rounded(price):
    return round(price * 3, 1)


def other(colour):
    return Colour.BLUE if colour is Colour.RED else Colour.RED


def overdue(due, today):
    return (today - due).days


def cheapest(items):
    return min(items, key=lambda item: item.price)


def opened(owner):
    return Account(owner, 5)


def identity(value):
    return value


def unique(values):
    return set(values)


def reset(counts):
    counts.clear()
    return counts
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.py"
    path.write_text(SHOP)
    return path


CALLS = [
    (
        "Account.withdraw",
        "Account('Ann', 100).withdraw(30)",
        "returns 70\nself.balance = 70\nself.history = [30]",
    ),
    ("Account.withdraw", "Account('Ann', 100), 30", "returns 70\nself.balance = 70\nself.history = [30]"),
    (
        "Account.withdraw",
        "a = Account('Ann'); a.deposit(50); a.deposit(20); a.withdraw(30)",
        "returns 40\nself.balance = 40\nself.history = [30]",
    ),
    (
        "Account.deposit",
        "Account('Ann').deposit(5)",
        "self.owner = 'Ann'\nself.balance = 5\nself.history = []",
    ),
    ("Account.rich", "Account('Ann', 200).rich", "True"),
    ("Account.rich", "Account('Ann', 20)", "False"),
    ("Account.fee", "70", "7"),
    ("Account.interest", "70", "210"),
    ("Account.interest", "Account.interest(70)", "210"),
    ("Stack.pop", "s = Stack(); s.push(1); s.push(2); s.pop()", "returns 2\nself._items = [1]"),
    ("drop_negatives", "[3, -1, -2]", "items = [3]"),
    ("drop_negatives", "drop_negatives([3])", "items = [3]"),
    ("stars", "3", "prints:\n*\n**"),
    ("noisy", "3", "4"),
    ("evens", "7", "[0, 2, 4, 6]"),
    ("later", "3", "4"),
    ("several", "3", "[0, 1, 2]"),
    ("total", "1, 2, 3", "6"),
    ("total", "1, 2, tax=4", "7"),
    ("settings", "b=1, a=2", "[('a', 2), ('b', 1)]"),
    ("rounded", "Decimal('1.25')", "Decimal('3.8')"),
    ("other", "Colour.RED", "Colour.BLUE"),
    ("overdue", "date(2024, 1, 31), date(2024, 3, 1)", "30"),
    ("cheapest", "[Item('a', 3), Item('b', price=2)]", "Item(name='b', price=2)"),
    ("opened", "'Ann'", "Account(owner='Ann', balance=5, history=[])"),
    ("identity", "{3, 1, 2}", "{1, 2, 3}"),
    ("identity", "b'ab'", "b'ab'"),
    ("identity", "Fraction(1, 3)", "Fraction(1, 3)"),
    ("reset", "{'a': 1}", "{}"),
]


@pytest.mark.parametrize(("function", "text", "expected"), CALLS)
def test_what_a_call_answers_alone_and_among_candidates(
    function: str, text: str, expected: str, shop: Path, sandbox: Sandbox
) -> None:
    subject = PythonSubject(shop, function, sandbox)
    try:
        given = subject.domain([text]).parse(text)
        assert str(subject.run([given])[0].response) == expected
        evaluator = subject.evaluator(lambda: 0.0)
        try:
            assert [str(answer) for answer in evaluator.original([given])] == [expected]
            assert evaluator.pure
        finally:
            evaluator.close()
    finally:
        subject.close()


def test_an_endless_iterator_is_cut(shop: Path, sandbox: Sandbox) -> None:
    subject = PythonSubject(shop, "naturals", sandbox)
    given = subject.domain(["3"]).parse("3")
    found = subject.run([given])[0].response
    subject.close()
    assert str(found).startswith("[3, 4, 5,")
    assert str(found).endswith("61, 62, ...]")
    assert subject.same(Response.read("[3, 4, 5, ...]"), found)
    assert not subject.same(Response.read("[3, 4, 6, ...]"), found)
    assert normal_value(normal_value(found)) == normal_value(found)


@pytest.mark.parametrize(("function", "text", "_"), CALLS)
def test_inputs_near_a_call_can_be_read_back_and_called(
    function: str, text: str, _: str, shop: Path, sandbox: Sandbox
) -> None:
    subject = PythonSubject(shop, function, sandbox)
    domain = subject.domain([text])
    fuzzed = Fuzzer(domain, [domain.parse(text)], random.Random(1), operators=EXTENDED).take(25)
    assert len({each.text for each in fuzzed}) == len(fuzzed) >= 5 or function == "other"
    for each in fuzzed:
        again = domain.render(domain.parse(each.text).values)
        assert domain.parse(again.text).values == domain.parse(each.text).values
    outcomes = subject.run(fuzzed)
    subject.close()
    assert not [o.detail for o in outcomes if o.ending is Ending.NOT_STARTED]


def variables(shop: Path, sandbox: Sandbox, function: str, text: str) -> dict[str, Kind]:
    found = PythonSubject(shop, function, sandbox).domain([text]).variables
    return {variable.name: variable.kind for variable in found}


def test_what_varies_has_the_names_of_the_program(shop: Path, sandbox: Sandbox) -> None:
    text = "a = Account('Ann', 3); a.deposit(2); a.withdraw(1)"
    assert variables(shop, sandbox, "Account.withdraw", text) == {
        "owner": Kind.TEXT,
        "balance": Kind.INT,
        "amount": Kind.INT,
        "amount2": Kind.INT,
    }
    assert variables(shop, sandbox, "rounded", "Decimal('1.25')") == {"price": Kind.REAL}
    assert variables(shop, sandbox, "total", "1, 2, tax=4") == {"prices": Kind.ANY, "tax": Kind.INT}
    steps = "s = Stack(); s.push(1); s.push(2); s.pop()"
    assert PythonSubject(shop, "Stack.pop", sandbox).domain([steps]).parse(steps).values == ([1, 2],)


@pytest.mark.parametrize(
    ("program", "text", "says"),
    [
        ("Account", "1", "name one of its methods: shop.py:Account.withdraw"),
        ("Account.close", "1", "it defines: Account.withdraw"),
        ("Bank.close", "1", "no class Bank in shop.py"),
        ("Account.withdraw", "30", "Account(…).withdraw(…)"),
        ("Account.withdraw", "Account('Ann', 3)", "gives Account.withdraw no amount"),
        ("Account.withdraw", "Account('Ann', 3).owe(1)", "Account(…).withdraw(…)"),
        ("Account.withdraw", "import os; os.getcwd()", "neither a call nor the name of an object"),
        ("Account.withdraw", "a = Account('Ann')", "has no parameter a"),
        ("Stack.pop", "Stack().pop()", "nothing in 'Stack().pop()' can be varied"),
        ("later", "date(2023, 2, 29)", "there is no date(2023, 2, 29): day is out of range"),
        ("later", "Account('Ann', 3).balance, Account()", "'Account()' gives Account no owner"),
    ],
)
def test_what_cannot_be_called_is_refused_with_what_to_type(
    program: str, text: str, says: str, shop: Path, sandbox: Sandbox
) -> None:
    with pytest.raises(UsageError) as refused:
        open_subject(f"{shop}:{program}", sandbox).domain([text])
    assert says in f"{refused.value} {refused.value.hint}"
    assert "\n" not in str(refused.value)


def test_another_call_must_be_written_like_the_first(shop: Path, sandbox: Sandbox) -> None:
    domain = PythonSubject(shop, "Account.withdraw", sandbox).domain(["Account('Ann', 100).withdraw(30)"])
    with pytest.raises(UsageError, match="not written like the failing call"):
        domain.parse("Account('Ann').withdraw(30)")


# Answers and their parts

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab =;\n:", max_size=4),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
NAMES = st.from_regex(r"(self\.)?[a-z]{1,4}", fullmatch=True).filter(
    lambda name: name not in ("returns", "prints")
)


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3), st.none() | VALUES)
def test_parts_are_read_as_they_are_written(left: dict[str, object], value: object) -> None:
    parts = {"returns": repr(value)} if value is not None else {}
    parts |= {name: repr(each) for name, each in left.items()}
    assert parts_of(written_parts(parts)) == parts
    answer = Response(Ending.EXITED, written_parts(parts))
    assert same_value(normal_value(answer), answer)
    assert normal_value(normal_value(answer)) == normal_value(answer)


ANSWER = Response(Ending.EXITED, "returns 70\nself.balance = 70")


@pytest.mark.parametrize(
    ("written", "usual", "same"),
    [
        ("70", ("self.balance",), True),
        ("70.0", ("self.balance",), True),
        ("70", (), False),
        ("71", ("self.balance",), False),
        ("self.balance = 70", ("self.balance",), False),
        ("returns 70; self.balance = 70", (), True),
        ("returns 70\nself.balance = 71", (), False),
    ],
)
def test_a_person_may_leave_out_what_every_answer_has(
    written: str, usual: tuple[str, ...], same: bool
) -> None:
    assert same_value(Response.read(written), ANSWER, None, usual) is same


@pytest.mark.parametrize(
    ("written", "answer", "same"),
    [
        ("[1, 2]", "items = [1, 2]", True),
        ("items = [1,2]", "items = [1, 2]", True),
        ("[1]", "items = [1, 2]", False),
        ("*\n**", "prints:\n*\n**", True),
        ("*", "prints:\n*\n**", False),
        ("Item('a', 2)", "Item('a', 2.0)", True),
        ("Item(b=1, a=2)", "Item(a=2, b=1)", True),
        ("Other(a=2)", "Item(a=2)", False),
        ("Decimal('1.5')", "Decimal('1.5')", True),
        ("[Item(a=1)]", "[Item(a=True)]", False),
    ],
)
def test_who_writes_a_value_means_the_one_that_there_is(written: str, answer: str, same: bool) -> None:
    assert same_value(Response.read(written), Response(Ending.EXITED, answer)) is same


@given(st.dates(), st.integers(-40, 40))
def test_a_date_stays_on_the_calendar(day: date, more: int) -> None:
    from learn2fix.languages.python.writers import on_calendar

    parts = on_calendar((day.year + more, day.month + more, day.day + more))
    date(*parts)
    assert on_calendar((day.year, day.month, day.day)) == (day.year, day.month, day.day)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000))
def test_a_decimal_is_written_exactly(number: Decimal) -> None:
    from learn2fix.languages.python.writers import DecimalNumber

    written = DecimalNumber(2).write(Fraction(number))
    assert Decimal(written[len("Decimal('") : -2]) == number

"""A warm interpreter runs Python functions and scripts as a fresh one would."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attackers import use_a_reachable_python
from learn2fix.errors import UsageError
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.imports import imports
from learn2fix.sandbox.inside import literals
from learn2fix.sandbox.worker import MANY_CALLS

SHOP = """
import math
import random
import sys
import os
from helper import tax

calls = []

def discount(price, qty=1):
    print("pricing")
    return price * qty / (10 - qty)

def taxed(x):
    return tax(x)

def remember(x):
    calls.append(x)
    return calls

def chance():
    return random.random()

def many(n):
    return [math.factorial(k) for k in range(n)]

def text(n):
    return "x" * n

def chatter(n):
    print("x" * n)

def leave(code):
    sys.exit(code)

def leave_hard(code):
    os._exit(code)

def crash():
    os.kill(os.getpid(), 11)

def loop():
    while True:
        pass

def eat():
    return bytearray(1 << 40)

def recurse(n):
    return recurse(n + 1)

class Odd(Exception):
    def __str__(self):
        raise ValueError

def odd():
    raise Odd

def junk(forge):
    for fd in range(3, 300 if forge else 3):
        try:
            os.write(fd, b"=forged" * 10)
        except OSError:
            pass
    return "honest"

def hashes():
    return hash("a")

class Counter:
    @staticmethod
    def two():
        return 2
"""

SCRIPT = """
import atexit
import sys
if __name__ == "__main__":
    atexit.register(lambda: print("bye"))
    word = input()
    print("got", word, sys.argv[1:])
    if word == "exit":
        sys.exit(3)
    if word == "message":
        sys.exit("why")
    if word == "raise":
        raise KeyError("k")
    rest = sys.stdin.read()
    print(len(rest))
"""


@pytest.fixture(params=[None, "no compiler"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("learn2fix.sandbox.build.runner", lambda: None)
            with Sandbox(Limits(seconds=20.0, output=100_000), isolation="limits") as box:
                use_a_reachable_python(box, patch)
                yield box
        return
    with Sandbox(Limits(seconds=20.0, output=100_000), isolation=request.param) as box:
        yield box


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python")
    (folder / "shop.py").write_text(SHOP)
    (folder / "helper.py").write_text("import decimal\ndef tax(x):\n    return decimal.Decimal(x) / 5\n")
    (folder / "script.py").write_text(SCRIPT)
    return folder


class TestFunctions:
    @pytest.mark.parametrize(
        ("function", "call", "expected"),
        [
            ("discount", "100, qty=5", Outcome(Ending.EXITED, b"100.0")),
            ("discount", "100, 10", Outcome(Ending.RAISED, detail="ZeroDivisionError: division by zero")),
            ("taxed", "10", Outcome(Ending.EXITED, b"Decimal('2')")),
            ("remember", "[1, (2, 'three')]", Outcome(Ending.EXITED, b"[[1, (2, 'three')]]")),
            ("leave", "3", Outcome(Ending.RAISED, detail="SystemExit: 3")),
            ("leave_hard", "3", Outcome(Ending.RAISED, status=0, detail="os._exit: 3")),
            ("crash", "", Outcome(Ending.SIGNALLED, status=11)),
            ("eat", "", Outcome(Ending.MEMORY)),
            ("odd", "", Outcome(Ending.RAISED, detail="Odd")),
            ("Counter.two", "", Outcome(Ending.EXITED, b"2")),
            ("nowhere", "", Outcome(Ending.NOT_STARTED, detail="no function 'nowhere' in shop.py")),
        ],
    )  # fmt: skip
    def test_outcomes(
        self, sandbox: Sandbox, folder: Path, function: str, call: str, expected: Outcome
    ) -> None:
        with sandbox.python(folder / "shop.py", function) as worker:
            assert worker.call(call) == expected
            assert worker.call(call) == expected  # nothing is carried over

    def test_time_floods_and_depth(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "shop.py", "loop", Limits(seconds=0.3)) as worker:
            assert worker.call("") == Outcome(Ending.TIMEOUT)
        with sandbox.python(folder / "shop.py", "text") as worker:
            assert worker.call("1000000").ending is Ending.FLOOD
            assert worker.call("3").output == b"'xxx'"
        with sandbox.python(folder / "shop.py", "chatter") as worker:
            assert worker.call("1000000").ending is Ending.FLOOD
            assert (worker.call("3").output, worker.call("3").stderr) == (b"prints:\nxxx\n", b"xxx\n")
        with sandbox.python(folder / "shop.py", "recurse") as worker:
            assert worker.call("0").detail.startswith("RecursionError")

    def test_a_forged_result_spoils_only_its_own(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "shop.py", "junk") as worker:
            for _ in range(3):
                worker.call("True")
                assert worker.call("False") == Outcome(Ending.EXITED, b"'honest'")

    def test_large_results_are_whole(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "shop.py", "many", Limits(seconds=20.0, output=1 << 22)) as worker:
            outcome = worker.call("900")
        import math

        assert outcome.ending is Ending.EXITED
        assert outcome.output == repr([math.factorial(k) for k in range(900)]).encode()

    def test_chance_stays_chance(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "shop.py", "chance") as worker:
            assert len({worker.call("").output for _ in range(3)}) == 3

    def test_hashes_repeat(self, sandbox: Sandbox, folder: Path) -> None:
        def once() -> bytes:
            with sandbox.python(folder / "shop.py", "hashes") as worker:
                return worker.call("").output

        assert once() == once()

    @pytest.mark.parametrize(
        "text", ["f(2)", "1,,2", ")(", "**{}", "1); import os; (2", "x", "[" * 500, "\0"]
    )
    def test_what_is_no_literal_is_not_called(self, sandbox: Sandbox, folder: Path, text: str) -> None:
        with sandbox.python(folder / "shop.py", "remember") as worker:
            assert worker.call(text).ending is Ending.NOT_STARTED

    def test_a_source_that_does_not_parse(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "bad.py").write_text("def f(:\n")
        with sandbox.python(tmp_path / "bad.py", "f") as worker:
            outcome = worker.call("")
        assert outcome.ending is Ending.RAISED
        assert outcome.detail.startswith("SyntaxError: invalid syntax")

    def test_many_calls_keep_their_order(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "shop.py", "text") as worker:
            outcomes = list(worker.run_many(b"%d" % (i % 7) for i in range(40)))
        assert [len(outcome.output) - 2 for outcome in outcomes] == [i % 7 for i in range(40)]


class TestScripts:
    @pytest.mark.parametrize("word", ["hello", "exit", "message", "raise", ""])
    def test_as_a_fresh_interpreter(self, sandbox: Sandbox, folder: Path, word: str) -> None:
        script = folder / "script.py"
        stdin = word.encode() + b"\n" + b"y" * 100_000
        fresh = subprocess.run(
            [sys.executable, "-s", str(script), "-a", "b c"], input=stdin, capture_output=True
        )
        with sandbox.python(script, None) as worker:
            outcome = worker.run(stdin, ("-a", "b c"))
        assert outcome.output == fresh.stdout
        if word == "raise":
            assert (outcome.ending, outcome.detail) == (Ending.RAISED, "KeyError: 'k'")
        else:
            assert (outcome.ending, outcome.status) == (Ending.EXITED, fresh.returncode)
            assert outcome.stderr == fresh.stderr

    def test_no_input_at_all(self, sandbox: Sandbox, folder: Path) -> None:
        with sandbox.python(folder / "script.py", None) as worker:
            assert worker.run(b"").detail == "EOFError: EOF when reading a line"


def test_interpreters_share_many_calls_and_none_sees_another(tmp_path: Path) -> None:
    source = "seen = 0\ndef f(x):\n    global seen\n    seen += 1\n    return x, seen\n"
    (tmp_path / "count.py").write_text(source)
    with Sandbox(jobs=2) as box, box.python(tmp_path / "count.py", "f") as worker:
        outcomes = list(worker.run_many(b"%d" % i for i in range(MANY_CALLS + 20)))
        assert len(worker._lanes) == 2
    assert [outcome.output for outcome in outcomes] == [b"(%d, 1)" % i for i in range(MANY_CALLS + 20)]


def test_what_is_no_interpreter_is_said_plainly(folder: Path) -> None:
    with Sandbox() as box, pytest.raises(UsageError, match="no Python interpreter"):
        box.python(folder / "script.py", None, interpreter="/bin/false")


def test_imports_are_found_without_running(folder: Path) -> None:
    found = imports(folder / "shop.py")
    assert found.beside == (folder / "helper.py",)
    assert found.elsewhere == ("math", "random", "sys", "os", "decimal")


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.integers() | st.text(), inner)
        | st.sets(st.integers())
    ),
    max_leaves=8,
)


@given(st.lists(values, max_size=4), st.dictionaries(st.sampled_from(["a", "key", "π"]), values))
def test_arguments_are_read_as_python_reads_them(positional: list[object], named: dict[str, object]) -> None:
    parts = [repr(value) for value in positional] + [f"{name}={value!r}" for name, value in named.items()]
    assert literals.arguments(", ".join(parts)) == (positional, named)


def test_values_without_a_literal_have_a_spelling() -> None:
    assert literals.arguments("inf, -inf, float('inf'), float('-inf'), set(), frozenset({1}), -2-3j") == (
        [float("inf"), float("-inf"), float("inf"), float("-inf"), set(), frozenset({1}), -2 - 3j],
        {},
    )


@given(st.text())
def test_any_text_is_arguments_or_refused(text: str) -> None:
    try:
        positional, named = literals.arguments(text)
    except literals.NotLiteral:
        return
    tree = ast.parse(f"_({text}\n)", mode="eval").body
    assert isinstance(tree, ast.Call)
    assert (len(tree.args), len(tree.keywords)) == (len(positional), len(named))

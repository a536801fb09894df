"""Python candidates are cut by counted steps, whatever the clock says."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
from tests.python_programs import Make, making
from tests.responses import printed, texts

from evaluator_conformance import change, need
from learn2fix.edits.protocol import Hints
from learn2fix.languages.evaluator import WORK_LIMIT
from learn2fix.languages.python.edits.generator import PythonEdits
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Edit, Input, Requirement, Response
from learn2fix.sandbox import Sandbox

ENDLESS = sorted((Path(__file__).parent / "zoo").glob("py_endless_*"))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture
def make(sandbox: Sandbox, tmp_path: Path) -> Iterator[Make]:
    with making(sandbox, tmp_path) as made:
        yield made


ROUNDS = textwrap.dedent(
    """\
    TOTAL = [0]


    def f(xs, n):
        i = 0
        while i < n:
            i += 1
        return i
    """
).encode()


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (b"pass", "⟨no answer in time⟩"),
        (b"i = -i", "⟨no answer in time⟩"),
        (b"xs.append(1)", "⟨no answer in time⟩"),
        (b"i = len(xs); xs.append(1)", f"returns 700\nxs = {[1] * 701}"),
        (b"TOTAL[0] += 1; i = TOTAL[0] // 300 * 700", "700"),
        (b"f(xs, 0); i += 1", "700"),
        (b"g = iter(xs + [0] * 3000)\n        while next(g, 1) == 0: pass\n        i = 700", "700"),
        (b"for x in [0] * 900:\n            while x == 0:\n                x = 1\n        i = 700", "700"),
    ],
)
def test_only_endless_loops_are_ended_early(make: Make, body: bytes, answer: str) -> None:
    evaluator = make(ROUNDS, "f")
    evaluator.add([change(ROUNDS, b"i += 1", body)])
    assert printed(evaluator.outputs([Input("[], 700")], [0])) == [{answer: (0,)}]
    assert texts(evaluator.original([Input("[], 700")])) == ["700"]


# -- the original never ends -----------------------------------------------------------------------------


def candidates_of(source: bytes, function: str, most: int) -> list[Candidate]:
    return list(islice(PythonEdits().candidates(source, Hints(function=function)), most))


@pytest.mark.parametrize("folder", ENDLESS, ids=lambda path: path.name)
def test_a_fix_is_found_where_the_original_never_ends(folder: Path, make: Make) -> None:
    about = tomllib.loads((folder / "subject.toml").read_text())
    function, failing = about["function"], Input(about["failing"][0])
    inputs = [failing, *map(Input, about["passing"])]
    golden = make((folder / "golden.py").read_bytes(), function)
    needs = [Requirement(i, a) for i, a in zip(inputs, golden.original(inputs), strict=True)]
    source = (folder / "buggy.py").read_bytes()
    buggy = make(source, function)
    (shown,) = texts(buggy.original([failing]))
    assert shown in ("⟨no answer in time⟩", "⟨raises RecursionError: maximum recursion depth exceeded⟩")
    assert (buggy.work([failing]) == [WORK_LIMIT]) == (shown == "⟨no answer in time⟩")
    assert max(buggy.coverage([failing])[0].values()) > 100
    buggy.add(candidates_of(source, function, 1500))
    judgement = buggy.judge(needs)
    assert judgement.finished
    assert judgement.survivors
    assert len(judgement.survivors) < 100


def test_work_is_counted_up_to_a_limit(make: Make) -> None:
    source = b"def f(n):\n    while n != 0:\n        n -= 1\n    return [i for i in range(3)]\n"
    evaluator = make(source, "f")
    short, none, long, endless = map(Input, ("10", "0", "50_000", "-1"))
    assert evaluator.work([short, none], 1000) == [14, 4]
    assert evaluator.work([long, endless], 100) == [100, 100]
    assert evaluator.work([long, endless, short]) == [50_004, WORK_LIMIT, 14]
    assert evaluator.coverage([long])[0][3] == 50_000


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (b"while True: n = n * n", "⟨no answer in time⟩"),
        (b"while True: n *= n", "⟨no answer in time⟩"),
        (b"for _ in range(99): n **= n", "⟨no answer in time⟩"),
        (b"n = n ** n ** n ** n", "⟨no answer in time⟩"),
        (b"for _ in range(99): n <<= n", "⟨no answer in time⟩"),
        (b"n = sum(1 for _ in iter(int, 1))", "⟨no answer in time⟩"),
        (b"f(n)", "⟨raises RecursionError: maximum recursion depth exceeded⟩"),
        (b"for i in range(2, 900): n *= i\n    n = len(str(n >> 6000))", "462"),
        (b"while True: n = [0] * 20 * len(n if n != 3 else [0])", "⟨out of memory⟩"),
        (b"s = 'ab'\n    while n: s *= 20", "⟨out of memory⟩"),
        (b"n = (1 ** 10 ** 9) + (0 ** 10 ** 9) + (-1) ** 10 ** 9", "2"),
        (
            b"n = [0] * 3 * n + [2 ** -1, 2 << 3, 2.0 ** 2]; n *= 1",
            "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 16, 4.0]",
        ),
    ],
)
def test_large_numbers_are_counted(make: Make, body: bytes, answer: str) -> None:
    source = b"def f(n):\n    x = 0\n    return n\n"
    evaluator = make(source, "f")
    evaluator.add([change(source, b"x = 0", body)])
    assert printed(evaluator.outputs([Input("3")], [0])) == [{answer: (0,)}]


def test_counting_changes_no_answer(make: Make, sandbox: Sandbox) -> None:
    """Operators of other types, in place and not, comprehensions in classes, generators, lambdas."""
    source = textwrap.dedent(
        """\
        class Vector(list):
            names = [n for n in "abc" if n != "b"]

            def __mul__(self, other):
                return Vector(x * other for x in self)

            def __imul__(self, other):
                self.append(other)
                return self

            def __pow__(self, other):
                return "power"


        def f(n):
            one = two = Vector([1, 2])
            one *= n
            xs = ys = [n]
            xs *= 2
            table = {"k": 3}
            table["k"] *= n
            table["k"] **= 2
            squares = {x: y for x in range(n) for y in range(x) if x * y % 2}
            lazy = (x << 1 for x in range(n))
            return (one * 2, two, two ** 1, ys, table, squares, list(lazy), "ab" * n, Vector.names,
                    (lambda k: k * k)(n), f"{n * 2:>{n * 2}}", -n ** 2, 2.5 * n, n * True)
        """
    ).encode()
    evaluator = make(source, "f")
    subject = PythonSubject(evaluator.path, "f", sandbox)
    try:
        given = [Input("4"), Input("0"), Input("'x'")]
        assert evaluator.original(given) == [outcome.response for outcome in subject.run(given)]
    finally:
        subject.close()


# -- no clock decides anything but the deadline ----------------------------------------------------------


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Other processes that want every core."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_neither_a_jumping_clock_nor_load_changes_what_is_found(sandbox: Sandbox) -> None:
    chance = random.Random(1)

    def jumping() -> float:
        return chance.uniform(-1e6, 1e6)

    path = ENDLESS[0] / "buggy.py"
    source, given = path.read_bytes(), [Input("6"), Input("0"), Input("41")]
    candidates = candidates_of(source, "ones", 400)
    found = []
    for clock, processes in ((time.monotonic, 0), (jumping, 8)):
        evaluator = PythonEvaluator(path, "ones", sandbox, clock=clock)
        try:
            ids = evaluator.add(candidates)
            with load(processes):
                outputs = evaluator.outputs(given, ids)
                survivors = evaluator.judge([need("6", "2"), need("0", "0")]).survivors
            found.append((outputs, survivors, evaluator.work(given), evaluator.coverage(given)))
        finally:
            evaluator.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("share", [True, False], ids=["together", "apart"])
def test_a_deadline_in_the_middle_of_a_batch(make: Make, share: bool) -> None:
    source = b"def f(n):\n    x = 0\n    return n + x\n"
    evaluator = make(source, "f", isolate=not share)
    stuck = change(source, b"x = 0", b"x = sum(range(10 ** 12))")
    good = change(source, b"x = 0", b"x = 1")
    evaluator.add([good, *[stuck] * 300])
    judgement = evaluator.judge([need("1", "2")], deadline=time.monotonic() + 0.5)
    assert (judgement.finished, judgement.judged, judgement.survivors) == (False, 0, ())
    assert evaluator.judge([need("1", "2")], [0]).survivors == (0,)


def test_who_sleeps_is_ended_and_blamed(make: Make) -> None:
    source = b"import time\n\n\ndef f(n):\n    x = 0\n    return n\n"
    evaluator = make(source, "f")
    sleeps = [b"time.sleep(600)", b"while True: time.sleep(0.01)", b"time.sleep(0.01)"]
    evaluator.add([change(source, b"x = 0", body) for body in sleeps])
    assert printed(evaluator.outputs([Input("1")], range(3))) == [{"⟨no answer in time⟩": (0, 1), "1": (2,)}]


def test_where_the_original_dies_without_counts_candidates_are_run(make: Make) -> None:
    source = b"import os\n\n\ndef f(n):\n    os._exit(3)\n    return n\n"
    evaluator = make(source, "f")
    evaluator.add([change(source, b"os._exit(3)", b"pass")])
    assert printed(evaluator.outputs([Input("1")], [0])) == [{"1": (0,)}]


def test_who_is_right_elsewhere_gets_more_steps_where_the_original_never_ends(tmp_path: Path) -> None:
    source = (
        b"def f(n):\n    ticks = 0\n    while n > 0:\n        n += 1\n        ticks += 1\n    return ticks\n"
    )
    (tmp_path / "program.py").write_bytes(source)
    at = source.index(b"n += 1")
    texts = (b"n -= 1", b"n -= 2", b"n += 2", b"n = 0")
    candidates = [Candidate((Edit(at, at + 6, text),), "test", 1.0) for text in texts]
    needs = [Requirement(Input(str(n)), Response.read(str(n))) for n in (40_000, 1, 3)]
    with Sandbox() as sandbox:
        evaluator = PythonEvaluator(tmp_path / "program.py", "f", sandbox)
        evaluator.add(candidates)
        assert evaluator.judge(needs[:1]).survivors == ()
        assert evaluator.judge(needs).survivors == (0,)
        assert evaluator.judge(needs[:1]).survivors == (0,)
        evaluator.close()

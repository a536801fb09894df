"""Candidates of Python programs, judged in one warm interpreter."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.evaluator_programs import PYTHON
from tests.python_programs import SCRIPT, SHOP, Make, making
from tests.responses import printed, texts

from evaluator_conformance import EvaluatorConformance, change, edit, need
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError
from learn2fix.events import Event, Judged
from learn2fix.languages.evaluator import Clock, Evaluator
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Input, Requirement, Response
from learn2fix.sandbox import Limits, Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


class TestConformance(EvaluatorConformance):
    programs = PYTHON

    @pytest.fixture(autouse=True)
    def where(self, sandbox: Sandbox, tmp_path: Path) -> None:
        self.sandbox, self.path = sandbox, tmp_path / "program.py"

    def make(self, source: bytes, clock: Clock = time.monotonic) -> Evaluator:
        self.path.write_bytes(source)
        return PythonEvaluator(self.path, None, self.sandbox, clock=clock)


@pytest.fixture
def make(sandbox: Sandbox, tmp_path: Path) -> Iterator[Make]:
    with making(sandbox, tmp_path) as made:
        yield made


RIGHT = change(SHOP, b"price >= 100", b"price > 99")
SAME = change(SHOP, b"0.5", b"1 / 2")
WRONG = change(SHOP, b"price * 0.5", b"price * 5")
UNFINISHED = change(SHOP, b"price * 0.5", b"price * (5")
RAISING = change(SHOP, b"price * 0.5", b"price / 0")
HANGING = change(SHOP, b"s -= 1", b"s -= 0")
DEEP = change(SHOP, b"total = 0", b"total = helper(xs, n)")
NOTHING = Candidate((), "none", 0.0)
ALL = [RIGHT, SAME, WRONG, UNFINISHED, RAISING, HANGING, DEEP, NOTHING]
NEEDS = [need("100, 20", "1001"), need("99, 20", "1961"), need("5, 0", "None"), need("price=10, qty=2", "19")]


def test_judges(make: Make) -> None:
    evaluator = make(SHOP)
    assert evaluator.pure
    assert texts(evaluator.original([n.input for n in NEEDS])) == [str(n.expected) for n in NEEDS]
    evaluator.add(ALL)
    news: list[Event] = []
    judgement = evaluator.judge(NEEDS, emit=news.append)
    assert judgement.survivors == (0, 1, 7)
    assert judgement.finished
    assert judgement.judged == len(ALL)
    assert 0 < judgement.executions < len(ALL) * len(NEEDS)
    assert any(isinstance(event, Judged) and event.surviving == 3 for event in news)


def test_order_does_not_matter(make: Make) -> None:
    evaluator = make(SHOP)
    evaluator.add(ALL[::-1])
    assert evaluator.judge(NEEDS[::-1]).survivors == (0, 6, 7)


def test_among_and_forbidden(make: Make) -> None:
    evaluator = make(SHOP)
    evaluator.add(ALL)
    judgement = evaluator.judge(NEEDS, among=[1, 2])
    assert (judgement.survivors, judgement.judged) == ((1,), 2)
    asked = Requirement(
        Input("100, 20"),
        forbidden=frozenset(map(Response.read, ("1001", "⟨raises ZeroDivisionError: division by zero⟩"))),
    )
    assert 2 in evaluator.judge([asked]).survivors
    assert not {0, 1, 4, 7} & set(evaluator.judge([asked]).survivors)


def test_no_requirement_keeps_all_that_compile(make: Make) -> None:
    evaluator = make(SHOP)
    evaluator.add(ALL)
    assert evaluator.judge([]).survivors == (0, 1, 2, 4, 5, 6, 7)


def test_outputs(make: Make) -> None:
    evaluator = make(SHOP)
    evaluator.add(ALL)
    (found,) = printed(evaluator.outputs([Input("100, 20")], range(len(ALL))))
    # How Python words it depends on where the stack ended.
    (deep,) = [answer for answer in found if "RecursionError" in answer]
    assert found == {
        "1001": (0, 1, 7),
        "10001": (2,),
        "⟨does not compile⟩": (3,),
        "⟨raises ZeroDivisionError: division by zero⟩": (4,),
        "⟨no answer in time⟩": (5,),
        deep: (6,),
    }


def test_deadline_in_the_past(make: Make) -> None:
    evaluator = make(SHOP)
    evaluator.add(ALL)
    judgement = evaluator.judge(NEEDS, deadline=time.monotonic() - 1)
    assert (judgement.survivors, judgement.finished) == ((), False)


def test_a_clock_that_runs_out_midway(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_bytes(SHOP)
    ticks = iter(range(1000))
    evaluator = PythonEvaluator(path, "discount", sandbox, clock=lambda: float(next(ticks)))
    evaluator.add(ALL)
    judgement = evaluator.judge(NEEDS, deadline=3.0)
    assert not judgement.finished
    assert judgement.survivors == ()
    evaluator.close()


def test_coverage(make: Make) -> None:
    evaluator = make(SHOP)
    plain, none = evaluator.coverage([Input("100, 20"), Input("5, 0")])
    line = {text.strip(): n for n, text in enumerate(SHOP.decode().split("\n"), 1)}
    assert plain[line["price = price * 0.5"]] == 1
    assert plain[line["price -= 1"]] == 0
    assert plain[line["while s > 0:"]] == 1
    assert plain[line["s -= 1"]] == 2
    assert none[line["return None"]] == 1
    assert none[line["names.append(price)"]] == 0
    assert line['"""Discount for many."""'] not in plain


def test_a_program_that_does_not_parse(sandbox: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("def f(:\n")
    with pytest.raises(BuildError):
        PythonEvaluator(path, "f", sandbox)


def test_scripts(make: Make) -> None:
    evaluator = make(SCRIPT, None)
    assert evaluator.pure
    right = change(SCRIPT, b"found += int(word)", b"found += abs(int(word))")
    silent = change(SCRIPT, b"print(total(words[:n]))", b"")
    broken = change(SCRIPT, b"int(word)", b"int(n)")
    endless = change(SCRIPT, b'    print("few")\n', b"    while True: print('x' * 4000)\n")
    evaluator.add([right, silent, broken, endless, NOTHING])
    inputs = [Input("2\n3 -4"), Input("9\n1"), Input("x")]
    assert texts(evaluator.original(inputs)) == [
        "-1",
        "few",
        "⟨raises ValueError: invalid literal for int() with base 10: 'x'⟩",
    ]
    first, second, third = printed(evaluator.outputs(inputs, range(5)))
    assert first == {"7": (0,), "": (1,), "4": (2,), "-1": (3, 4)}
    assert second == {"few": (0, 1, 2, 4), "⟨endless output⟩": (3,)}
    assert len(third) == 1
    assert evaluator.coverage(inputs[:1])[0][6] == 2


# -- no candidate touches another ------------------------------------------------------------------------

STATE = textwrap.dedent(
    """\
    import math
    import os

    SEEN = []
    COUNT = 0


    def f(x, memory=[]):
        global COUNT
        COUNT += 1
        SEEN.append(x)
        memory.append(x)
        y = 0
        return (math.floor(x), COUNT, len(SEEN), len(memory), y)
    """
).encode()

ATTACKS = {
    "exit": b"os._exit(3)",
    "exit with success": b"os._exit(0)",
    "system exit": b"raise SystemExit(4)",
    "loop": b"while True: pass",
    "long call": b"y = 10 ** 10 ** 9",
    "stuck in C": b"y = sum(range(10 ** 12))",
    "memory": b"y = [0] * 10 ** 10",
    "recursion": b"f(x)",
    "monkey": b"math.floor = lambda x: 77",
    "builtins": b"__builtins__['len'] = lambda x: 88",
    "stdout": b"os.close(1); print(1)",
    "all files": b"os.closerange(0, 5000)",
    "kill parent": b"os.kill(os.getppid(), 9)",
    "kill group": b"os.killpg(0, 9)",
    "kill all": b"os.kill(-1, 9)",
    "forged result": b"os.write(200, b'=' + bytes(8))",
    "folder": b"os.chdir('/')",
    "fork": b"os.fork()",
    "globals": b"COUNT = 99; SEEN.append(1)",
    "modules": b"import sys; sys.modules.clear()",
    "trace": b"import sys; sys.settrace(lambda *a: 1 / 0)",
    "catches all": b"""
    while True:
        try:
            while True: pass
        except BaseException:
            pass""",
    "at exit": b"import atexit; atexit.register(lambda: os._exit(9))",
    "thread": b"import threading; threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()",
    "prints": b"print('y' * 5000000)",
    "segmentation fault": b"import ctypes; ctypes.string_at(0)",
}


@pytest.mark.parametrize(
    "source",
    [STATE.replace(b"import os\n", b"import gc\nimport os\n"), STATE, STATE.replace(b"import os\n", b"")],
    ids=["apart", "guarded", "together"],
)
def test_no_candidate_touches_another(make: Make, source: bytes) -> None:
    evaluator = make(source, "f")
    assert evaluator.pure == (b"import gc" not in source)
    assert evaluator.guarded == (b"import os" in source and b"import gc" not in source)
    good = change(source, b"y = 0", b"y = 5")
    candidates: list[Candidate] = []
    for attack in ATTACKS.values():
        candidates += [change(source, b"y = 0", attack + b"\n    y = 0"), good]
    evaluator.add(candidates)
    (answers,) = printed(evaluator.outputs([Input("2.5")], range(len(candidates))))
    (again,) = printed(evaluator.outputs([Input("2.5")], range(len(candidates))))
    assert set(answers["(2, 1, 1, 1, 5)"]) >= set(range(1, len(candidates), 2))
    assert set(again["(2, 1, 1, 1, 5)"]) >= set(range(1, len(candidates), 2))
    blamed = {name: next(a for a, ids in answers.items() if 2 * n in ids) for n, name in enumerate(ATTACKS)}
    assert blamed["loop"] == blamed["catches all"] == blamed["long call"] == "⟨no answer in time⟩"
    assert blamed["stuck in C"] == "⟨no answer in time⟩"
    assert blamed["memory"] == "⟨out of memory⟩"
    assert "RecursionError" in blamed["recursion"]
    assert blamed["globals"] == "(2, 99, 2, 1, 0)"
    assert blamed["system exit"] == "⟨raises SystemExit: 4⟩"
    if b"import os" in source:
        assert blamed["exit"] == "⟨raises os._exit: 3⟩"
        assert blamed["monkey"] == "(77, 1, 1, 1, 0)"


def reference(sandbox: Sandbox, path: Path, function: str | None, text: bytes, given: Input) -> str:
    """The really patched file, run by itself."""
    subject = PythonSubject(path, function, sandbox, Limits(seconds=0.5), text)
    try:
        return str(subject.run([given])[0].response)
    finally:
        subject.close()


@pytest.mark.parametrize(
    ("source", "function", "inputs"),
    [(SHOP, "discount", ["100, 20", "7, 3", "5, 0"]), (SCRIPT, None, ["2\n3 -4", "9\n1"])],
)
def test_answers_are_those_of_the_patched_program(
    make: Make, sandbox: Sandbox, source: bytes, function: str | None, inputs: list[str]
) -> None:
    evaluator = make(source, function)
    candidates = list(PythonEdits().candidates(source, Hints(function=function)))
    chosen = candidates[:400:67] + candidates[400::1499]
    pairs = list(islice(PythonPairs(candidates[:200:7]).candidates(source, Hints()), 0, 462, 77))
    ids = evaluator.add(chosen + pairs)
    path = evaluator.path
    for given_text in inputs:
        given_input = Input(given_text)
        (answers,) = printed(evaluator.outputs([given_input], ids))
        shown = {number: answer for answer, members in answers.items() for number in members}
        for number, candidate in zip(ids, chosen + pairs, strict=True):
            text = candidate.apply(source)
            if number in evaluator.uncompilable:
                with pytest.raises(SyntaxError):
                    compile(text, "patched", "exec")
                continue
            if "RecursionError" not in shown[number]:
                assert shown[number] == reference(sandbox, path, function, text, given_input), candidate


def test_sharing_and_isolation_change_no_answer(make: Make) -> None:
    candidates = list(PythonEdits().candidates(SHOP, Hints(function="discount")))
    chosen = candidates[:600:3] + candidates[600::97]
    inputs = [Input("100, 20"), Input("7, 3"), Input("2000, 1")]
    shared, unshared, apart = make(SHOP), make(SHOP, share=False), make(SHOP, isolate=True)
    ids = range(len(chosen))
    for evaluator in (shared, unshared):
        evaluator.add(chosen)
    apart.add(chosen[::4])
    found = printed(shared.outputs(inputs, ids))
    assert found == printed(unshared.outputs(inputs, ids))
    assert shared.executions < unshared.executions
    few = {answer: tuple(i // 4 for i in who if i % 4 == 0) for answer, who in found[0].items()}
    assert {a: who for a, who in few.items() if who} == printed(
        apart.outputs(inputs[:1], range(len(chosen[::4])))
    )[0]


def test_several_edits(make: Make) -> None:
    evaluator = make(SHOP)
    far = Candidate((edit(SHOP, b"RATE = 2", b"RATE = 4"), edit(SHOP, b"RATE / 2", b"RATE / 4")), "pair", 2.0)
    near = Candidate(
        (edit(SHOP, b"qty > 10", b"qty > 20"), edit(SHOP, b"price >= 100", b"price > 5")), "pair", 2.0
    )
    nested = Candidate(
        (edit(SHOP, b"while s > 0", b"while s > 1"), edit(SHOP, b"s -= 1", b"s -= 3")), "pair", 2.0
    )
    evaluator.add([far, near, nested])
    (answers,) = printed(evaluator.outputs([Input("100, 20")], range(3)))
    assert answers == {"1001": (0,), "1981": (1,), "1000": (2,)}


def test_a_candidate_can_be_impure_alone(make: Make) -> None:
    source = b"import math\n\n\ndef f(x):\n    y = x\n    return math.floor(y)\n"
    evaluator = make(source, "f")
    attack = change(source, b"y = x", b"y = x; math.floor = lambda v: 7")
    other = change(source, b"y = x", b"y = x + 1")
    evaluator.add([other, attack, other])
    assert evaluator.pure
    assert printed(evaluator.outputs([Input("1.5")], range(3))) == [{"2": (0, 2), "7": (1,)}]


def test_classes_dataclasses_and_generators(make: Make) -> None:
    source = textwrap.dedent(
        """\
        from __future__ import annotations
        from dataclasses import dataclass, field
        from enum import Enum


        class Colour(Enum):
            RED = 1
            BLUE = 2


        @dataclass
        class Item:
            price: int
            tags: list = field(default_factory=list)


        def items(n):
            for i in range(n):
                yield Item(i, [Colour(1 + i % 2)])


        def f(n):
            return [item for item in items(n) if item.price > 0][-1]
        """
    ).encode()
    evaluator = make(source, "f")
    assert evaluator.pure
    first = change(source, b"price > 0", b"price > 1")
    deep = change(source, b"Item(i, [", b"Item(i + 1, [")
    evaluator.add([first, deep, NOTHING])
    (answers,) = printed(evaluator.outputs([Input("2")], range(3)))
    assert answers == {
        "⟨raises IndexError: list index out of range⟩": (0,),
        "Item(price=2, tags=[Colour.BLUE])": (1,),
        "Item(price=1, tags=[Colour.BLUE])": (2,),
    }


def test_imports_from_beside(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "rates.py").write_text("RATE = 3\n")
    source = b"from rates import RATE\n\n\ndef f(x):\n    return x * RATE\n"
    path = tmp_path / "shop.py"
    path.write_bytes(source)
    evaluator = PythonEvaluator(path, "f", sandbox)
    try:
        evaluator.add([change(source, b"x * RATE", b"x + RATE")])
        assert texts(evaluator.original([Input("5")])) == ["15"]
        assert printed(evaluator.outputs([Input("5")], [0])) == [{"8": (0,)}]
        assert evaluator.guarded
    finally:
        evaluator.close()


ORDERS = b"""
def orders(text):
    if len(text) <= 1:
        return [text]
    return [text[i] + rest for i in range(len(text)) for rest in orders(text[i + 1:])]
"""


def test_a_fix_that_is_right_elsewhere_may_do_far_more_than_the_original(make: Make) -> None:
    """Half of the orders of six letters take some two hundred steps, all of them thousands."""
    evaluator = make(ORDERS, "orders")
    source = ORDERS.decode()
    mended = source.replace("orders(text[i + 1:])", "orders(text[:i] + text[i + 1:])")
    namespace: dict[str, object] = {}
    exec(mended, namespace)
    right = namespace["orders"]
    assert callable(right)
    needs = [need(repr(text), repr(right(text))) for text in ("ab", "abcdef")]
    evaluator.add([change(ORDERS, b"orders(text[i + 1:])", b"orders(text[:i] + text[i + 1:])")])
    assert evaluator.judge(needs[1:]).survivors == (), "nothing speaks for it yet"
    assert evaluator.judge(needs).survivors == (0,)
    assert evaluator.judge(needs[1:]).survivors == (0,), "what was seen counts from then on"

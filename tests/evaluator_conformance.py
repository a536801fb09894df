"""What every evaluator must do. A subclass says how one is made: `make(source) -> Evaluator`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.responses import printed, texts

from learn2fix.errors import BuildError
from learn2fix.languages.evaluator import Evaluator
from learn2fix.model import Candidate, Edit, Input, Requirement, Response

ZOO = Path(__file__).parent / "zoo"
TRIANGLE = (ZOO / "triangle" / "buggy.c").read_bytes()


def edit(source: bytes, old: bytes, new: bytes, nth: int = 0) -> Edit:
    """Replace the nth occurrence of `old`."""
    start = -1
    for _ in range(nth + 1):
        start = source.index(old, start + 1)
    return Edit(start, start + len(old), new)


def change(source: bytes, old: bytes, new: bytes, nth: int = 0) -> Candidate:
    return Candidate((edit(source, old, new, nth),), "test", 1.0)


def need(text: str, expected: str) -> Requirement:
    return Requirement(Input(text), Response.read(expected))


RIGHT = change(TRIANGLE, b"a == b == c", b"a == b && b == c")
ALSO_RIGHT = change(TRIANGLE, b"a == b == c", b"b == c && c == a")
WRONG = change(TRIANGLE, b"a == b == c", b"a == b || b == c")
BROKEN = change(TRIANGLE, b"a == b == c", b"a == nothing")
UNFINISHED = change(TRIANGLE, b"a == b == c", b"a == (b")
CRASHING = change(TRIANGLE, b"a == b == c", b"1 / (a - a)")
HANGING = change(TRIANGLE, b"    return 3;", b"    for (;;) a = a;")
SILENT = change(TRIANGLE, b'printf("%d\\n", classify(a, b, c));', b"")
FORMAT = change(TRIANGLE, b'"%d\\n"', b'"<%d>\\n"')
TWICE = change(TRIANGLE, b"return 4;", b'{ printf("4"); return 4; }')
NOTHING = Candidate((), "none", 0.0)
ALL = [RIGHT, ALSO_RIGHT, WRONG, BROKEN, UNFINISHED, CRASHING, HANGING, SILENT, FORMAT, TWICE, NOTHING]
NEEDS = [need("2 2 2", "1"), need("2 2 3", "2"), need("3 4 5", "3"), need("0 1 1", "4"), need("2 1 1", "2")]


class EvaluatorConformance:
    """Inherit, and say how an evaluator is made."""

    def make(self, source: bytes) -> Evaluator:
        raise NotImplementedError

    @pytest.fixture
    def triangle(self) -> Iterator[Evaluator]:
        evaluator = self.make(TRIANGLE)
        yield evaluator
        evaluator.close()

    def test_ids_count_on(self, triangle: Evaluator) -> None:
        assert triangle.add([RIGHT, WRONG]) == range(2)
        assert triangle.add([BROKEN]) == range(2, 3)
        assert triangle.add([]) == range(3, 3)

    def test_judges(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        judgement = triangle.judge(NEEDS)
        assert judgement.survivors == (0, 1)
        assert judgement.finished
        assert judgement.judged == len(ALL)
        assert judgement.executions > 0

    def test_order_of_requirements_does_not_matter(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        assert triangle.judge(NEEDS[::-1]).survivors == triangle.judge(NEEDS).survivors

    def test_order_of_candidates_does_not_matter(self, triangle: Evaluator) -> None:
        triangle.add(ALL[::-1])
        last = len(ALL) - 1
        assert triangle.judge(NEEDS).survivors == (last - 1, last)

    def test_no_requirement_keeps_all_that_compile(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        assert triangle.judge([]).survivors == tuple(
            i for i, c in enumerate(ALL) if c not in (BROKEN, UNFINISHED)
        )

    def test_one_that_does_not_compile_loses_no_other(self, triangle: Evaluator) -> None:
        triangle.add([BROKEN, RIGHT, UNFINISHED])
        assert triangle.judge(NEEDS).survivors == (1,)
        assert triangle.uncompilable == {0, 2}

    def test_among(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        judgement = triangle.judge(NEEDS, among=[1, 2])
        assert judgement.survivors == (1,)
        assert judgement.judged == 2

    def test_forbidden_outputs(self, triangle: Evaluator) -> None:
        triangle.add([RIGHT, NOTHING, FORMAT])
        asked = Requirement(Input("2 2 2"), forbidden=frozenset(map(Response.read, ("2", "<2>"))))
        assert triangle.judge([asked]).survivors == (0,)

    def test_added_later(self, triangle: Evaluator) -> None:
        triangle.add([WRONG])
        assert triangle.judge(NEEDS).survivors == ()
        triangle.add([RIGHT])
        assert triangle.judge(NEEDS).survivors == (1,)

    def test_outputs(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        first, second = printed(triangle.outputs([Input("2 2 2"), Input("3 4 5")], range(len(ALL))))
        assert first == {
            "1": (0, 1, 2),
            "⟨does not compile⟩": (3, 4),
            "⟨crash: SIGFPE⟩": (5,),
            "2": (6, 9, 10),
            "": (7,),
            "<2>": (8,),
        }
        assert second == {
            "3": (0, 1, 2, 9, 10),
            "⟨does not compile⟩": (3, 4),
            "⟨crash: SIGFPE⟩": (5,),
            "⟨no answer in time⟩": (6,),
            "": (7,),
            "<3>": (8,),
        }

    def test_outputs_of_few(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        assert printed(triangle.outputs([Input("0 1 1")], [9, 0])) == [{"4": (0,), "44": (9,)}]

    def test_original(self, triangle: Evaluator) -> None:
        assert texts(triangle.original([Input("2 2 2"), Input("0 0 0"), Input("x")])) == ["2", "4", ""]

    def test_deadline_in_the_past(self, triangle: Evaluator) -> None:
        triangle.add(ALL)
        judgement = triangle.judge(NEEDS, deadline=time.monotonic() - 1)
        assert not judgement.finished
        assert judgement.survivors == ()

    def test_several_edits(self, triangle: Evaluator) -> None:
        first = edit(TRIANGLE, b"a == b == c", b"a == b && b == c")
        far = Candidate((first, edit(TRIANGLE, b"return 1;", b"return 5 - 4;")), "pair", 2.0)
        wrong = Candidate((first, edit(TRIANGLE, b"return 3;", b"return 4;")), "pair", 2.0)
        triangle.add([far, wrong])
        assert triangle.judge(NEEDS).survivors == (0,)

    def test_coverage(self, triangle: Evaluator) -> None:
        run = triangle.coverage([Input("2 2 2"), Input("x")])
        line = {text.strip(): n for n, text in enumerate(TRIANGLE.decode().split("\n"), 1)}
        assert run[0][line["return 2;"]] == 1
        assert run[0][line["return 3;"]] == 0
        assert run[1][line["return 2;"]] == 0
        assert run[1][line["int a, b, c;"]] == 1

    def test_coverage_counts(self) -> None:
        source = b"#include <stdio.h>\nint main(void) {\n  int n, s = 0;\n  scanf(\"%d\", &n);\n" \
                 b"  while (n > 0)\n    s += n--;\n  if (s > 5) *(int *)0 = 1;\n  return 0;\n}\n"  # fmt: skip
        evaluator = self.make(source)
        try:
            three, crash = evaluator.coverage([Input("2"), Input("4")])
        finally:
            evaluator.close()
        assert three[6] == 2
        assert three[8] == 1
        assert crash[6] == 4
        assert crash[8] == 0

    def test_a_program_that_does_not_compile(self) -> None:
        with pytest.raises(BuildError):
            self.make(b"int main(void) { return nothing; }").close()

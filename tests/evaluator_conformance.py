"""What every evaluator must do. A subclass says in which programs, and how one is made."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from tests.evaluator_programs import C, Change, Programs
from tests.responses import printed, texts

from learn2fix.errors import BuildError
from learn2fix.languages.evaluator import WORK_LIMIT, Clock, Evaluator
from learn2fix.model import Candidate, Edit, Input, Requirement, Response

ZOO = Path(__file__).parent / "zoo"
TRIANGLE = C.triangle


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


NOTHING = Candidate((), "none", 0.0)
NEEDS = [need("2 2 2", "1"), need("2 2 3", "2"), need("3 4 5", "3"), need("0 1 1", "4"), need("2 1 1", "2")]


@contextmanager
def busy_machine() -> Iterator[None]:
    """Every core has more to do than it can."""
    loop = [sys.executable, "-S", "-c", "while True: pass"]
    processes = [subprocess.Popen(loop) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class EvaluatorConformance:
    """Inherit, and say which programs, and how an evaluator is made."""

    programs: Programs

    def make(self, source: bytes, clock: Clock = time.monotonic) -> Evaluator:
        raise NotImplementedError

    @contextmanager
    def made(self, source: bytes, clock: Clock = time.monotonic) -> Iterator[Evaluator]:
        evaluator = self.make(source, clock)
        try:
            yield evaluator
        finally:
            evaluator.close()

    @pytest.fixture
    def triangle(self) -> Iterator[Evaluator]:
        with self.made(self.programs.triangle) as evaluator:
            yield evaluator

    def candidate(self, *changes: Change) -> Candidate:
        edits = sorted(edit(self.programs.triangle, *change) for change in changes)
        return Candidate(tuple(edits), "test", float(len(edits)))

    @property
    def right(self) -> Candidate:
        return self.candidate(self.programs.right)

    @property
    def wrong(self) -> Candidate:
        return self.candidate(self.programs.wrong)

    @property
    def broken(self) -> Candidate:
        return self.candidate(self.programs.broken)

    @property
    def all(self) -> list[Candidate]:
        """Two right, one wrong, two uncompilable, and others that do what their names say."""
        p = self.programs
        changes = (p.right, p.also_right, p.wrong, p.broken, p.unfinished, p.crashing, p.hanging)
        return [*map(self.candidate, (*changes, p.silent, p.brackets, p.twice)), NOTHING]

    def test_ids_count_on(self, triangle: Evaluator) -> None:
        assert triangle.add([self.right, self.wrong]) == range(2)
        assert triangle.add([self.broken]) == range(2, 3)
        assert triangle.add([]) == range(3, 3)

    def test_judges(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        judgement = triangle.judge(NEEDS)
        assert judgement.survivors == (0, 1)
        assert judgement.finished
        assert judgement.judged == len(self.all)
        assert judgement.executions > 0

    def test_order_of_requirements_does_not_matter(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        assert triangle.judge(NEEDS[::-1]).survivors == triangle.judge(NEEDS).survivors

    def test_order_of_candidates_does_not_matter(self, triangle: Evaluator) -> None:
        triangle.add(self.all[::-1])
        last = len(self.all) - 1
        assert triangle.judge(NEEDS).survivors == (last - 1, last)

    def test_no_requirement_keeps_all_that_compile(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        assert triangle.judge([]).survivors == (0, 1, 2, *range(5, len(self.all)))

    def test_one_that_does_not_compile_loses_no_other(self, triangle: Evaluator) -> None:
        triangle.add(
            [
                self.broken,
                self.right,
                self.candidate(self.programs.unfinished),
            ]
        )
        assert triangle.judge(NEEDS).survivors == (1,)
        assert triangle.uncompilable == {0, 2}

    def test_among(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        judgement = triangle.judge(NEEDS, among=[1, 2])
        assert judgement.survivors == (1,)
        assert judgement.judged == 2

    def test_forbidden_outputs(self, triangle: Evaluator) -> None:
        triangle.add([self.right, NOTHING, self.candidate(self.programs.brackets)])
        asked = Requirement(Input("2 2 2"), forbidden=frozenset(map(Response.read, ("2", "<2>"))))
        assert triangle.judge([asked]).survivors == (0,)

    def test_added_later(self, triangle: Evaluator) -> None:
        triangle.add([self.wrong])
        assert triangle.judge(NEEDS).survivors == ()
        triangle.add([self.right])
        assert triangle.judge(NEEDS).survivors == (1,)

    def test_outputs(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        first, second = printed(triangle.outputs([Input("2 2 2"), Input("3 4 5")], range(len(self.all))))
        assert first == {
            "1": (0, 1, 2),
            "⟨does not compile⟩": (3, 4),
            self.programs.crash: (5,),
            "2": (6, 9, 10),
            "": (7,),
            "<2>": (8,),
        }
        assert second == {
            "3": (0, 1, 2, 9, 10),
            "⟨does not compile⟩": (3, 4),
            self.programs.crash: (5,),
            "⟨no answer in time⟩": (6,),
            "": (7,),
            "<3>": (8,),
        }

    def test_outputs_of_few(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        assert printed(triangle.outputs([Input("0 1 1")], [9, 0])) == [{"4": (0,), "44": (9,)}]

    def test_original(self, triangle: Evaluator) -> None:
        assert texts(triangle.original([Input("2 2 2"), Input("0 0 0"), Input("x")])) == ["2", "4", ""]

    def test_deadline_in_the_past(self, triangle: Evaluator) -> None:
        triangle.add(self.all)
        judgement = triangle.judge(NEEDS, deadline=time.monotonic() - 1)
        assert not judgement.finished
        assert judgement.survivors == ()

    def test_several_edits(self, triangle: Evaluator) -> None:
        right = self.programs.right
        triangle.add([self.candidate(right, self.programs.one), self.candidate(right, self.programs.four)])
        assert triangle.judge(NEEDS).survivors == (0,)

    def test_coverage(self, triangle: Evaluator) -> None:
        run = triangle.coverage([Input("2 2 2"), Input("x")])
        lines = self.programs.triangle.decode().split("\n")
        line = {text.strip().rstrip(";"): n for n, text in enumerate(lines, 1)}
        assert run[0][line["return 2"]] == 1
        assert run[0][line["return 3"]] == 0
        assert run[1][line["return 2"]] == 0
        assert run[1][line[self.programs.first_line.rstrip(";")]] == 1

    def test_coverage_counts(self) -> None:
        with self.made(self.programs.crashes) as evaluator:
            two, crash = evaluator.coverage([Input("2"), Input("4")])
        assert (two[6], two[8]) == (2, 1)
        assert (crash[6], crash[8]) == (4, 0)

    def test_statements_of_one_line_are_told_apart(self) -> None:
        inputs = [Input("2"), Input("4")]
        with self.made(self.programs.crashes) as evaluator:
            two, crash = evaluator.statements(inputs)
            assert all(lines[7] == 1 for lines in evaluator.coverage(inputs))
        assert len(two) == len(crash)
        assert sum(b > 0 == a for a, b in zip(two, crash, strict=True)) == 1, "the second one of line 7"
        assert sum(a > 0 == b for a, b in zip(two, crash, strict=True)) == 1, "line 8"

    def test_work_is_counted_up_to_a_limit(self) -> None:
        with self.made(self.programs.crashes) as evaluator:
            none, two, many = evaluator.work([Input("0"), Input("2"), Input("3000")])
            assert none < two < many < WORK_LIMIT
            assert many - none > 1000 * (two - none)
            assert evaluator.work([Input("3000"), Input("0")], limit=none + 100) == [none + 100, none]

    def test_a_program_that_never_ends(self) -> None:
        source, endless = self.programs.bits, Input("6")
        with self.made(source) as evaluator:
            assert texts(evaluator.original([endless, Input("0")])) == ["⟨no answer in time⟩", "0"]
            assert evaluator.work([endless]) == [WORK_LIMIT]
            assert evaluator.coverage([endless])[0][5] > 100
            changes = [(b"^=", b"&="), (b"n - 1", b"n"), (b"^=", b"|="), (b"count", b"count + 1", 2)]
            evaluator.add([*(change(source, *each) for each in changes), NOTHING])
            assert printed(evaluator.outputs([endless], range(5))) == [
                {"2": (0,), "1": (1,), "⟨no answer in time⟩": (2, 3, 4)}
            ]
            assert evaluator.judge([need("6", "2"), need("0", "0")]).survivors == (0,)

    def endless(self) -> list[Candidate]:
        """One that is right, one that is wrong, and three that never end."""
        source = self.programs.bits
        texts_of = (b"n &= n - 1", b"n = 0", b"n |= n - 1", b"n = n")
        return [*(change(source, b"n ^= n - 1", text) for text in texts_of), NOTHING]

    @pytest.mark.parametrize("moment", [1, 3, 5, 9])
    def test_a_deadline_at_any_moment_leaves_only_what_was_decided(self, moment: int) -> None:
        seconds = (tick / 50 for tick in itertools.count())
        needs = [need("6", "2"), need("0", "0")]
        with self.made(self.programs.bits, lambda: next(seconds)) as evaluator:
            ids = evaluator.add(self.endless() * 2)
            judgement = evaluator.judge(needs, deadline=next(seconds) + moment / 50)
            right = (ids[0], ids[len(ids) // 2])
            assert set(judgement.survivors) <= set(right)
            assert judgement.finished == (judgement.judged == len(ids))
            # Whatever was interrupted is taken up again.
            assert evaluator.judge(needs).survivors == right

    @pytest.mark.parametrize("moment", [0, 2, 5, 9])
    def test_a_deadline_at_any_moment_leaves_whole_inputs(self, moment: int) -> None:
        seconds = (tick / 50 for tick in itertools.count())
        inputs = [Input("0"), Input("6"), Input("255")]
        with self.made(self.programs.bits, lambda: next(seconds)) as evaluator:
            ids = evaluator.add(self.endless())
            early = evaluator.outputs(inputs, ids, deadline=next(seconds) + moment / 50)
            assert moment or not early
            assert early == evaluator.outputs(inputs, ids)[: len(early)]

    def test_neither_a_jumping_clock_nor_a_busy_machine_changes_a_verdict(self) -> None:
        inputs = [Input("6"), Input("255"), Input("0")]
        chance = random.Random(1)
        found = []
        calm, upset = (time.monotonic, nullcontext()), (lambda: chance.uniform(-1e6, 1e6), busy_machine())
        for clock, machine in (calm, upset):
            with machine, self.made(self.programs.bits, clock) as evaluator:
                ids = evaluator.add(self.endless())
                survivors = evaluator.judge([need("6", "2"), need("0", "0")]).survivors
                found.append((survivors, evaluator.outputs(inputs, ids), evaluator.work(inputs, 4_000)))
        assert found[0] == found[1]
        assert found[0][0] == (0,)

    def test_a_program_that_does_not_compile(self) -> None:
        with pytest.raises(BuildError):
            self.make(self.programs.invalid).close()

"""What every language must do. To add one: describe a small program in it below, and make this suite pass.

The program subtracts: it reads two whole numbers and prints, or returns, the first minus the second; the
buggy version adds. A language whose source is known also gives edits and an evaluator; its buggy program
must be repaired by one of its own edits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError, Learn2FixError, UsageError
from learn2fix.languages.evaluator import WORK_LIMIT
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Repairable, RunKind, Subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.model import Ending, Input, Requirement, Response, apply_edits
from learn2fix.sandbox import Sandbox

FIRST_EDITS = 4_000
"""Number of edits among which the cure of `+` for `-` must be."""


@dataclass(frozen=True)
class Example:
    """One way to write the program that subtracts."""

    file: str
    right: str
    wrong: str
    program: Callable[[Path], str | list[str]] = str
    """What the user would type, given the file."""
    call: bool = False
    """Whether inputs are written as a call, `7, 5`, not as words, `7 5`."""
    endless: str = ""
    """The program with a loop that never ends, where the source is known."""

    def text(self, a: int, b: int) -> str:
        return f"{a}, {b}" if self.call else f"{a} {b}"


C = """#include <stdio.h>
int main(void) {
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%d\\n", a - b);
    return 0;
}
"""
PYTHON = "def minus(a, b):\n    return a - b\n"
SCRIPT = "a, b = map(int, input().split())\nprint(a - b)\n"
LANGUAGES = {
    "c program": Example(
        "minus.c",
        C,
        C.replace("a - b", "a + b"),
        endless=C.replace("    printf", "    while (a) b++;\n    printf"),
    ),
    "c function": Example(
        "minus.c",
        "int minus(int a, int b) {\n    return a - b;\n}\n",
        "int minus(int a, int b) {\n    return a + b;\n}\n",
        lambda path: f"{path}:minus",
        call=True,
        endless="int minus(int a, int b) {\n    while (a) b++;\n    return a - b;\n}\n",
    ),
    "python function": Example(
        "minus.py",
        PYTHON,
        PYTHON.replace("a - b", "a + b"),
        lambda path: f"{path}:minus",
        call=True,
        endless="def minus(a, b):\n    while a:\n        b += 1\n    return a - b\n",
    ),
    "python script": Example(
        "minus.py",
        SCRIPT,
        SCRIPT.replace("a - b", "a + b"),
        endless=SCRIPT.replace("print", "while a:\n    b += 1\nprint"),
    ),
    "executable": Example(
        "minus",
        "#!/bin/sh\necho $(($1 - $2))\n",
        "#!/bin/sh\necho $(($1 + $2))\n",
        lambda path: [str(path), "{a}", "{b}"],
    ),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(params=LANGUAGES)
def example(request: pytest.FixtureRequest) -> Example:
    return LANGUAGES[request.param]


Open = Callable[[str], Subject]


@pytest.fixture
def opened(example: Example, tmp_path: Path, sandbox: Sandbox) -> Iterator[Open]:
    """Opens a version of the example; all are closed in the end."""
    subjects: list[Subject] = []

    def make(text: str) -> Subject:
        path = tmp_path / example.file
        path.write_text(text)
        path.chmod(0o755)
        subjects.append(open_subject(example.program(path), sandbox))
        return subjects[-1]

    yield make
    for subject in subjects:
        subject.close()


def parsed(example: Example, subject: Subject, *pairs: tuple[int, int]) -> list[Input]:
    domain = subject.domain([example.text(7, 5)])
    return [domain.parse(example.text(a, b)) for a, b in pairs]


class LanguageConformance:
    """Every program."""

    def test_runs_and_repeats_itself(self, example: Example, opened: Open) -> None:
        subject = opened(example.right)
        inputs = parsed(example, subject, (7, 5), (-3, 4), (10**9, -(10**9)))
        outcomes = prove_repeatable(subject, inputs)
        assert [outcome.response.text for outcome in outcomes] == ["2", "-7", "2000000000"]
        assert all(outcome.ending is Ending.EXITED for outcome in outcomes)

    def test_reads_inputs_as_named_values_and_writes_them_back(self, example: Example, opened: Open) -> None:
        subject = opened(example.right)
        domain = subject.domain([example.text(7, 5)])
        assert [variable.name for variable in domain.variables] == ["a", "b"]
        given = domain.parse(example.text(12, -4))
        assert given.values == (12, -4)
        assert domain.parse(domain.render(given.values).text) == given
        assert subject.run([domain.render((12, -4))]) == subject.run([given])
        with pytest.raises(UsageError):
            domain.parse("what?")

    def test_says_how_other_tools_run_it(self, example: Example, opened: Open) -> None:
        recipe = opened(example.right).recipe
        assert recipe.kind in RunKind
        assert bool(recipe.build) == (recipe.kind is RunKind.BUILT)

    def test_responses_with_one_normal_form_are_the_same(self, example: Example, opened: Open) -> None:
        subject = opened(example.right)
        words = (
            "2",
            "2.0",
            "3",
            "two",
            "",
            "⟨raises ValueError: no⟩",
            "⟨no answer in time⟩",
            "[1, 2]",
            "[1,2]",
        )
        responses = [Response.read(each) for each in words]
        for one in responses:
            assert subject.same(one, one)
            assert subject.normal(subject.normal(one)) == subject.normal(one)
            for other in responses:
                if subject.normal(one) == subject.normal(other):
                    assert subject.same(one, other)

    def test_a_program_that_is_not_there_is_one_clear_line(self, example: Example, sandbox: Sandbox) -> None:
        with pytest.raises(Learn2FixError) as told:
            open_subject(example.program(Path("no") / "such" / example.file), sandbox)
        assert "\n" not in told.value.message

    def test_can_be_closed_twice_and_run_again(self, example: Example, opened: Open) -> None:
        subject = opened(example.right)
        inputs = parsed(example, subject, (7, 5))
        first = subject.run(inputs)
        subject.close()
        subject.close()
        assert subject.run(inputs) == first


@pytest.fixture
def buggy(example: Example, opened: Open) -> Repairable:
    found = opened(example.wrong).repairable
    if found is None:
        pytest.skip("its source is not known, so there is nothing to repair")
    return found


class RepairableConformance:
    """Programs whose source is known."""

    def test_tells_what_its_variables_held(self, example: Example, buggy: Repairable) -> None:
        (given,) = parsed(example, buggy, (7, 5))
        held = {name: value for (_, name), value in buggy.held(given).items()}
        assert held == {"a": "7", "b": "5"}
        assert buggy.run([given])[0].response.text == "12"

    def test_edits_apply_and_one_of_them_is_the_cure(self, example: Example, buggy: Repairable) -> None:
        candidates = list(islice(buggy.edits(Hints(function=buggy.function)), FIRST_EDITS))
        assert candidates == list(islice(buggy.edits(Hints(function=buggy.function)), FIRST_EDITS))
        assert [c.cost for c in candidates] == sorted(c.cost for c in candidates)
        texts = {apply_edits(buggy.text, candidate.edits) for candidate in candidates}
        assert example.right.encode() in texts
        assert buggy.text not in texts

    def test_the_evaluator_agrees_with_the_patched_program(self, example: Example, buggy: Repairable) -> None:
        candidates = list(islice(buggy.edits(Hints(function=buggy.function)), 40))
        inputs = parsed(example, buggy, (7, 5), (0, 3))
        with closing(buggy.evaluator(time.monotonic)) as evaluator:
            ids = evaluator.add(candidates)
            found = evaluator.outputs(inputs, ids)
            assert evaluator.original(inputs) == [outcome.response for outcome in buggy.run(inputs)]
            checked = 0
            for number in ids:
                if number in evaluator.uncompilable:
                    continue
                try:
                    patched = buggy.patched(candidates[number].apply(buggy.text))
                except BuildError:
                    continue
                with closing(patched):
                    for groups, outcome in zip(found, patched.run(inputs), strict=True):
                        (response,) = [answer for answer, who in groups.items() if number in who]
                        assert response == outcome.response, candidates[number]
                checked += 1
            assert checked > 10

    def test_the_evaluator_finds_the_cure(self, example: Example, buggy: Repairable) -> None:
        candidates = list(islice(buggy.edits(Hints(function=buggy.function)), FIRST_EDITS))
        given = parsed(example, buggy, (7, 5), (10, 3), (2, 9))
        required = [Requirement(each, Response.read(str(each.values[0] - each.values[1]))) for each in given]
        with closing(buggy.evaluator(time.monotonic)) as evaluator:
            judgement = evaluator.judge(required, evaluator.add(candidates))
        survivors = {candidates[number].apply(buggy.text) for number in judgement.survivors}
        assert example.right.encode() in survivors

    def test_lines_and_work_are_counted(self, example: Example, buggy: Repairable) -> None:
        inputs = parsed(example, buggy, (7, 5), (1, 1))
        with closing(buggy.evaluator(time.monotonic)) as evaluator:
            (first, second) = evaluator.coverage(inputs)
            assert first == second
            assert all(count > 0 for count in first.values())
            assert first
            assert evaluator.work(inputs) == evaluator.work(inputs)
            assert 0 <= evaluator.work(inputs)[0] <= evaluator.light < WORK_LIMIT

    def test_a_program_that_never_ends_is_cut_by_its_work(self, example: Example, opened: Open) -> None:
        endless = opened(example.endless).repairable if example.endless else None
        if endless is None:
            pytest.skip("its source is not known, so its work cannot be counted")
        inputs = parsed(example, endless, (7, 5), (0, 3))
        with closing(endless.evaluator(time.monotonic)) as evaluator:
            works = evaluator.work(inputs, 100_000)
            assert works[0] == 100_000
            assert works[1] < 100_000
            ids = evaluator.add(list(islice(endless.edits(Hints(function=endless.function)), 200)))
            wanted = [Requirement(inputs[1], Response.read("-3"))]
            assert evaluator.judge(wanted, ids).finished
            assert evaluator.original(inputs)[0].ending is Ending.TIMEOUT

    def test_a_patch_that_does_not_compile_is_refused(self, buggy: Repairable) -> None:
        with pytest.raises(BuildError):
            buggy.patched(buggy.text + b"\n)(\n").run([])

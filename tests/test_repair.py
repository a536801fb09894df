"""Repair as the paper had it, and other tools as commands: what comes out was built and checked."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.model import Candidate, Edit, Input, Requirement, Response, apply_edits
from learn2fix.repair.external import difference, patches_of
from learn2fix.repair.genetic import Population, evolve
from learn2fix.session import Options, Session

ZOO = Path(__file__).parent / "zoo"


@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"c", b"\r\n"])),
    st.lists(st.sampled_from([b"a\n", b"x\n", b"c"])),
)
def test_the_difference_turns_one_text_into_the_other(old: list[bytes], new: list[bytes]) -> None:
    before, after = b"".join(old), b"".join(new)
    assert apply_edits(before, difference(before, after)) == after


class Letters:
    """Variants of a text of eight bytes: each edit sets one byte to 'x'."""

    def random_edit(self, rng: random.Random) -> Candidate | None:
        place = rng.randrange(8)
        return Candidate((Edit(place, place + 1, b"x"),), "set", 1.0)

    def mutate(self, candidate: Candidate, rng: random.Random) -> Candidate:
        extra = self.random_edit(rng)
        assert extra is not None
        return Candidate(tuple(sorted({*candidate.edits, *extra.edits})), "set", 1.0)

    def crossover(
        self, first: Candidate, second: Candidate, rng: random.Random
    ) -> tuple[Candidate, Candidate]:
        both = Candidate(tuple(sorted({*first.edits, *second.edits})), "set", 1.0)
        return both, first


def letters_passed(variants: Sequence[Candidate]) -> list[tuple[bool, ...]]:
    texts = [variant.apply(b"........") for variant in variants]
    return [tuple(text[place : place + 1] == b"x" for place in (1, 4, 6)) for text in texts]


@pytest.mark.parametrize("seed", range(5))
def test_genetic_search_puts_edits_together_that_each_help(seed: int) -> None:
    found = evolve(Letters(), letters_passed, [10.0, 1.0, 1.0], random.Random(seed), Population(30, 20))
    assert found.repairs
    for repair in found.repairs:
        assert all(letters_passed([repair])[0])
    again = evolve(Letters(), letters_passed, [10.0, 1.0, 1.0], random.Random(seed), Population(30, 20))
    assert again == found


def test_genetic_search_without_any_edit_ends() -> None:
    class Nothing(Letters):
        def random_edit(self, rng: random.Random) -> Candidate | None:
            return None

    found = evolve(Nothing(), letters_passed, [1.0] * 3, random.Random(1))
    assert found.repairs == ()


TOOL = """
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
source = (folder / "program.c").read_text()
tests = sorted(path.name for path in (folder / "tests").iterdir())
assert "1.in" in tests and ("1.out" in tests or "1.not-1" in tests), tests
(folder / "patches" / "1-wrong.c").write_text(source.replace("return 3", "return 1"))
(folder / "patches" / "2-broken.c").write_text("this is no C")
(folder / "patches" / "3-right.c").write_text(source.replace("a == b == c", "a == b && a == c"))
"""


def test_another_tool_is_plugged_in_as_a_command(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    tool.write_text(TOOL)
    options = Options(
        labels=0,
        tests=(("2 2 2", "1"), ("2 2 1", "2"), ("2 3 4", "3"), ("1 1 1", "1")),
        repairer=f"{sys.executable} {tool}",
    )
    with Session.create(str(ZOO / "triangle" / "buggy.c"), ["2 2 2"], options) as session:
        conversation = session.conversation()
        with pytest.raises(StopIteration) as stop:
            next(conversation)
    result = stop.value.value
    assert [patch.description for patch in result.patches] == ["line 9: `a == b == c` → `a == b && a == c`"]
    assert result.effort.candidates == 3


@pytest.mark.parametrize(
    ("command", "words"),
    [("no-such-tool-anywhere", "cannot run"), ("'", "cannot read"), ("false", "ended with status 1")],
)
def test_a_tool_that_fails_is_one_clear_line(command: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        patches_of(command, b"x", ".c", [Requirement(Input("1"), Response.read("2"))], 5.0)
    assert "\n" not in str(caught.value)


def test_a_tool_may_not_lead_us_astray_with_a_link(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    command = f"ln -s {secret} {{folder}}/patches/1.c"
    assert patches_of(command, b"x", ".c", [], 5.0) == []


TWICE = {
    "twice.c": "#include <stdio.h>\nint main(void) {\n    int n;\n"
    '    scanf("%d", &n);\n    int sum = 2 * n;\n    sum = sum + 1;\n'
    '    printf("%d\\n", sum);\n    return 0;\n}\n',
    "twice.py": "n = int(input())\nsum = 2 * n\nif n:\n    sum = sum + 1\nprint(sum)\n",
}


@pytest.mark.parametrize("repairer", ["genprog", "genetic"])
@pytest.mark.parametrize("name", TWICE)
def test_genprog_repairs_what_a_deleted_statement_repairs(name: str, repairer: str, tmp_path: Path) -> None:
    program = tmp_path / name
    program.write_text(TWICE[name])
    options = Options(labels=0, tests=(("3", "6"), ("5", "10")), strategy="paper", repairer=repairer, seed=4)
    with Session.create(str(program), ["3"], options) as session:
        conversation = session.conversation()
        with pytest.raises(StopIteration) as stop:
            next(conversation)
    assert "sum = sum + 1" in stop.value.value.patches[0].diff

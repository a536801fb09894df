"""The mistakes that are seeded into correct programs: each makes its example, and programs stay programs."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from learn2fix.edits.catalogue import Operator
from learn2fix.edits.mistakes import mistakes
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c import mistakes as c
from learn2fix.languages.c.edits.parsed import squeezed
from learn2fix.languages.c.edits.program import Program as CProgram
from learn2fix.languages.c.syntax import fragment
from learn2fix.languages.python import mistakes as python
from learn2fix.languages.python.edits.program import Program as PythonProgram

ZOO = Path(__file__).parent / "zoo"
GOLDEN = sorted(ZOO.glob("*/golden.*"))


@pytest.mark.parametrize("operator", tuple(c.MISTAKES), ids=lambda operator: operator.name)
def test_a_mistake_in_c_makes_its_example(operator: Operator[CProgram]) -> None:
    before = c.MISTAKES.framed(operator.before).encode()
    made = [each.apply(before).decode() for each in mistakes([operator], CProgram(before, Hints()))]
    assert squeezed(c.MISTAKES.framed(operator.after)) in map(squeezed, made)


@pytest.mark.parametrize("operator", tuple(python.MISTAKES), ids=lambda operator: operator.name)
def test_a_mistake_in_python_makes_its_example(operator: Operator[PythonProgram]) -> None:
    before = operator.before.encode()
    made = [each.apply(before).decode() for each in mistakes([operator], PythonProgram(before, Hints()))]
    assert ast.dump(ast.parse(operator.after)) in [ast.dump(ast.parse(each)) for each in made]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.parent.name)
def test_a_program_with_a_mistake_is_still_a_program(path: Path) -> None:
    source = path.read_bytes()
    found = list((c if path.suffix == ".c" else python).mistakes_in(source, None))
    made = [each.apply(source) for each in found]
    assert source not in made
    assert max(Counter(made).values()) == 1
    for text in made:
        if path.suffix == ".c":
            assert fragment(text) is not None, text.decode()
        else:
            compile(text, "golden.py", "exec")

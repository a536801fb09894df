"""What values a function works on, read off its body."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from learn2fix.domain.shapes import ANYTHING, Form, Shape
from learn2fix.fuzzing import EXTENDED, Fuzzer
from learn2fix.fuzzing.traits import traits_of
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.languages.python.usage import used_as
from learn2fix.sandbox import Sandbox

TEXT, INT = Shape(Form.TEXT), Shape(Form.INT)


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("for x in a:\n        if len(x) > 3: return x", Shape(Form.LIST, (TEXT,))),
        ("for x in a:\n        if x > 3: return x", Shape(Form.LIST, (INT,))),
        ("return [x.upper() for x in a]", Shape(Form.LIST, (TEXT,))),
        ("return [x for x in sorted(a) if x == 'b']", Shape(Form.LIST, (TEXT,))),
        ("for i, x in enumerate(a):\n        yield i + (x - 1)", Shape(Form.LIST, (INT,))),
        ("return sum(a)", Shape(Form.LIST, (INT,))),
        ("return ', '.join(a)", Shape(Form.LIST, (TEXT,))),
        ("for k, n in a.items():\n        yield n * 2", Shape(Form.DICT, (TEXT, INT))),
        (
            "for name, n in a:\n        yield name.title(), n - 1",
            Shape(Form.LIST, (Shape(Form.TUPLE, (TEXT, INT)),)),
        ),
        (
            "for row in a:\n        for x in row:\n            yield x - 1",
            Shape(Form.LIST, (Shape(Form.LIST, (INT,)),)),
        ),
        ("return a", ANYTHING),
        ("return len(a)", ANYTHING),
    ],
)
def test_the_uses_of_a_name_say_what_it_is(body: str, shape: Shape) -> None:
    (function,) = ast.parse(f"def f(a):\n    {body}\n").body
    assert isinstance(function, ast.FunctionDef)
    assert used_as(function, "a") == shape


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def f(words):\n    return [w for w in words if w.startswith('a')]\n", str),
        ("def f(numbers):\n    return max(n - 1 for n in numbers)\n", int),
        ("def f(words: list[str]):\n    return len(words)\n", str),
    ],
)
def test_an_empty_list_leads_to_others(source: str, kind: type, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(source)
    with Sandbox() as sandbox:
        domain = PythonSubject(tmp_path / "one.py", "f", sandbox).domain(["[]"])
    fuzzed = Fuzzer(domain, [domain.parse("[]")], random.Random(1), operators=EXTENDED).take(20)
    assert len(fuzzed) == 20
    assert {type(item) for given in fuzzed for item in given.values[0]} == {kind}


def test_empty_lists_say_nothing_about_lists() -> None:
    assert not traits_of([[]], [[0]])

"""Values made by Hypothesis: of their shape, small, and the same in every process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from learn2fix.domain.shapes import ANYTHING, Form, Shape, both, seen
from learn2fix.fuzzing import EXTENDED, Fuzzer
from learn2fix.fuzzing.mutations import fresh
from learn2fix.fuzzing.strategies import examples
from learn2fix.languages.python.calls import call_form
from learn2fix.languages.python.signatures import Definitions
from learn2fix.languages.python.subject import parse_python

ROW = Shape(Form.TUPLE, (Shape(Form.TEXT), Shape(Form.INT, optional=True)))
SHAPES = [
    Shape(Form.INT),
    Shape(Form.FLOAT),
    Shape(Form.BOOL),
    Shape(Form.TEXT),
    Shape(Form.LIST, (Shape(Form.INT),)),
    Shape(Form.LIST),
    Shape(Form.SET, (Shape(Form.TEXT),)),
    Shape(Form.TUPLE, (Shape(Form.INT),), varying=True),
    Shape(Form.LIST, (ROW,)),
    Shape(Form.DICT, (Shape(Form.TEXT), Shape(Form.LIST, (Shape(Form.INT),)))),
    Shape(Form.DICT),
    Shape(Form.DICT, fields=(("name", Shape(Form.TEXT)), ("age", Shape(Form.INT)))),
    ANYTHING,
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_examples_have_the_shape_and_differ(shape: Shape) -> None:
    made = examples(shape)
    assert len({repr(value) for value in made}) >= (2 if shape.form is Form.BOOL else 5)
    for value in made:
        if shape.varying:
            assert isinstance(value, tuple)
            continue
        assert both(shape, seen([value])).form is shape.form or shape.form is Form.ANY
        assert len(repr(value)) < 200


def test_a_value_that_is_changed_is_nobody_elses() -> None:
    shape = Shape(Form.LIST, (Shape(Form.INT),))
    before = repr(examples(shape))
    for number in range(50):
        fresh(shape, random.Random(number)).append(99)
    assert repr(examples(shape)) == before


def test_every_process_makes_the_same_and_leaves_nothing_behind(tmp_path: Path) -> None:
    code = (
        "from learn2fix.fuzzing.strategies import examples; from learn2fix.domain.shapes import *;"
        "print(examples(Shape(Form.DICT, (Shape(Form.TEXT), Shape(Form.LIST, (Shape(Form.INT),))))))"
    )
    env = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TMPDIR": str(tmp_path)}
    here = tmp_path / "here"
    here.mkdir()
    shown = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=here,
            env={**env, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(shown) == 1
    assert list(here.iterdir()) == []


CART = """from dataclasses import dataclass
from enum import Enum

class Kind(Enum):
    BOOK = 1
    FOOD = 2

@dataclass
class Item:
    name: str
    price: int
    kind: Kind
    tags: list[str] = ()

class Box:
    def __init__(self, item: Item, *, count: int):
        self.item, self.count = item, count

class Odd:
    def __init__(self, anything):
        self.anything = anything

def total(items: list[Item], fee): ...
def boxes(boxes: "list[Box]"): ...
def kinds(kinds: list[Kind], n: int): ...
def odd(odds: list[Odd], n: int): ...
"""


def made(function: str, call: str) -> list[str]:
    known = Definitions(parse_python(CART.encode(), "cart.py"))
    domain = call_form([call], known.target(function, "cart.py"), known)
    fuzzer = Fuzzer(domain, [domain.parse(call)], random.Random(1), operators=EXTENDED)
    return [given.text for given in fuzzer.take(60)]


@pytest.mark.parametrize(
    ("function", "call", "parts"),
    [
        ("total", "[], 5", ("Item('", "Kind.BOOK", "Kind.FOOD")),
        ("boxes", "[]", ("Box(Item('", "count=")),
        ("kinds", "[], 1", ("[Kind.BOOK", "Kind.FOOD")),
    ],
)
def test_an_empty_list_becomes_one_of_objects(function: str, call: str, parts: tuple[str, ...]) -> None:
    texts = made(function, call)
    space: dict[str, Any] = {}
    exec(CART, space)
    for text in texts:
        eval(f"{function}({text})", space)
    assert all(any(part in text for text in texts) for part in parts)


def test_what_a_constructor_does_not_say_is_left_alone() -> None:
    assert not any("Odd" in text for text in made("odd", "[], 1"))

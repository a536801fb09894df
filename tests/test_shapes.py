"""What values a parameter takes, from annotations and from values; and that fuzzing keeps to it."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.domain import call_domain
from learn2fix.domain.shapes import ANYTHING, Form, Shape, annotated, both, seen
from learn2fix.fuzzing import EXTENDED, Fuzzer, infer
from learn2fix.fuzzing.mutations import fresh, mutate
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.sandbox import Sandbox

INT, TEXT = Shape(Form.INT), Shape(Form.TEXT)


@pytest.mark.parametrize(
    ("note", "shape"),
    [
        ("int", INT),
        ("list", Shape(Form.LIST)),
        ("list[int]", Shape(Form.LIST, (INT,))),
        ("typing.List[str]", Shape(Form.LIST, (TEXT,))),
        ("'Sequence[str]'", Shape(Form.LIST, (TEXT,))),
        ("dict[str, list[int]]", Shape(Form.DICT, (TEXT, Shape(Form.LIST, (INT,))))),
        ("tuple[int, str]", Shape(Form.TUPLE, (INT, TEXT))),
        ("tuple[int, ...]", Shape(Form.TUPLE, (INT,), varying=True)),
        ("int | None", Shape(Form.INT, optional=True)),
        ("Optional[list[int]]", Shape(Form.LIST, (INT,), optional=True)),
        ("Union[None, str]", Shape(Form.TEXT, optional=True)),
        ("int | str", ANYTHING),
        ("Callable[[int], int]", ANYTHING),
        ("'not python('", ANYTHING),
    ],
)
def test_annotations(note: str, shape: Shape) -> None:
    assert annotated(ast.parse(note, mode="eval").body) == shape


def test_values_fill_in_what_annotations_leave_open() -> None:
    assert both(Shape(Form.LIST), seen([[1, 2]])) == Shape(Form.LIST, (INT,))
    assert both(annotated(ast.parse("tuple", mode="eval").body), seen([(1, "a")])).inner == (INT, TEXT)
    assert both(Shape(Form.INT, optional=True), seen([None])) == Shape(Form.INT, optional=True)
    assert seen([[1, None, 2]]) == Shape(Form.LIST, (Shape(Form.INT, optional=True),))
    assert seen([[1, 2.5]]) == Shape(Form.LIST, (Shape(Form.FLOAT),))
    assert seen([]) == ANYTHING


SHAPES = st.recursive(
    st.sampled_from([Shape(form) for form in (Form.INT, Form.FLOAT, Form.BOOL, Form.TEXT)]),
    lambda inner: (
        st.builds(lambda item: Shape(Form.LIST, (item,)), inner)
        | st.builds(lambda item: Shape(Form.TUPLE, (item,), varying=True), inner)
        | st.builds(lambda one, other: Shape(Form.TUPLE, (one, other)), inner, inner)
        | st.builds(lambda value: Shape(Form.DICT, (TEXT, value)), inner)
        | st.builds(lambda item: Shape(item.form, item.inner, True, item.varying), inner)
    ),
    max_leaves=5,
)
TYPES = {
    Form.INT: int, Form.FLOAT: float, Form.BOOL: bool, Form.TEXT: str,
    Form.LIST: list, Form.TUPLE: tuple, Form.DICT: dict,
}  # fmt: skip


def fits(value: Any, shape: Shape) -> bool:
    if value is None:
        return shape.optional
    if type(value) is not TYPES[shape.form]:
        return False
    if shape.form is Form.DICT:
        return all(fits(k, shape.inner[0]) and fits(v, shape.inner[1]) for k, v in value.items())
    if shape.form is Form.TUPLE and not shape.varying:
        return len(value) == len(shape.inner) and all(map(fits, value, shape.inner))
    return shape.form in (Form.INT, Form.FLOAT, Form.BOOL, Form.TEXT) or all(
        fits(each, shape.inner[0]) for each in value
    )


@given(SHAPES, st.integers(0, 10_000))
@settings(deadline=None)
def test_fuzzing_never_leaves_the_shape(shape: Shape, seed: int) -> None:
    rng = random.Random(seed)
    value = fresh(shape, rng)
    assert fits(value, shape)
    for _ in range(25):
        value = mutate(value, rng.choice(EXTENDED), (), rng, shape)
        assert fits(value, shape), value


def taken(call: str, parameters: list[str], count: int = 60, **shapes: str) -> list[Any]:
    notes = {name: annotated(ast.parse(note, mode="eval").body) for name, note in shapes.items()}
    domain = call_domain([call], parameters, shapes=notes)
    given = domain.parse(call)
    contract = infer([given.values])
    fuzzer = Fuzzer(domain, [given], random.Random(1), operators=EXTENDED, contract=contract)
    return [new.values[0] for new in fuzzer.take(count)]


def test_empty_collections_and_none_lead_somewhere() -> None:
    assert {type(item) for words in taken("[]", ["w"], w="list[str]") for item in words} == {str}
    assert any(taken("{}", ["d"], d="dict[str, int]"))
    found = taken("None", ["n"], 10, n="int | None")
    assert any(isinstance(value, int) for value in found)
    assert None in taken("[1, 2]", ["xs"], xs="list[int] | None")


def test_records_tables_and_signs_stay_what_they_are() -> None:
    pairs = taken("[(1, 3), (2, 5)]", ["pairs"])
    assert {len(pair) for value in pairs for pair in value} == {2}
    tables = taken("[[1, 2], [3, 4]]", ["rows"])
    # A table that was cut down to one row is a list like any other.
    assert sum(len({len(row) for row in table}) <= 1 for table in tables) >= 0.8 * len(tables)
    goods = taken("{'name': 'pen', 'price': 3}", ["thing"])
    assert {tuple(thing) for thing in goods} == {("name", "price")}
    carts = taken("[{'name': 'pen', 'price': 3}]", ["cart"])
    assert {tuple(thing) for cart in carts for thing in cart} == {("name", "price")}
    assert [] not in carts  # it was not empty, and there are enough others
    assert all(number >= 0 for numbers in taken("[3, 1, 2]", ["xs"]) for number in numbers)
    assert any(number < 0 for numbers in taken("[3, -1, 2]", ["xs"]) for number in numbers)


def test_a_function_with_optional_values(tmp_path: Path) -> None:
    path = tmp_path / "greet.py"
    path.write_text("def greet(name: str | None, times: int = 1):\n    return (name or 'you') * times\n")
    with Sandbox() as sandbox:
        domain = PythonSubject(path, "greet", sandbox).domain(["'ada', 2"])
    assert domain.parse("None, 2").values == (None, 2)
    assert [shape.optional for shape in domain.shapes] == [True, False]

"""The notation of forms, and inputs written and read by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import Atom, Count, Field, Group, Item, UntilEnd, UntilMark, read_form
from learn2fix.errors import UsageError

FORMS = [
    ("n, a[n], s:word", "3\n1 2 3\nabc\n", ([1, 2, 3], "abc")),
    ("n, m, g[n][m]", "2 3\n1 2 3\n4 5 6\n", ([[1, 2, 3], [4, 5, 6]],)),
    ("n, (x, y:real)[n]", "2\n1 2.5\n3 4\n", ([(1, 2.5), (3, 4)],)),
    ("t, (n, a[n])[t]", "2\n3\n1 2 3\n1\n7\n", ([[1, 2, 3], [7]],)),
    ("n, s:word{n}", "3\nabc\n", ("abc",)),
    ("n, m, row:word[n]{m}", "2 3\nabc\ndef\n", (["abc", "def"],)),
    ("a[until 0], b[...]", "1 2 0\n3 4\n", ([1, 2], [3, 4])),
    ("n, a[n - 1]", "4\n1 2 3\n", ([1, 2, 3],)),
    ("n, a[2 * n]", "2\n1 2 3 4\n", ([1, 2, 3, 4],)),
    ("n, a[n * (n - 1) / 2]", "3\n1 2 3\n", (3, [1, 2, 3])),
    ("n, k, a[n], b[n]", "2 9\n1 2\n3 4\n", (9, [1, 2], [3, 4])),
    ("k, text:line", "3\nto be or\n", (3, "to be or")),
    ("t, (n, m, g[n][m])[t]", "2\n1 2\n5 6\n2 1\n3\n4\n", ([[[5, 6]], [[3], [4]]],)),
]


@pytest.mark.parametrize(("form", "text", "values"), FORMS)
def test_a_form_reads_values_and_names_itself(form: str, text: str, values: tuple[Any, ...]) -> None:
    read = read_form(form)
    assert str(read) == form
    layout = FormLayout(read)
    assert layout.split(text) == values
    assert layout.split(layout.join(values)) == values


@pytest.mark.parametrize(
    ("form", "values", "text"),
    [
        ("n, a[n], b[n]", ([1, 2, 3], [9]), "3\n1 2 3\n9 9 9\n"),
        ("n, a[n], b[n]", ([1], [9, 8]), "1\n1\n9\n"),
        ("n, m, row:word[n]{m}", (["abcd", "x"],), "2 4\nabcd\nxxxx\n"),
        ("n, a[2 * n]", ([1, 2, 3],), "1\n1 2\n"),
        ("n, a[n * (n - 1) / 2]", (3, [5]), "3\n5 5 5\n"),
        ("a[until 0]", ([1, 0, 2],), "1 2 0\n"),
        ("n, m, g[n][m]", ([[1, 2], [3]],), "2 2\n1 2\n3 3\n"),
        ("n, (a[n + 1])[n * n]", (1, [[5]]), "1\n5 5\n"),
    ],
)
def test_what_is_written_keeps_the_counts_true(form: str, values: tuple[Any, ...], text: str) -> None:
    layout = FormLayout(read_form(form))
    assert layout.join(values).split() == text.split()
    layout.split(layout.join(values))


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ("", "cannot read the form"),
        ("n, a[", "cannot read"),
        ("a[n], n", "n is used as a count before it is read"),
        ("n, n", "two fields named n"),
        ("s:text", "no type 'text'"),
        ("(x, y)", "how often it repeats"),
        ("n:int{2}", "has no length"),
        ("n, a[n ** 2]", "cannot read the count"),
        ("n a", "cannot read the form at"),
    ],
)
def test_a_form_that_makes_no_sense_is_refused_in_a_line(form: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        read_form(form)


def test_an_input_of_another_form_says_what_is_missing() -> None:
    layout = FormLayout(read_form("n, a[n]"))
    with pytest.raises(UsageError, match="a is missing"):
        layout.split("3\n1 2\n")
    with pytest.raises(UsageError, match="'4' is left over"):
        layout.split("2\n1 2 4\n")
    with pytest.raises(UsageError, match="a is not a number: 'x'"):
        layout.split("1\nx\n")


def counts(names: Sequence[str]) -> st.SearchStrategy[Count]:
    constant = st.integers(0, 3).map(lambda number: Count.of({(): number}))
    if not names:
        return constant
    name = st.sampled_from(names)
    plus = st.builds(lambda n, c: Count.of({(n,): 1, (): c}), name, st.integers(-2, 2))
    times = st.builds(lambda n, c: Count.of({(n,): c}), name, st.integers(1, 3))
    product = st.builds(lambda one, other: Count.of({(one, other): 1}), name, name)
    return st.one_of(constant, plus, times, product)


@st.composite
def item_lists(
    draw: st.DrawFn, known: tuple[str, ...] = (), depth: int = 2, prefix: str = "x"
) -> tuple[Item, ...]:
    items: list[Item] = []
    for number in range(draw(st.integers(1, 3))):
        name = f"{prefix}{number}"
        if depth and draw(st.booleans()):
            inner = draw(item_lists(known, depth - 1, name + "_"))
            items.append(Group(inner, draw(counts(known))))
        else:
            atom = draw(st.sampled_from([Atom.INT, Atom.INT, Atom.REAL, Atom.WORD]))
            # A word whose length may be 0 cannot be read back; lengths have examples of their own above.
            items.append(Field(name, atom, example="1" if atom.number else "a"))
            if atom is Atom.INT:
                known = (*known, name)
    return tuple(items)


@given(item_lists(), st.data())
def test_whatever_is_written_by_a_form_is_read_back(items: tuple[Item, ...], data: st.DataObject) -> None:
    from learn2fix.domain.forms import Form

    layout = FormLayout(Form(items))
    assert str(read_form(str(layout.form))) == str(layout.form)
    domain = layout.domain()
    values = tuple(data.draw(values_of(shape)) for shape in domain.shapes)
    try:
        once = layout.split(layout.join(values))
        again = layout.split(layout.join(once))
    except UsageError:
        return  # an empty word, or more fields than anybody reads
    assert again == once


def values_of(shape: Any) -> st.SearchStrategy[Any]:
    match str(shape.form):
        case "int":
            return st.integers(0, 4)
        case "float":
            return st.fractions(0, 9, max_denominator=4).filter(lambda f: (f * 4).denominator == 1)
        case "str":
            return st.text("ab", min_size=1, max_size=4)
        case "list":
            return st.lists(values_of(shape.inner[0]), min_size=1, max_size=3)
        case _:
            return st.tuples(*map(values_of, shape.inner))


def test_marks_and_ends_are_written_as_they_are_read() -> None:
    assert str(UntilEnd()) == "..."
    assert str(UntilMark("0 0")) == "until 0 0"
    assert FormLayout(read_form("(x, y)[until 0 0]")).split("1 2\n3 4\n0 0\n") == ([(1, 2), (3, 4)],)


def test_a_table_without_rows_can_be_written() -> None:
    layout = FormLayout(read_form("n, (a[n + 1], k)[2]"))
    assert layout.split(layout.join(([],))) == ([([1, 1], 1), ([1, 1], 1)],)


def test_rows_that_are_not_written_determine_no_count() -> None:
    layout = FormLayout(read_form("n, a[n*n], (b[n + 1], c)[0]"))
    once = layout.split(layout.join(([0], [([0], 0)])))
    assert layout.split(layout.join(once)) == once

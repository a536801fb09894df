"""Inputs as people read them: values by name, tables as tables, and the text itself where that is plain."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain import Domain, call_domain, words_domain
from learn2fix.domain.describing import described, named_values, on_one_line, written
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.model import Input
from learn2fix.web.views import fields


def formed(form: str) -> Domain:
    return FormLayout(read_form(form)).domain()


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("n, a[n], s:word", "3\n2 4 3\nabc\n", "a = [2, 4, 3]\ns = abc"),
        ("n, a:real[n]", "2\n1.50 2\n", "a = [1.5, 2]"),
        ("n, m, g:word[n]{m}", "2 3\n.#.\n##.\n", "g =\n  .#.\n  ##."),
        ("n, m, g[n][m]", "2 2\n1 20\n3 4\n", "g =\n   1 20\n   3  4"),
        ("n, q, v[n], (l, r)[q]", "2 2\n7 8\n1 2\n2 2\n", "v = [7, 8]\nl_r =\n  (1, 2)\n  (2, 2)"),
        ("n, s:word[n]", "2\nab\ncde\n", "s = ['ab', 'cde']"),
        ("s:line", "two  blanks \n", "s = 'two  blanks '"),
        ("s:line", "two words\n", ""),
        ("s:word", "abc\n", ""),
    ],
)
def test_what_a_program_reads_is_shown_by_name(form: str, text: str, expected: str) -> None:
    assert described(formed(form), Input(text)) == expected


def test_plain_lines_speak_for_themselves() -> None:
    assert described(words_domain(["2 2 2"]), Input("2 2 2")) == ""
    call = call_domain(["[3, 1], 'ab'"], ["xs", "s"])
    assert described(call, Input("[3, 1], 'ab'")) == ""
    table = call_domain(["[[1, 2], [3, 4]]"], ["rows"])
    assert described(table, Input("[[1, 2], [3, 4]]")) == "rows =\n  1 2\n  3 4"
    assert described(table, Input("not a call")) == ""


def test_long_values_go_on_in_the_next_line() -> None:
    numbers = list(range(100, 160))
    shown = written(numbers)
    assert "\n" in shown
    assert max(map(len, shown.split("\n"))) <= 88
    assert ast.literal_eval(shown) == numbers
    assert written("ab" * 80).replace("\n", "") == "ab" * 80


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.integers()
    | st.booleans()
    | st.none()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=8,
)


@given(st.lists(VALUES, min_size=1, max_size=3))
def test_every_argument_is_shown(values: list[Any]) -> None:
    names = ["a", "b", "c"][: len(values)]
    text = ", ".join(map(repr, values))
    domain = call_domain([text], names)
    assert [name for name, _ in named_values(domain, Input(text))] == names
    assert all(shown for _, shown in named_values(domain, Input(text)))


def test_the_page_marks_the_cells_that_differ() -> None:
    domain = formed("n, m, g[n][m]")
    (field,) = fields(domain, "2 2\n1 2\n3 9\n", "2 2\n1 2\n3 4\n") or []
    assert field["name"] == "g"
    assert field["value"] == "1 2\n3 9"
    assert [piece for piece, differs in field["pieces"] if differs] == ["9"]
    assert field["before"] == "1 2\n3 4"


def test_a_table_on_one_line_keeps_its_brackets() -> None:
    domain = call_domain(["[[1, 1], [0, 1]], 1"], ["grid", "row"])
    given = domain.parse("[[1, 1, 2], [0, 1, 2]], 1")
    assert described(domain, given) == "grid =\n  1 1 2\n  0 1 2\nrow = 1"
    assert on_one_line(domain, given) == "[[1, 1, 2], [0, 1, 2]], 1"
    read = formed("n, m, g[n][m]")
    assert on_one_line(read, Input("2 2\n1 20\n3 4\n")) == "g =  1 20  3  4"

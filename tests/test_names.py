"""What a program calls the values it reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.languages.python.names import assigned


@pytest.mark.parametrize(
    ("source", "count", "names"),
    [
        ("a, b = map(int, input().split())\nc = int(input())\n", 3, ("a", "b", "c")),
        ("n = int(input())\nx = n + 1\n", 1, ("n",)),
        ("a = input().split()\n", 2, ()),
        ("x[0] = int(input())\n", 1, ()),
        ("def broken(:\n", 1, ()),
    ],
)
def test_a_script_names_what_it_reads(source: str, count: int, names: tuple[str, ...]) -> None:
    assert assigned(source, count) == names


@given(st.text(), st.integers(1, 3))
def test_any_text_is_looked_through_without_trouble(source: str, count: int) -> None:
    assert len(assigned(source, count)) in (0, count)

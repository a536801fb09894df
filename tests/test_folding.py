"""What is offered reads as a reviewer would write it, and means the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.edits.diff import describe
from learn2fix.edits.folding import folded
from learn2fix.model import Candidate, Edit


def candidate(source: str, old: str, new: str) -> tuple[bytes, Candidate]:
    start = source.index(old)
    return source.encode(), Candidate((Edit(start, start + len(old), new.encode()),), "constant", 1.0)


@pytest.mark.parametrize(
    ("source", "old", "new", "shown"),
    [
        ("while (i < n - 1) i++;", "n - 1", "n - 1 + 1", "i < n"),
        ("f(count + 1);", "1", "0", "f(count)"),
        ("x = a[i - 1];", "i - 1", "i - 1 + 2", "x = a[i + 1]"),
        ("x = a - 1 * b;", "a", "a + 1", "x = a + 1 - 1 * b"),
        ("x = n - 1 + 1 - k;", "k", "k - 1", "x = n - 1 + 1 - k - 1"),
        ("if (x < 10) y = 0;", "10", "0", "x < 0"),
    ],
)
def test_sums_are_worked_out_where_the_change_made_them(source: str, old: str, new: str, shown: str) -> None:
    text, made = candidate(source, old, new)
    assert describe(text, folded(text, made)).endswith(f"`{shown}`")


SIGNS = st.sampled_from(["<", "==", "//"])
TERMS = st.sampled_from(["n", "0", "1", "2", "10", "m[0]", "(n - 1)", "2 * n", "n * 2", "n % 3", "-n"])


@given(
    st.lists(st.tuples(st.sampled_from("+-"), TERMS), max_size=5), TERMS, st.sampled_from(["<", "==", "//"])
)
def test_what_is_worked_out_has_the_same_value(rest: list[tuple[str, str]], first: str, sign: str) -> None:
    changed = " ".join([first, *(f"{operator} {term}" for operator, term in rest)])
    text, made = candidate(f"x = k {sign} here", "here", changed)
    after = folded(text, made).apply(text).decode()
    for n in (-3, 0, 7):
        known = {"n": n, "m": [4], "k": 5}
        assert _value(after, known) == _value(made.apply(text).decode(), known)


def _value(statement: str, known: dict[str, object]) -> object:
    space = dict(known)
    try:
        exec(statement, {}, space)
    except ZeroDivisionError:
        return None
    return space["x"]


@pytest.mark.parametrize(
    ("source", "old", "new", "shown"),
    [
        ("if ((a == b) && c < 2) f();", "<", "<=", "`(a == b) && c < 2` → `(a == b) && c <= 2`"),
        ("a, b = b, a", ", a", ", b", "`a, b = b, a` → `a, b = b, b`"),
        ("x = f(a, g(b - 1)) + 2", " - 1", "", "`x = f(a, g(b - 1)) + 2` → `x = f(a, g(b)) + 2`"),
        ('printf("(%d", n + 1);', " + 1", "", '`printf("(%d", n + 1)` → `printf("(%d", n)`'),
        ("x = [k for k in s if k]", " if k]", "]", "`x = [k for k in s if k]` → `x = [k for k in s]`"),
    ],
)  # fmt: skip
def test_summaries_name_whole_expressions_or_statements(source: str, old: str, new: str, shown: str) -> None:
    text, made = candidate(source, old, new)
    assert describe(text, made) == f"line 1: {shown}"

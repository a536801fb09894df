"""What is offered reads as a reviewer would write it, and means the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.edits.diff import describe
from learn2fix.edits.folding import folded
from learn2fix.edits.reviewing import preferred
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
        ("if (word[i] >= '1') n++;", "word[i]", "word[i] + 1", "word[i] >= '0'"),
        ("if (word[i] >= 'a') n++;", "word[i]", "word[i] + 1", "word[i] + 1 >= 'a'"),
        ("if (5 < n) n--;", "n", "n - 1", "6 < n"),
        ("if (a && i < n + 1) f();", "i <", "i + 1 <", "a && i < n"),
        ("if (i < n) f();", "i <", "i + 1 <", "i + 1 < n"),
        ("if (i + 1 < n + 1 && a > b) f();", ">", ">=", "i + 1 < n + 1 && a >= b"),
        ("if (a < b && c) f();", "a < b", "!(a < b)", "a >= b && c"),
        ("x = -(a < b);", "(a < b)", "!(a < b)", "x = -(a >= b)"),
        ("if (x < 010) y = 0;", "x", "x + 1", "x + 1 < 010"),
        ("if (i<n-1) f();", "n-1", "n-1 + k", "i<n-1+k"),
        ("if (i < n) f();", "< n", "< n-k", "i < n - k"),
        ('printf("a-b", x+y);', "y)", "y - z)", 'printf("a-b", x+y-z)'),
    ],
)
def test_sums_are_worked_out_where_the_change_made_them(source: str, old: str, new: str, shown: str) -> None:
    text, made = candidate(source, old, new)
    assert describe(text, folded(text, made)).endswith(f"`{shown}`")


SIGNS = st.sampled_from(["<", "==", "//", ">= 1 +", "< n - 1 +", "!= 3 -"])
TERMS = st.sampled_from(["n", "0", "1", "2", "10", "m[0]", "(n - 1)", "2 * n", "n * 2", "n % 3", "-n"])


@given(st.lists(st.tuples(st.sampled_from("+-"), TERMS), max_size=5), TERMS, SIGNS)
def test_what_is_worked_out_has_the_same_value(rest: list[tuple[str, str]], first: str, sign: str) -> None:
    changed = " ".join([first, *(f"{operator} {term}" for operator, term in rest)])
    text, made = candidate(f"x = k {sign} here", "here", changed)
    after = folded(text, made).apply(text).decode()
    for n in (-3, 0, 7):
        known = {"n": n, "m": [4], "k": 5}
        assert _value(after, known) == _value(made.apply(text).decode(), known)


SIDES = st.sampled_from(["n", "n + 1", "k - 2", "3", "n * 2 - 1", "m[0] + 4", "(n - 1) + 1", "-n - 1"])


@given(SIDES, SIDES, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), SIDES, st.booleans())
def test_comparisons_keep_their_value(one: str, other: str, sign: str, old: str, negated: bool) -> None:
    made_of = f"not ({one} {sign} {other})" if negated else f"{one} {sign} {other}"
    text, made = candidate(f"x = k > 1 and {old}_ or n < 2".replace("_", " == 0"), f"{old} == 0", made_of)
    after = folded(text, made).apply(text).decode()
    for n in (-3, -1, 0, 1, 2, 7):
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
        ('x = s.split(" ")', '" "', '"  "', '`x = s.split(" ")` → `x = s.split("  ")`'),
        ("x = [k for k in s if k]", " if k]", "]", "`x = [k for k in s if k]` → `x = [k for k in s]`"),
    ],
)  # fmt: skip
def test_summaries_name_whole_expressions_or_statements(source: str, old: str, new: str, shown: str) -> None:
    text, made = candidate(source, old, new)
    assert describe(text, made) == f"line 1: {shown}"


LOOP = "for (int i = 0; i < n - 1; i++) if (i % 2 == 1) total += a[i];"


def changed(old: str, new: str, cost: float) -> Candidate:
    start = LOOP.index(old)
    return Candidate((Edit(start, start + len(old), new.encode()),), "constant", cost)


def test_of_fixes_that_behave_alike_the_one_with_least_to_read_comes_first() -> None:
    awkward = changed("i < n - 1", "i < n - 1 ? 1 : i < n", 0.4)
    wordy = changed("i < n - 1", "i < n - 1 || i == n - 1", 0.5)
    plain = changed("n - 1", "n - 1 + 1", 0.9)
    unlikely = changed(" - 1", "", 5.0)
    order = preferred(LOOP.encode(), [awkward, wordy, plain, unlikely])
    assert order[0] is plain
    assert order[-1] is unlikely


def test_a_character_gives_way_to_one_beside_it() -> None:
    text, far = candidate("if (c >= '1') n++;", "'1'", "' '")
    _, near = candidate("if (c >= '1') n++;", "'1'", "'0'")
    assert preferred(text, [far, near]) == [near, far]


def test_a_statement_more_is_said_to_be_inserted() -> None:
    source = b"if n:\n    total += n\n"
    place = source.index(b"total")
    inserted = Candidate((Edit(place, place, b"n -= 1\n    "),), "insertion", 1.0)
    assert describe(source, inserted) == "line 2: inserts `n -= 1`"

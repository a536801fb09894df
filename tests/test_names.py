"""What a program calls the values it reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.languages.c.names import scanned
from learn2fix.languages.names import TAKEN
from learn2fix.languages.python.names import assigned

words = st.from_regex(r"[a-z_][a-z0-9_]{0,6}", fullmatch=True).filter(
    lambda word: word not in TAKEN | {"input"}
)


@given(st.lists(words, min_size=1, max_size=6, unique=True), st.data())
def test_scanf_names_its_values_in_order(names: list[str], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(names)))
    calls = [part for part in (names[:cut], names[cut:]) if part]
    lines = [
        f'scanf("{" ".join(["%d"] * len(part))}", {", ".join("&" + name for name in part)});'
        for part in calls
    ]
    source = "int main(void) {\n" + "\n".join(lines) + '\nprintf("%d, %d", 1, 2); }'
    assert scanned(source, len(names)) == tuple(names)
    assert scanned(source, len(names) + 1) == ()


@pytest.mark.parametrize(
    ("source", "count", "names"),
    [
        ('while (scanf("%d,%d", &a, &b) == 2) ;', 2, ("a", "b")),
        ('if (scanf("%d", &n) != 1) return 1;', 1, ("n",)),
        ('scanf("%d", &a[i]);', 1, ()),
        ('scanf("%d %d", &a, &a);', 2, ()),
        ('scanf("%d", &output);', 1, ()),
        ('// scanf("%d", &no);\nscanf("%s", word);', 1, ("word",)),
        ('sscanf(line, "%d", &n);', 1, ()),
        ("int main(void) { return 0; }", 1, ()),
    ],
)
def test_only_plain_variables_are_names(source: str, count: int, names: tuple[str, ...]) -> None:
    assert scanned(source, count) == names


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
    assert len(scanned(source, count)) in (0, count)
    assert len(assigned(source, count)) in (0, count)

"""Arrays that a program reads into bound the inputs that make sense."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from learn2fix.domain import Domain
from learn2fix.domain.ranges import Range
from learn2fix.languages.opening import open_subject
from learn2fix.sandbox import Sandbox

SOURCE = r"""
#include <stdio.h>
#define MOST 8
char op[2];
int main(void) {
    char word[MOST];
    int n, a[5];
    scanf("%s %s %d", op, word, &n);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    printf("%s%s %d\n", op, word, n);
    return 0;
}
"""
Opened = Callable[[str], Domain]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    path = tmp_path / "tool.c"
    path.write_text(SOURCE)

    def open_with(example: str) -> Domain:
        with Sandbox() as sandbox, closing(open_subject(str(path), sandbox)) as subject:
            return subject.domain([example])

    return open_with


def test_inputs_are_no_longer_than_the_arrays_they_are_read_into(opened: Opened) -> None:
    domain = opened("+ abc 3\n1 2 3\n")
    assert [variable.name for variable in domain.variables] == ["op", "word", "a"]
    assert domain.lengths == (Range(0, 1), Range(0, 7), Range(0, 5))
    assert domain.inside(["+", "abcdefg", [1] * 5])
    assert not domain.inside(["++", "abc", [1]])
    assert not domain.inside(["+", "abcdefgh", [1]])
    assert not domain.inside(["+", "abc", [1] * 6])


def test_where_the_failing_input_does_not_fit_that_may_be_the_bug(opened: Opened) -> None:
    domain = opened("+ abcdefgh 3\n1 2 3\n")
    assert domain.inside(["+", "abcdefghi", [1]])
    assert not domain.inside(["++", "abc", [1]])


def test_a_length_of_the_user_counts_instead(opened: Opened) -> None:
    domain = opened("+ abc 3\n1 2 3\n")
    wider = domain.with_ranges(domain.ranges, (Range(), Range(1, 20)))
    assert wider.lengths == (Range(0, 1), Range(1, 20), Range(0, 5))

"""Words that a program looks for get into the inputs."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.fuzzing import EXTENDED, Fuzzer, compared_letters, compared_numbers, compared_words, infer
from learn2fix.fuzzing.words import spliced, with_a_number


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("if (s[i] == 'b' && s[i+1] == 'e' && s[i + 2] == 'a' && s[i+3]=='r') n++;", ("bear",)),
        ('if (strcmp(word, "alloc") == 0) printf("%d", n);', ("alloc",)),
        ('printf("YES");', ()),
        ("if 'ab' in text or text.startswith(\"xy\"):", ("ab", "xy")),
        ("if (c == 'x') n++;", ()),
    ],
)
def test_words_are_those_that_a_line_compares_with(source: str, words: tuple[str, ...]) -> None:
    assert compared_words(source) == words


def test_letters_are_those_that_a_source_compares_with() -> None:
    assert compared_letters("if (c == '@') n++; switch (d) { case 'x': break; }") == "@x"
    assert compared_letters("c = 'x'; if (d == '\\n') n++;") == ""
    assert compared_letters("if (c >= '1' && c <= 'z') n++;") == "102zy"
    assert compared_letters("PAIRS = {')': '(', 'x': 1}") == ")(x"
    assert compared_letters("c = d ? 'a' : 'b'; x = {'ab': 'c'}") == ""
    assert compared_letters(r"if (c == '\"' || c == '\\') n++;") == '"\\'
    assert compared_letters("if (s[i] == 64) n++; if (s[i] >= 65 && t[i] < 200 && u < 70) n++;") == "@AB"


def test_letters_that_a_program_compares_with_are_usual() -> None:
    domain = FormLayout(read_form("s:word")).domain()
    start = domain.parse("abcabc")
    usual = infer([start.values], letters="@")
    fuzzer = Fuzzer(domain, [start], random.Random(1), operators=EXTENDED, contract=usual, letters="@")
    assert sum("@" in new.text for new in islice(fuzzer, 100)) > 3


texts = st.text("abc", max_size=5)


@given(
    st.one_of(texts, st.lists(texts, max_size=4), st.integers(), st.lists(st.integers(), max_size=3)),
    st.integers(0, 99),
)
def test_a_value_keeps_its_shape(value: Any, seed: int) -> None:
    new = spliced(value, ("xyz", "q"), random.Random(seed))
    assert type(new) is type(value)
    if isinstance(value, list):
        assert len(new) == len(value)


def test_a_fuzzer_tries_the_words() -> None:
    domain = FormLayout(read_form("s:word")).domain()
    start = domain.parse("zzzzzz")
    usual = infer([start.values])
    rng = random.Random(1)
    fuzzer = Fuzzer(domain, [start], rng, operators=EXTENDED, contract=usual, words=("bear",), widenings=2)
    assert any("bear" in new.text for new in islice(fuzzer, 100))


def test_numbers_that_a_program_asks_for_get_into_lists() -> None:
    source = "if i == j and m[i][j] != 1 or a == -3 or b == 2.5 or c <= 7: pass"
    assert compared_numbers(source) == (1, -3)
    rng = random.Random(1)
    made = [with_a_number([[4, 5], [(6, "a"), True]], (0, 1), rng) for _ in range(60)]
    assert [[4, 5], [(0, "a"), True]] in made
    assert [[4, 1], [(6, "a"), True]] in made
    assert with_a_number("ab", (0,), rng) == "ab"
    assert with_a_number(["ab"], (0,), rng) == ["ab"]

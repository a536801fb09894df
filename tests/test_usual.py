"""What is usual of lists, texts and records: read off known inputs, kept by fuzzing, dropped when refuted."""

from __future__ import annotations

import hashlib
import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.test_shapes import fits

from learn2fix.domain import Domain, call_domain, words_domain
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.fuzzing import EXTENDED, PAPER, Contract, Fuzzer, infer, wide
from learn2fix.fuzzing.shrinking import cut, long, size
from learn2fix.model import Input

LISTS = st.lists(st.integers(-5, 300), min_size=1, max_size=6)
WORDS = st.text("abcXY01.#", min_size=1, max_size=6)
ROWS = st.lists(st.tuples(st.integers(1, 50), WORDS), min_size=1, max_size=4)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=4
    )
)
INPUTS = st.tuples(LISTS | st.permutations(range(1, 6)), WORDS, ROWS, TABLES, st.integers(0, 20))


def call(values: tuple[Any, ...]) -> tuple[Domain, Input]:
    text = ", ".join(map(repr, values))
    domain = call_domain([text], ["a", "s", "rows", "table", "k"][: len(values)])
    return domain, domain.parse(text)


def made(text: str, count: int = 80, known: tuple[str, ...] = (), **options: Any) -> list[tuple[Any, ...]]:
    domain = call_domain([text, *known], ["a", "b", "c"])
    contract = infer([domain.parse(each).values for each in (text, *known)])
    fuzzer = Fuzzer(
        domain, [domain.parse(text)], random.Random(1), operators=EXTENDED, contract=contract, **options
    )
    return [new.values for new in fuzzer.take(count)]


@given(INPUTS, st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_what_is_made_keeps_shape_and_contract_and_repeats(values: tuple[Any, ...], seed: int) -> None:
    domain, start = call(values)
    contract = infer([start.values])
    assert contract.holds(start.values)

    def fuzzer() -> Fuzzer:
        return Fuzzer(domain, [start], random.Random(seed), operators=EXTENDED, contract=contract)

    fuzzed = fuzzer()
    for new in fuzzed.take(25):
        assert all(map(fits, new.values, domain.shapes)), new
        assert not fuzzed.usual_left or contract.holds(new.values), new
    assert fuzzer().take(25) == fuzzer().take(25)


@given(st.lists(INPUTS, min_size=1, max_size=4), INPUTS)
@settings(deadline=None)
def test_known_inputs_are_usual_and_what_made_sense_becomes_so(known: list[Any], other: Any) -> None:
    contract = infer(known)
    assert all(contract.holds(values) for values in known)
    allowed = contract.allowing(other)
    assert all(each.holds(value) for each, value in zip(allowed.values, other, strict=True))
    assert all(each.holds(other) for each in allowed.relations)
    assert all(allowed.holds(values) for values in known)
    assert all(contract.widened(times).holds(values) for times in (1, 2) for values in known)
    assert all(contract.far().holds(values) for values in known)


@given(INPUTS)
@settings(max_examples=60, deadline=None)
def test_shrinking_ends_and_keeps_shape_and_contract(values: tuple[Any, ...]) -> None:
    domain, start = call(values)
    contract = infer([start.values])
    fuzzer = Fuzzer(domain, [start], random.Random(1), contract=contract)
    given, steps = start, 0
    while (new := next(fuzzer.smaller(given), None)) is not None:
        assert size(new.values) < size(given.values)
        assert all(map(fits, new.values, domain.shapes)), new
        assert contract.holds(new.values)
        given, steps = new, steps + 1
        assert steps < 1000
    assert [len(value) for value in given.values[:3]] == [1, 1, 1]


@given(INPUTS, st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_far_inputs_keep_their_shape_and_signs(values: tuple[Any, ...], seed: int) -> None:
    domain, start = call(values)
    contract = infer([start.values])
    found = list(islice(wide(domain, [start], [7, 100], contract, random.Random(seed), set(), 9), 20))
    assert found
    for new in found:
        assert all(map(fits, new.values, domain.shapes)), new
        assert min(new.values[0], default=0) >= 0 or min(values[0]) < 0


def test_permutations_stay_permutations() -> None:
    found = made("[3, 1, 2, 4]")
    assert all(sorted(a) == list(range(1, len(a) + 1)) for (a,) in found)
    assert {len(a) for (a,) in found} >= {1, 2, 3, 4, 5}
    assert all(sorted(a) == list(range(len(a))) for (a,) in made("[2, 0, 1, 3]"))


def test_sorted_lists_stay_sorted_and_strictly_so() -> None:
    assert all(a == sorted(a) for (a,) in made("[1, 1, 4, 9, 30]", known=("[2, 3, 3, 8]",)))
    assert all(a == sorted(set(a)) for (a,) in made("[1, 3, 4, 9, 30]", known=("[2, 5, 6, 8]",)))
    assert all(a == sorted(a, reverse=True) for (a,) in made("[30, 9, 4, 4, 1]", known=("[7, 5, 5, 2]",)))
    assert any(a != sorted(a) for (a,) in made("[1, 3, 4, 9, 30]", known=("[2, 1, 9]",)))


def test_one_example_in_order_says_nothing() -> None:
    """What tells fixes apart may be what a tidy example does not have: equal elements, another order."""
    found = [a for (a,) in made("[1, 3, 4, 5]")]
    assert any(a != sorted(a) for a in found)
    assert any(len(set(a)) < len(a) for a in found)


def test_what_may_be_a_coincidence_is_not_kept() -> None:
    found = [a for (a,) in made("[17, 3, 29, 55]")]
    assert any(len(set(a)) < len(a) for a in found)
    assert any(a == sorted(a) for a in found)
    assert any(max(a) > len(a) for a in found)
    assert any(max(a) > len(a) for (a,) in made("[3, 1, 2, 2]"))
    assert any(max(a) > len(a) for (a,) in made("[1, 2, 3]"))


def test_indices_and_numbers_bounded_by_another_stay_in_bounds() -> None:
    assert all(1 <= x <= len(a) for (a,) in made("[2, 1, 5, 5, 1]") for x in a)
    found = made("[(1, 2), (4, 3), (2, 5), (5, 1)], 5")
    assert all(x <= k for rows, k in found for row in rows for x in row)
    assert len({k for _, k in found}) > 2
    assert all(1 <= k <= len(a) for a, k in made("[40, 2, 17, 30, 2], 3"))
    queries = made("[30, 10, 40, 10, 50], [(1, 3), (2, 5), (3, 3)]")
    assert all(1 <= low <= high <= len(a) for a, rows in queries for low, high in rows)


def test_texts_stay_over_their_characters() -> None:
    assert {c for (s,) in made("'hello'") for c in s} > set("hello")
    assert all(s.isascii() and s.islower() and s.isalpha() for (s,) in made("'hello'"))
    assert all(s.isdigit() for (s,) in made("'4021'"))
    assert {c for (s,) in made("'abbaba'") for c in s} == {"a", "b"}
    assert any("." in s for (s,) in made("'hello'", known=("'a.b'",)))
    assert all(len(s) == 5 and s[2] == ":" for (s,) in made("'07:45'"))


def test_tables_stay_tables_and_equal_lengths_equal() -> None:
    tables = [rows for (rows,) in made("['.#.', '##.', '..#']")]
    assert all(len(set(map(len, rows))) == 1 for rows in tables)
    assert {c for rows in tables for row in rows for c in row} == {".", "#"}
    assert {len(rows[0]) for (rows,) in made("['.#.', '##.']")} >= {2, 3, 4}
    assert all(len(a) == len(b) for a, b in made("[1, 20, 3], [4, 5, 60]"))
    assert any(len(a) != len(s) for a, s in made("[1, 20, 3], 'abc'"))


def test_square_tables_stay_square_and_constant_counts_constant() -> None:
    assert all(len(rows) == len(rows[0]) for (rows,) in made("['.#.', '##.', '..#']"))
    domain = FormLayout(read_form("a[4], s:word")).domain()
    start = domain.parse("5 0 70 3 abc\n")
    fuzzer = Fuzzer(domain, [start], random.Random(1), operators=EXTENDED, contract=infer([start.values]))
    found = [new.values for new in fuzzer.take(60)]
    assert {len(a) for a, _ in found} == {4}
    assert sum(a[:2] == a[2:] or len(set(a)) == 1 for a, _ in found) < 5
    assert {len(new.values[0]) for new in fuzzer.smaller(start)} == {4}


def test_texts_that_come_again_and_again_are_words() -> None:
    rows = [row for (rows,) in made("[('push', 3), ('pop', 0), ('push', 4), ('pop', 1)]") for row in rows]
    assert {word for word, _ in rows} == {"push", "pop"}


def test_lengths_are_usual_up_to_twice_the_longest_and_fixed_ones_stay() -> None:
    lengths = {len(a) for (a,) in made("[5, 0, 70, 3, 5]", 200)}
    assert min(lengths) == 1
    assert 6 <= max(lengths) <= 10
    assert {len(a) for (a,) in made("[5, 0, 7]", known=("[1, 2, 9]", "[4, 4, 4]"))} == {3}


def test_each_field_of_a_record_has_its_own_signs() -> None:
    rows = [row for (rows,) in made("[(1, -500), (3, 20), (2, 7)]") for row in rows]
    assert all(first >= 1 for first, _ in rows)
    assert any(second < 0 for _, second in rows)
    assert max(first for first, _ in rows) <= 10 < max(second for _, second in rows)


def test_an_answer_refutes_what_seemed_usual() -> None:
    domain = call_domain(["[1, 3, 4, 9, 30]"], ["a"])
    start = domain.parse("[1, 3, 4, 9, 30]")
    contract = infer([start.values, ([2, 5, 6, 8],)])
    fuzzer = Fuzzer(domain, [start], random.Random(1), operators=EXTENDED, contract=contract)
    assert all(new.values[0] == sorted(new.values[0]) for new in fuzzer.take(40))
    fuzzer.allow(domain.parse("[5, 2, 2]"))
    found = [new.values[0] for new in fuzzer.take(40)]
    assert any(a != sorted(a) for a in found)
    assert any(len(set(a)) < len(a) for a in found)


def test_what_makes_no_sense_says_what_is_usual() -> None:
    domain = call_domain(["[17, 3, 29, 55], 2"], ["a", "k"])
    start = domain.parse("[17, 3, 29, 55], 2")
    fuzzer = Fuzzer(domain, [start], random.Random(1), operators=EXTENDED, contract=infer([start.values]))
    assert any(len(set(new.values[0])) < len(new.values[0]) for new in fuzzer.take(40))
    fuzzer.refuse(domain.parse("[17, 3, 3], 2"))
    assert all(len(set(new.values[0])) == len(new.values[0]) for new in fuzzer.take(40))
    assert fuzzer.contract is not None
    assert fuzzer.contract.holds(([5, 0], 1))
    fuzzer.refuse(domain.parse("[17, 0], 1"))
    assert not fuzzer.contract.holds(([5, 0], 1))
    fuzzer.allow(domain.parse("[5, 5], 1"))
    assert any(len(set(new.values[0])) < len(new.values[0]) for new in fuzzer.take(60))


def test_small_inputs_come_early_even_near_long_ones() -> None:
    numbers = random.Random(1).choices(range(1000), k=300)
    found = made(f"{numbers}", 20)
    assert sum(len(a) <= 8 for (a,) in found) >= 10
    tables = [rows for (rows,) in made(f"{[numbers[:40]] * 40}", 20)]
    assert sum(len(rows) <= 8 and len(rows[0]) <= 8 for rows in tables) >= 10
    assert all(len(set(map(len, rows))) == 1 for rows in tables)
    assert long(({"a": 1}, numbers))
    assert long(([numbers],))
    assert not long((3, [1, 2]))


@pytest.mark.parametrize(
    ("text", "extended", "usual", "expected"),
    [
        ("12 -3 4.5", False, False, "0123a02291bee8b0"),
        ("12 -3 4.5", False, True, "ad5c3ea07416d552"),
        ("12 -3 4.5", True, False, "f2579cf39ce8feeb"),
        ("12 -3 4.5", True, True, "7b360dd03e35f6c4"),
        ("7, 0, True", True, True, "02cd53410f4fdf2f"),
    ],
)
def test_plain_numbers_are_fuzzed_as_in_the_paper(
    text: str, extended: bool, usual: bool, expected: str
) -> None:
    """Where inputs are nothing but numbers, a seed gives the same inputs in every version."""
    domain = call_domain([text], ["a", "b", "c"]) if "," in text else words_domain([text])
    start = domain.parse(text)
    fuzzer = Fuzzer(
        domain,
        [start],
        random.Random(5),
        operators=EXTENDED if extended else PAPER,
        contract=infer([start.values]) if usual else None,
        together=0.2 if usual else 0.0,
        widenings=2,
    )
    texts = "\n".join(new.text for new in fuzzer.take(200))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == expected


def test_far_numbers_are_made_as_before() -> None:
    domain = words_domain(["12 -3 4.5"])
    start = domain.parse("12 -3 4.5")
    found = wide(domain, [start], [7, 100], infer([start.values]), random.Random(5), {start.text}, 9)
    texts = "\n".join(new.text for new in islice(found, 100))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "343cb5b75e1dd116"


def test_no_contract_without_known_inputs() -> None:
    assert infer([]) == Contract()
    assert infer([]).mended(([1], "a")) == ([1], "a")


def test_a_list_of_numbers_and_lists_is_cut_too() -> None:
    values = ([1, [2, 3]],)
    assert all(isinstance(cut(values, random.Random(seed))[0], list) for seed in range(40))

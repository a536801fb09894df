"""Which edits are combined, from what each of them meets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.model import Candidate, Edit
from learn2fix.repair.combining import Met, combined, grouped


def single(place: int, cost: float = 1.0) -> Candidate:
    return Candidate((Edit(place, place + 1, b"x"),), str(place), cost)


def pairs(seeds: Sequence[Candidate], partners: Sequence[Candidate]) -> Iterator[Candidate]:
    made = [
        Candidate(tuple(sorted((*a.edits, *b.edits))), f"{a.kind} + {b.kind}", a.cost + b.cost)
        for a, b in product(seeds, partners)
        if not set(a.edits) & set(b.edits)
    ]
    return iter(sorted(made, key=lambda pair: pair.cost))


def kinds(met: Sequence[set[int]], wanted: int, costs: Sequence[float] = ()) -> list[str]:
    singles = [single(n, costs[n] if costs else 1.0) for n in range(len(met))]
    groups = grouped({n: frozenset(places) for n, places in enumerate(met)}, singles)
    return [each.kind for each in combined(groups, frozenset(range(wanted)), pairs)]


def test_two_edits_that_are_right_on_different_bugs_are_combined() -> None:
    assert kinds([{0}, {1}, set(), {0}], 2, [1.0, 1.0, 0.1, 3.0]) == ["0 + 1", "3 + 1"]


def test_what_meets_everything_alone_needs_no_other() -> None:
    assert kinds([{0, 1}, {1}], 2) == []


def test_three_edits_where_two_are_not_enough() -> None:
    assert kinds([{0}, {1}, {2}], 3) == ["0 + 1 + 2"]


METS = st.lists(st.frozensets(st.integers(0, 3)), max_size=8)


@given(METS, st.integers(1, 4))
def test_what_is_combined_meets_between_it_all_that_is_wanted(met: list[Met], wanted: int) -> None:
    singles = [single(n, 1 + n / 10) for n in range(len(met))]
    groups = grouped(dict(enumerate(met)), singles)
    made = list(combined(groups, frozenset(range(wanted)), pairs))
    for each in made:
        parts = [met[edit.start] for edit in each.edits]
        assert frozenset[int]().union(*parts) >= set(range(wanted))
        assert 2 <= len(parts) <= 3
    assert [each.cost for each in made] == sorted(each.cost for each in made)

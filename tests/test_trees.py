"""Values that hold values of their own kind stay such when they are changed."""

from __future__ import annotations

import random
from typing import Any

import pytest

from learn2fix.domain.trees import Tree
from learn2fix.fuzzing.mutations import EXTENDED, mutate
from learn2fix.fuzzing.trees import DEEPEST

PAIRS = ((None, (None, None)), None)
CHAIN = {"value": 3, "next": {"value": 5, "next": None}}


def is_pair(value: Any) -> bool:
    return value is None or (isinstance(value, tuple) and len(value) == 2 and all(map(is_pair, value)))


def is_chain(value: Any) -> bool:
    return value is None or (
        set(value) == {"value", "next"} and type(value["value"]) is int and is_chain(value["next"])
    )


def levels(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return 1 + max(map(levels, parts)) if parts else 0


@pytest.mark.parametrize(("start", "holds"), [(PAIRS, is_pair), (CHAIN, is_chain)])
def test_a_tree_becomes_other_trees(start: Any, holds: Any) -> None:
    rng = random.Random(1)
    found = []
    value = start
    for _ in range(300):
        value = mutate(value, rng.choice(EXTENDED), (), rng)
        assert holds(value)
        if Tree.of(value) is None:
            value = start
        found.append(value)
    assert len({repr(each) for each in found}) > 30
    assert {levels(each) for each in found} >= {2, 3, 4}
    assert max(map(levels, found)) <= DEEPEST + 1


@pytest.mark.parametrize("value", [(), {}, (1, 2), ((1, 2), (3, 4)), [[1], [2]], {"a": {"b": 1}}, "ab", 3])
def test_what_holds_nothing_of_its_own_kind_is_no_tree(value: Any) -> None:
    assert Tree.of(value) is None


def test_a_tree_is_known_by_branches_that_end_unevenly_or_in_nothing() -> None:
    assert Tree.of((((1, 2), (3, 4)), 5)) is not None
    assert Tree.of(((None, None), (None, None))) is not None
    assert Tree.of((((1, 2), (3, 4)), ((5, 6), (7, 8)))) is None


def test_places_where_only_none_was_seen_stay_empty() -> None:
    rng = random.Random(2)
    assert all(mutate((None, None), rng.choice(EXTENDED), (), rng) == (None, None) for _ in range(50))
    assert {mutate((None, 3), rng.choice(EXTENDED), (), rng)[0] for _ in range(50)} == {None}

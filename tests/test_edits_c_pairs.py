"""Pairs of edits."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.edits.parsed import squeezed

ZOO = Path(__file__).parent / "zoo"
SOURCES = [path.read_bytes() for path in sorted(ZOO.glob("*/buggy.c"))]
TWO_FAULTS = b"""int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (1 < a && a <= b && b < 16)
        b = 2;
    return b + 1;
}
"""


def squeeze(data: bytes) -> bytes:
    return squeezed(data.decode("latin-1")).encode("latin-1")


def test_two_faults_of_one_statement_are_found_without_seeds() -> None:
    wanted = squeeze(TWO_FAULTS.replace(b"1 < a", b"1 <= a").replace(b"b < 16", b"b < 17"))
    found = [
        squeeze(pair.apply(TWO_FAULTS)) for pair in islice(CPairs().candidates(TWO_FAULTS, Hints()), 2000)
    ]
    assert wanted in found[:500]


def test_seeds_lead_to_faults_of_two_statements() -> None:
    seed = next(c for c in CEdits().candidates(TWO_FAULTS, Hints()) if b"1 <= a" in c.apply(TWO_FAULTS))
    wanted = squeeze(TWO_FAULTS.replace(b"1 < a", b"1 <= a").replace(b"return b + 1", b"return b - 1"))
    pairs = list(CPairs([seed]).candidates(TWO_FAULTS, Hints()))
    assert wanted in [squeeze(pair.apply(TWO_FAULTS)) for pair in pairs]
    assert all(set(seed.edits) < set(pair.edits) for pair in pairs)


def test_a_statement_that_a_near_miss_inserts_is_tried_behind_conditions() -> None:
    always = next(
        c for c in CEdits().candidates(TWO_FAULTS, Hints()) if b"b++;\n    return" in c.apply(TWO_FAULTS)
    )
    made = list(CPairs([always]).candidates(TWO_FAULTS, Hints()))
    found = [each for each in made if b"if (a > b) b++;\n    return" in each.apply(TWO_FAULTS)]
    assert found
    assert all(each.cost > always.cost for each in found)
    assert [each.cost for each in made] == sorted(each.cost for each in made)


@pytest.mark.parametrize("source", SOURCES[:4])
def test_pairs_are_new_valid_and_in_order(source: bytes) -> None:
    singles = {squeeze(c.apply(source)) for c in islice(CEdits().candidates(source, Hints()), 1500)}
    pairs = list(islice(CPairs().candidates(source, Hints()), 1500))
    results = [squeeze(pair.apply(source)) for pair in pairs]
    assert len(set(results)) == len(results)
    assert not singles & set(results)
    costs = [pair.cost for pair in pairs]
    assert costs == sorted(costs)
    assert pairs == list(islice(CPairs().candidates(source, Hints()), 1500))

"""Pairs of edits, and GenProg's operators."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.edits.genprog import GenProgEdits
from learn2fix.languages.c.edits.pairs import CPairs
from learn2fix.languages.c.edits.parsed import squeezed
from learn2fix.languages.c.syntax import parse
from learn2fix.model import Candidate

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


def weights(source: bytes) -> dict[int, float]:
    return {line: 1.0 if line % 2 else 0.1 for line in range(1, source.count(b"\n") + 2)}


@pytest.mark.parametrize("source", SOURCES)
def test_every_genprog_edit_is_a_program(source: bytes) -> None:
    edits = list(GenProgEdits(source, weights(source)).all_edits())
    assert {edit.kind for edit in edits} >= {"delete", "append"}
    for edit in edits[:300]:
        assert not parse(edit.apply(source)).has_error


def test_genprog_edits_only_weighted_lines() -> None:
    source = b"int main(void) {\n  int a = 1;\n  a = 2;\n  a = 3;\n  return a;\n}\n"
    edits = list(GenProgEdits(source, {3: 1.0}).all_edits())
    texts = {edit.apply(source).decode() for edit in edits}
    assert "int main(void) {\n  int a = 1;\n  \n  a = 3;\n  return a;\n}\n" in texts
    assert "int main(void) {\n  int a = 1;\n  a = 2;\n  return a;\n  a = 3;\n  return a;\n}\n" in texts
    assert "int main(void) {\n  int a = 1;\n  a = 3;\n  a = 2;\n  return a;\n}\n" in texts
    assert sum(edit.kind == "delete" for edit in edits) == 1


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SOURCES), st.integers(0, 10**6))
def test_mutation_and_crossover_give_candidates_that_apply(source: bytes, seed: int) -> None:
    rng = random.Random(seed)
    genprog = GenProgEdits(source, weights(source))
    parents = [Candidate((), "original", 0.0), Candidate((), "original", 0.0)]
    for _ in range(4):
        parents = [genprog.mutate(parent, rng) for parent in parents]
        for child in (*parents, *genprog.crossover(parents[0], parents[1], rng)):
            result = child.apply(source)
            assert result.count(b"{") == result.count(b"}")
            assert all(0 <= e.start <= e.end <= len(source) for e in child.edits)


def test_mutation_is_repeatable() -> None:
    source = SOURCES[0]
    runs = [
        GenProgEdits(source, weights(source)).mutate(Candidate((), "", 0.0), random.Random(7))
        for _ in range(2)
    ]
    assert runs[0] == runs[1]

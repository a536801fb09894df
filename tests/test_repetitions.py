"""The same change at several places at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.edits.ordering import MOST_REPEATED, overlap, with_repetitions
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.model import Candidate, Edit

SOURCE = b"int main(void) { int a = 1, b = 2; if (a < b) a = 3; while (b < 9) b++; return a; }"


CLOCK = b'#include <stdio.h>\nint main(void) { int a = 1, b = 2; printf("%d:%d", a, b); return 0; }'


@pytest.mark.parametrize(("source", "once", "right"), [(SOURCE, b"<", b"<="), (CLOCK, b"%d", b"%02d")])
def test_what_was_done_wrong_twice_is_mended_twice(source: bytes, once: bytes, right: bytes) -> None:
    singles = CEdits().candidates(source, Hints())
    made = {each.apply(source) for each in with_repetitions(singles, source, priors("c"))}
    assert source.replace(once, right) in made


EDITS = st.builds(
    lambda start, length, text: Candidate((Edit(start, start + length, text),), "one", 1.0),
    st.integers(0, 40),
    st.integers(0, 3),
    st.sampled_from([b"x", b"y"]),
)


@given(st.lists(EDITS, max_size=12))
def test_every_candidate_comes_and_repetitions_never_overlap(singles: list[Candidate]) -> None:
    made = list(with_repetitions(singles, b"abcabcabcabc" * 4, priors("c")))
    assert [each for each in made if len(each.edits) == 1] == singles
    for each in made:
        assert len(each.edits) <= MOST_REPEATED
        assert all(not overlap((a,), (b,)) for a in each.edits for b in each.edits if a is not b)


def test_the_same_is_done_to_both_sides_of_a_comparison() -> None:
    source = b"int main(void) { int a = 1, b = 2, c = 3;\nif (a - b == c - a) return 1; return 0; }"
    singles = CEdits().candidates(source, Hints())
    made = {each.apply(source) for each in with_repetitions(singles, source, priors("c"))}
    assert source.replace(b"a - b == c - a", b"abs(a - b) == abs(c - a)") in made


def test_insertions_are_not_repeated() -> None:
    singles = [Candidate((Edit(at, at, b"break;"),), "jump", 1.0) for at in (3, 9)]
    assert list(with_repetitions(singles, SOURCE, priors("c"))) == singles

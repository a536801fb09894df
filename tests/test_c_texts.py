"""A candidate by itself: what is counted in it does not depend on how much of the file is looked at again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging import instrument
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.judging.instrument import STEP
from learn2fix.languages.c.judging.texts import Texts
from learn2fix.languages.c.judging.weave import weave
from learn2fix.languages.c.syntax import parse

ZOO = Path(__file__).parent / "zoo"


@pytest.mark.parametrize("name", ["triangle", "list_peaks", "endless_search", "words_longest"])
def test_only_the_changed_function_is_looked_at_again(name: str) -> None:
    source = (ZOO / name / "buggy.c").read_bytes()
    texts = Texts(source, find_sites(source), instrument.steps(parse(source), STEP), ours=False)
    for candidate in islice(CEdits().candidates(source, Hints()), 0, 4000, 9):
        patched = candidate.apply(source)
        whole = weave(patched, instrument.steps(parse(patched), STEP))
        assert texts._restructured(source, candidate) == whole

"""Meta-programs of drawn programs and edits: they compile, and each candidate prints what it would alone."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.responses import printed

from c_programs import Change, Program, changes, programs
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.judging.instrument import STEP, steps
from learn2fix.languages.c.judging.meta import Meta
from learn2fix.languages.c.judging.rendering import MARK, owner, passed
from learn2fix.languages.c.syntax import parse
from learn2fix.model import Candidate, Input

GIVEN = [(3, 1, 2), (0, 0, 0), (7, 40, 5)]


@st.composite
def candidates(draw: st.DrawFn) -> tuple[Program, list[list[Change]]]:
    """A program, and changes of it: one alone or two that do not touch each other."""
    program = draw(programs())
    found = []
    for wanted in draw(st.lists(st.integers(1, 2), min_size=8, max_size=25)):
        chosen: list[Change] = []
        for _ in range(wanted):
            change = draw(changes(program))
            around = (change.edits[0].start, change.edits[-1].end)
            if all(c.edits[-1].end < around[0] or around[1] < c.edits[0].start for c in chosen):
                chosen.append(change)
        found.append(chosen)
    return program, found


def candidate(chosen: list[Change]) -> Candidate:
    return Candidate(tuple(sorted(edit for change in chosen for edit in change.edits)), "drawn", 1.0)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(candidates())
def test_every_candidate_prints_what_it_would_alone(made: tuple[Program, list[list[Change]]]) -> None:
    program, chosen = made
    evaluator = CEvaluator(program.source)
    try:
        ids = evaluator.add([candidate(one) for one in chosen])
        inputs = [Input(" ".join(map(str, given))) for given in GIVEN]
        found = printed(evaluator.outputs(inputs, ids))
        assert not evaluator.uncompilable
        for given_, groups in zip(GIVEN, found, strict=True):
            answers = {i: text for text, members in groups.items() for i in members}
            expected = {
                i: program.run(given_, {change.node: change.becomes for change in one})
                for i, one in zip(ids, chosen, strict=True)
            }
            assert answers == expected
    finally:
        evaluator.close()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(candidates(), st.data())
def test_the_text_of_a_meta_program(made: tuple[Program, list[list[Change]]], data: st.DataObject) -> None:
    """Whoever is in it is marked once, in a row of his own; who is left out leaves no trace."""
    program, chosen = made
    meta = Meta(find_sites(program.source), steps(parse(program.source), STEP))
    for number, one in enumerate(chosen):
        meta.add(number, candidate(one))
    every = {(s, a) for s, spot in enumerate(meta.spots) for a in range(1, len(spot.alternatives) + 1)}
    assert {use for uses in meta.uses for use in uses} == every
    assert marks(meta.text(program.source)) == every
    only = data.draw(st.sets(st.sampled_from(sorted(every)))) if every else set()
    assert marks(meta.text(program.source, only)) == only
    text = meta.text(program.source)
    for row, line in enumerate(text.split(b"\n"), 1):
        mark = MARK.search(line)
        if mark is not None:
            assert owner(text.split(b"\n"), row) == (int(mark.group(1)), int(mark.group(2)))
    assert {use for use in passed(text.split(b"\n"), text.count(b"\n") + 3) if use[1]} == every
    for spot, alternative in only:
        meta.drop(spot, alternative)
    meta.settle()
    assert marks(meta.text(program.source)) == every - only
    assert not any(use in only for uses in meta.uses for use in uses)
    assert sorted([*meta.alone, *meta.identifiers]) == list(range(len(chosen)))


def marks(text: bytes) -> set[tuple[int, int]]:
    """The alternatives that rows of a meta-program belong to."""
    found = [MARK.search(line) for line in text.split(b"\n")]
    pairs = [(int(mark.group(1)), int(mark.group(2))) for mark in found if mark is not None]
    return {pair for pair in pairs if pair[1]}

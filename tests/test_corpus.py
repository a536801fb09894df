"""Inputs on which the program does something new are starts for others; lines that a patch switches off."""

from __future__ import annotations

import random
import time
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.fuzzing import EXTENDED, Corpus, Fuzzer, executed, infer
from learn2fix.guided.silenced import executed_lines, moved_lines
from learn2fix.languages.c.subject import CSubject
from learn2fix.model import Candidate, Edit, Ending, Input, Response
from learn2fix.sandbox import Sandbox

SECRET = "learn"


def matching(text: str) -> int:
    """How far a program that compares letter by letter comes."""
    return next((at for at, letter in enumerate(SECRET) if text[at : at + 1] != letter), len(SECRET))


def steps_taken(corpus: Corpus | None) -> int:
    """The farthest that 3,000 inputs lead."""
    domain = FormLayout(read_form("s:word")).domain()
    start = domain.parse("zzzzz")
    fuzzer = Fuzzer(
        domain, [start], random.Random(1), operators=EXTENDED, contract=infer([start.values]), corpus=corpus
    )
    best = 0
    for new in islice(fuzzer, 3_000):
        reached = matching(new.values[0])
        best = max(best, reached)
        if corpus is not None:
            corpus.note(new, executed([0, reached + 1]))
            corpus.note(new, [("prefix", reached)])
    return best


def test_what_takes_several_steps_is_met_step_by_step() -> None:
    alone, with_corpus = steps_taken(None), steps_taken(Corpus())
    assert with_corpus > alone


@given(st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=12), st.integers(0, 99))
def test_new_is_what_no_input_did_before(runs: list[list[int]], seed: int) -> None:
    corpus, seen = Corpus(), set[int]()
    inputs = [Input(str(place), (place,)) for place in range(len(runs))]
    for each, traits in zip(inputs, runs, strict=True):
        assert corpus.note(each, traits) == (not seen.issuperset(traits))
        seen.update(traits)
    picked = corpus.pick(random.Random(seed))
    assert (picked is None) == (not seen)
    assert picked is None or picked in inputs


def test_answers_are_new_up_to_a_number_of_them() -> None:
    corpus = Corpus()
    said = [Response(Ending.EXITED, str(number)) for number in range(100)]
    new = [corpus.note_answer(Input(str(n), (n,)), response) for n, response in enumerate(said)]
    assert new[0]
    assert not new[-1]
    assert not corpus.note_answer(Input("0", (0,)), said[0])


@given(st.lists(st.text("ab \n", max_size=6), min_size=1, max_size=8), st.data())
def test_lines_that_are_not_touched_are_found_again(parts: list[str], data: st.DataObject) -> None:
    source = "\n".join(parts).encode()
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    text = data.draw(st.text("xy\n", max_size=4)).encode()
    candidate = Candidate((Edit(start, end, text),), "test", 1.0)
    before, after = source.split(b"\n"), candidate.apply(source).split(b"\n")
    for line, moved in moved_lines(source, candidate).items():
        assert before[line - 1] == after[moved - 1]


def test_a_patch_that_switches_a_loop_off_is_told(tmp_path: Path) -> None:
    source = b"""#include <stdio.h>
int main(void) {
    int n, i, s = 0;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        s += i;
    printf("%d", s);
    return 0;
}
"""
    path = tmp_path / "sum.c"
    path.write_bytes(source)
    at = source.index(b"i < n") + 2
    off = Candidate((Edit(at, at + 1, b">"),), "off", 1.0)
    wider = Candidate((Edit(at, at + 1, b"<="),), "wider", 1.0)
    with Sandbox() as sandbox:
        program = CSubject(path, None, sandbox)
        evaluator = program.evaluator(time.monotonic)
        try:
            domain = program.domain(["3"])
            inputs = [domain.parse("3"), domain.parse("1")]
            assert executed_lines(program, evaluator, off, inputs, time.monotonic).silenced == {6}
            assert not executed_lines(program, evaluator, wider, inputs, time.monotonic).silenced
        finally:
            evaluator.close()
            program.close()

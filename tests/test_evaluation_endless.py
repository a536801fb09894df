"""How many steps a run is given, and what becomes of one that takes them all."""

from __future__ import annotations

import tomllib
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.responses import printed, texts

from evaluator_conformance import ZOO, change, need
from learn2fix.languages.c.judging.budget import ENDLESS_FLOOR, FLOOR, Known, caught_after
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.model import Candidate, Ending, Input, Outcome

ENDLESS = sorted(path.name for path in ZOO.glob("endless_*"))
MENDED = {
    "endless_bits": (b"n ^= n - 1", b"n &= n - 1"),
    "endless_bound": (b"if (d > 2) d++", b"d++"),
    "endless_print": (b"i >= 1; i++", b"i >= 1; i--"),
    "endless_recursion": (b"digits(n - 10)", b"digits(n / 10)"),
    "endless_search": (b"(low + high) / 2", b"(low + high + 1) / 2"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_program_that_never_ends_has_the_answer_of_its_kind_and_a_repair(name: str) -> None:
    """The original among its candidates says what it says by itself, though it is cut much earlier."""
    source, golden = ((ZOO / name / which).read_bytes() for which in ("buggy.c", "golden.c"))
    inputs = [Input(t) for t in tomllib.loads((ZOO / name / "subject.toml").read_text())["failing"]]
    with closing(CEvaluator(golden)) as right:
        expected = texts(right.original(inputs))
    with closing(CEvaluator(source)) as evaluator:
        ids = evaluator.add([change(source, *MENDED[name]), Candidate((), "none", 0.0)])
        needs = [need(given.text, answer) for given, answer in zip(inputs, expected, strict=True)]
        assert evaluator.judge(needs).survivors == (0,)
        shown = texts(evaluator.original(inputs))
        assert printed(evaluator.outputs(inputs, ids)) == [
            {right: (0,), wrong: (1,)} for right, wrong in zip(expected, shown, strict=True)
        ]
    kind = {"endless_print": "⟨endless output⟩", "endless_recursion": "⟨crash: SIGSEGV⟩"}
    assert set(shown) == {kind.get(name, "⟨no answer in time⟩")}


PREPARED = rb"""
#include <stdio.h>
int table[1000];
int main(void) {
    int n, i, k, large[200000];
    for (k = 0; k < 300; k++)
        for (i = 0; i < 1000; i++) table[i] += i * k;
    scanf("%d", &n);
    large[n % 7] = n;
    for (i = 0; i < n; i += 0) table[n % 10] ^= 1;
    printf("%d %d\n", table[3], i);
    return 0;
}
"""


def test_what_a_program_does_before_it_gets_caught_is_given_to_its_candidates() -> None:
    with closing(CEvaluator(PREPARED)) as evaluator:
        ids = evaluator.add([change(PREPARED, b"i += 0", b"i += %d" % n) for n in range(3)])
        assert printed(evaluator.outputs([Input("20")], ids)) == [
            {"⟨no answer in time⟩": (0,), "134550 20": (1, 2)}
        ]
        known = evaluator._known[Input("20")]
        assert known.begun is not None
        assert 300_000 < known.begun < 301_000


@given(
    st.lists(st.integers(0, 5), max_size=60),
    st.lists(st.integers(0, 5), min_size=1, max_size=6),
    st.integers(40, 120),
)
def test_where_a_run_was_caught_is_the_last_step_outside_of_what_it_repeats(
    before: list[int], repeated: list[int], half: int
) -> None:
    steps = (before + repeated * (2 * half))[: 2 * half]
    first, second = steps[:half], steps[half:]

    def left(part: list[int]) -> list[int]:
        """As the program keeps it: the steps that were left when each counter ran last, 0 for never."""
        return [min((half - n for n, step in enumerate(part) if step == k), default=0) for k in range(6)]

    outside = [n for n, step in enumerate(first) if step not in second]
    assert caught_after(left(first), left(second), half) == max(outside, default=0)


@given(st.integers(0, 10**9))
def test_a_candidate_may_take_more_steps_than_the_original(steps: int) -> None:
    ended = Known(Outcome(Ending.EXITED), steps)
    crashed = Known(Outcome(Ending.SIGNALLED, status=11), steps)
    caught = Known(Outcome(Ending.TIMEOUT), 10**9, begun=steps)
    assert steps + FLOOR <= ended.budget() <= crashed.budget()
    assert steps + ENDLESS_FLOOR <= caught.budget() <= ended.budget()


READS_ON = b'#include <stdio.h>\nint main(void){int n;while(scanf("%d",&n))printf("%d\\n",n+1);return 0;}'


def test_reading_on_at_the_end_of_the_input_is_cut_early() -> None:
    """Each such turn counts as many, for the program itself and for its candidates."""
    given = Input("1 2\n")
    with closing(CEvaluator(READS_ON)) as evaluator:
        evaluator.add([change(READS_ON, b'scanf("%d",&n)', b'scanf("%d",&n)==1'), Candidate((), "none", 0.0)])
        assert texts(evaluator.original([given])) == ["⟨endless output⟩"]
        assert evaluator.judge([need(given.text, "2\n3")]).survivors == (0,)
        assert printed(evaluator.outputs([given], [1])) == [{"⟨endless output⟩": (1,)}]

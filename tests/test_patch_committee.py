"""Candidates as hypotheses: grouped by behaviour, weighed by plausibility; the question that splits them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.model import Ending, Input, Observation, Outcome, Response
from learn2fix.oracles.patch_committee import Printed, chance_of_bug, entropy, votes, weigh
from learn2fix.querying.guided import Prospect, choose, effort

tables = st.lists(
    st.lists(
        st.sampled_from(list(map(Response.read, ["1", "2", "⟨crash: SIGSEGV⟩"]))), min_size=3, max_size=3
    ),
    min_size=1,
    max_size=12,
)


def printed_table(rows: list[list[Response]]) -> tuple[Printed, list[str]]:
    printed, texts = Printed(), ["a", "b", "c"]
    for column, text in enumerate(texts):
        answers: dict[Response, list[int]] = {}
        for candidate, row in enumerate(rows):
            answers.setdefault(row[column], []).append(candidate)
        printed.record(text, answers)
    return printed, texts


@given(tables, st.data())
def test_behaviours_partition_the_candidates_by_what_they_print(
    rows: list[list[Response]], data: st.DataObject
) -> None:
    costs = {i: data.draw(st.floats(0, 5), label=f"cost {i}") for i in range(len(rows))}
    printed, texts = printed_table(rows)
    behaviours = printed.behaviours(texts, range(len(rows)), costs)
    assert sorted(m for b in behaviours for m in b.members) == list(range(len(rows)))
    assert math.isclose(sum(b.weight for b in behaviours), 1.0)
    assert len(behaviours) == len({tuple(row) for row in rows})
    for behaviour in behaviours:
        assert len({tuple(rows[m]) for m in behaviour.members}) == 1
        assert costs[behaviour.best] == min(costs[m] for m in behaviour.members)


@given(tables)
def test_votes_are_shares_of_what_is_expected(rows: list[list[str]]) -> None:
    printed, texts = printed_table(rows)
    behaviours = printed.behaviours(texts, range(len(rows)), dict.fromkeys(range(len(rows)), 1.0))
    for column, text in enumerate(texts):
        expected = votes(behaviours, printed, text)
        assert math.isclose(sum(expected.values()), 1.0)
        assert set(expected) == {row[column] for row in rows}
        for shown in map(Response.read, ("1", "2", "something else")):
            assert math.isclose(chance_of_bug(expected, shown), 1 - expected.get(shown, 0.0), abs_tol=1e-9)


def test_a_hundred_copies_do_not_outvote_a_simpler_fix() -> None:
    costs = {0: 1.0} | dict.fromkeys(range(1, 101), 3.0)
    simple, copied = weigh([(0,), tuple(range(1, 101))], costs)
    assert simple.members == (0,)
    assert simple.weight > copied.weight


def test_nothing_survives_nothing_is_expected() -> None:
    printed = Printed()
    assert printed.behaviours(["a"], [], {}) == ()
    assert votes((), printed, "a") == {}
    assert printed.missing("a", [3, 4]) == [3, 4]


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=8))
def test_entropy_is_greatest_when_all_is_open(weights: list[float]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    assert -1e-9 <= entropy(shares) <= math.log2(len(shares)) + 1e-9


def prospect(text: str, shown: str, expected: dict[str, float], sense: float = 1.0) -> Prospect:
    values = tuple(int(word) for word in text.split())
    return Prospect(
        Observation(Input(text, values), Outcome(Ending.EXITED, shown.encode())),
        {Response.read(k): v for k, v in expected.items()},
        sense,
    )


KNOWN = [Input("2 2", (2, 2))]


def test_the_input_that_splits_best_is_asked_about() -> None:
    even = prospect("900 800", "1", {"1": 0.5, "2": 0.5})
    lopsided = prospect("2 3", "1", {"1": 0.95, "2": 0.05})
    chosen = choose([lopsided, even], KNOWN, outputs=True)
    assert chosen is not None
    assert chosen.prospect is even


def test_among_equals_the_easiest_is_asked_about() -> None:
    hard = prospect("91234 -80000", "1", {"1": 0.5, "2": 0.5})
    easy = prospect("2 3", "1", {"1": 0.52, "2": 0.48})
    chosen = choose([hard, easy], KNOWN, outputs=True)
    assert chosen is not None
    assert chosen.prospect is easy
    assert effort(easy.observation, KNOWN) < effort(hard.observation, KNOWN)


def test_what_no_answer_can_separate_is_not_asked() -> None:
    agreed = prospect("2 3", "1", {"7": 1.0})
    assert choose([agreed], KNOWN, outputs=True) is None
    assert choose([], KNOWN, outputs=True) is None


def test_an_input_that_makes_no_sense_is_asked_about_last() -> None:
    doubtful = prospect("0 0", "1", {"1": 0.5, "2": 0.5}, sense=0.1)
    sound = prospect("5 5", "1", {"1": 0.8, "2": 0.2})
    chosen = choose([doubtful, sound], KNOWN, outputs=True)
    assert chosen is not None
    assert chosen.prospect is sound


def test_with_verdicts_only_nothing_is_asked_that_everybody_calls_a_bug() -> None:
    agreed = prospect("2 3", "1", {"7": 0.5, "8": 0.3, "9": 0.2})
    assert choose([agreed], KNOWN, outputs=False) is None
    split = prospect("2 3", "1", {"1": 0.5, "7": 0.5})
    assert choose([agreed, split], KNOWN, outputs=False) is not None


@pytest.mark.parametrize("outputs", [True, False])
def test_the_choice_does_not_depend_on_the_order_of_the_pool(outputs: bool) -> None:
    pool = [
        prospect("5 5", "1", {"1": 0.5, "2": 0.5}),
        prospect("3 9", "1", {"1": 0.5, "4": 0.5}),
        prospect("9 3", "2", {"1": 0.6, "2": 0.4}),
    ]
    forward, backward = choose(pool, KNOWN, outputs=outputs), choose(pool[::-1], KNOWN, outputs=outputs)
    assert forward is not None
    assert backward is not None
    assert forward.prospect == backward.prospect

"""Conditions over features: right where features say what matters, short and admitted where they do not."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.domain import call_domain
from learn2fix.fuzzing import EXTENDED, Fuzzer, infer
from learn2fix.guided.reporting import FEATURES_FIRST, FEATURES_PRICE
from learn2fix.model import Example, Variable
from learn2fix.oracles.protocol import Oracle
from learn2fix.oracles.readable import _pruned, readable
from learn2fix.oracles.registry import learner
from learn2fix.oracles.value_features import value_features
from learn2fix.oracles.work import Work

CASES = [
    ("xs", "[3, 1, 2]", "len(xs) % 2 == 0", "len(xs) % 2 == 0"),
    ("xs", "[3, 1, 2, 2]", "len(set(xs)) < len(xs)", "len(set(xs)) != len(xs)"),
    ("rows", "[[1, 2], [3, 4]]", "len(rows) > 1 and len(rows[0]) > 1", None),
    ("text", "'a b a'", "len(set(text.split())) != len(text.split())", None),
    ("text", "'Level'", "text == text[::-1]", "text == text[::-1]"),
    ("word, words", "'a', ['a', 'b', 'a']", "words.count(word) > 1", "words.count(word) > 1"),
    ("stock", "{'pen': 3, 'cap': 0}", "0 in stock.values()", None),
]


def examples(parameters: str, call: str, truth: str, count: int = 320) -> tuple[object, list[Example]]:
    names = parameters.split(", ")
    domain = call_domain([call], names)
    seed = domain.parse(call)
    contract = infer([seed.values])
    fuzzer = Fuzzer(domain, [seed], random.Random(1), operators=EXTENDED, contract=contract)
    features = value_features(domain, [seed])
    found = []
    for new in [seed, *fuzzer.take(count)]:
        space = dict(zip(names, new.values, strict=True))
        try:
            fails = bool(eval(truth, {}, space))
        except IndexError:
            fails = False
        found.append(Example(features.values(new.values), fails))
    return features, found


@pytest.mark.parametrize(("parameters", "call", "truth", "text"), CASES, ids=lambda case: str(case))
def test_conditions_over_features(parameters: str, call: str, truth: str, text: str | None) -> None:
    features, found = examples(parameters, call, truth)
    variables = features.variables  # type: ignore[attr-defined]
    formula, agreement = readable(
        learner("smt"), variables, found[:5], found, random.Random(1), Work(8_000_000),
        first=FEATURES_FIRST, price=FEATURES_PRICE,
    )  # fmt: skip
    assert formula is not None
    said = formula.text(variables)
    assert agreement >= 0.93, said
    assert len(formula.literals()) <= 4, said
    compile(said, "condition", "eval")
    if text is not None:
        assert agreement == 1
        assert set(said.split()) == set(text.split())


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_pruning_keeps_what_the_person_said_and_never_loses_more_than_it_saves(data: st.DataObject) -> None:
    _, found = examples("xs", "[3, 1, 2]", "len(xs) > 2 and xs[0] > xs[-1]", 40)
    chosen = data.draw(st.lists(st.sampled_from(found), min_size=2, max_size=30))
    domain = call_domain(["[3, 1, 2]"], ["xs"])
    variables = value_features(domain, [domain.parse("[3, 1, 2]")]).variables
    formula = learner("smt").learn(variables, chosen, random.Random(1)).formula
    assert formula is not None
    certain = chosen[:4]
    kept = [e for e in certain if formula.holds(e.point) is e.failing]
    pruned, agreement = _pruned(formula, certain, found, 0.01)
    assert all(pruned.holds(e.point) is e.failing for e in kept)
    before = sum(formula.holds(e.point) is e.failing for e in found) / len(found)
    assert agreement - 0.01 * pruned.cost >= before - 0.01 * formula.cost - 1e-9


def test_predictions_that_contradict_each_other_are_learned_from_once() -> None:
    """Two inputs may look alike to every feature, and only one of them show the bug."""
    learned: list[int] = []
    smt = learner("smt")

    class Counting:
        name = "counting"

        def learn(
            self, variables: Sequence[Variable], training: Sequence[Example], rng: random.Random, work: Work
        ) -> Oracle:
            learned.append(len(training))
            assert len(learned) < 20, "it goes on for ever"
            return smt.learn(variables, training, rng, work)

    points = [Example((n, 0), n > 3) for n in range(40)]
    contradicting = [Example((5, 0), False), Example((6, 0), False)]
    variables = (Variable("a"), Variable("b"))
    formula, agreement = readable(
        Counting(),
        variables,
        points[:2],
        [*points, *contradicting],
        random.Random(1),
        Work(8_000_000),
        first=4,
    )
    assert formula is not None
    assert 0.9 < agreement < 1
    assert learned[-1] <= len(points) + len(contradicting) + 2

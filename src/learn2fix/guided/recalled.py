"""Predictions of a session that has ended, from what it found: the conversation need not be had again."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.conversation.problem import Problem
from learn2fix.guided.reporting import learned_from, learning_seed, weighed
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Grounds, Label, Observation, Response
from learn2fix.oracles.patch_committee import chance_of_bug


class Recalled:
    """Closed after use."""

    def __init__(self, problem: Problem, repairable: Repairable, grounds: Grounds) -> None:
        self._problem, self._repairable, self._grounds = problem, repairable, grounds
        # What is stored are texts; learners want values.
        self._labels = [
            Label(
                Observation(problem.domain.parse(label.observation.input.text), label.observation.outcome),
                label.answer,
            )
            for label in grounds.labels
        ]
        self._oracle = learned_from(problem, self._labels, learning_seed(problem))
        self._evaluator = repairable.evaluator(problem.clock)
        self._ids = list(self._evaluator.add([candidate for candidate, _ in grounds.fixes]))

    def chances(self, observations: Sequence[Observation]) -> list[float]:
        """As the session itself would say."""
        trust = self._grounds.trust
        seen = [self._votes(each) if trust else None for each in observations]
        return weighed(self._problem, self._oracle, self._labels, observations, seen, trust)

    def _votes(self, observation: Observation) -> float | None:
        """The share of the fixes that see the bug there; None where none of them was run."""
        (groups,) = self._evaluator.outputs([observation.input], self._ids)
        weights = {number: weight for number, (_, weight) in zip(self._ids, self._grounds.fixes, strict=True)}
        tally: dict[Response, float] = {}
        for response, who in groups.items():
            normal = self._repairable.normal(response)
            tally[normal] = tally.get(normal, 0.0) + sum(weights[number] for number in who)
        total = sum(tally.values())
        if not total:
            return None
        expected = {response: weight / total for response, weight in tally.items()}
        return chance_of_bug(expected, self._problem.shown(observation))

    def close(self) -> None:
        self._evaluator.close()

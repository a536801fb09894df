"""Candidate patches as hypotheses: the program is wrong on an input iff the patch prints something else.

The committee is handed what each candidate printed on each input; it never sees a source or an edit.
Candidates that no input tells apart are one behaviour with one vote, however many ways there are to write it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from learn2fix.model import Response

SHARPNESS = 2.5
"""How fast belief falls with cost: a fix one unit costlier is e^2.5, some twelve times, less likely."""

FAR_FETCHED = 4.0
"""… up to this cost. Beyond it belief falls less: so often are right fixes found there."""
FAR_SHARPNESS = 1.0

Answers = Mapping[Response, Sequence[int]]
"""What was printed → the candidates that printed it."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Candidates that print the same on every input tried, the most plausible first, and their weight."""

    members: tuple[int, ...]
    weight: float
    """Share of the committee's vote; the weights of all behaviours add up to 1."""

    @property
    def best(self) -> int:
        return self.members[0]


class Printed:
    """What each candidate printed on each input: a table that only grows."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[int, Response]] = {}

    def record(self, text: str, answers: Answers) -> None:
        row = self._rows.setdefault(text, {})
        for answer, candidates in answers.items():
            for candidate in candidates:
                row[candidate] = answer

    def missing(self, text: str, candidates: Iterable[int]) -> list[int]:
        row = self._rows.get(text, {})
        return [candidate for candidate in candidates if candidate not in row]

    def answer(self, text: str, candidate: int) -> Response | None:
        return self._rows.get(text, {}).get(candidate)

    def answers(self, text: str, candidates: Iterable[int]) -> set[Response | None]:
        """All that these print; None among them where it is not known of some."""
        return {self.answer(text, candidate) for candidate in candidates}

    def row(self, text: str) -> Mapping[int, Response]:
        """Candidate → what it printed on this input."""
        return self._rows.get(text, {})

    def behaviours(
        self, texts: Sequence[str], candidates: Sequence[int], costs: Mapping[int, float]
    ) -> tuple[Behaviour, ...]:
        """The candidates grouped by what they print on these inputs, heaviest first."""
        rows = [self._rows.get(text, {}) for text in texts]
        groups: dict[tuple[Response | None, ...], list[int]] = {}
        for candidate in candidates:
            groups.setdefault(tuple(row.get(candidate) for row in rows), []).append(candidate)
        members = [tuple(sorted(group, key=lambda c: (costs[c], c))) for group in groups.values()]
        return weigh(members, costs)


def weigh(groups: Sequence[tuple[int, ...]], costs: Mapping[int, float]) -> tuple[Behaviour, ...]:
    """A behaviour counts as its most plausible member; more ways to write it add a little."""
    if not groups:
        return ()
    doubts = [_doubt(costs[group[0]]) for group in groups]
    least = min(doubts)
    raw = [
        math.exp(least - doubt) * (1 + 0.2 * math.log(len(group)))
        for group, doubt in zip(groups, doubts, strict=True)
    ]
    total = sum(raw)
    found = [Behaviour(group, weight / total) for group, weight in zip(groups, raw, strict=True)]
    return tuple(sorted(found, key=lambda b: (-b.weight, b.best)))


def _doubt(cost: float) -> float:
    """The negative logarithm of how likely a fix of this cost is."""
    return SHARPNESS * min(cost, FAR_FETCHED) + FAR_SHARPNESS * max(0.0, cost - FAR_FETCHED)


def votes(behaviours: Sequence[Behaviour], printed: Printed, text: str) -> dict[Response, float]:
    """For one input: what the committee expects to be printed, with the weight behind it."""
    tally: dict[Response, float] = {}
    for behaviour in behaviours:
        answer = printed.answer(text, behaviour.best)
        if answer is not None:
            tally[answer] = tally.get(answer, 0.0) + behaviour.weight
    total = sum(tally.values())
    return {answer: weight / total for answer, weight in tally.items()} if total else {}


def chance_of_bug(expected: Mapping[Response, float], shown: Response) -> float:
    """The share of the vote for anything but what the program printed."""
    return sum(weight for answer, weight in expected.items() if answer != shown)


def entropy(shares: Iterable[float]) -> float:
    """In bits: how much an answer drawn with these chances is expected to tell."""
    return -sum(share * math.log2(share) for share in shares if share > 0)

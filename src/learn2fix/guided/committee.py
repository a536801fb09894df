"""Which survivors are run on which inputs, what they print there, and how that groups them.

All of them on a few inputs, the best of each behaviour on the rest. Who waits for a question does not wait
for all of that: then it stops after as many candidates as there was time for, and a replay stops there too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from learn2fix.model import Input, Observation, Requirement, Response, Same
from learn2fix.oracles.patch_committee import Behaviour, Printed
from learn2fix.repair.space import Space

FIRST_SHARE = 32
"""Candidates that are run before the time is looked at; then up to twice as many, and so on."""
FORESEEN = 300
"""About so many runs cannot be interrupted when the person answers."""
NEARLY_ALL = 0.98


class Committee:
    """`members` are run on the whole pool; `behaviours` are the members by what they print there."""

    def __init__(
        self, space: Space, clock: Callable[[], float], deadline: float, *, few: int, wide: int, size: int
    ) -> None:
        """`few` inputs are run on the best `wide` survivors, and all inputs on `size` of them."""
        self._space, self._clock, self._deadline = space, clock, deadline
        self._few, self._wide, self._size = few, wide, size
        self.printed = Printed()
        self.members: list[int] = []
        self.behaviours: tuple[Behaviour, ...] = ()
        self.sketched = 0
        """So many survivors were run on the few inputs."""
        self.seconds = 0.0

    def explore(
        self,
        pool: Sequence[Observation],
        extra: Sequence[Observation] = (),
        *,
        width: tuple[int, int] = (0, 0),
        until: float = math.inf,
    ) -> None:
        """What the survivors print on the pool; on the `extra` inputs as on the first few of the pool.

        `width`: how many are sketched and how many sit on the committee, where a former run says so.
        """
        alive = self._space.survivors[: width[0] or self._wide]
        self.sketched = self._print_in_order([*extra, *pool[: self._few]], alive, until)
        chosen = self._best_of_each(pool, alive[: self.sketched])[: width[1] or self._size]
        self.members = chosen[: self._print_in_order(pool, chosen, until)]
        self.regroup(pool)

    def regroup(self, pool: Sequence[Observation]) -> None:
        alive = set(self._space.survivors)
        members = [number for number in self.members if number in alive]
        texts = [each.input.text for each in pool]
        self.behaviours = self.printed.behaviours(texts, members, self._space.costs)

    def foresee(self, pool: Sequence[Observation], asked: Observation, answers: Iterable[Response]) -> bool:
        """A little of what will be printed once one of these answers is known; False when all of it was."""
        if self._clock() >= self._deadline:
            return False
        wide = self._space.survivors[: self._wide]
        if self._print_some([asked], self._space.survivors) or self._print_some(pool[: self._few], wide):
            return True
        for answer in answers:
            left = [number for number in wide if self.printed.answer(asked.input.text, number) == answer]
            if self._print_some(pool, self._best_of_each(pool, left)[: self._size]):
                return True
        return False

    @property
    def leading(self) -> list[int]:
        """The best of the behaviours that have nearly all of the vote."""
        found: list[int] = []
        share = 0.0
        for behaviour in self.behaviours[: self._few]:
            found.append(behaviour.best)
            share += behaviour.weight
            if share >= NEARLY_ALL:
                break
        return found

    def meet(self, requirement: Requirement, same: Same) -> dict[int, bool]:
        """Who is known to meet it, or not to."""
        row = self.printed.row(requirement.input.text)
        met = {answer: requirement.met_by(answer, same) for answer in set(row.values())}
        return {number: met[answer] for number, answer in row.items()}

    def print(
        self, observations: Sequence[Observation], candidates: Sequence[int], *, late: bool = False
    ) -> None:
        """`late`: also when the time for questions is up."""
        began = self._clock()
        batches: dict[tuple[int, ...], list[Input]] = {}
        for each in observations:
            missing = tuple(self.printed.missing(each.input.text, candidates))
            if missing:
                batches.setdefault(missing, []).append(each.input)
        for missing, inputs in batches.items():
            if not late and self._clock() >= self._deadline:
                break
            for given, answers in zip(inputs, self._space.outputs(inputs, missing), strict=True):
                self.printed.record(given.text, answers)
        self.seconds += self._clock() - began

    def _print_in_order(
        self, observations: Sequence[Observation], candidates: Sequence[int], until: float
    ) -> int:
        """How many of the candidates, from the first, were run on all of the inputs by then."""
        if until == math.inf:
            self.print(observations, candidates)
            return len(candidates)
        done, share = 0, FIRST_SHARE
        while done < len(candidates) and share:
            began = self._clock()
            self.print(observations, candidates[done : done + share])
            done += share
            now = self._clock()
            # So many as there is likely time for; of what was known already, as many again.
            room = (until - now) / max(now - began, 1e-6)
            share = min(2 * share, int(share * max(room, 0.0)))
        return min(done, len(candidates))

    def _print_some(self, observations: Sequence[Observation], candidates: Sequence[int]) -> bool:
        """The next few that are missing, few enough for a person who answers just now; False if none is."""
        texts = [each.input.text for each in observations]
        open_ = [c for c in candidates if any(self.printed.answer(text, c) is None for text in texts)]
        if open_:
            self.print(observations, open_[: max(1, FORESEEN // len(observations))])
        return bool(open_)

    def _best_of_each(self, pool: Sequence[Observation], alive: Sequence[int]) -> list[int]:
        """The best of each behaviour first, so that rare ones have a voice and many copies do not."""
        texts = [each.input.text for each in pool[: self._few]]
        groups = self.printed.behaviours(texts, alive, self._space.costs)
        chosen: list[int] = []
        depth = 0
        while len(chosen) < self._size:
            layer = [group.members[depth] for group in groups if depth < len(group.members)]
            if not layer:
                break
            chosen += layer
            depth += 1
        return chosen[: self._size]

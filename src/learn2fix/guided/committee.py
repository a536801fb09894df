"""Which survivors are run on which inputs, what they print there, and how that groups them.

All of them on a few inputs, the best of each behaviour on the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from learn2fix.languages.evaluator import Clock
from learn2fix.model import Ending, Input, Observation, Requirement, Response, Same
from learn2fix.oracles.patch_committee import Behaviour, Printed
from learn2fix.repair.space import Space

AHEAD = 300
"""About the number of runs in one step of `foresee`, which cannot be interrupted."""
AT_ONCE = 8
"""Number of inputs that are run between two looks at whether it is late."""
NEARLY_ALL = 0.98


class Committee:
    """`members` are run on the whole pool; `behaviours` are the members by what they print there."""

    def __init__(
        self, space: Space, clock: Clock, deadline: float, *, few: int, wide: int, size: int
    ) -> None:
        """`few` inputs are run on the best `wide` survivors, and all inputs on `size` of them."""
        self._space, self._clock, self._deadline = space, clock, deadline
        self._few, self._wide, self._size = few, wide, size
        self.printed = Printed()
        self.members: list[int] = []
        self.behaviours: tuple[Behaviour, ...] = ()
        self.unexplained: list[Observation] = []
        """Inputs with a bug where nobody has said what is right: fixes that differ there are not one."""

    def explore(self, pool: Sequence[Observation], extra: Sequence[Observation] = ()) -> None:
        """What the survivors print on the pool; on the `extra` inputs as on the first few of the pool."""
        alive = self._space.survivors[: self._wide]
        self.print([*extra, *self.unexplained, *pool[: self._few]], alive)
        self.members = self._best_of_each(pool, alive)
        self.print(pool, self.members)
        self.regroup(pool)

    def part_at(self, unexplained: Sequence[Observation]) -> None:
        """Fixes that differ on one of these inputs are no longer one."""
        self.unexplained = list(unexplained)

    def explained(self, observation: Observation) -> None:
        """It is known now what is right there: all survivors do so."""
        self.unexplained = [each for each in self.unexplained if each != observation]

    def regroup(self, pool: Sequence[Observation]) -> None:
        alive = set(self._space.survivors)
        members = [number for number in self.members if number in alive]
        texts = [each.input.text for each in (*self.unexplained, *pool)]
        self.behaviours = self.printed.behaviours(texts, members, self._space.costs)

    def foresee(
        self, pool: Sequence[Observation], asked: Observation, answers: Iterable[Response]
    ) -> Iterator[None]:
        """What will be printed once one of these answers is known, a little at each step."""
        wide = self._space.survivors[: self._wide]
        yield from self._print_slowly([asked], self._space.survivors)
        yield from self._print_slowly(pool[: self._few], wide)
        for answer in answers:
            left = [number for number in wide if self.printed.answer(asked.input.text, number) == answer]
            yield from self._print_slowly(pool, self._best_of_each(pool, left))

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
        """Who is known to meet it, or not to.

        Not who answers what is forbidden in another spelling: only a run tells 3 and 3.0 apart. Nor who did
        not end where there is an answer: it may with more steps.
        """
        row, expected = self.printed.row(requirement.input.text), requirement.expected
        cut = expected is not None and expected.ending is not Ending.TIMEOUT
        met = {
            answer: requirement.met_by(answer, same)
            for answer in set(row.values())
            if not (cut and answer.ending is Ending.TIMEOUT)
            and not any(same(wrong, answer) for wrong in requirement.forbidden - {answer})
            and not (answer in requirement.forbidden and expected is not None and same(expected, answer))
        }
        return {number: met[answer] for number, answer in row.items() if answer in met}

    def print(
        self, observations: Sequence[Observation], candidates: Sequence[int], until: float | None = None
    ) -> None:
        """Until the time for questions is up, or another moment."""
        until = self._deadline if until is None else until
        batches: dict[tuple[int, ...], list[Input]] = {}
        for each in observations:
            missing = tuple(self.printed.missing(each.input.text, candidates))
            if missing:
                batches.setdefault(missing, []).append(each.input)
        for missing, inputs in batches.items():
            for start in range(0, len(inputs), AT_ONCE):
                if self._clock() >= until:
                    return
                some = inputs[start : start + AT_ONCE]
                for given, answers in zip(some, self._space.outputs(some, missing, until), strict=False):
                    self.printed.record(given.text, answers)

    def _print_slowly(self, observations: Sequence[Observation], candidates: Sequence[int]) -> Iterator[None]:
        texts = [each.input.text for each in observations]
        missing = [c for c in candidates if any(self.printed.answer(text, c) is None for text in texts)]
        share = max(1, AHEAD // max(1, len(observations)))
        for start in range(0, len(missing), share):
            if self._clock() >= self._deadline:
                return
            self.print(observations, missing[start : start + share])
            yield

    def _best_of_each(self, pool: Sequence[Observation], alive: Sequence[int]) -> list[int]:
        """The best of each behaviour first, so that rare ones have a voice and many copies do not."""
        texts = [each.input.text for each in (*self.unexplained, *pool[: self._few])]
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

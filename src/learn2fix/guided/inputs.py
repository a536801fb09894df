"""The inputs that candidates are compared on: near the failing ones, and a few from farther away.

What the program works long on is left out: every candidate would have to work as long.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from learn2fix.conversation.rig import Rig
from learn2fix.fuzzing import EXTENDED, Fuzzer, Hangs, at_least, infer, wide
from learn2fix.model import Ending, Input, Observation, Verdict

WIDENINGS = 2
"""So often what is usual grows tenfold before anything goes."""
BATCH = 8
"""Inputs run at a time: what hangs is noticed before the next ones are made."""
HEAVY_SECONDS = 0.03
"""Where a program works longer than that, and for all that is larger, its fixes are not compared."""
MOST_HEAVY = 6
MOST_WASTED = 8.0
"""Seconds after which the inputs there are have to do, where most of them take long."""


class Inputs:
    """`pool` grows at its end only."""

    def __init__(
        self,
        rig: Rig,
        rng: random.Random,
        *,
        light: Callable[[Fuzzer], Callable[[int], list[Input]]] | None = None,
        numbers: Sequence[int] = (),
        digits: int = 9,
        small: Observation | None = None,
        observe: Callable[[Sequence[Input]], list[Observation]] | None = None,
    ) -> None:
        """As for `Guided`: `small` is an input to start from instead of the failing ones."""
        self._rig = rig
        self._observe = observe or rig.observe
        self.small = small
        known = [label.observation.input for label in rig.known]
        failing = [label.observation.input for label in rig.known if label.answer.verdict is Verdict.BUG]
        seeds = failing if small is None else [small.input]
        contract = infer([given.values for given in known])
        self._fuzzer = Fuzzer(
            rig.domain,
            seeds,
            random.Random(rng.getrandbits(64)),
            operators=EXTENDED,
            contract=contract,
            widenings=WIDENINGS,
            seen={given.text for given in (*known, *seeds)},
        )
        self._take = light(self._fuzzer) if light is not None else self._fuzzer.take
        seen = {given.text for given in known}
        self._wide = wide(
            rig.domain, seeds, numbers, contract, random.Random(rng.getrandbits(64)), seen, digits
        )
        self._longest = max([10**digits, *(abs(v) for given in known for v in _numbers(given))])
        self._heavy: list[tuple[Any, ...]] = []
        self._hangs = Hangs()
        self.pool: list[Observation] = [] if small is None else [small]
        self.generated: list[Observation] = list(self.pool)
        """All that were made, also those that are not compared on."""
        self.far: list[Observation] = []
        """Inputs of other magnitudes that the program answers."""
        self._on_purpose = len(self.pool)
        self._wasted = 0.0
        """Seconds of runs that took long."""
        self.executions = 0

    @property
    def tried(self) -> int:
        """How many inputs of the pool the fuzzer has made."""
        return len(self.pool) - self._on_purpose

    def generate(self, count: int, *, anyway: bool = False) -> None:
        """So many more near the failing ones, as far as there are any that do not take long.

        `anyway`: a former run had them.
        """
        wanted = len(self.pool) + count
        while (left := wanted - len(self.pool)) > 0 and (anyway or self._wasted < MOST_WASTED):
            batch = self._take(min(BATCH, left))
            if not batch:
                break
            made = self.observe(batch)
            self.generated += made
            for each in made:
                self._hangs.note(each.input.values, each.outcome.ending is Ending.TIMEOUT)
            heavy = [each for each in made if each.outcome.seconds > self._bearable]
            if heavy:
                self._wasted += sum(each.outcome.seconds for each in heavy)
                self._heavy += [each.input.values for each in heavy]
                self._fuzzer.avoid(self._too_heavy)
            self.pool += [each for each in made if each not in heavy]
            if self._rig.clock() >= self._rig.deadline:
                break

    def distant(self, count: int) -> list[Observation]:
        """Of other magnitudes and at the program's own numbers; only what it answers at once."""
        made = []
        for given in islice(self._wide, count):
            if self._too_heavy(given.values):
                continue
            (each,) = self.observe([given])
            if each.outcome.seconds > self._bearable:
                self._heavy.append(given.values)
            elif each.outcome.answered:
                made.append(each)
        self.far += made
        return made

    @property
    def weary(self) -> bool:
        """Whether too many distant ones took long."""
        return len(self._heavy) >= MOST_HEAVY

    def keep(self, made: Sequence[Observation]) -> None:
        """Inputs made on purpose, to compare on from now on."""
        self._on_purpose += len(made)
        self.generated += made
        self.pool += made

    def observe(self, inputs: Sequence[Input]) -> list[Observation]:
        self.executions += len(inputs)
        return self._observe(inputs)

    def lead_to(self, given: Input) -> None:
        """A bug shows here: the next ones are made near it too."""
        self._fuzzer.add_seed(given)

    def usual(self, given: Input) -> bool:
        return self._fuzzer.contract is None or self._fuzzer.contract.holds(given.values)

    def too_long(self, given: Input) -> bool:
        """Whether it has numbers that the program does not even read."""
        return any(abs(value) > self._longest for value in _numbers(given))

    def _too_heavy(self, values: Sequence[Any]) -> bool:
        return self._hangs.likely(values) or any(at_least(values, heavy) for heavy in self._heavy)

    @property
    def _bearable(self) -> float:
        """Seconds that a run may take: some more than the failing ones do, which may be the very bug."""
        known = [self.small] if self.small is not None else [label.observation for label in self._rig.known]
        return max(HEAVY_SECONDS, *(10 * each.outcome.seconds for each in known))


def _numbers(given: Input) -> list[int | Fraction]:
    return [value for value in given.values if isinstance(value, int | Fraction)]

"""The candidate patches that agree with the answers so far: answers shrink the space, widening grows it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from learn2fix.events import Emit, Judged, ignore
from learn2fix.languages.evaluator import Clock, Evaluator
from learn2fix.model import Candidate, Input, Requirement, Response

Stage = Callable[["Space"], Iterator[Candidate]]
"""Makes more candidates, led by what is known of those before (pairs of near misses, synthesis)."""

CHUNK = 2_000
"""Minimum number of candidates compiled together: each compilation has its price."""
NOTHING: Mapping[int, bool] = MappingProxyType({})


class Space:
    """Survivors are known by their number; `costs` ranks them, smaller is more plausible."""

    def __init__(
        self,
        evaluator: Evaluator,
        stages: Sequence[Stage],
        *,
        again: Stage | None = None,
        clock: Clock,
        deadline: float = math.inf,
        normal: Callable[[Response], Response] = lambda response: response,
        emit: Emit = ignore,
    ) -> None:
        """`again`: opened once more for every answer, when all stages are done. `normal`: the form in which
        responses that are the same are equal."""
        self._evaluator = evaluator
        self._stages = list(stages)
        self._again, self._led_by = again, 0
        """What may be opened again, and the number of requirements that led it last."""
        self._source: Iterator[Candidate] | None = None
        self._clock, self._deadline = clock, deadline
        self._normal = normal
        self._emit = emit
        self.requirements: list[Requirement] = []
        self.candidates: list[Candidate] = []
        self.costs: dict[int, float] = {}
        self.survivors: list[int] = []
        self.fallen: dict[int, int] = {}
        """Candidates that met some requirement before they failed one → how many they met."""
        self.judged = 0
        """Number of candidates that have been judged; the others wait."""
        self._unjudged: list[int] = []
        self._met: dict[Requirement, dict[int, bool]] = {}
        """What is known of who meets what; see `met`."""
        self.executions = 0
        self._busy = 0.0
        """Seconds spent on judging, for showing the rate."""

    @property
    def stage_done(self) -> bool:
        """Whether the present way of making candidates has no more of them."""
        return self._source is None and not self._unjudged

    @property
    def exhausted(self) -> bool:
        return self.stage_done and not self._stages and not self._may_reopen

    @property
    def uncompilable(self) -> int:
        return len(self._evaluator.uncompilable)

    def open_stage(self) -> bool:
        """Go on to the next way of making candidates, if there is one."""
        if self._stages:
            self._source = self._stages.pop(0)(self)
        elif self._may_reopen and self._again is not None:
            self._source = self._again(self)
        self._led_by = len(self.requirements)
        return self._source is not None

    @property
    def _may_reopen(self) -> bool:
        return self._again is not None and len(self.requirements) > self._led_by

    def take(self, candidates: Iterable[Candidate]) -> None:
        """Judges these at once, whatever is waiting."""
        ids = self._added(list(candidates))
        self._admit(ids)

    def widen(self, count: int) -> int:
        """Judges up to `count` more candidates by everything required so far; how many there were."""
        while len(self._unjudged) < count and self._source is not None:
            self._fetch(max(count - len(self._unjudged), CHUNK))
        batch, self._unjudged = self._unjudged[:count], self._unjudged[count:]
        self._admit(batch)
        return len(batch)

    def _admit(self, ids: Sequence[int]) -> None:
        if ids:
            self.judged += len(ids)
            alive = self._judge(ids, self.requirements, self._deadline)
            alive = [number for number in alive if number not in self._evaluator.uncompilable]
            self.survivors = self._ranked(self.survivors + alive)

    def _fetch(self, count: int) -> None:
        assert self._source is not None
        batch = list(itertools.islice(self._source, count))
        # Looked at now: whether there are more must not depend on how many were asked for.
        ahead = next(self._source, None)
        self._source = None if ahead is None else itertools.chain((ahead,), self._source)
        self._unjudged += self._added(batch)

    def _added(self, batch: Sequence[Candidate]) -> Sequence[int]:
        ids = self._evaluator.add(batch)
        self.candidates += batch
        for number, candidate in zip(ids, batch, strict=True):
            self.costs[number] = candidate.cost
        return ids

    def require(
        self, requirement: Requirement, known: Mapping[int, bool] = NOTHING, deadline: float = math.inf
    ) -> None:
        """The one place where requirements enter.

        They apply to every survivor, and whoever was not run before the deadline is lost. `known`: candidates
        that need not be run, because it was seen whether they meet this.
        """
        self.requirements.append(requirement)
        if self.survivors:
            self.survivors = self._ranked(self._judge(self.survivors, [requirement], deadline, known))

    def restate(self, requirements: Sequence[Requirement]) -> None:
        """Other requirements than so far, because an answer was taken back: everything is judged anew."""
        self.requirements = list(requirements)
        self.fallen.clear()
        waiting = self._evaluator.uncompilable | set(self._unjudged)
        known = [number for number in range(len(self.candidates)) if number not in waiting]
        self.survivors = self._ranked(self._judge(known, self.requirements, self._deadline))

    def without(self, place: int, most: int) -> list[int]:
        """The best of those that meet every requirement but the one at this place; `most` are looked at."""
        fallen = self._ranked([number for number, met in self.fallen.items() if met == place])[:most]
        later = self.requirements[place + 1 :]
        if not later or not fallen:
            return fallen
        until = self._deadline if math.isfinite(self._deadline) else None
        judgement = self._evaluator.judge(later, fallen, deadline=until)
        self.executions += judgement.executions
        return self._ranked(judgement.survivors)

    def met(self, numbers: Sequence[int], requirements: Sequence[Requirement]) -> dict[int, frozenset[int]]:
        """For each candidate, the places of the requirements that it meets."""
        found: dict[int, set[int]] = {number: set() for number in numbers}
        until = self._deadline if math.isfinite(self._deadline) else None
        for place, requirement in enumerate(requirements):
            known = self._met.setdefault(requirement, {})
            unknown = [number for number in numbers if number not in known]
            judgement = self._evaluator.judge([requirement], unknown, deadline=until)
            self.executions += judgement.executions
            known.update(dict.fromkeys(unknown, False) | dict.fromkeys(judgement.survivors, True))
            for number in numbers:
                if known[number]:
                    found[number].add(place)
        return {number: frozenset(places) for number, places in found.items()}

    def outputs(
        self, inputs: Sequence[Input], among: Sequence[int], deadline: float = math.inf
    ) -> list[dict[Response, tuple[int, ...]]]:
        """For each input, what is answered, in normal form, and by which candidates.

        Only for the first inputs when the deadline comes first.
        """
        self.executions += len(inputs)
        until = deadline if math.isfinite(deadline) else None
        return [self._merged(groups) for groups in self._evaluator.outputs(inputs, among, deadline=until)]

    def _merged(self, groups: Mapping[Response, tuple[int, ...]]) -> dict[Response, tuple[int, ...]]:
        merged: dict[Response, tuple[int, ...]] = {}
        for response, who in groups.items():
            normal = self._normal(response)
            merged[normal] = (*merged.get(normal, ()), *who)
        return merged

    def _judge(
        self,
        ids: Sequence[int],
        requirements: Sequence[Requirement],
        deadline: float,
        known: Mapping[int, bool] = NOTHING,
    ) -> list[int]:
        """Those of `ids` that meet the requirements."""
        alive, began = list(ids), self._clock()
        until = deadline if math.isfinite(deadline) else None
        if not requirements:
            alive = list(self._evaluator.judge([], ids, deadline=until, emit=self._emit).survivors)
        for i, requirement in enumerate(requirements):
            if not alive:
                break
            unknown = [number for number in alive if number not in known]
            judgement = self._evaluator.judge([requirement], unknown, deadline=until, emit=self._emit)
            self.executions += judgement.executions
            met = {*judgement.survivors, *(number for number in alive if known.get(number))}
            kept = []
            for number in alive:
                if number in met:
                    kept.append(number)
                else:
                    self.fallen[number] = i + len(self.requirements) - len(requirements)
            alive = kept
        self._busy += max(self._clock() - began, 1e-6)
        self._emit(Judged(self.judged, len(alive), self.judged / self._busy))
        return alive

    def _ranked(self, ids: Sequence[int]) -> list[int]:
        return sorted(ids, key=lambda number: (self.costs[number], number))

"""Repair from labelled tests alone, by our edits, GenProg as the paper ran it, or another tool."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from learn2fix.edits.genprog import SWAP
from learn2fix.edits.localisation import genprog_weights
from learn2fix.errors import UsageError
from learn2fix.languages.evaluator import Clock, Evaluator
from learn2fix.languages.protocol import Repairable, StatementEdits
from learn2fix.model import Candidate, Requirement
from learn2fix.repair.external import patches_of
from learn2fix.repair.genetic import FAILING_WEIGHT, PASSING_WEIGHT, evolve
from learn2fix.repair.stages import Stages, hits

MOST_SEARCHED = 40_000
"""Maximum number of candidates that an exhaustive search looks at."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Candidates that pass all tests, and how many were tried."""

    found: tuple[Candidate, ...]
    tried: int


@dataclass(frozen=True, slots=True)
class Searcher:
    """For one program and the tests that are known of it."""

    repairable: Repairable
    evaluator: Evaluator
    stages: Stages
    clock: Clock
    deadline: float
    seed: int
    swaps: bool = True
    """Whether an exhaustive search of GenProg's edits also swaps statements, after deletions and copies."""

    def search(self, repairer: str, requirements: Sequence[Requirement]) -> Searched:
        match repairer:
            case "edits":
                return self._exhaustive(self.repairable.edits(self.stages.hints()), requirements)
            case "genprog":
                made = self._statements(requirements).all_edits()
                return self._first_repair((e for e in made if self.swaps or e.kind != SWAP), requirements)
            case "genetic":
                return self._genetic(requirements)
            case "synthesis":
                made = self.repairable.synthesis(
                    requirements, self.stages.hints(), self.clock, lambda: self.clock() < self.deadline
                )
                return self._exhaustive(made, requirements)
            case command:
                left = self.deadline - self.clock()
                found = patches_of(command, self.repairable.text, self.repairable.suffix, requirements, left)
                return Searched(tuple(found), len(found))

    def _statements(self, requirements: Sequence[Requirement]) -> StatementEdits:
        """GenProg's edits, with its weights of lines from what the labelled tests execute."""
        inputs = [requirement.input for requirement in requirements]
        runs = self.evaluator.coverage(inputs)
        passed = self._passed(requirements)
        bad = [run for run, ok in zip(runs, passed, strict=True) if not ok]
        good = [run for run, ok in zip(runs, passed, strict=True) if ok]
        made = self.repairable.statement_edits(genprog_weights(hits(bad), hits(good)))
        if made is None:
            raise UsageError(f"GenProg's edits of statements do not exist for {self.repairable.name}")
        return made

    def _passed(self, requirements: Sequence[Requirement]) -> list[bool]:
        """Which tests the program passes as it is."""
        outcomes = self.repairable.run([requirement.input for requirement in requirements])
        return [
            requirement.met_by(outcome.response, self.repairable.same)
            for requirement, outcome in zip(requirements, outcomes, strict=True)
        ]

    def _exhaustive(self, edits: Iterator[Candidate], requirements: Sequence[Requirement]) -> Searched:
        candidates = list(islice(edits, MOST_SEARCHED))
        ids = self.evaluator.add(candidates)
        judgement = self.evaluator.judge(requirements, ids, deadline=self.deadline)
        found = (candidates[number - ids.start] for number in judgement.survivors)
        return Searched(tuple(found), len(candidates))

    def _first_repair(self, edits: Iterator[Candidate], requirements: Sequence[Requirement]) -> Searched:
        """GenProg ends with its first repair, or when there is no edit or no time left."""
        tried = 0
        while (searched := self._exhaustive(edits, requirements)).tried:
            tried += searched.tried
            if searched.found or self.clock() >= self.deadline:
                break
        return Searched(searched.found, tried)

    def _genetic(self, requirements: Sequence[Requirement]) -> Searched:
        def passes(variants: Sequence[Candidate]) -> list[tuple[bool, ...]]:
            ids = self.evaluator.add(variants)
            met = [
                set(self.evaluator.judge([each], ids, deadline=self.deadline).survivors)
                for each in requirements
            ]
            return [tuple(number in passed for passed in met) for number in ids]

        evolved = evolve(
            self._statements(requirements),
            passes,
            [PASSING_WEIGHT if passed else FAILING_WEIGHT for passed in self._passed(requirements)],
            random.Random(self.seed),
            within=lambda: self.clock() < self.deadline,
        )
        return Searched(evolved.repairs, evolved.tried)

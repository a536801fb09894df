"""What every evaluator offers: candidates go in, and out comes who satisfies what and who prints what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from learn2fix.events import Emit, ignore
from learn2fix.model import Candidate, Input, Requirement, Response


@dataclass(frozen=True, slots=True)
class Judgement:
    """Who satisfies every requirement, and how much work it took to know."""

    survivors: tuple[int, ...]
    """Only candidates that were run on every requirement and met them all, in the order added."""
    judged: int
    """How many were decided, uncompilable ones included."""
    finished: bool
    """False when the deadline came first: undecided candidates are then neither survivors nor judged."""
    executions: int
    """Processes that ran the program; fewer than candidates when candidates share an execution."""


class Evaluator(Protocol):
    """One source file and a growing list of candidates, known by their index in the order added."""

    def add(self, candidates: Sequence[Candidate]) -> range:
        """Their ids. May be called again (widening); one that does not compile never loses the others."""
        ...

    @property
    def uncompilable(self) -> frozenset[int]:
        """Candidates known not to compile; complete after they were judged or run once."""
        ...

    def judge(
        self,
        requirements: Sequence[Requirement],
        among: Iterable[int] | None = None,
        *,
        deadline: float | None = None,
        emit: Emit = ignore,
    ) -> Judgement:
        """Which candidates satisfy all requirements. `deadline` is a value of time.monotonic()."""
        ...

    def outputs(self, inputs: Sequence[Input], among: Iterable[int]) -> list[dict[Response, tuple[int, ...]]]:
        """For each input: what is answered and by which candidates."""
        ...

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        """What the unpatched program prints, as this evaluator runs it."""
        ...

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        """For each input: how often each line (from 1) of the unpatched program was executed."""
        ...

    def close(self) -> None: ...


HEAVY = 100_000.0


def failing_first(
    requirements: Sequence[Requirement], original: Mapping[Input, tuple[Response, float]]
) -> list[Requirement]:
    """Those that the original misses first, cheap ones first: most candidates fall at the first hurdle.

    A heavy one waits for all light ones, even if it is the failing one: its cost is paid for each candidate.
    """
    unique = list(dict.fromkeys(requirements))

    def key(requirement: Requirement) -> tuple[bool, bool, float, str]:
        answer, cost = original[requirement.input]
        return (cost > HEAVY, requirement.met_by(answer), cost, requirement.input.text)

    return sorted(unique, key=key)


def by_answer(answers: Iterable[tuple[int, Response]]) -> dict[Response, tuple[int, ...]]:
    """Candidates grouped by what they print."""
    groups: dict[Response, list[int]] = {}
    for identifier, answer in answers:
        groups.setdefault(answer, []).append(identifier)
    return {answer: tuple(members) for answer, members in groups.items()}


Clock = Callable[[], float]

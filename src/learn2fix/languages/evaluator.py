"""What every evaluator offers: candidates go in, and out comes who satisfies what and who prints what."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from learn2fix.events import Emit, ignore
from learn2fix.model import Candidate, Input, Requirement, Response, Same

Clock = Callable[[], float]

WORK_LIMIT = 20_000_000
"""Steps after which a run counts as one that never ends."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The candidates that satisfy every requirement, and the work it took to find out."""

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

    def outputs(
        self, inputs: Sequence[Input], among: Iterable[int], *, deadline: float | None = None
    ) -> list[dict[Response, tuple[int, ...]]]:
        """For each input: what is answered and by which candidates.

        Only for the first inputs, those that every candidate was run on, when the deadline comes first.
        """
        ...

    def original(self, inputs: Sequence[Input]) -> list[Response]:
        """What the unpatched program prints, as this evaluator runs it."""
        ...

    def coverage(self, inputs: Sequence[Input]) -> list[dict[int, int]]:
        """For each input: how often each line (from 1) of the unpatched program was executed."""
        ...

    def statements(self, inputs: Sequence[Input]) -> list[list[int]]:
        """For each input: how often each statement of the unpatched program was executed, always
        in the same order. Two on one line are told apart, as in `if (a) b;`."""
        ...

    def work(self, inputs: Sequence[Input], limit: int = WORK_LIMIT) -> list[int]:
        """For each input: the steps that the unpatched program takes, at most `limit`."""
        ...

    @property
    def light(self) -> int:
        """Number of steps of a run that cost little beside starting it."""
        ...

    @property
    def overhead(self) -> int:
        """Number of steps that cost as much as starting the run of one candidate."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Fed:
    """What a process gets for one input."""

    data: bytes
    """Standard input, or the content of the file that is varied."""
    arguments: tuple[str, ...] = ()


Feed = Callable[[Input], Fed]
"""What a process gets for an input."""


def as_written(given: Input) -> Fed:
    """The text of an input is what the program reads."""
    return Fed(given.text.encode("utf-8", "surrogateescape"))


HEAVY = 100_000.0


def failing_first(
    requirements: Sequence[Requirement],
    original: Mapping[Input, tuple[Response, float]],
    same: Same = operator.eq,
) -> list[Requirement]:
    """Those that the original misses first, cheap ones first: most candidates fall at the first hurdle.

    A heavy one waits for all light ones, even if it is the failing one: its cost is paid for each candidate.
    """
    unique = list(dict.fromkeys(requirements))

    def key(requirement: Requirement) -> tuple[bool, bool, float, str]:
        answer, cost = original[requirement.input]
        return (cost > HEAVY, requirement.met_by(answer, same), cost, requirement.input.text)

    return sorted(unique, key=key)


def by_answer(answers: Iterable[tuple[int, Response]]) -> dict[Response, tuple[int, ...]]:
    """Candidates grouped by what they print."""
    groups: dict[Response, list[int]] = {}
    for identifier, answer in answers:
        groups.setdefault(answer, []).append(identifier)
    return {answer: tuple(members) for answer, members in groups.items()}

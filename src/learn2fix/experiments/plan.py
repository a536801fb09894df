"""Plans of jobs: subjects × runs, each job with its own seed."""

from __future__ import annotations

import random
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from learn2fix.errors import UsageError
from learn2fix.experiments.rows import Key, KindRow, Row
from learn2fix.model import digest

LEARNERS = {"guided": "patches", "paper": "incal"}
"""The default learner of each strategy."""
SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Setting:
    """The options that all jobs of a plan share."""

    strategy: str = "guided"
    learner: str = "patches"
    feedback: str = "output"
    noise: float = 0.0
    """Probability that an answer is wrong."""
    timeout: float = 600.0
    """Time of one session in seconds, as `--timeout`."""
    mutations: str | None = None
    """None for the strategy's default."""
    only_learn: bool = False
    """Learn the condition, but do not repair."""
    as_run: bool = False
    """The paper's strategy as the authors ran it."""
    repairer: str | None = None
    """None for the strategy's default."""
    cpu_time: bool = False
    """Whether the limit is on CPU time, not on wall time."""

    @property
    def strategy_name(self) -> str:
        """The strategy column: with other parts than its own it is another strategy."""
        parts = (self.strategy, "as-run" if self.as_run else None, self.mutations, self.repairer)
        return "+".join(part for part in parts if part)

    @property
    def feedback_name(self) -> str:
        """The feedback column: answers with noise are another kind of feedback."""
        return f"{self.feedback}+noise{self.noise:g}" if self.noise else self.feedback


@dataclass(frozen=True, slots=True)
class Job:
    """One run on one subject. Label budgets are checkpoints of it: a run with 10 begins the run with 30."""

    subject: str
    run: int
    seed: int
    setting: Setting
    labels: tuple[int, ...]
    input_kind: str = ""
    """Of a subject of any kind: its rows say more, and the golden program's answers are checked."""

    @property
    def row_type(self) -> type[Row]:
        return KindRow if self.input_kind else Row

    def key(self, labels: int) -> Key:
        setting = self.setting
        return Key(
            self.subject,
            self.run,
            self.seed,
            setting.strategy_name,
            setting.learner,
            setting.feedback_name,
            labels,
        )

    @property
    def id(self) -> str:
        """The same on every machine."""
        return digest(*map(str, self.key(0)), *map(str, self.labels))

    def row(self, labels: int, status: str) -> Row:
        """A row with everything known before measuring."""
        row = self.row_type(**self.key(labels)._asdict(), status=status)
        return replace(row, kind=self.input_kind) if isinstance(row, KindRow) else row

    def unfinished(self, rows: Iterable[Row], status: str, cpu_seconds: float = 0.0) -> list[Row]:
        """The rows of a failed job: those it made, and one with the status for every other budget."""
        made = {row.labels: row for row in rows}
        return [
            made.get(labels) or replace(self.row(labels, status), cpu_seconds=cpu_seconds)
            for labels in self.labels
        ]


def job_seed(seed: int, subject: str, run: int) -> int:
    """A seed that `--seed` accepts, so that any run can be repeated by hand."""
    return int(digest(str(seed), subject, str(run), length=12), 16) % SEEDS


def plan(
    subjects: Sequence[str],
    runs: int,
    labels: Sequence[int],
    setting: Setting,
    seed: int,
    kinds: Mapping[str, str] | None = None,
) -> list[Job]:
    """Runs every subject once before any twice, so that an interrupted run has covered them all."""
    budgets = tuple(sorted(set(labels)))
    return [
        Job(subject, run, job_seed(seed, subject, run), setting, budgets, (kinds or {}).get(subject, ""))
        for run in range(1, runs + 1)
        for subject in subjects
    ]


def missing(jobs: Iterable[Job], done: Container[Key]) -> list[Job]:
    """The jobs with the budgets that have no row yet."""
    left = []
    for job in jobs:
        budgets = tuple(labels for labels in job.labels if job.key(labels) not in done)
        if budgets:
            left.append(replace(job, labels=budgets))
    return left


T = TypeVar("T")


def in_random_order(things: Sequence[T], seed: int) -> list[T]:
    """The same for the same things and seed whatever their order."""
    ordered = sorted(things, key=str)
    return random.Random(f"sample {seed}").sample(ordered, len(ordered))


def sample(names: Sequence[str], count: int | None, seed: int) -> list[str]:
    """A fixed random sample, the same for the same names and seed whatever their order."""
    ordered = sorted(names)
    if count is None or count >= len(ordered):
        return ordered
    return sorted(random.Random(f"sample {seed}").sample(ordered, count))


def parse_labels(text: str) -> tuple[int, ...]:
    try:
        budgets = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        budgets = ()
    if not budgets or budgets[0] < 0:
        raise UsageError(f"cannot read --labels {text!r}", "write numbers with commas: --labels 10,20,30")
    return budgets


def parse_noise(text: str) -> tuple[float, ...]:
    try:
        chances = tuple(dict.fromkeys(float(part) for part in text.split(",")))
    except ValueError:
        chances = ()
    if not chances or not all(0 <= chance < 0.5 for chance in chances):
        raise UsageError(
            f"cannot read --noise {text!r}", "write chances below 0.5 with commas: --noise 0,0.05,0.2"
        )
    return chances

"""Reach: whether the space of candidates holds a right one, and at which rank. Nobody is asked.

A candidate is right when it answers as the golden program does on every test and on fresh inputs. The golden
program's text is read here alone, to say what kind of change separates it from the buggy one.
"""

from __future__ import annotations

import difflib
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from statistics import median

from learn2fix.experiments.plan import Job, Setting, job_seed
from learn2fix.experiments.processes import cpu_seconds
from learn2fix.experiments.rows import Key, Row
from learn2fix.experiments.subjects import FolderSubject
from learn2fix.experiments.tables import Table, percent, table
from learn2fix.experiments.truth import Truth, opened_truth
from learn2fix.repair.space import Space
from learn2fix.repair.stages import Stages

MOST_SINGLES = 40_000
SHARE = 4_000
"""Number of candidates that are judged at a time."""
STAGES = ("single", "pair", "synthesis")
OPENED = ("single", "single", "pair", "synthesis")
"""The same for each way to make candidates, in order: single edits come twice, then knowing what is right."""
TOKEN = re.compile(r"""[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[<>=!&|+*/%^-]+|\S""")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
TYPES = frozenset({"int", "long", "short", "char", "float", "double", "unsigned", "void", "bool"})
KEYWORDS = frozenset(
    {"if", "else", "for", "while", "do", "switch", "case", "break", "continue", "return", "elif"}
)


@dataclass(frozen=True, slots=True)
class ReachRow(Row):
    """`repaired` is 1 when a right candidate was found."""

    kind: str = ""
    reached: str = ""
    """The stage that holds it: single, pair or synthesis."""
    rank: int = 0
    """Of the first right candidate among those judged, from 1."""
    cost: float = 0.0
    right: int = 0
    """Number of right candidates in that share of the stage."""
    operator: str = ""
    needed: str = ""
    """What separates the buggy text from the golden one."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        found = ("repaired", "reached", "rank", "cost", "right", "operator", "needed")
        return (*Key._fields, "status", "kind", *found, "candidates", "executions", "cpu_seconds")


@dataclass(frozen=True, slots=True)
class ReachJob(Job):
    @property
    def row_type(self) -> type[Row]:
        return ReachRow


def plan_reach(subjects: Mapping[str, FolderSubject], timeout: float, seed: int) -> list[Job]:
    setting = Setting("reach", "patches", "output", 0.0, timeout)
    return [
        ReachJob(name, 1, job_seed(seed, name, 1), setting, (0,), subject.kind)
        for name, subject in subjects.items()
    ]


def run_reach(job: Job, subject: FolderSubject) -> Iterator[Row]:
    row = job.row(0, "unreached")
    assert isinstance(row, ReachRow)
    row = replace(row, kind=subject.kind, needed=needed(subject.buggy.content, subject.golden.content))
    with opened_truth(subject) as truth:
        if truth is None:
            row = replace(row, status="unanswered")
        else:
            row = _searched(row, truth, job.setting.timeout)
    yield replace(row, cpu_seconds=cpu_seconds(os.getpid()))


def _searched(row: ReachRow, truth: Truth, seconds: float) -> ReachRow:
    clock = time.monotonic
    deadline = clock() + seconds
    with closing(truth.repairable.evaluator(clock)) as evaluator:
        stages = Stages(truth.repairable, evaluator, truth.known, clock, deadline).all()
        space = Space(evaluator, stages, clock=clock, deadline=deadline, normal=truth.repairable.normal)
        for requirement in truth.required:
            space.require(requirement)
        for stage in OPENED:
            if not space.open_stage():
                continue
            while space.widen(SHARE) and not space.survivors and clock() < deadline:
                if space.judged >= MOST_SINGLES and stage == "single":
                    break
            if space.survivors:
                first = space.candidates[space.survivors[0]]
                row = replace(
                    row,
                    status="reached",
                    repaired=1,
                    reached=stage,
                    rank=min(space.survivors) + 1,
                    cost=first.cost,
                    right=len(space.survivors),
                    operator=first.kind,
                )
                break
        late = not row.repaired and clock() >= deadline
        return replace(
            row,
            status="late" if late else row.status,
            candidates=space.judged,
            executions=space.executions,
        )


def needed(buggy: bytes, golden: bytes) -> str:
    """The kinds of change between two texts, as `operator; name + constant`: a hunk each, at most four."""
    before, after = _tokens(buggy), _tokens(golden)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    hunks = [_hunk(before[a:b], after[c:d]) for kind, a, b, c, d in matcher.get_opcodes() if kind != "equal"]
    if len(hunks) > 4:
        return f"{len(hunks)} places"
    return "; ".join(hunks)


def _tokens(source: bytes) -> list[str]:
    return TOKEN.findall(COMMENT.sub(" ", source.decode("latin-1")))


def _hunk(old: Sequence[str], new: Sequence[str]) -> str:
    if ";" in new and not old:
        return "statement put in"
    if ";" in old and not new:
        return "statement taken out"
    classes = Counter(_class(token) for token in (*old, *new))
    what = " + ".join(name for name, _ in sorted(classes.items()) if name) or "punctuation"
    if not old:
        return f"put in {what}"
    if not new:
        return f"taken out {what}"
    return what


def _class(token: str) -> str:
    if token in TYPES:
        return "type"
    if token in KEYWORDS:
        return "keyword"
    if token[0] == '"':
        return "text"
    if token[0].isdigit() or token[0] == "'":
        return "constant"
    if token[0].isalpha() or token[0] == "_":
        return "name"
    return "operator" if token[0] in "<>=!&|+*/%^-" else ""


def reach_tables(rows: Sequence[Row], classes: Mapping[str, str]) -> tuple[Table, ...]:
    """By kind of input, and by defect class where these are known, else by what would be needed."""
    ours = [row for row in rows if isinstance(row, ReachRow)]
    by_kind = _grouped(ours, lambda row: row.kind or "numbers")
    by_class = _grouped(ours, lambda row: classes.get(row.subject, "") or row.needed or "none")
    title = "defect class" if classes else "what separates the texts"
    return (_table("Reach by kind of input", "kind", by_kind), _table(f"Reach by {title}", title, by_class))


def _grouped(rows: Sequence[ReachRow], name: Callable[[ReachRow], str]) -> dict[str, list[ReachRow]]:
    groups: dict[str, list[ReachRow]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    ordered = dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))
    return {**ordered, "all": list(rows)}


def _table(title: str, first: str, groups: Mapping[str, Sequence[ReachRow]]) -> Table:
    lines = []
    for name, rows in groups.items():
        reached = [row for row in rows if row.repaired]
        stages = Counter(row.reached for row in reached)
        lines.append(
            [
                name,
                str(len(rows)),
                percent(len(reached) / len(rows)) if rows else "–",
                *(str(stages[stage]) for stage in STAGES),
                str(sum(row.status == "late" for row in rows)),
                f"{median(row.rank for row in reached):,.0f}" if reached else "–",
            ]
        )
    columns = [first, "subjects", "reached", "by one edit", "by two", "by synthesis", "time up", "rank"]
    return table(title, columns, lines, "rank: median place of the first right candidate among all")

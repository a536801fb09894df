"""Repair alone: each subject from its own training tests, measured on the held-out ones."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from learn2fix.errors import BuildError
from learn2fix.experiments.measures import Series
from learn2fix.experiments.plan import Job, Setting, job_seed
from learn2fix.experiments.processes import cpu_seconds
from learn2fix.experiments.programs import MEASURING_LIMITS, file_options, named, open_source, parsed, placed
from learn2fix.experiments.rows import RepairRow, Row
from learn2fix.experiments.subjects import FolderSubject, Source
from learn2fix.experiments.tables import Table, figure, percent, table
from learn2fix.model import Input, Patch, Response
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Session

MEASURED = 1_000
"""Maximum number of plausible patches run on the held-out tests, most plausible first."""


@dataclass(frozen=True, slots=True)
class RepairJob(Job):
    @property
    def row_type(self) -> type[Row]:
        return RepairRow


def plan_repairs(
    subjects: Mapping[str, FolderSubject], timeout: float, seed: int, repairer: str | None = None
) -> list[Job]:
    setting = Setting("tests", "patches", "output", 0.0, timeout, repairer=repairer)
    return [
        RepairJob(name, 1, job_seed(seed, name, 1), setting, (len(subject.training),))
        for name, subject in subjects.items()
    ]


def run_repair(job: Job, subject: FolderSubject) -> Iterator[Row]:
    """One row. Held-out tests stay on this side until the patches are chosen."""
    options = Options(
        labels=0,
        asks=False,
        seed=job.seed,
        timeout=job.setting.timeout,
        build=subject.build,
        cflags=subject.cflags,
        tests=tuple((test.input, test.output) for test in subject.training),
        repairer=job.setting.repairer,
        **file_options(subject),
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="learn2fix-job-")))
        program = named(subject, placed(subject, subject.buggy, folder / "b"))
        began, used = time.monotonic(), cpu_seconds(os.getpid())
        session = stack.enter_context(Session.create(program, subject.failing, options))
        for _ in session.conversation():
            raise AssertionError("nobody is there to be asked")
        result = session.result()
        seconds, spent = time.monotonic() - began, cpu_seconds(os.getpid()) - used
        row = job.row(job.labels[0], result.status)
        assert isinstance(row, RepairRow)
        row = replace(
            row,
            repaired=int(bool(result.patches)),
            heldout_total=len(subject.heldout),
            candidates=result.effort.candidates,
            executions=result.effort.executions,
            seconds=seconds,
            cpu_seconds=spent,
            patch=result.patches[0].candidate.kind if result.patches else "",
        )
        if result.patches:
            passed = _passed(subject, result.patches[0], session, folder)
            right = int(passed == len(subject.heldout))
            row = replace(row, heldout_passed=passed, first_right=right)
        yield _counted(row, subject, session)


def _counted(row: RepairRow, subject: FolderSubject, session: Session) -> RepairRow:
    found = session.hypotheses
    if found is None:
        return row
    numbers, behaviours = found.space.survivors, found.committee.behaviours
    right, same = set(numbers[:MEASURED]), session.subject.same
    inputs = [parsed(session.domain, test.input) for test in subject.heldout]
    for given, test in zip(inputs, subject.heldout, strict=True):
        if right:
            groups = found.space.outputs([given], sorted(right))[0]
            wanted = Response.read(test.output)
            right = {n for answer, who in groups.items() if same(wanted, answer) for n in who}
    return replace(
        row,
        compiled=len(found.space.candidates) - found.space.uncompilable,
        plausible=len(numbers),
        behaviours=len(behaviours),
        right=len(right),
        rank=next((rank for rank, number in enumerate(numbers, 1) if number in right), 0),
        behaviour_rank=next((rank for rank, b in enumerate(behaviours, 1) if b.best in right), 0),
    )


def _passed(subject: FolderSubject, patch: Patch, session: Session, folder: Path) -> int:
    """Held-out tests that the patched source passes, as a program of its own."""
    source = Source(subject.buggy.name, patch.candidate.apply(subject.buggy.content))
    with Sandbox(MEASURING_LIMITS) as sandbox:
        try:
            program = open_source(subject, source, folder / "p", sandbox)
        except BuildError:
            return 0
        with closing(program):
            inputs: list[Input] = [parsed(session.domain, test.input) for test in subject.heldout]
            return sum(
                program.same(Response.read(test.output), outcome.response)
                for test, outcome in zip(subject.heldout, program.run(inputs), strict=True)
            )


def repair_table(rows: Sequence[Row], published: Sequence[Series] = ()) -> Table:
    """Ours, and beside it what was published for the same subjects and tests."""
    ours = [row for row in rows if isinstance(row, RepairRow)]
    subjects = {row.subject for row in ours}
    total = max(1, len(ours))
    found = [row for row in ours if row.plausible]
    good = [row for row in ours if row.right]
    counted = [row for row in ours if row.candidates]
    lines = [
        [
            f"{_repairer(ours)}, training tests",
            str(len(ours)),
            percent(sum(row.repaired for row in ours) / total),
            percent(sum(row.first_right for row in ours) / total),
            percent(len(good) / total),
            f"{_middle([row.plausible for row in found])}/{_middle([row.behaviours for row in found])}",
            _middle([row.right for row in good]),
            f"{sum(row.rank == 1 for row in good)}/{sum(row.behaviour_rank == 1 for row in good)}",
            _middle([row.candidates for row in counted]),
            percent(fmean(row.compiled / row.candidates for row in counted) if counted else None),
            _middle([row.candidates / max(row.cpu_seconds, 1e-3) for row in counted]),
            figure(median(row.seconds for row in ours) if ours else None, 1),
        ]
    ]
    for series in published:
        offered = {s: v for s, v in series.of("repaired").items() if s in subjects}
        if not offered or "manual" not in series.name:
            continue
        right = {s: v for s, v in series.of("correct").items() if s in subjects}
        cells = [percent(fmean(offered.values())), percent(fmean(right.values()) if right else None)]
        lines.append([series.name, str(len(offered)), *cells, *["–"] * 8])
    return table(
        "Repair from training tests",
        [
            "setting",
            "subjects",
            "patch",
            "first patch right",
            "a right one found",
            "plausible/behaviours",
            "of these right",
            "rank 1 patch/behaviour",
            "candidates",
            "compile",
            "a CPU second",
            "seconds",
        ],
        lines,
        "right: passes every held-out test; counts, candidates, rates and seconds are medians (of subjects "
        "with a patch, or with a right one); a CPU second counts building, telling apart and checking too",
    )


def _repairer(rows: Sequence[Row]) -> str:
    names = {row.strategy.partition("+")[2] for row in rows} - {""}
    return ", ".join(sorted(names)) or "learn2fix"


def _middle(values: Sequence[float]) -> str:
    return f"{median(values):,.4g}" if values and median(values) < 1000 else f"{median(values or [0]):,.0f}"

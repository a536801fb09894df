"""The experiment with seeded bugs: thousands of cases without anybody's benchmark."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from learn2fix.experiments.calibration import calibration_error
from learn2fix.experiments.codeflaws import FOLDER, find_codeflaws, read_codeflaws, read_names
from learn2fix.experiments.folder import DESCRIPTION, find_folders, read_folder
from learn2fix.experiments.job import run_job
from learn2fix.experiments.measures import heldout
from learn2fix.experiments.plan import Job, Setting, job_seed, sample
from learn2fix.experiments.programs import MEASURING_LIMITS
from learn2fix.experiments.rows import Row, SeededRow
from learn2fix.experiments.seeding import SeededBug, seed_bug
from learn2fix.experiments.subjects import FolderSubject
from learn2fix.experiments.tables import Table, figure, percent, table
from learn2fix.sandbox import Sandbox

LANGUAGES = {".c": "c", ".py": "python"}
UNSEEDED = "unseeded"
"""Status of a row where no mistake shows: nothing was run, nothing is to be counted."""
MARK = "~"
"""Between the name of a program and the number of the bug in it."""


@dataclass(frozen=True, slots=True)
class SeededJob(Job):
    number: int = 1
    count: int = 1
    seeding: int = 1
    """The seed of the mistakes, the same for all bugs of a plan: they are different by their numbers."""
    keep: str = ""
    """The folder where the program with the bug is written as a subject; empty: nowhere."""

    @property
    def row_type(self) -> type[Row]:
        return SeededRow


def correct_programs(root: Path, names: Path | None) -> dict[str, FolderSubject]:
    """Subjects by name: folders with a subject.toml, or those of Codeflaws, whose inputs are its tests."""
    wanted = read_names(names) if names else None
    flaws = root.is_dir() and any(FOLDER.match(path.name) for path in root.iterdir() if path.is_dir())
    if flaws and not (root / DESCRIPTION).is_file():
        found = [read_codeflaws(path) for path in find_codeflaws(root, wanted)]
        return {each.name: each.failing_on(*(t.input for t in each.training[:1])) for each in found}
    return {each.name: each for each in map(read_folder, find_folders(root, wanted))}


def plan_seeded(
    programs: Mapping[str, FolderSubject],
    each: int,
    most: int | None,
    labels: Sequence[int],
    setting: Setting,
    seed: int,
    keep: str = "",
) -> tuple[list[Job], dict[str, FolderSubject]]:
    """Jobs, and the correct program of each by the name of the bug; the first bug of every program first."""
    names = {f"{name}{MARK}{number}": (name, number) for name in programs for number in range(1, each + 1)}
    chosen = sorted(sample(list(names), most, seed), key=lambda bug: (names[bug][1], bug))
    jobs: list[Job] = []
    for bug in chosen:
        name, number = names[bug]
        language = LANGUAGES[Path(programs[name].golden.name).suffix]
        budgets = tuple(sorted(set(labels)))
        own = job_seed(seed, bug, 1)
        jobs.append(SeededJob(bug, 1, own, setting, budgets, language, number, each, seed, keep))
    return jobs, {bug: programs[names[bug][0]] for bug in chosen}


def run_seeded(job: Job, subject: FolderSubject) -> Iterator[Row]:
    """A row at each label budget."""
    assert isinstance(job, SeededJob)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="learn2fix-seeding-")))
        sandbox = stack.enter_context(Sandbox(MEASURING_LIMITS))
        bug = seed_bug(subject, job.number, job.count, job.seeding, folder, sandbox)
    if bug is None:
        yield from (job.row(labels, UNSEEDED) for labels in job.labels)
        return
    if job.keep:
        write_subject(bug, Path(job.keep) / job.subject)
    for row in run_job(job, bug.subject):
        assert isinstance(row, SeededRow)
        yield measured(row, bug)


def measured(row: SeededRow, bug: SeededBug) -> SeededRow:
    passed, total = heldout(row)
    right = 0 < passed == total and row.golden_agree == row.golden_total
    return replace(
        row,
        mistake=bug.mistake,
        line=bug.line,
        wrong_inputs=bug.wrong,
        tried_inputs=bug.tried,
        right=int(right),
    )


def write_subject(bug: SeededBug, folder: Path) -> None:
    """As `bench folder` and `fix` read it: to look at, and to try by hand."""
    subject, suffix = bug.subject, Path(bug.subject.golden.name).suffix
    folder.mkdir(parents=True, exist_ok=True)
    for each in subject.extra:
        (folder / each.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / each.name).write_bytes(each.content)
    (folder / f"buggy{suffix}").write_bytes(subject.buggy.content)
    (folder / f"golden{suffix}").write_bytes(subject.golden.content)
    described: dict[str, object] = {
        "buggy": f"buggy{suffix}",
        "golden": f"golden{suffix}",
        "failing": list(subject.failing),
        "passing": [test.input for test in subject.training if test.input not in subject.failing],
        "function": subject.function,
        "build": subject.build,
        "cflags": subject.cflags,
        "files": [each.name for each in subject.extra],
        "arguments": list(subject.arguments),
        "input_file": subject.input_file,
        "about": f"seeded in line {bug.line}: {bug.mistake}",
    }
    # What JSON writes of texts and lists of texts is TOML as well.
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in described.items() if value)
    (folder / DESCRIPTION).write_text("".join(lines))


def seeded_tables(rows: Sequence[Row]) -> tuple[Table, ...]:
    """What became of seeded bugs, by language and by mistake; nothing without any."""
    ours = [row for row in rows if isinstance(row, SeededRow) and row.status != UNSEEDED]
    if not ours:
        return ()
    languages = {f"{row.kind}, {row.feedback}": row for row in ours}
    by_language = [
        (name, [row for row in ours if f"{row.kind}, {row.feedback}" == name]) for name in languages
    ]
    by_mistake = {row.mistake: [each for each in ours if each.mistake == row.mistake] for row in ours}
    columns = [
        "bugs",
        "called the repair",
        "right",
        "wrong",
        "right of called",
        "undecided",
        "… right one first",
    ]
    columns += ["no patch", "failed jobs", "questions", "median", "calibration error"]
    note = (
        "right: prints what the correct program prints on every held-out and fresh input; undecided: no "
        "patch was likely enough to be called the repair; calibration error: how far, on average, the "
        "confidence of the first patch is from the share that is right"
    )
    return (
        table(
            "Seeded bugs",
            ["", *columns],
            [[name, *_cells(members)] for name, members in (*sorted(by_language), ("all", ours))],
            note,
        ),
        table(
            "Seeded bugs by mistake",
            ["", *columns[:-1]],
            [[name, *_cells(members)[:-1]] for name, members in sorted(by_mistake.items())],
        ),
    )


def _cells(rows: Sequence[SeededRow]) -> list[str]:
    called = [row for row in rows if row.repaired]
    right = [row for row in called if row.right]
    undecided = [row for row in rows if row.status == "undecided"]
    failed = [row for row in rows if row.failed]
    ended = [row.questions for row in rows if not row.failed]
    offered = [row for row in rows if row.signals]
    error = calibration_error([row.confidence for row in offered], [bool(row.right) for row in offered])
    return [
        str(len(rows)),
        str(len(called)),
        str(len(right)),
        str(len(called) - len(right)),
        percent(len(right) / len(called) if called else None),
        str(len(undecided)),
        str(sum(row.right for row in undecided)),
        str(sum(row.status in ("no_patch", "stopped") for row in rows)),
        str(len(failed)),
        figure(fmean(ended) if ended else None, 1),
        figure(median(ended) if ended else None, 1),
        figure(error),
    ]

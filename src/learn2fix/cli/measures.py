"""`bench repair`, `bench reach`, `bench subjects`: what can be measured without any question."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from learn2fix.cli.options import cores
from learn2fix.cli.subjects import (
    FILE,
    JOBS,
    REPAIRER,
    RETRY_FAILED,
    SUBJECTS,
    out_option,
    qualified_subjects,
    say,
    timeout_option,
)
from learn2fix.errors import UsageError

if TYPE_CHECKING:
    from learn2fix.experiments.isolation import Work
    from learn2fix.experiments.plan import Job
    from learn2fix.experiments.rows import Row
    from learn2fix.experiments.subjects import FolderSubject


@click.command("repair")
@click.argument("folder", type=FILE)
@click.option("--cflags", metavar="FLAGS", help="Flags of the C compiler.  [default: as bench codeflaws]")
@click.option(
    "--published", type=FILE, metavar="CSV", help="Published figures of each subject, to stand beside."
)
@SUBJECTS
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="A random sample of so many subjects, the same for the same --seed.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@REPAIRER
@timeout_option(60.0, "repair")
@JOBS
@out_option("repair.csv")
@RETRY_FAILED
def repair_(
    folder: Path,
    cflags: str | None,
    published: Path | None,
    subjects: Path | None,
    sample: int | None,
    seed: int,
    repairer: str | None,
    timeout: float,
    jobs: int | None,
    out: Path,
    retry_failed: bool,
) -> None:
    """Repair Codeflaws subjects from their own training tests; held-out tests say what is right."""
    from learn2fix.experiments.measures import read_published
    from learn2fix.experiments.repairing import plan_repairs, repair_table, run_repair
    from learn2fix.experiments.rows import RepairRow

    known = read_published(published) if published else []
    processes = jobs or cores()
    chosen = qualified_subjects(folder, subjects, sample, seed, processes, cflags)
    planned = plan_repairs(chosen, timeout, seed, repairer)
    rows = _measured(planned, chosen, run_repair, RepairRow, out, processes, retry_failed)
    click.echo(repair_table(rows, known).text(), nl=False)


@click.command("reach")
@click.argument("folder", type=FILE)
@SUBJECTS
@click.option(
    "--kind", metavar="KIND,…", help="Only these kinds: numbers, numbers+, list, lists, word, words, texts."
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="A random sample of so many subjects."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@click.option("--classes", type=FILE, metavar="FILE", help="Defect class of each subject: subject,class.")
@timeout_option(120.0, "subject")
@JOBS
@out_option("reach.csv")
def reach_(
    folder: Path,
    subjects: Path | None,
    kind: str | None,
    sample: int | None,
    seed: int,
    classes: Path | None,
    timeout: float,
    jobs: int | None,
    out: Path,
) -> None:
    """Say for each Codeflaws subject whether a right candidate can be made, and at which rank.

    Nobody is asked: a right candidate answers as the golden program on all tests and on fresh inputs.
    """
    from learn2fix.experiments.kinds import InputKind, parse_kinds
    from learn2fix.experiments.measures import read_classes
    from learn2fix.experiments.reach import ReachRow, plan_reach, reach_tables, run_reach

    known = read_classes(classes) if classes else {}
    processes = jobs or cores()
    kinds = parse_kinds(kind) if kind else frozenset(InputKind)
    chosen = qualified_subjects(folder, subjects, sample, seed, processes, None, kinds)
    planned = plan_reach(chosen, timeout, seed)
    rows = _measured(planned, chosen, run_reach, ReachRow, out, processes)
    click.echo("\n".join(each.text() for each in reach_tables(rows, known)), nl=False)


@click.command("subjects")
@click.argument("folder", type=FILE)
@click.option("--cflags", metavar="FLAGS", help="Flags of the C compiler.  [default: as bench codeflaws]")
@SUBJECTS
@click.option(
    "--published", type=FILE, metavar="CSV", help="Published figures: say where its list of subjects differs."
)
@click.option(
    "--out",
    type=FILE,
    default=Path("subjects.csv"),
    show_default=True,
    metavar="FILE",
    help="A line a subject is appended here; what it holds already is not looked at again.",
)
def subjects_(
    folder: Path, cflags: str | None, subjects: Path | None, published: Path | None, out: Path
) -> None:
    """Say for each Codeflaws subject which of the paper's rules drops it."""
    from learn2fix.experiments.codeflaws import CFLAGS, find_codeflaws, read_names
    from learn2fix.experiments.measures import read_published
    from learn2fix.experiments.rules import differences, looked_at, rules_table, write_rules

    flags = (cflags,) if cflags is not None else CFLAGS
    known = {name for each in (read_published(published) if published else ()) for name in each.subjects}
    folders = find_codeflaws(folder, read_names(subjects) if subjects else None)
    found = write_rules(folders, lambda path: looked_at(path, flags), out)
    click.echo(rules_table(found).text(), nl=False)
    if published:
        click.echo("\n" + differences(found, known).text(), nl=False)


def _measured(
    planned: list[Job],
    chosen: dict[str, FolderSubject],
    work: Work,
    row_type: type[Row],
    out: Path,
    jobs: int,
    retry_failed: bool = False,
) -> list[Row]:
    """Runs what is missing on this machine; all rows of the plan."""
    from learn2fix.experiments.bench import ErrorLog, ProgressLine, run_plan
    from learn2fix.experiments.engine import open_engine
    from learn2fix.experiments.rows import Results

    if not chosen:
        raise UsageError("no subject qualifies", "the rules are in docs/experiments.md")
    with Results(out, row_type) as results:
        if retry_failed:
            say(f"{results.drop_failed()} failed rows are taken away to run again")
        with open_engine("local", jobs) as engine:
            watch, note = ProgressLine(sys.stderr), ErrorLog(out, sys.stderr)
            run_plan(planned, chosen, results, engine, work, on_progress=watch, on_failure=note)
        wanted = {job.key(budget) for job in planned for budget in job.labels}
        return [row for row in results.rows if row.key in wanted]

"""`bench repair`, `bench reach`, `bench subjects`: what can be measured without any question."""

from __future__ import annotations

from pathlib import Path

import click

from learn2fix.cli.options import cores
from learn2fix.cli.subjects import (
    CFLAGS,
    CLASSES,
    FILE,
    JOBS,
    PUBLISHED,
    REPAIRER,
    RETRY_FAILED,
    SAMPLE,
    SEED,
    SUBJECTS,
    out_option,
    qualified_subjects,
    run_missing,
    timeout_option,
)


@click.command("repair")
@click.argument("folder", type=FILE)
@CFLAGS
@PUBLISHED
@SUBJECTS
@SAMPLE
@SEED
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
    rows = run_missing(planned, chosen, run_repair, RepairRow, out, processes, retry_failed)
    click.echo(repair_table(rows, known).text(), nl=False)


@click.command("reach")
@click.argument("folder", type=FILE)
@SUBJECTS
@click.option(
    "--kind", metavar="KIND,…", help="Only these kinds: numbers, numbers+, list, lists, word, words, texts."
)
@SAMPLE
@SEED
@CLASSES
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
    rows = run_missing(planned, chosen, run_reach, ReachRow, out, processes)
    click.echo("\n".join(each.text() for each in reach_tables(rows, known)), nl=False)


@click.command("subjects")
@click.argument("folder", type=FILE)
@CFLAGS
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
    from learn2fix.experiments.codeflaws import CFLAGS as DEFINED_MEMORY
    from learn2fix.experiments.codeflaws import find_codeflaws, read_names
    from learn2fix.experiments.measures import read_published
    from learn2fix.experiments.rules import differences, looked_at, rules_table, write_rules

    flags = (cflags,) if cflags is not None else DEFINED_MEMORY
    known = {name for each in (read_published(published) if published else ()) for name in each.subjects}
    folders = find_codeflaws(folder, read_names(subjects) if subjects else None)
    found = write_rules(folders, lambda path: looked_at(path, flags), out)
    click.echo(rules_table(found).text(), nl=False)
    if published:
        click.echo("\n" + differences(found, known).text(), nl=False)

"""`bench seeded`: bugs of our own in correct programs."""

from __future__ import annotations

from pathlib import Path

import click

from learn2fix.cli.options import cores
from learn2fix.cli.subjects import (
    FEEDBACK,
    FILE,
    JOBS,
    RETRY_FAILED,
    SAMPLE,
    SEED,
    labels_option,
    out_option,
    run_missing,
    timeout_option,
)
from learn2fix.errors import UsageError


@click.command()
@click.argument("folder", type=FILE)
@click.option("--subjects", type=FILE, metavar="FILE", help="Only the programs of this list, one a line.")
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Bugs seeded into each program, one at a time.",
)
@SAMPLE
@labels_option("10")
@FEEDBACK
@click.option(
    "--noise",
    type=click.FloatRange(0, 0.5, max_open=True),
    default=0.0,
    metavar="P",
    help="Answers are wrong with this probability.",
)
@SEED
@timeout_option(120.0, "session")
@JOBS
@out_option("seeded.csv")
@click.option(
    "--keep", type=FILE, metavar="DIR", help="Write each program with its bug there, to be tried by hand."
)
@RETRY_FAILED
def seeded(
    folder: Path,
    subjects: Path | None,
    each: int,
    sample: int | None,
    labels: str,
    feedback: str,
    noise: float,
    seed: int,
    timeout: float,
    jobs: int | None,
    out: Path,
    keep: Path | None,
    retry_failed: bool,
) -> None:
    """Bugs of our own, seeded into the correct programs in FOLDER, which then answer.

    FOLDER holds folders with a subject.toml, or subjects of Codeflaws as published; only their golden
    programs are used. What is seeded is in docs/experiments.md.
    """
    from learn2fix.experiments.plan import Setting, parse_labels
    from learn2fix.experiments.rows import SeededRow
    from learn2fix.experiments.seeded import correct_programs, plan_seeded, run_seeded, seeded_tables

    programs = correct_programs(folder, subjects)
    setting = Setting(feedback=feedback, noise=noise, timeout=timeout)
    kept = str(keep.absolute()) if keep else ""
    planned, by_bug = plan_seeded(programs, each, sample, parse_labels(labels), setting, seed, kept)
    if not planned:
        raise UsageError("there is no program to seed a bug into", "docs/experiments.md shows the layout")
    rows = run_missing(planned, by_bug, run_seeded, SeededRow, out, jobs or cores(), retry_failed)
    click.echo("\n".join(each.text() for each in seeded_tables(rows)), nl=False)

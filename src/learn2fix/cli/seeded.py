"""`bench seeded`: bugs of our own in correct programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from learn2fix.cli.options import cores
from learn2fix.cli.subjects import FILE, JOBS, RETRY_FAILED, out_option, say, timeout_option
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
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="A random sample of so many of them, the same for the same --seed.",
)
@click.option(
    "--labels",
    default="10",
    show_default=True,
    metavar="N,N,…",
    help="Label budgets, all measured in the same run.",
)
@click.option(
    "--feedback",
    type=click.Choice(["output", "choice", "verdict"]),
    default="output",
    show_default=True,
    help="The correct program says what is right, only recognises it, or says only bug or ok.",
)
@click.option(
    "--noise",
    type=click.FloatRange(0, 0.5, max_open=True),
    default=0.0,
    metavar="P",
    help="Answers are wrong with this probability.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Bugs, sample and every job's own seed are made from it.",
)
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
    from learn2fix.experiments.bench import ErrorLog, ProgressLine, run_plan
    from learn2fix.experiments.engine import open_engine
    from learn2fix.experiments.plan import Setting, missing, parse_labels
    from learn2fix.experiments.rows import Results, SeededRow
    from learn2fix.experiments.seeded import correct_programs, plan_seeded, run_seeded, seeded_tables

    programs = correct_programs(folder, subjects)
    setting = Setting(feedback=feedback, noise=noise, timeout=timeout)
    kept = str(keep.absolute()) if keep else ""
    planned, by_bug = plan_seeded(programs, each, sample, parse_labels(labels), setting, seed, kept)
    if not planned:
        raise UsageError("there is no program to seed a bug into", "docs/experiments.md shows the layout")
    with Results(out, SeededRow) as results:
        if retry_failed:
            say(f"{results.drop_failed()} failed rows are taken away to run again")
        say(f"{len(planned) - len(missing(planned, results.keys))} of {len(planned)} jobs are done already")
        with open_engine("local", jobs or cores()) as engine:
            watch, note = ProgressLine(sys.stderr), ErrorLog(out, sys.stderr)
            run_plan(planned, by_bug, results, engine, run_seeded, on_progress=watch, on_failure=note)
        wanted = {job.key(budget) for job in planned for budget in job.labels}
        rows = [row for row in results.rows if row.key in wanted]
        click.echo("\n".join(each.text() for each in seeded_tables(rows)), nl=False)

"""`bench codeflaws`, `bench folder` and `report`: the experiments of the paper, and their tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learn2fix.cli.options import as_run_option, cores, options_of, strategy_option, together
from learn2fix.cli.subjects import (
    CFLAGS,
    CLASSES,
    FEEDBACK,
    FILE,
    JOBS,
    PUBLISHED,
    REPAIRER,
    RETRY_FAILED,
    SAMPLE,
    SEED,
    SUBJECTS,
    labels_option,
    out_option,
    qualified_subjects,
    run_missing,
    say,
)
from learn2fix.errors import UsageError

if TYPE_CHECKING:
    from learn2fix.experiments.subjects import FolderSubject


plan_options = together(
    SUBJECTS,
    SAMPLE,
    labels_option("10,20,30"),
    click.option("--runs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
                 help="Runs of each subject, each with its own seed."),
    strategy_option,
    click.option("--learner", metavar="NAME,…", help="What the oracle is made of: incal, smt, tree, patches, "
                 "adaboost, bayes, svm, mlp.  [default: by strategy]"),
    click.option("--mutations", type=click.Choice(["paper", "extended"]), help="How inputs are varied under "
                 "--learner smt or tree.  [default: by strategy]"),
    as_run_option,
    REPAIRER,
    click.option("--learn-only", "only_learn", is_flag=True, help="Measure the oracle; repair nothing."),
    FEEDBACK,
    click.option("--noise", default="0", metavar="P,…", help="Answers are wrong with this probability."),
    SEED,
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Wall time of "
                 "one session, in seconds.  [default: 600, or 1200 to learn and repair as in the paper]"),
    click.option("--cpu-time", is_flag=True, help="--timeout is CPU time of the session: rows do not depend "
                 "on what else the machine does."),
    click.option("--job-timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Wall time "
                 "after which a job is ended and recorded as timeout.  [default: by --timeout]"),
    JOBS,
    click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True,
                 help="Processes of this machine, or the workers of a Dask cluster."),
    click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster.  [default: one of this machine]"),
    out_option("results.csv"),
    RETRY_FAILED,
)  # fmt: skip


@click.command()
@click.argument("folder", type=FILE)
@CFLAGS
@click.option("--list", "only_list", is_flag=True, help="Print the subjects that qualify, and stop.")
@click.option("--all", "every_kind", is_flag=True, help="Subjects of every kind, not only the paper's.")
@click.option(
    "--kind", metavar="KIND,…", help="With --all, only these kinds: numbers, numbers+, list, lists, word, …"
)
@plan_options
def codeflaws(
    folder: Path,
    cflags: str | None,
    only_list: bool,
    every_kind: bool,
    kind: str | None,
    subjects: Path | None,
    sample: int | None,
    seed: int,
    jobs: int | None,
    **given: Any,
) -> None:
    """Codeflaws subjects in FOLDER, as published, that qualify by the paper's rules.

    With --all, programs that read anything: lists, words, lines, tables. Right is then what the golden
    program prints as built here.
    """
    from learn2fix.experiments.kinds import InputKind, parse_kinds

    if kind and not every_kind:
        raise UsageError("--kind is for subjects of every kind", "add --all")
    kinds = (parse_kinds(kind) if kind else frozenset(InputKind)) if every_kind else None
    processes = jobs or cores()
    chosen = qualified_subjects(folder, subjects, sample, seed, processes, cflags, kinds)
    if only_list:
        click.echo("\n".join(f"{name} {each.kind}".rstrip() for name, each in chosen.items()))
        return
    _run(chosen, seed=seed, jobs=processes, **given)


@click.command("folder")
@click.argument("folder", type=FILE)
@plan_options
def folder_(
    folder: Path, subjects: Path | None, sample: int | None, seed: int, jobs: int | None, **given: Any
) -> None:
    """Any subjects in FOLDER, each a folder with a subject.toml (docs/experiments.md)."""
    from learn2fix.experiments.codeflaws import read_names
    from learn2fix.experiments.folder import find_folders, read_folder
    from learn2fix.experiments.plan import sample as choose

    found = [read_folder(path) for path in find_folders(folder, read_names(subjects) if subjects else None)]
    by_name = {subject.name: subject for subject in found}
    chosen = choose(list(by_name), sample, seed)
    _run({name: by_name[name] for name in chosen}, seed=seed, jobs=jobs or cores(), **given)


def _run(
    subjects: dict[str, FolderSubject],
    *,
    labels: str,
    runs: int,
    strategy: str,
    learner: str | None,
    feedback: str,
    noise: str,
    mutations: str | None,
    only_learn: bool,
    as_run: bool,
    repairer: str | None,
    seed: int,
    timeout: float | None,
    cpu_time: bool,
    job_timeout: float | None,
    jobs: int,
    engine: str,
    scheduler: str | None,
    out: Path,
    retry_failed: bool,
) -> None:
    from learn2fix.experiments.by_kind import kind_tables
    from learn2fix.experiments.job import run_job
    from learn2fix.experiments.plan import LEARNERS, Setting, parse_labels, parse_noise, plan
    from learn2fix.experiments.report import summary
    from learn2fix.experiments.rows import KindRow, Row
    from learn2fix.oracles.registry import LEARNERS as LEARNERS_BY_NAME

    learners = learner.split(",") if learner else [LEARNERS[strategy]]
    for name in learners:
        if name not in ("patches", *LEARNERS_BY_NAME):
            raise UsageError(
                f"no learner is called {name!r}", f"there are patches, {', '.join(LEARNERS_BY_NAME)}"
            )
    options = options_of(
        {"strategy": strategy, "timeout": timeout, "as_run": as_run, "seed": seed}, only_learn=only_learn
    )
    kinds = {name: subject.kind for name, subject in subjects.items()}
    budgets, noises = parse_labels(labels), parse_noise(noise)
    settings = [
        Setting(
            strategy,
            name,
            feedback,
            chance,
            options.timeout,
            mutations,
            only_learn,
            as_run,
            repairer,
            cpu_time,
        )
        for chance in noises
        for name in learners
    ]
    planned = [
        job for setting in settings for job in plan(list(subjects), runs, budgets, setting, seed, kinds)
    ]
    row_type = KindRow if any(kinds.values()) else Row
    rows = run_missing(
        planned, subjects, run_job, row_type, out, jobs, retry_failed,
        engine=engine, scheduler=scheduler, limit=job_timeout,
    )  # fmt: skip
    click.echo("\n".join(each.text() for each in (summary(rows), *kind_tables(rows))), nl=False)


@click.command(short_help="Make tables, tests of significance and plots of results.")
@click.argument("results", type=FILE, nargs=-1, required=True)
@PUBLISHED
@CLASSES
@click.option(
    "--out",
    type=FILE,
    default=Path("report.html"),
    show_default=True,
    metavar="FILE",
    help="The HTML file, which needs no other.",
)
def report(results: tuple[Path, ...], published: Path | None, classes: Path | None, out: Path) -> None:
    """Make tables, tests of significance and plots of results.

    RESULTS are files of bench codeflaws, bench folder and bench repair, together. The tables go to stdout as
    text, and with the plots into one HTML file.
    """
    from learn2fix.experiments.measures import read_classes, read_published
    from learn2fix.experiments.report import make_report
    from learn2fix.experiments.rows import KindRow, RepairRow, Row, SeededRow, read_rows

    kinds = (Row, KindRow, SeededRow, RepairRow)
    rows = {row.key: row for path in results for row in read_rows(path, *kinds)}
    made = make_report(
        list(rows.values()),
        read_published(published) if published else (),
        read_classes(classes) if classes else None,
    )
    page = made.html()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot write {out}: {problem.strerror}") from None
    click.echo(made.text(), nl=False)
    say(f"written: {out}")

"""`bench codeflaws`, `bench folder` and `report`: the experiments of the paper, and their tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learn2fix.cli.options import cores, options_of
from learn2fix.cli.subjects import FILE, REPAIRER, qualified_subjects, say
from learn2fix.errors import UsageError

if TYPE_CHECKING:
    from learn2fix.experiments.subjects import FolderSubject


def plan_options(function: Any) -> Any:
    options = [
        click.option(
            "--subjects", type=FILE, metavar="FILE", help="Only the subjects of this list, one a line."
        ),
        click.option(
            "--sample",
            type=click.IntRange(min=1),
            metavar="N",
            help="A random sample of so many subjects, the same for the same --seed.",
        ),
        click.option(
            "--labels",
            default="10,20,30",
            show_default=True,
            metavar="N,N,…",
            help="Label budgets, all measured in the same run.",
        ),
        click.option(
            "--runs",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Runs of each subject, each with its own seed.",
        ),
        click.option(
            "--strategy",
            type=click.Choice(["guided", "paper"]),
            default="guided",
            show_default=True,
            help="Ours, or the paper's algorithms as published.",
        ),
        click.option(
            "--learner",
            metavar="NAME,…",
            help="What the oracle is made of: incal, smt, tree, patches, adaboost, bayes, svm, mlp.  "
            "[default: by strategy]",
        ),
        click.option(
            "--mutations",
            type=click.Choice(["paper", "extended"]),
            help="How inputs are varied under --learner smt or tree.  [default: by strategy]",
        ),
        click.option(
            "--as-run",
            is_flag=True,
            help="With --strategy paper: what the authors' program does beyond the paper.",
        ),
        REPAIRER,
        click.option("--learn-only", "only_learn", is_flag=True, help="Measure the oracle; repair nothing."),
        click.option(
            "--feedback",
            type=click.Choice(["output", "choice", "verdict"]),
            default="output",
            show_default=True,
            help="The golden program says what is right, only recognises it, or says only bug or ok.",
        ),
        click.option(
            "--noise",
            default="0",
            metavar="P,…",
            help="Answers are wrong with this probability.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            metavar="N",
            help="Every job's own seed is made from it, the subject and the run.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            metavar="S",
            help="Wall time of one session, in seconds.  [default: 600, or 1200 to learn and repair as in "
            "the paper]",
        ),
        click.option(
            "--job-timeout",
            type=click.FloatRange(min=0, min_open=True),
            metavar="S",
            help="Wall time after which a job is ended and recorded as timeout.  [default: by --timeout]",
        ),
        click.option(
            "--jobs", type=click.IntRange(min=1), metavar="N", help="Jobs at a time.  [default: cores]"
        ),
        click.option(
            "--engine",
            type=click.Choice(["local", "dask"]),
            default="local",
            show_default=True,
            help="Processes of this machine, or the workers of a Dask cluster.",
        ),
        click.option(
            "--scheduler", metavar="ADDRESS", help="Of a Dask cluster.  [default: one of this machine]"
        ),
        click.option(
            "--out",
            type=FILE,
            default=Path("results.csv"),
            show_default=True,
            metavar="FILE",
            help="Rows are appended here; what it holds already is not run again.",
        ),
        click.option("--retry-failed", is_flag=True, help="Run jobs again that ended in error or timeout."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.command()
@click.argument("folder", type=FILE)
@click.option(
    "--cflags", metavar="FLAGS", help="Flags of the C compiler.  [default: fresh memory is defined]"
)
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
    job_timeout: float | None,
    jobs: int,
    engine: str,
    scheduler: str | None,
    out: Path,
    retry_failed: bool,
) -> None:
    from learn2fix.experiments.bench import ErrorLog, ProgressLine, run_plan
    from learn2fix.experiments.by_kind import kind_tables
    from learn2fix.experiments.engine import open_engine
    from learn2fix.experiments.job import run_job
    from learn2fix.experiments.plan import LEARNERS, Setting, missing, parse_labels, parse_noise, plan
    from learn2fix.experiments.report import summary
    from learn2fix.experiments.rows import KindRow, Results, Row
    from learn2fix.oracles.registry import LEARNERS as LEARNERS_BY_NAME

    learners = learner.split(",") if learner else [LEARNERS[strategy]]
    for name in learners:
        if name not in ("patches", *LEARNERS_BY_NAME):
            raise UsageError(
                f"no learner is called {name!r}", f"there are patches, {', '.join(LEARNERS_BY_NAME)}"
            )
    if not subjects:
        raise UsageError("no subject qualifies", "the rules are in docs/experiments.md")
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
        )
        for chance in noises
        for name in learners
    ]
    planned = [
        job for setting in settings for job in plan(list(subjects), runs, budgets, setting, seed, kinds)
    ]
    with Results(out, KindRow if any(kinds.values()) else Row) as results:
        if retry_failed:
            say(f"{results.drop_failed()} failed rows are taken away to run again")
        left = missing(planned, results.keys)
        say(f"{len(planned) - len(left)} of {len(planned)} jobs are done already")
        with open_engine(engine, jobs, scheduler) as chosen:
            run_plan(
                planned,
                subjects,
                results,
                chosen,
                run_job,
                limit=job_timeout,
                on_progress=ProgressLine(sys.stderr),
                on_failure=ErrorLog(out, sys.stderr),
            )
        wanted = {job.key(budget) for job in planned for budget in job.labels}
        rows = [row for row in results.rows if row.key in wanted]
        click.echo(summary(rows).text(), nl=False)
        for each in kind_tables(rows):
            click.echo("\n" + each.text(), nl=False)


@click.command(short_help="Make tables, tests of significance and plots of results.")
@click.argument("results", type=FILE, nargs=-1, required=True)
@click.option(
    "--published", type=FILE, metavar="CSV", help="Published figures of each subject, to stand beside."
)
@click.option("--classes", type=FILE, metavar="FILE", help="Defect class of each subject: subject,class.")
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

"""What the commands of `bench` share: which subjects take part, and how progress is said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from learn2fix.errors import UsageError

if TYPE_CHECKING:
    from learn2fix.experiments.isolation import Work
    from learn2fix.experiments.plan import Job
    from learn2fix.experiments.rows import Row
    from learn2fix.experiments.subjects import FolderSubject

FILE = click.Path(path_type=Path)
F = TypeVar("F", bound=Callable[..., Any])


class Decorator(Protocol):
    """An option of a command."""

    def __call__(self, function: F, /) -> F: ...


SUBJECTS = click.option(
    "--subjects", type=FILE, metavar="FILE", help="Only the subjects of this list, one a line."
)
JOBS = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Jobs at a time.  [default: cores]"
)
RETRY_FAILED = click.option(
    "--retry-failed", is_flag=True, help="Run jobs again that ended in error or timeout."
)
CFLAGS = click.option(
    "--cflags", metavar="FLAGS", help="Flags of the C compiler.  [default: fresh memory is defined]"
)
SAMPLE = click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="A random sample of this size, the same for the same --seed.",
)
FEEDBACK = click.option(
    "--feedback",
    type=click.Choice(["output", "choice", "verdict"]),
    default="output",
    show_default=True,
    help="The golden program says what is right, only recognises it, or says only bug or ok.",
)
SEED = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    metavar="N",
    help="Samples and the seeds of all jobs are derived from it.",
)
PUBLISHED = click.option(
    "--published", type=FILE, metavar="CSV", help="Published figures of each subject, to compare with."
)
CLASSES = click.option(
    "--classes", type=FILE, metavar="FILE", help="Defect class of each subject: subject,class."
)
REPAIRER = click.option(
    "--repairer",
    type=click.Choice(["edits", "genprog", "genetic", "synthesis"]),
    help="Who repairs from the tests (docs/repairers.md).  [default: genprog with --strategy paper]",
)


def timeout_option(seconds: float, of: str) -> Decorator:
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        default=seconds,
        show_default=True,
        metavar="S",
        help=f"Wall time of one {of}, in seconds.",
    )


def out_option(name: str) -> Decorator:
    return click.option(
        "--out",
        type=FILE,
        default=Path(name),
        show_default=True,
        metavar="FILE",
        help="Rows are appended here; what it holds already is not run again.",
    )


def labels_option(budgets: str) -> Decorator:
    return click.option(
        "--labels",
        default=budgets,
        show_default=True,
        metavar="N,N,…",
        help="Label budgets, all measured in the same run.",
    )


def run_missing(
    planned: list[Job],
    subjects: Mapping[str, FolderSubject],
    work: Work,
    row_type: type[Row],
    out: Path,
    jobs: int,
    retry_failed: bool = False,
    *,
    engine: str = "local",
    scheduler: str | None = None,
    limit: float | None = None,
) -> list[Row]:
    """Runs the jobs that have no rows yet; the rows of all jobs."""
    from learn2fix.experiments.bench import ErrorLog, ProgressLine, run_plan
    from learn2fix.experiments.engine import open_engine
    from learn2fix.experiments.plan import missing
    from learn2fix.experiments.rows import Results

    if not subjects:
        raise UsageError("no subject qualifies", "the rules are in docs/experiments.md")
    with Results(out, row_type) as results:
        if retry_failed:
            say(f"{results.drop_failed()} failed rows are removed and their jobs run again")
        say(f"{len(planned) - len(missing(planned, results.keys))} of {len(planned)} jobs are done already")
        watch, note = ProgressLine(sys.stderr), ErrorLog(out, sys.stderr)
        with open_engine(engine, jobs, scheduler) as opened:
            run_plan(
                planned, subjects, results, opened, work, limit=limit, on_progress=watch, on_failure=note
            )
        wanted = {job.key(budget) for job in planned for budget in job.labels}
        return [row for row in results.rows if row.key in wanted]


def qualified_subjects(
    folder: Path,
    subjects: Path | None,
    sample: int | None,
    seed: int,
    jobs: int,
    cflags: str | None,
    kinds: Collection[str] | None = None,
) -> dict[str, FolderSubject]:
    """The subjects that qualify, or a sample of them."""
    from learn2fix.experiments.codeflaws import CFLAGS, dropped, find_codeflaws, read_names
    from learn2fix.experiments.plan import in_random_order
    from learn2fix.experiments.plan import sample as choose
    from learn2fix.experiments.qualify import qualify_all

    folders = find_codeflaws(folder, read_names(subjects) if subjects else None)
    flags = (cflags,) if cflags is not None else CFLAGS
    enough = None
    if kinds is not None and sample is not None:
        # Thousands of subjects: only as many are run as the sample needs.
        folders, enough = in_random_order(folders, seed), sample
    found = qualify_all(folders, jobs, flags, _watch(), kinds, enough)
    qualified = {each.name: each.subject for each in found if each.subject is not None}
    say(f"{len(qualified)} of {len(found)} subjects qualify")
    for rule, count in dropped(found).items():
        if count:
            say(f"  {count} dropped: not {rule}")
    if subjects:
        for each in found:
            if each.broken is not None:
                say(f"  {each.name}: not {each.broken}" + (f" ({each.detail})" if each.detail else ""))
    return {name: qualified[name] for name in choose(list(qualified), sample, seed)}


def _watch() -> Any:
    """Shows progress: running every program once takes a while."""

    def watch(done: int, total: int) -> None:
        if done % 100 == 0 or (done == total and total > 20):
            say(f"looked at {done} of {total} subjects")

    return watch


def say(text: str) -> None:
    click.echo(text, err=True)

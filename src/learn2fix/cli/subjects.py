"""What the commands of `bench` share: which subjects take part, and how progress is said."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

if TYPE_CHECKING:
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

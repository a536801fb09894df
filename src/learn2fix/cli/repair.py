"""`repair`: patches from stored answers or from existing tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from learn2fix.cli.options import json_option, options_of, program_options, repairer_option, user_store
from learn2fix.errors import UsageError

LARGEST_TEST = 1 << 20


@click.command(short_help="Repair from answers or from tests that exist already.")
@click.argument("program", nargs=-1, required=True, metavar="SESSION | PROGRAM", type=click.UNPROCESSED)
@click.option(
    "--tests",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Pairs `input-X`/`output-X` or `X.in`/`X.out`; then PROGRAM is repaired.",
)
@click.option("--anyway", is_flag=True, help="Go on although the source has changed since.")
@program_options
@repairer_option
@json_option
def repair(program: tuple[str, ...], tests: str | None, anyway: bool, as_json: bool, **given: Any) -> int:
    """Repair from answers or from tests that exist already. Nothing is asked.

    \b
    learn2fix repair triangle-1
    learn2fix repair triangle.c --tests tests/
    """
    from learn2fix.cli.opening import Answerer, create, reopen
    from learn2fix.cli.predict import Silent
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import talk
    from learn2fix.cli.watchdog import Watchdog
    from learn2fix.session import Options

    ctx = click.get_current_context()
    store, watcher = user_store(), Watcher(sys.stderr, asks=False)
    if tests is not None:
        options = options_of({**given, "tests": read_tests(Path(tests)), "asks": False})
        with Watchdog(options.timeout) as watchdog:
            session, held = create(store, program, (), options, Answerer(), watcher)
            with held, session:
                return talk(session, held, Silent(), watcher, as_json, watchdog, keep=False)
    if len(program) != 1:
        raise UsageError("repair takes one session, or a program with --tests DIR")
    id = store.resolve(program[0])
    # Options given now override those of the session.
    said = {
        name: value
        for name, value in given.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    changes = {"only_learn": False, **said}
    with store.open(id) as held:
        seconds = {**held.saved.record.options, **changes}.get("timeout", Options().timeout)
        with (
            Watchdog(seconds) as watchdog,
            reopen(held.saved, watcher, anyway=anyway, **changes) as session,
        ):
            return talk(session, held, Silent(), watcher, as_json, watchdog, keep=False)


def read_tests(folder: Path) -> tuple[tuple[str, str], ...]:
    """The pairs of input and right output in a folder, by name."""
    try:
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}") from None
    pairs = []
    for name in names:
        output = output_name(name)
        if output is None:
            continue
        if output not in names:
            raise UsageError(f"{folder / name} has no {output} beside it")
        pairs.append((read_test(folder / name), read_test(folder / output)))
    if not pairs:
        raise UsageError(f"{folder} holds no tests", "pairs input-X and output-X, or X.in and X.out")
    return tuple(pairs)


def output_name(name: str) -> str | None:
    """The name of the expected-output file, if `name` is that of an input."""
    if name.startswith("input-"):
        return f"output-{name.removeprefix('input-')}"
    return f"{name.removesuffix('.in')}.out" if name.endswith(".in") else None


def read_test(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_TEST:
            raise UsageError(f"{path} is larger than {LARGEST_TEST:,} bytes")
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None

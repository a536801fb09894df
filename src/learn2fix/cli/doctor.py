"""`doctor`: what is installed, and which isolation was observed to hold."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import metadata

import click

from learn2fix import __version__
from learn2fix.cli.fix import run_words
from learn2fix.cli.options import (
    build_option,
    cflags_option,
    cores,
    json_option,
    program_argument,
    run_option,
    user_store,
)
from learn2fix.errors import UsageError

Check = tuple[str, str, str]
"""What was looked for, what was found ("" if nothing), and what its absence costs or how to get it."""

PACKAGES = (
    ("z3-solver", "conditions from a solver do not work: pip install learn2fix"),
    ("tree-sitter", "C programs cannot be repaired: pip install learn2fix"),
    ("tree-sitter-c", "C programs cannot be repaired: pip install learn2fix"),
    ("libcst", "Python programs cannot be repaired: pip install learn2fix"),
    ("scikit-learn", "no trees and forests: pip install 'learn2fix[trees]'"),
    ("starlette", "no web page: pip install 'learn2fix[web]'"),
    ("scipy", "no tests of significance in reports: pip install 'learn2fix[experiments]'"),
    ("matplotlib", "no plots in reports: pip install 'learn2fix[experiments]'"),
    ("distributed", "one machine only: pip install 'learn2fix[cluster]'"),
)

TOOLS = (
    ("gcc", ("--version",), "C programs need gcc, cc or clang"),
    ("clang", ("--version",), "only needed when it is your compiler"),
    ("bwrap", ("--version",), "one layer of isolation less (Debian: bubblewrap)"),
    ("git", ("--version",), "diffs are checked without it"),
)


@click.command(short_help="Say what is installed and which isolation holds.")
@program_argument
@build_option
@cflags_option
@run_option
@json_option
def doctor(
    program: tuple[str, ...], build: str | None, cflags: str | None, run: str | None, as_json: bool
) -> int:
    """Say what is installed, what is missing and what that costs, and which isolation was seen to hold.

    With PROGRAM, or --build and --run, only what matters for that program: it is built, and told is how its
    candidates are judged, and which of its files the fast search cannot take.

    \b
    learn2fix doctor
    learn2fix doctor --build "make tool" --run ./tool
    """
    from learn2fix.cli.display import table
    from learn2fix.sandbox import probe

    about = run_words(run, program) if run is not None else program
    if about:
        checks = list(findings_of(about, build, cflags, run))
    elif build or cflags:
        raise UsageError("--build and --cflags are about a program", "name it, or say --run ./tool")
    else:
        checks = list(findings())
    if as_json:
        found = [{"what": what, "found": seen, "note": note} for what, seen, note in checks]
        click.echo(json.dumps(found, indent=2))
        return 0
    for line in table([(what, seen or "missing", "" if seen else note) for what, seen, note in checks]):
        click.echo(line)
    if not about:
        click.echo()
        for line in probe().text():
            click.echo(line)
    return 0


def findings_of(
    program: Sequence[str], build: str | None, cflags: str | None, run: str | None
) -> Iterator[Check]:
    """What one program is made of, and what the user should know of how its candidates are judged."""
    from learn2fix.cli.opening import named
    from learn2fix.languages.opening import open_subject
    from learn2fix.sandbox import Sandbox

    with Sandbox() as sandbox:
        subject = open_subject(named(program), sandbox, build=build, cflags=cflags, run=run)
        try:
            repairable = subject.repairable
            yield "program", subject.name, ""
            if repairable is None:
                yield "search", "", "its source is not known: learn2fix learn asks about it"
                return
            if repairable.parts:
                yield "files", ", ".join(os.path.relpath(part.path) for part in repairable.parts), ""
            repairable.evaluator(time.monotonic).close()
            told = repairable.notes or ["its candidates are judged many at a time, in one process"]
            for note in told:
                yield "search", note, ""
        finally:
            subject.close()


def findings() -> Iterator[Check]:
    import sqlite3

    from learn2fix.languages.diagnosis import diagnosis

    yield "learn2fix", __version__, ""
    yield "Python", f"{platform.python_version()} ({sys.executable})", ""
    yield "system", f"{platform.system()} {platform.release()}, {cores()} cores", ""
    yield "SQLite", sqlite3.sqlite_version, ""
    for name, words, note in TOOLS:
        yield name, version_of(name, words), note
    yield from diagnosis()
    for name, note in PACKAGES:
        yield name, package_version(name), note
    yield "sessions", sessions_place(), "sessions cannot be saved there: set LEARN2FIX_HOME"
    yield "isolation", isolation(), "programs run under limits only"


def version_of(name: str, words: tuple[str, ...]) -> str:
    path = shutil.which(name)
    if path is None:
        return ""
    try:
        run = subprocess.run([path, *words], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{path} does not run: {type(error).__name__}"
    lines = (run.stdout or run.stderr).strip().splitlines()
    return lines[0] if lines else path


def package_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def sessions_place() -> str:
    """Where sessions are stored, if that is writable."""
    home = user_store().home
    place = home
    while not place.exists() and place != place.parent:
        place = place.parent
    return str(home) if os.access(place, os.W_OK | os.X_OK) else ""


def isolation() -> str:
    """The isolation that was observed to hold; "" for limits alone."""
    from learn2fix.sandbox import probe

    report = probe()
    return report.isolation if report.isolation != "limits" else ""

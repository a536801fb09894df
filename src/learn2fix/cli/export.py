"""`export`: tests, condition and patches of a session as files for other tools."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from learn2fix import export as formats
from learn2fix.cli.options import session_argument, user_store
from learn2fix.cli.sessions import document_of
from learn2fix.errors import UsageError
from learn2fix.store import Saved

FORMATS = ["pytest", "junit", "smtlib", "patch", "json", "genprog"]


@click.command(short_help="Write tests, the condition or patches to files.")
@session_argument
@click.option("--to", "format", type=click.Choice(FORMATS), required=True, help="Which files.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, resolve_path=True))
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
def export(session: str, format: str, folder: str, force: bool) -> int:
    """Write tests, the condition or patches to files in DIR, and print their names.

    \b
    pytest    a parametrized test file: red on the bug, green once repaired
    junit     how the program as it was does on the labelled tests
    genprog   input-pos1, output-pos1, … and the script that GenProg calls
    smtlib    the condition, for a solver
    patch     diffs for `git apply`, best first
    json      the result document

    \b
    learn2fix export triangle-1 --to pytest tests/
    """
    store = user_store()
    saved = store.load(store.resolve(session))
    target = Path(folder)
    files = files_of(saved, format, target)
    if not force and (there := [name for name in sorted(files) if (target / name).exists()]):
        raise UsageError(f"{target / there[0]} is there already", "--force overwrites it")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (target / name).write_bytes(content)
            if name.endswith(".sh"):
                (target / name).chmod(0o755)
            click.echo(os.path.join(folder, name))
    except OSError as error:
        raise UsageError(f"cannot write to {target}: {error.strerror}") from None
    return 0


def files_of(saved: Saved, format: str, target: Path) -> formats.Files:
    match format:
        case "json":
            return formats.json_files(document_of(saved))
        case "smtlib":
            return formats.smtlib_files(saved.id, document_of(saved))
        case "patch":
            return formats.patch_files(saved.id, saved.patches)
    program, cases = material(saved, target)
    make = {
        "pytest": formats.pytest_files,
        "junit": formats.junit_files,
        "genprog": formats.genprog_files,
    }[format]
    return make(saved.id, program, cases)


def material(saved: Saved, target: Path) -> tuple[formats.Program, Sequence[formats.Case]]:
    """The program and its labelled tests, in the form that exporters take."""
    from learn2fix.cli.opening import enter, named, options_from_json
    from learn2fix.languages.opening import open_subject
    from learn2fix.languages.protocol import RunKind
    from learn2fix.languages.surroundings import surroundings
    from learn2fix.sandbox import Sandbox

    record = saved.record
    enter(record)
    options = options_from_json(record.options)
    path = os.path.relpath(record.source, target) if record.source else ""
    around, form = surroundings(options.files, options.variables, options.form)
    with Sandbox() as sandbox:
        subject = open_subject(
            named(record.program),
            sandbox,
            build=options.build,
            cflags=options.cflags,
            around=around,
            run=options.run,
            python=options.python,
        )
        try:
            recipe = subject.recipe
            # As in the session: how inputs are laid out was found from what it began with.
            examples = [label.observation.input.text for label in (*record.failing, *record.tests)]
            domain = subject.domain(examples, form)
            cases = []
            for label in saved.labels:
                given = domain.parse(label.observation.input.text)
                fed = subject.feed(given)
                text = fed.data.decode("utf-8", "surrogateescape")
                written = given.text if recipe.kind is RunKind.FUNCTION else text
                cases.append(formats.Case(label, written, fed.arguments))
        finally:
            subject.close()
    return formats.Program(recipe, record.title, path, options.tolerance), cases


def write_tests_beside(test: str, saved: Saved) -> str:
    """Write the labelled tests beside the test that the session began with; what to tell the user."""
    folder = Path(test.partition("::")[0]).absolute().parent
    ((name, content),) = files_of(saved, "pytest", folder).items()
    target = folder / name
    shown = os.path.relpath(target)
    try:
        if target.exists() and not _ours(target):
            return (
                f"{shown} is there already; `learn2fix export {saved.id} --to pytest DIR` writes elsewhere."
            )
        target.write_bytes(content)
    except OSError as error:
        return f"Cannot write {shown}: {error.strerror}."
    return f"The answers are tests now: {shown}, red until the patch is applied."


def _ours(path: Path) -> bool:
    return " of learn2fix." in path.read_bytes()[:2000].decode("utf-8", "replace")

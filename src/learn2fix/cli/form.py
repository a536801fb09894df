"""`form`: how a program reads its input, as found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from learn2fix.cli.options import (
    build_option,
    cflags_option,
    failing_inputs,
    failing_option,
    file_option,
    json_option,
    program_argument,
)
from learn2fix.errors import UsageError
from learn2fix.people.escape import visible

if TYPE_CHECKING:
    from learn2fix.domain.forms import Span

COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")


@click.command(short_help="Show how a program reads its input, as found.")
@program_argument
@failing_option
@click.option("--form", "given", metavar="FORM", help="Try this form instead of finding one (docs/forms.md).")
@file_option
@build_option
@cflags_option
@json_option
def form(
    program: tuple[str, ...],
    failing: tuple[str, ...],
    given: str | None,
    files: tuple[tuple[str, str], ...],
    build: str | None,
    cflags: str | None,
    as_json: bool,
) -> int:
    """Show how a program reads its input: the form, how it is known, and which text belongs to what.

    \b
    learn2fix form sort.c --failing @input.txt
    learn2fix form sort.c --failing @input.txt --form "n, a[n]"
    """
    from learn2fix.cli.opening import named
    from learn2fix.cli.running import print_json
    from learn2fix.domain.inputs import spans
    from learn2fix.languages.opening import open_subject
    from learn2fix.languages.surroundings import surroundings
    from learn2fix.sandbox import Sandbox
    from learn2fix.session import Options

    options, texts = failing_inputs(Options(files=files, form=given), program, failing)
    if not texts:
        raise UsageError("no input given", "say what it reads: --failing @input.txt")
    around, layout = surroundings(options.files, (), options.form)
    with Sandbox() as sandbox:
        subject = open_subject(named(program), sandbox, build=build, cflags=cflags, around=around)
        try:
            domain = subject.domain(texts, layout)
            values = [domain.parse(text).values for text in texts]
        finally:
            subject.close()
    if domain.form is None:
        raise UsageError(f"{subject.name} is called with arguments: they have no form")
    names = [variable.name for variable in domain.variables]
    if as_json:
        inputs = [
            {"input": text, "values": dict(zip(names, map(repr, row), strict=True))}
            for text, row in zip(texts, values, strict=True)
        ]
        origin = domain.form.origin.name.lower()
        print_json({"schema": 1, "form": domain.form.text, "origin": origin, "inputs": inputs})
        return 0
    click.echo(f"{domain.form.text}    ({domain.form.origin})")
    for text, row in zip(texts, values, strict=True):
        click.echo("\n" + coloured(text, spans(domain, text)).rstrip("\n") + "\n")
        for name, value in zip(names, row, strict=True):
            click.echo(f"{name} = {visible(repr(value))}")
    return 0


def coloured(text: str, spans: Sequence[Span]) -> str:
    """The fields in colours, one a name, below a line of the names."""
    names = dict.fromkeys(span.field.name for span in spans)
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(names)}
    parts = ["  ".join(click.style(name, fg=colour) for name, colour in colours.items()), "\n"]
    at = 0
    for span in spans:
        field = click.style(visible(text[span.start : span.end]), fg=colours[span.field.name])
        parts += [visible(text[at : span.start]), field]
        at = span.end
    return "".join(parts) + visible(text[at:])

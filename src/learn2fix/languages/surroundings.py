"""From --file, --env and --form to what a program finds besides its input; and what it looks for in vain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from learn2fix.domain.reading import Trace
from learn2fix.errors import UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.input_form import reads_of
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Surroundings

FORM_OF_FILE = re.compile(r"\s*([^\s:,\[\]]*\.[^\s:,\[\]]+)\s*:")


def surroundings(
    files: Sequence[tuple[str, str]], variables: Sequence[tuple[str, str]], form: str | None
) -> tuple[Surroundings, str | None]:
    """What the program finds, and its input's form: `NAME: n, a[n]` says that the file NAME is varied."""
    for name, _ in files:
        check_file_name(name)
    for name, _ in variables:
        check_variable_name(name)
    contents = tuple((name, text.encode("utf-8", "surrogateescape")) for name, text in files)
    varied = ""
    if form is not None:
        varied = next((name for name, _ in files if form.lstrip().startswith(f"{name}:")), "")
        unknown = FORM_OF_FILE.match(form)
        if unknown and not varied:
            raise UsageError(
                f"--form says how {unknown[1]} is laid out, and there is no such file",
                f"give it with --file {unknown[1]}=@FILE",
            )
        if varied:
            form = form.lstrip()[len(varied) + 1 :].strip() or None
            contents = tuple((name, content) for name, content in contents if name != varied)
    return Surroundings(contents, tuple(variables), varied), form


def check_file_name(name: str) -> None:
    """Files lie in the working directory of the program, nowhere else."""
    if not name or name in (".", "..") or "/" in name or "\0" in name or len(name) > 200:
        raise UsageError(
            f"{name!r} is no name for a file that the program opens",
            "files are put into its own folder: --file NAME=@FILE, NAME without a slash",
        )


def check_variable_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z_]\w*", name) or name.startswith(("LD_", "LEARN2FIX_")):
        raise UsageError(f"{name!r} is no name for an environment variable", "--env NAME=VALUE")


def refuse_missing(
    program: str,
    trace: Trace,
    outcome: Outcome,
    arguments: Arguments,
    around: Surroundings,
    redirected: frozenset[str] = frozenset(),
    command: str = "",
) -> list[str]:
    """Refuses a program that goes wrong because it lacks arguments or a file; notes on what else it lacks.

    `redirected`: files that it reads in the place of standard input. That may be the very bug.
    `command`: how to give it arguments, where its name alone is not enough.
    """
    used = any(read.found for read in trace.reads if reads_of(read, around.input_file))
    if used and outcome.ending is Ending.EXITED and outcome.status == 0:
        return []
    if trace.arguments and not arguments.words and not used:
        how = command or f'learn2fix fix --failing "3 4" -- {program} {{a}} {{b}}'
        raise UsageError(f"{program} takes arguments", how)
    known = {around.input_file, *(name for name, _ in around.files)}
    for name in trace.opened:
        if name in redirected and name not in known:
            return [
                f"{program} reads {name} instead of standard input, and there is no such file: taken for the "
                f"bug (--file {name}=@FILE gives it one)."
            ]
        if name and not name.startswith("/") and name.removeprefix("./") not in known:
            raise UsageError(f"{program} opens {name}", f"give it with --file {name}=@FILE")
    unset = [name for name in trace.environment if name not in around.environment]
    if used or not unset:
        return []
    return [
        f"{program} asks for the environment variable {name}: --env {name}=VALUE sets it." for name in unset
    ]

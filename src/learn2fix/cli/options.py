"""Options that several commands share, and the values they become."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from learn2fix.errors import StoreError, UsageError

if TYPE_CHECKING:
    from learn2fix.session import Options
    from learn2fix.store import Store

F = TypeVar("F", bound=Callable[..., Any])

SEEDS = 2**31
PHASE_SECONDS = 600.0
"""Default wall time; the paper gives learning and repair as much each."""


def together(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


program_argument = click.argument("program", metavar="PROGRAM", nargs=-1, type=click.UNPROCESSED)

build_option = click.option(
    "--build", metavar="CMD", help="The command that builds a C program.  [default: gcc]"
)
cflags_option = click.option("--cflags", metavar="FLAGS", help="Flags for it.  [default: -O1 -std=gnu11 -lm]")
run_option = click.option(
    "--run",
    metavar="CMD",
    help="Instead of PROGRAM: how to run what --build makes of the project in this folder, {a} for values of "
    "the input (docs/projects.md).",
)

failing_option = click.option(
    "--failing",
    multiple=True,
    metavar="INPUT",
    help="An input on which it goes wrong, @FILE, or @- for stdin. May be given several times.",
)

test_option = click.option(
    "--test",
    metavar="FILE::TEST",
    help="A failing pytest test instead of PROGRAM and --failing: call and right value are read off it, "
    "labelled tests are written beside it.",
)

record_option = click.option(
    "--record",
    metavar="CMD",
    help='A command that fails, such as "pytest tests/test_shop.py::test_discount", instead of --failing: it '
    "is run in a copy of the project, and the call of the Python function that fails in it is recorded.",
)


failing_command_option = click.option(
    "--failing-command",
    metavar="CMD",
    help='Instead of --failing: a command that fails because of the bug, such as "make check". It is run in '
    "a copy of the project; what it gives the program is the input, and with a patch it must pass.",
)


def read_pairs(
    ctx: click.Context, param: click.Parameter, given: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """`NAME=VALUE` taken apart, `@FILE` read; of two with one name the later one counts."""
    from learn2fix.session import read_input

    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{param.opts[0]} {text} has no value", f"{param.opts[0]} {param.metavar}")
        found[name] = read_input(value) if param.name == "files" else value
    return tuple(found.items())


def read_interpreter(ctx: click.Context, param: click.Parameter, given: str | None) -> str | None:
    """The path of an interpreter, as it is: a link to another one is what makes a virtual environment."""
    if given is None:
        return None
    found = shutil.which(given)
    if found is None:
        raise UsageError(f"there is no interpreter {given}", "name one that runs, such as .venv/bin/python")
    return os.path.abspath(found)


file_option = click.option(
    "--file",
    "files",
    multiple=True,
    metavar="NAME=@FILE",
    callback=read_pairs,
    help="A file that the program opens by NAME, the same in every run; the input where --form "
    '"NAME: n, a[n]" says so, or where there is no --failing. May be given several times.',
)

json_option = click.option("--json", "as_json", is_flag=True, help="One result document on stdout.")

seed_option = click.option(
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="N",
    help="Repeats a run exactly.  [default: random, printed and stored]",
)

labels_option = click.option(
    "--labels", type=click.IntRange(min=0), metavar="N", help="Most questions to ask.  [default: 10]"
)

timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Time for the tool's own work, in seconds, however long people think; --strategy paper learns and "
    "repairs for half of it each.  [default: 600, or 1200 to learn and repair as in the paper]",
)

program_options = together(
    click.option("--expected", metavar="OUT", help="The right output for the first --failing, if known."),
    click.option("--expected-status", type=click.IntRange(0, 255), metavar="N", help="The right exit status "
                 "for it; the exit status counts then. Without --expected, what it prints is right."),
    click.option("--stderr", is_flag=True, help="Standard error counts too."),
    click.option("--layout", is_flag=True, help="Indentation and blank lines count.  [default: where the "
                 "failing input goes wrong in nothing else]"),
    click.option("--tolerance", type=click.FloatRange(min=0), metavar="X", help="Numbers with a fraction are "
                 "the same within X, absolute or relative; 0: as they are written.  [default: the program's "
                 "own format: 3 is 3.000000, 0.33 is 0.333333]"),
    seed_option,
    timeout_option,
    click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: cores]"),
    build_option,
    cflags_option,
    run_option,
    click.option("--only", multiple=True, metavar="FILE", help="Change nothing but this file of the program. "
                 "May be given several times."),
    click.option("--python", metavar="PATH", callback=read_interpreter, help="The interpreter that runs a "
                 "Python program, such as .venv/bin/python of its project.  [default: the tool's]"),
    click.option("--form", metavar="FORM", help="How the input is laid out, as in \"n, a[n], s:word\" "
                 "(docs/forms.md).  [default: found from how the program reads]"),
    file_option,
    click.option("--env", "variables", multiple=True, metavar="NAME=VALUE", callback=read_pairs,
                 help="An environment variable of the program. May be given several times."),
    click.option("--range", "ranges", multiple=True, metavar="NAME=LOW..HIGH",
                 help="Numbers outside make no sense; of a list or dict, all the numbers in it. Without "
                 "NAME, of every input; an end left out is open; len(a)=1..8 limits a length. May be given "
                 "several times."),
    click.option("--where", multiple=True, metavar="CONDITION",
                 help="Only inputs that meet it make sense, as in \"1 <= n and len(a) == n\" "
                 "(docs/inputs.md). May be given several times."),
    click.option("--require-isolation", is_flag=True,
                 help="Refuse unless every attack that doctor tries was stopped."),
)  # fmt: skip

strategy_option = click.option(
    "--strategy",
    type=click.Choice(["guided", "paper"]),
    default="guided",
    show_default=True,
    help="Ours, or the paper's algorithms as published (docs/paper.md).",
)
as_run_option = click.option(
    "--as-run",
    is_flag=True,
    help="With --strategy paper: what the authors' program does beyond the paper.",
)

asking_options = together(
    labels_option,
    click.option("--feedback", type=click.Choice(["output", "choice", "verdict"]), default="output",
                 show_default=True, help="Say what is right by choosing or typing (never a must), only by "
                 "choosing, or say only bug, ok, unsure or invalid."),
    strategy_option,
    as_run_option,
    click.option("--learner", metavar="NAME", help="What the oracle is made of: incal, smt, tree or patches."
                 "  [default: by strategy]"),
    click.option("--mutations", type=click.Choice(["paper", "extended"]), help="How inputs are varied: as in "
                 "the paper, or also by copies and values at which programs change.  [default: by strategy]"),
    click.option("--noise", type=click.FloatRange(0, 0.5, max_open=True), default=0.0, metavar="P",
                 help="Answers are wrong with this probability: ask sooner for one again that does not "
                 "fit the others.  [default: 0.03, and no answer is ever set aside]"),
    click.option("--condition-length", type=click.IntRange(min=10), metavar="N", help="Characters of the "
                 "condition, at most.  [default: 80]"),
)  # fmt: skip

confident_option = click.option(
    "--confident",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Call a patch the repair only if the chance that it is right is at least this; else show what would "
    "decide (exit 1).  [default: 0.8]",
)

repairer_option = click.option(
    "--repairer",
    metavar="NAME",
    help="Who repairs afterwards: edits, genprog, genetic, synthesis, or the command of another tool "
    "(docs/repairers.md).  [default: the candidates that asked]",
)

run_options = together(program_options, asking_options, repairer_option, confident_option)

person_options = together(
    click.option("--golden", metavar="PROGRAM", help="A correct program answers instead of a person."),
    click.option("--answers", type=click.Path(resolve_path=True), metavar="FILE",
                 help="Answers from a file of JSON lines; exit 4 when they run out."),
)  # fmt: skip


def complete_session(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    try:
        return [id for id in user_store().ids() if id.startswith(incomplete)]
    except StoreError:
        return []


session_argument = click.argument("session", shell_complete=complete_session)


def user_store() -> Store:
    from learn2fix.store import Store, default_home

    return Store(default_home(os.environ).absolute())


def cores() -> int:
    return len(os.sched_getaffinity(0))


def options_of(given: dict[str, Any], *, only_learn: bool = False) -> Options:
    """Resolves the values of `run_options`, defaults included."""
    from learn2fix.oracles.registry import LEARNERS
    from learn2fix.session import Options

    chosen = {name: value for name, value in given.items() if value is not None}
    names = ("patches", *LEARNERS)
    if chosen.get("learner") not in (None, *names):
        raise UsageError(f"no learner is called {chosen['learner']!r}", f"there are {', '.join(names)}")
    chosen = {"seed": random.SystemRandom().randrange(SEEDS), "jobs": cores()} | chosen
    if chosen.get("as_run") and chosen.get("strategy") != "paper":
        raise UsageError("--as-run is about the paper's strategy", "add --strategy paper")
    seconds = chosen.pop("timeout", None)
    options = Options(**chosen, only_learn=only_learn)
    return replace(options, timeout=seconds if seconds is not None else options.phases * PHASE_SECONDS)


def failing_inputs(
    options: Options, program: Sequence[str], failing: Sequence[str]
) -> tuple[Options, tuple[str, ...]]:
    """What --failing says; without it, the content of the file that --form names, or of the only one."""
    from learn2fix.languages.arguments import Arguments
    from learn2fix.languages.surroundings import surroundings
    from learn2fix.session import read_input

    varied = surroundings(options.files, options.variables, options.form)[0].input_file
    if failing or Arguments(program[1:]).places:
        return options, tuple(map(read_input, failing))
    if not varied and len(options.files) == 1:
        varied = options.files[0][0]
        options = replace(options, form=f"{varied}: {options.form or ''}".rstrip())
    return options, tuple(text for name, text in options.files if name == varied)


def exclusive(golden: str | None, answers: str | None) -> None:
    if golden and answers:
        raise UsageError("--golden and --answers exclude each other", "one of them answers")

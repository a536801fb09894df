"""`fix`, `learn` and `resume`: start a conversation, or continue one."""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learn2fix.cli.options import (
    PHASE_SECONDS,
    asking_options,
    exclusive,
    failing_command_option,
    failing_inputs,
    failing_option,
    json_option,
    labels_option,
    options_of,
    person_options,
    program_argument,
    program_options,
    record_option,
    run_options,
    seed_option,
    session_argument,
    test_option,
    timeout_option,
    user_store,
)
from learn2fix.errors import LayoutDecides, MemoryDecides, UsageError
from learn2fix.model import Control

if TYPE_CHECKING:
    from learn2fix.people.protocol import Person
    from learn2fix.session import Options, Session


@click.command(short_help="Ask about a bug, learn when it shows, repair the program.")
@program_argument
@failing_option
@failing_command_option
@test_option
@record_option
@run_options
@person_options
@json_option
def fix(program: tuple[str, ...], failing: tuple[str, ...], as_json: bool, **given: Any) -> int:
    """Ask about a bug, learn when it shows, repair the program.

    PROGRAM is `triangle.c` (stdin to stdout), `triangle.c:classify` (a C function), `shop.py:discount`
    (a Python function) or `script.py`. INPUT is what the program reads, or what stands between the
    parentheses of the call. `-- tool.c {a} {b}` puts the first two values of an input in the arguments of
    a program and the others on its stdin (docs/inputs.md).

    \b
    learn2fix fix triangle.c --failing "2 2 2"
    learn2fix fix triangle.c --failing "2 2 2" --expected 1 --labels 5
    learn2fix fix stats.c:sort --failing "[3, 1, 2], 3"
    learn2fix fix --build "make tool" --run ./tool --failing "2 2 2"
    learn2fix fix . --failing-command "make check"
    learn2fix fix shop.py:discount --failing "price=100, qty=3"
    learn2fix fix --test tests/test_shop.py::test_discount
    learn2fix fix bank.py:Account.withdraw --record "pytest tests/test_bank.py"
    learn2fix fix --failing "3 4" -- tool.c {a} {b}
    learn2fix fix report.c --file sales.txt=@sales.txt
    learn2fix fix buggy.c --failing @failing.txt --golden golden.c --json --seed 1

    In a question: a, b, … what is right, n ok, y bug, u unsure, i invalid (the input makes no sense),
    e expected output, p previous, f finish, s when the bug shows so far, ? why this question. Without a
    terminal each line of stdin is one reply (`bug`, `ok`, `bug 7` where 7 is right, …); when stdin ends,
    `learn2fix pending` prints the open question and `learn2fix answer` takes its answer.
    """
    return begin(program, failing, given, as_json, only_learn=False)


@click.command(short_help="Ask about a bug and learn when it shows.")
@program_argument
@failing_option
@failing_command_option
@test_option
@record_option
@program_options
@asking_options
@person_options
@json_option
def learn(program: tuple[str, ...], failing: tuple[str, ...], as_json: bool, **given: Any) -> int:
    """Ask about a bug and learn when it shows.

    PROGRAM as for `fix`, or any executable: `-- ./tool {a} {b}` puts the first two values of an input in
    its arguments and the others on its stdin.

    \b
    learn2fix learn triangle.c --failing "2 2 2"
    learn2fix learn --failing "3 4" -- ./tool {a} {b}
    """
    return begin(program, failing, given, as_json, only_learn=True)


@click.command(short_help="Go on with a session where it stopped.")
@session_argument
@labels_option
@timeout_option
@seed_option
@person_options
@click.option("--anyway", is_flag=True, help="Go on although the source has changed since.")
@json_option
def resume(
    session: str, golden: str | None, answers: str | None, anyway: bool, as_json: bool, **given: Any
) -> int:
    """Go on with a session where it stopped. No question is asked twice.

    With --labels also after its end: it goes on with more questions. Another --seed asks others; answers
    count where their questions come up again.

    \b
    learn2fix resume triangle-1
    learn2fix resume last --labels 20 --timeout 300
    learn2fix resume last --answers more.jsonl
    """
    from learn2fix.cli.opening import Answerer, anchored, options_from_json, reopen
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import person, talk
    from learn2fix.cli.watchdog import Watchdog
    from learn2fix.session import Options

    exclusive(golden, answers)
    store = user_store()
    id = store.resolve(session)
    stored = store.load(id).record.options
    answerer = Answerer(anchored(golden) or (None if answers else stored.get("golden")), answers)
    watcher = Watcher(sys.stderr)
    changes = {name: value for name, value in given.items() if value is not None}
    seconds = {**stored, **changes}.get("timeout", Options().timeout)
    with (
        Watchdog(seconds) as watchdog,
        store.open(id) as held,
        reopen(held.saved, watcher, anyway=anyway, **changes) as running,
        person(answerer, options_from_json(stored), watcher, held.saved.record.program[1:]) as someone,
    ):
        held.change_options(changes)
        if "labels" in changes and held.exchanges and held.exchanges[-1][1] is Control.FINISH:
            held.undo()
        return talk(running, held, someone, watcher, as_json, watchdog)


def run_words(run: str, program: tuple[str, ...]) -> tuple[str, ...]:
    """The words of --run, which stand for the program."""
    if program:
        raise UsageError(f"--run says what is run, and so does {program[0]}", "leave one of them out")
    try:
        words = tuple(shlex.split(run))
    except ValueError as problem:
        raise UsageError(f"cannot read --run: {problem}") from None
    if not words:
        raise UsageError("--run is empty", "--run ./tool")
    return words


def from_command(
    command: str, program: tuple[str, ...], failing: tuple[str, ...], given: dict[str, Any]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Program and failing inputs as the command shows them; what else it says goes to the options."""
    from learn2fix.languages.failing_command import begin_from

    if given["test"] is not None or given["expected"] is not None:
        raise UsageError(
            "--failing-command says what fails and what is right", "leave out --test and --expected"
        )
    if given["run"] is None and not os.path.isdir(program[0]):
        raise UsageError(
            "--failing-command is about a project that is built",
            f'learn2fix fix . --failing-command "{command}", or --build CMD --run ./tool',
        )
    if program[1:]:
        raise UsageError("--failing-command shows the arguments of the program", f"--run {program[0]}")
    begun = begin_from(
        command,
        Path.cwd() if given["run"] is not None else Path(program[0]),
        given["build"],
        program[0] if given["run"] is not None else None,
    )
    click.echo(f"{begun.note}.", err=True)
    if begun.checks:
        given["check"] = command
    if failing:
        return program, failing
    given["tests"] = begun.tests
    given["files"] = (*begun.files, *given["files"])
    given["form"] = given["form"] or begun.form
    return (program[0], *begun.words), begun.failing if not begun.form else ()


def begin(
    program: tuple[str, ...], failing: tuple[str, ...], given: dict[str, Any], as_json: bool, only_learn: bool
) -> int:
    from learn2fix.cli.opening import Answerer, anchored, create
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import person, talk
    from learn2fix.cli.watchdog import Watchdog

    golden, answers = given.pop("golden"), given.pop("answers")
    command = given.pop("failing_command")
    exclusive(golden, answers)
    watcher = Watcher(sys.stderr)
    with Watchdog(given["timeout"] or PHASE_SECONDS) as watchdog:
        began = time.monotonic()
        if command is not None and not program and given["run"] is None:
            program = (".",)
        program, failing = starting_point(program, failing, given, watcher.say)
        if not (
            only_learn
            or given["run"]
            or re.search(r"\.(c|py)(:[\w.]+)?\Z", program[0])
            or os.path.isdir(program[0])
        ):
            raise UsageError(
                f"to repair {program[0]} takes its source, a .c or .py file",
                "learn2fix learn asks about any executable",
            )
        if command is not None:
            program, failing = from_command(command, program, failing, given)
        answerer = Answerer(anchored(golden, next(iter(program), "")), answers)
        options, failing = failing_inputs(options_of(given, only_learn=only_learn), program, failing)
        if not failing:
            raise UsageError(
                "on what does it go wrong?", 'say it with --failing "…", or a pytest test with --test'
            )
        # Finding the starting point counts towards --timeout.
        options = replace(options, timeout=max(options.timeout / 2, options.timeout - since(began)))
        watchdog.allow(options.timeout)

        def converse(options: Options) -> int:
            # Open the answerer first: an unreadable answers file should not cost a build and a session.
            with person(answerer, options, watcher, program[1:]) as someone:
                check = partial(check_layout, someone)
                session, held = create(user_store(), program, failing, options, answerer, watcher, check)
                with held, session:
                    return talk(session, held, someone, watcher, as_json, watchdog)

        try:
            return converse(options)
        except LayoutDecides:
            watcher.say(
                "On the failing input only indentation or blank lines are wrong: they count (--layout)."
            )
            return converse(replace(options, layout=True))
        except MemoryDecides as told:
            watcher.say("That is right, so fresh memory is to hold what makes the bug show.")
            return converse(replace(options, expected=told.right))


def check_layout(someone: Person, session: Session) -> None:
    """Raises LayoutDecides where the golden program prints the same but for indentation and blank lines."""
    from learn2fix.cli.progress import Narrated
    from learn2fix.people.golden import Golden
    from learn2fix.session.proving import refuse_layout

    golden = someone.person if isinstance(someone, Narrated) else None
    if session.options.layout or not isinstance(golden, Golden):
        return
    shown = session.known[0].observation
    right = golden.outcome(shown.input)
    if right.completed and right.response == shown.outcome.response:
        refuse_layout(right.output, shown.outcome, session.subject.name)


def since(began: float) -> float:
    """Whole seconds: less is noise in what is stored with the session."""
    return float(int(time.monotonic() - began))


def starting_point(
    program: tuple[str, ...], failing: tuple[str, ...], given: dict[str, Any], say: Callable[[str], None]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The program and its failing inputs; what else a test or a recorded call says is put in `given`."""
    command, test = given.pop("record"), given["test"]
    if command is not None and test is not None:
        raise UsageError("--test and --record both say what fails", "leave one of them out")
    if command is not None or test is not None:
        from learn2fix.cli.from_test import begin_from, begin_recorded

        seconds = (given["timeout"] or PHASE_SECONDS) / 4
        if command is not None:
            begun = begin_recorded(command, program, failing, given["python"], seconds)
        else:
            begun = begin_from(test, program, failing, given["expected"], given["python"], seconds)
            file, colons, rest = test.partition("::")
            given["test"] = os.path.abspath(file) + colons + rest
        if begun.note:
            say(begun.note)
        # A test's rows are only examples: values beyond their range still make sense.
        given |= {
            "tests": begun.tests if given["expected"] is None else (),
            "ranges": given["ranges"] or ("..",),
        }
        return (begun.program,), begun.failing
    if given["run"] is not None:
        return run_words(given["run"], program), failing
    if not program:
        raise UsageError("which program?", 'learn2fix fix shop.py:discount --failing "price=100, qty=3"')
    return program, failing

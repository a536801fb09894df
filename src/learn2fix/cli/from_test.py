"""`--test` and `--record`: a failing test says which function is called, on what, and what is right.

A test is read where its source says it all, and run where it does not.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.opening import open_subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.languages.python.pytest_tests import Expectation, Unreadable, read_test
from learn2fix.languages.python.recording.recording import Command, record
from learn2fix.languages.python.wishes import expected_output, holds
from learn2fix.model import Input, Outcome
from learn2fix.sandbox import Sandbox

SECONDS = 60.0
"""The longest that a command is waited for whose calls are recorded."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a failing test provides to start a session."""

    program: str
    failing: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]
    """All calls of the test with their expected results."""
    note: str = ""
    """What the user should know about where this comes from."""


def begin_recorded(
    command: str, program: Sequence[str], failing: Sequence[str], python: str | None, seconds: float
) -> Begun:
    """Runs a command and takes the call that fails in it."""
    if failing:
        raise UsageError("--record says on what it goes wrong", "leave out --failing")
    named = None
    if program:
        file, colon, function = program[0].rpartition(":")
        if not colon or not file.endswith(".py"):
            raise UsageError(
                f"--record is about calls of a Python function, not of {program[0]}",
                "name it: shop.py:discount, bank.py:Account.withdraw",
            )
        if not os.path.isfile(file):
            raise UsageError(f"there is no file {file}")
        named = Path(file), function
    with Sandbox() as sandbox:
        found = record(Command.read(command, python), named, sandbox, min(SECONDS, seconds))
    name = f"{found.file}:{found.function}"
    where = f"in {found.test}" if found.test else f"by `{command}`"
    return Begun(
        name,
        (found.text,),
        ((found.text, found.expected),) if found.expected is not None else (),
        f"Recorded {where}: {name} on {found.text}"
        + (f", which should give {found.expected}." if found.expected is not None else "."),
    )


def begin_from(
    test: str,
    program: Sequence[str],
    failing: Sequence[str],
    expected: str | None,
    python: str | None = None,
    seconds: float = SECONDS,
) -> Begun:
    """Reads the test and runs its calls, to find those that fail; runs the test where it cannot be read."""
    if failing or expected is not None:
        raise UsageError("--test says what fails and what is right", "leave out --failing and --expected")
    try:
        expectations = read_test(test)
    except Unreadable as unreadable:
        try:
            return begin_recorded(f"pytest {shlex.quote(test)}", program, failing, python, seconds)
        except UsageError as problem:
            raise UsageError(f"{unreadable}, and {problem}", problem.hint) from None
    groups: dict[str, list[Expectation]] = {}
    for each in expectations:
        groups.setdefault(f"{each.call.file}:{each.call.function}", []).append(each)
    if program:
        wanted = [name for name in groups if _same_program(name, program[0])]
        if not wanted:
            raise UsageError(f"{test} does not call {program[0]}", f"it calls {', '.join(groups)}")
        groups = {name: groups[name] for name in wanted}
    with Sandbox() as sandbox:
        for name, expectations in groups.items():
            calls = list(dict.fromkeys(each.call.arguments for each in expectations))
            answers = {
                text: outcome.response
                for text, outcome in zip(calls, _outcomes(name, calls, sandbox), strict=True)
            }
            wrong = [each for each in expectations if not holds(each.wish, answers[each.call.arguments])]
            if not wrong:
                continue
            alike = _written_alike(name, [each.call.arguments for each in (*wrong, *expectations)], sandbox)
            known = (
                (each.call.arguments, expected_output(each.wish, answers[each.call.arguments]))
                for each in expectations
                if each.call.arguments in alike
            )
            begins = dict.fromkeys(each.call.arguments for each in wrong)
            return Begun(
                name,
                tuple(text for text in begins if text in alike),
                tuple({text: wish for text, wish in known if wish is not None}.items()),
            )
    raise NotFailing(
        f"{test} does not fail: {', '.join(groups)} does what it asks for", "name a test that fails"
    )


def _outcomes(program: str, calls: Sequence[str], sandbox: Sandbox) -> list[Outcome]:
    subject = open_subject(program, sandbox)
    try:
        subject.domain(calls[:1])  # refuses what cannot be called
        return prove_repeatable(subject, list(map(Input, calls)))
    finally:
        subject.close()


def _written_alike(program: str, calls: Sequence[str], sandbox: Sandbox) -> set[str]:
    """The calls that are written like the first: a session is about one form of input."""
    subject = open_subject(program, sandbox)
    try:
        domain = subject.domain(calls[:1])
        found = set()
        for text in calls:
            with suppress(UsageError):
                domain.parse(text)
                found.add(text)
        return found if len(found) < len(set(calls)) and ";" in calls[0] else set(calls)
    finally:
        subject.close()


def _same_program(one: str, other: str) -> bool:
    (first, name), (second, function) = one.rsplit(":", 1), (*other.rsplit(":", 1), "")[:2]
    return name == function and os.path.realpath(first) == os.path.realpath(second)

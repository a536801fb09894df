"""`--test`: a failing pytest test says which function is called, on what, and what is right."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.opening import open_subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.languages.python.pytest_tests import Expectation, read_test
from learn2fix.languages.python.wishes import expected_output, holds
from learn2fix.model import Input, Outcome
from learn2fix.sandbox import Sandbox


@dataclass(frozen=True, slots=True)
class Begun:
    """What a failing test provides to start a session."""

    program: str
    failing: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]
    """All calls of the test with their expected results."""


def begin_from(test: str, program: Sequence[str], failing: Sequence[str], expected: str | None) -> Begun:
    """Reads the test and runs its calls, to find those that fail."""
    if failing or expected is not None:
        raise UsageError("--test says what fails and what is right", "leave out --failing and --expected")
    groups: dict[str, list[Expectation]] = {}
    for each in read_test(test):
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

"""Decides which Codeflaws subjects qualify, first by their files, then by running them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from learn2fix.errors import BuildError, NotDeterministic, UsageError
from learn2fix.experiments.codeflaws import (
    CFLAGS,
    Qualification,
    Rule,
    broken_by_text,
    first_failing,
    read_codeflaws,
)
from learn2fix.experiments.kinds import kind_of
from learn2fix.experiments.programs import MEASURING_LIMITS, GoldenProgram, open_source
from learn2fix.experiments.subjects import FolderSubject, RecordedTest
from learn2fix.languages.protocol import Subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.model import Input, Response
from learn2fix.sandbox import Sandbox

AT_ONCE = 16
"""Subjects that are run before it is looked whether there are enough."""
NOT_HUGE = 2_000
"""Size in bytes up to which a failing input is preferred: nobody reads a longer one."""


def qualify(
    folder: Path, cflags: Sequence[str] = CFLAGS, kinds: Collection[str] | None = None
) -> Qualification:
    """The subject with its failing input, or the first rule that it breaks.

    Of several flags those are taken under which the subject fails first. With `kinds`, subjects of these
    kinds take part, and right is what the golden program prints as built here; else the paper's rules hold.
    """
    name = folder.name
    try:
        subject = read_codeflaws(folder)
    except UsageError as problem:
        return Qualification(name, broken=Rule.READABLE, detail=problem.message)
    broken = broken_by_text(subject, kinds)
    if broken is not None:
        return Qualification(name, broken=broken)
    choose = first_wrong_answer
    if kinds is not None:
        subject = replace(subject, kind=kind_of(subject.training))
        choose = first_unlike_golden
    for flags in cflags:
        built = replace(subject, cflags=flags)
        try:
            failing, broken = _opened(built, choose)
        except BuildError as problem:
            return Qualification(name, broken=Rule.BUILDS, detail=problem.message)
        except NotDeterministic as problem:
            return Qualification(name, broken=Rule.REPEATS, detail=problem.message)
        if failing is not None:
            return Qualification(name, built.failing_on(failing.input))
    return Qualification(name, broken=broken)


Choice = tuple[RecordedTest | None, Rule | None]
"""The failing test, or the rule that none of the tests meets."""


def _opened(
    subject: FolderSubject, choose: Callable[[FolderSubject, Subject, GoldenProgram], Choice]
) -> Choice:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="learn2fix-qualify-")))
        checked = bool(subject.kind)
        sandbox = stack.enter_context(Sandbox(MEASURING_LIMITS) if checked else Sandbox())
        golden = stack.enter_context(closing(GoldenProgram.open(subject, folder / "g", sandbox, checked)))
        buggy = stack.enter_context(closing(open_source(subject, subject.buggy, folder / "b", sandbox)))
        return choose(subject, buggy, golden)


def first_wrong_answer(subject: FolderSubject, buggy: Subject, golden: GoldenProgram) -> Choice:
    """By the paper's rules: what was recorded is right, and the golden program is only built."""
    outcomes = buggy.run([Input(test.input) for test in subject.training])
    return first_failing(subject.training, outcomes, buggy.same)


def first_unlike_golden(subject: FolderSubject, buggy: Subject, golden: GoldenProgram) -> Choice:
    """A crash or an endless loop is a failure too, where the golden program has an answer."""
    inputs = [Input(test.input) for test in subject.training]
    if not golden.repeats(inputs):
        return None, Rule.REPEATS
    if golden.reads_unset(inputs):
        return None, Rule.DEFINED
    printed = [outcome.response for outcome in buggy.run(inputs)]
    failing = [
        (test, given)
        for test, given, found, outcome in zip(
            subject.training, inputs, printed, golden.run_all(inputs), strict=True
        )
        # As a person writes it who is asked what is right.
        if outcome.answered and not golden.same(Response.read(str(outcome.response)), found)
    ]
    if not failing:
        return None, Rule.FAILING
    test, given = next((pair for pair in failing if len(pair[0].input) <= NOT_HUGE), failing[0])
    prove_repeatable(buggy, [given])
    return test, None


def qualify_all(
    folders: Sequence[Path],
    jobs: int,
    cflags: Sequence[str] = CFLAGS,
    watch: Callable[[int, int], None] = lambda done, total: None,
    kinds: Collection[str] | None = None,
    enough: int | None = None,
) -> list[Qualification]:
    """Results in the order of the folders; no more of them than it takes to have `enough` that qualify."""
    found: list[Qualification] = []
    with ThreadPoolExecutor(jobs) as pool:
        for start in range(0, len(folders), AT_ONCE):
            some = folders[start : start + AT_ONCE]
            for each in pool.map(lambda folder: qualify(folder, cflags, kinds), some):
                found.append(each)
                watch(len(found), len(folders))
                if enough is not None and sum(one.subject is not None for one in found) >= enough:
                    return found
    return found

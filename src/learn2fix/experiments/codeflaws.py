"""Codeflaws subjects as they are published, and which of them the paper's experiments can use.

A folder `P-bug-B-G` holds the buggy program `P-B.c`, the accepted one `P-G.c`, training tests `input-*` with
`output-*` and held-out tests `heldout-input-*` with `heldout-output-*`; any file may be gzipped. What a test
is, is read from these files: the labels in `test-genprog.sh` disagree with them now and then.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from learn2fix.domain import parse_number
from learn2fix.errors import UsageError
from learn2fix.experiments.kinds import kind_of
from learn2fix.experiments.subjects import (
    FolderSubject,
    RecordedTest,
    Source,
    file_names,
    paired,
    read_file,
    read_tests,
)
from learn2fix.model import Outcome, Response, Same, canonical

FOLDER = re.compile(r"(?P<problem>[0-9]+-[A-Z][0-9]*)-bug-(?P<buggy>[0-9]+)-(?P<golden>[0-9]+)\Z")

TRUNCATED = "..."
"""Codeforces truncates long tests like this: such a file is not the real input."""

CFLAGS = (
    "-O1 -std=gnu11 -ftrivial-auto-var-init=zero",
    "-O1 -std=gnu11 -ftrivial-auto-var-init=pattern",
)
"""One program in fifteen reads variables that it never set. With zeroed memory all repeat themselves, but of
some it hides the bug: those are built with memory that holds a pattern."""


class Rule(StrEnum):
    """The rules for subjects, in the order in which they are checked."""

    READABLE = "sources and whole tests are there"
    KIND = "of a kind that was asked for"
    ONE_LINE = "one line in"
    NUMBERS_IN = "numbers in"
    CONSTANT = "the same number of values in every input"
    NUMBER_OUT = "a number (or yes/no) out"
    BUILDS = "both programs build"
    FAILING = "a failing training test"
    WRONG_ANSWER = "a wrong answer, not a crash"
    REPEATS = "programs that repeat themselves"
    DEFINED = "a golden program that reads only memory that it set"


@dataclass(frozen=True, slots=True)
class Qualification:
    """A subject that qualifies, or the first rule it breaks."""

    name: str
    subject: FolderSubject | None = None
    broken: Rule | None = None
    detail: str = ""


def read_codeflaws(folder: Path) -> FolderSubject:
    """The subject in a folder, its failing input still to be found by running it."""
    match = FOLDER.match(folder.name)
    if match is None:
        raise UsageError(
            f"{folder} is not named like a Codeflaws subject", "P-bug-B-G, as in 1-A-bug-123-456"
        )
    buggy, golden = (f"{match['problem']}-{match[which]}.c" for which in ("buggy", "golden"))
    names = file_names(folder)
    return FolderSubject(
        folder.name,
        Source(buggy, read_file(folder / buggy)),
        Source(golden, read_file(folder / golden)),
        failing=(),
        training=whole(read_tests(folder, paired(names))),
        heldout=whole(read_tests(folder, paired(names, "heldout-"))),
        cflags=CFLAGS[0],
    )


def whole(tests: Iterable[RecordedTest]) -> tuple[RecordedTest, ...]:
    """Drops tests that were recorded truncated."""
    return tuple(
        test
        for test in tests
        if not test.input.rstrip().endswith(TRUNCATED) and not test.output.rstrip().endswith(TRUNCATED)
    )


def truncated(folder: Path) -> int:
    """How many tests were recorded truncated."""
    names = file_names(folder)
    tests = [test for prefix in ("", "heldout-") for test in read_tests(folder, paired(names, prefix))]
    return len(tests) - len(whole(tests))


def find_codeflaws(root: Path, wanted: Sequence[str] | None = None) -> list[Path]:
    """The subject folders below a folder; those of a list, when one is given."""
    if not root.is_dir():
        raise UsageError(f"no such folder: {root}")
    if wanted is not None:
        absent = [name for name in wanted if not (root / name).is_dir()]
        if absent:
            raise UsageError(f"{root} has no subject {absent[0]} (and {len(absent) - 1} more of the list)")
        return [root / name for name in wanted]
    found = sorted(path for path in root.iterdir() if path.is_dir() and FOLDER.match(path.name))
    if not found:
        raise UsageError(f"{root} holds no Codeflaws subjects", "they are folders named like 1-A-bug-123-456")
    return found


def read_names(path: Path) -> list[str]:
    """A list of subjects, one a line; `#` begins a comment."""
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"cannot read {path}: {problem}") from None
    names = (line.split("#")[0].strip() for line in lines)
    return list(dict.fromkeys(name for name in names if name))


def broken_by_text(subject: FolderSubject, kinds: Collection[str] | None = None) -> Rule | None:
    """The first rule that is broken as far as files alone can tell; without kinds, the paper's rules."""
    tests = (*subject.training, *subject.heldout)
    if not subject.training or not subject.heldout:
        return Rule.READABLE
    if kinds is not None:
        return None if kind_of(subject.training) in kinds else Rule.KIND
    rows = [test.input.split() for test in tests]
    if any(len(canonical(test.input).splitlines()) != 1 for test in tests):
        return Rule.ONE_LINE
    if any(parse_number(token) is None for row in rows for token in row):
        return Rule.NUMBERS_IN
    if len({len(row) for row in rows}) != 1:
        return Rule.CONSTANT
    if not numbers_out([canonical(test.output) for test in tests]):
        return Rule.NUMBER_OUT
    return None


def numbers_out(outputs: Sequence[str]) -> bool:
    """A number each, or one of two words: the paper takes yes and no for 1 and 0."""
    if all(parse_number(output) is not None for output in outputs):
        return True
    words = set(outputs)
    return len(words) <= 2 and {word.lower() for word in words} <= {"yes", "no"}


def first_failing(
    tests: Sequence[RecordedTest], outcomes: Sequence[Outcome], same: Same = operator.eq
) -> tuple[RecordedTest | None, Rule | None]:
    """The first training test, by name, on which the buggy program ends with a wrong answer (or none)."""
    wrong = [
        (test, outcome)
        for test, outcome in zip(tests, outcomes, strict=True)
        if not same(Response.read(test.output), outcome.response)
    ]
    if not wrong:
        return None, Rule.FAILING
    for test, outcome in wrong:
        if outcome.completed:
            return test, None
    return None, Rule.WRONG_ANSWER


def dropped(qualifications: Iterable[Qualification]) -> dict[Rule, int]:
    """How many subjects each rule drops; a subject is counted for the first rule that it breaks."""
    counts = Counter(found.broken for found in qualifications)
    return {rule: counts[rule] for rule in Rule}

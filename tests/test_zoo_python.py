"""The Python part of the zoo tells the truth, and its bugs are within reach of the edits."""

from __future__ import annotations

import random
import time
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.experiments.folder import read_folder
from learn2fix.experiments.job import run_job
from learn2fix.experiments.plan import Setting, plan
from learn2fix.fuzzing import EXTENDED, Fuzzer
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Input, Requirement, Response
from learn2fix.sandbox import Limits, Sandbox

ZOO = Path(__file__).parent / "zoo"
FOLDERS = sorted(path.parent for path in ZOO.glob("*/buggy.py"))
ABOUT: dict[str, dict[str, Any]] = {f.name: tomllib.loads((f / "subject.toml").read_text()) for f in FOLDERS}
MOST = 3_000
"""Candidates among which a right one is looked for: half of those judged before the first question."""
FAMILIES = sorted({about["family"] for about in ABOUT.values()})


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def answers(sandbox: Sandbox, path: Path, function: str | None, inputs: list[Input]) -> list[str]:
    subject = PythonSubject(path, function, sandbox, Limits(seconds=0.3))
    try:
        return [str(outcome.response) for outcome in subject.run(inputs)]
    finally:
        subject.close()


def test_the_zoo_is_large_enough() -> None:
    assert len(FOLDERS) >= 25
    assert set(FAMILIES) >= {"arithmetic", "dates", "prices", "intervals", "searching", "sorting"}
    assert set(FAMILIES) >= {"strings", "recursion", "accumulators"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_a_python_subject_of_the_zoo(folder: Path, sandbox: Sandbox) -> None:
    about = ABOUT[folder.name]
    function = about.get("function")
    assert about["failing"]
    texts = [Input(text) for text in [*about["failing"], *about["passing"]]]
    buggy = answers(sandbox, folder / about["buggy"], function, texts)
    golden = answers(sandbox, folder / about["golden"], function, texts)
    failing = len(about["failing"])
    for text, one, other in zip(texts[:failing], buggy, golden, strict=False):
        assert one != other, text
    assert buggy[failing:] == golden[failing:]
    assert not any(answer.startswith("⟨") for answer in golden)


def reachable(folder: Path, sandbox: Sandbox) -> bool:
    """Whether an edit that satisfies the failing inputs does what the golden program does everywhere else."""
    about = ABOUT[folder.name]
    function = about.get("function")
    path = folder / about["buggy"]
    subject = PythonSubject(path, function, sandbox)
    domain = subject.domain(about["failing"])
    failing = [domain.parse(text) for text in about["failing"]]
    fuzzer = Fuzzer(domain, failing, random.Random(1), operators=EXTENDED)
    fuzzed = fuzzer.take(40)
    expected = answers(sandbox, folder / about["golden"], function, failing + fuzzed)
    while sum(not answer.startswith("⟨") for answer in expected) < 10 and (more := fuzzer.take(120)):
        # Most are no calls that make sense, such as one about a place beyond the grid.
        fuzzed += more
        expected += answers(sandbox, folder / about["golden"], function, more)
    requirements = [
        Requirement(given, Response.read(answer))
        for given, answer in zip(failing + fuzzed, expected, strict=True)
        if not answer.startswith("⟨")
    ]
    assert len(requirements) >= 10
    evaluator = subject.evaluator(time.monotonic)
    try:
        covered = evaluator.coverage(failing)
        executed = frozenset(line for lines in covered for line, count in lines.items() if count)
        numbers = tuple(tuple(v for v in given.values if isinstance(v, int)) for given in failing)
        given = tuple(about["failing"])
        hints = Hints(numbers, given, tuple(expected[: len(failing)]), executed=executed, function=function)
        space = subject.edits(hints)
        evaluator.add(list(islice(space, MOST)))
        first = evaluator.judge(requirements[:2]).survivors
        return bool(evaluator.judge(requirements, first).survivors)
    finally:
        evaluator.close()


# From the failing input to the right patch within ten answers

SESSIONS = (
    "py_args",
    "py_async",
    "py_by_length",
    "py_bytes",
    "py_counts",
    "py_days_in_month",
    "py_depth",
    "py_discount",
    "py_endless_power",
    "py_flood",
    "py_method_stack",
    "py_reduce_fraction",
    "py_tree_depth",
)
"""One of each kind that sessions treat differently; results/python-zoo.csv has a session for each bug."""


def repaired_right(name: str) -> bool:
    """Whether the first patch does what the golden program does on inputs that nobody has seen."""
    subject = read_folder(ZOO / name)
    job = plan([name], 1, (10,), Setting(timeout=60), seed=1)[0]
    (row,) = run_job(job, subject)
    assert row.questions <= 10
    return bool(row.repaired and row.golden_agree == row.golden_total > 0)


@pytest.mark.quality
@pytest.mark.parametrize("name", SESSIONS)
def test_a_bug_is_repaired_right_within_ten_answers(name: str) -> None:
    assert repaired_right(name)


@pytest.mark.quality
@pytest.mark.parametrize("family", FAMILIES)
def test_bugs_of_a_family_are_within_reach(family: str, sandbox: Sandbox) -> None:
    folders = [folder for folder in FOLDERS if ABOUT[folder.name]["family"] == family]
    missed = [folder.name for folder in folders if not reachable(folder, sandbox)]
    assert len(missed) <= len(folders) // 5, missed

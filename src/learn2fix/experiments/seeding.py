"""Seeds a bug into a correct program: a mistake that some input near the program's examples shows.

What no input shows is taken for the same program and dropped, and so is what cannot be learned from: what
does not build, hangs nearly everywhere, or does not repeat itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.errors import BuildError, NotDeterministic, NotFailing
from learn2fix.experiments.job import answered_inputs, fitting
from learn2fix.experiments.programs import GoldenProgram, open_source
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source
from learn2fix.languages.protocol import Repairable
from learn2fix.languages.proving import prove_repeatable
from learn2fix.model import Candidate, Ending, Input, Outcome, Response
from learn2fix.sandbox import Sandbox

NEAR = 80
"""Inputs made near the examples, on which a mistake may show."""
TRIES = 12
"""Mistakes tried until one shows."""
AT_ONCE = 8
MOST_SLOW = 4
"""Inputs on which a program may hang; one that hangs on more is given up."""
SHORTEST = 5
"""Number of failing inputs generated; the person reports the shortest of them."""


@dataclass(frozen=True, slots=True)
class SeededBug:
    """The correct program is the golden one of `subject`, the one with the mistake the buggy one."""

    subject: FolderSubject
    mistake: str
    line: int
    wrong: int
    tried: int


def seed_bug(
    subject: FolderSubject, number: int, count: int, seed: int, folder: Path, sandbox: Sandbox
) -> SeededBug | None:
    """The bug with this number, from 1, of `count` in the golden program; None when no mistake shows.

    Bugs of one program with different numbers are different.
    """
    with ExitStack() as stack:
        golden = stack.enter_context(
            closing(GoldenProgram.open(subject, folder / "golden", sandbox, checked=True))
        )
        opened = stack.enter_context(
            closing(open_source(subject, subject.golden, folder / "seeded", sandbox))
        )
        program = opened.repairable
        if program is None:
            return None
        rng = random.Random(f"seeded {subject.name} {seed}")
        known, made = _inputs(subject, golden, rng)
        order = alternating(list(program.mistakes()), rng)
        for mistake in order[number - 1 :: count][:TRIES]:
            found = _tried(subject, program, mistake, known, made, golden)
            if found is not None:
                return found
    return None


def alternating(found: Sequence[Candidate], rng: random.Random) -> list[Candidate]:
    """In random order, one of each kind before a second of any: some kinds have very many."""
    shuffled = rng.sample(list(found), len(found))
    turn: dict[str, int] = {}
    places = []
    for place, each in enumerate(shuffled):
        turn[each.kind] = turn.get(each.kind, 0) + 1
        places.append((turn[each.kind], place))
    return [shuffled[place] for _, place in sorted(places)]


Answered = tuple[Input, Response]


def _inputs(
    subject: FolderSubject, golden: GoldenProgram, rng: random.Random
) -> tuple[list[Answered], list[Answered]]:
    """The examples, and inputs made near them, with the right answers."""
    texts = [*subject.failing, *subject.passing, *(test.input for test in subject.training)]
    domain = golden.domain(texts[:1])
    examples = [domain.parse(text) for text in fitting(domain, list(dict.fromkeys(texts)))]
    answers = zip(examples, golden.answers(examples), strict=True)
    known = [(given, right) for given, right in answers if right is not None]
    used = {given.text.strip() for given in examples}
    return known, answered_inputs(domain, examples, rng, NEAR, golden, used)


def _tried(
    subject: FolderSubject,
    program: Repairable,
    mistake: Candidate,
    known: Sequence[Answered],
    made: Sequence[Answered],
    golden: GoldenProgram,
) -> SeededBug | None:
    content = mistake.apply(program.text)
    try:
        buggy = program.patched(content)
    except BuildError:
        return None
    with closing(buggy):
        inputs = [*known, *made]
        outcomes = list(_outcomes(buggy, [given for given, _ in inputs]))
        if len(outcomes) < len(inputs):
            return None
        shows = [
            not golden.same(Response.read(str(right)), outcome.response)
            for (_, right), outcome in zip(inputs, outcomes, strict=True)
        ]
        wrong = [
            (given, outcome) for (given, _), outcome, bug in zip(inputs, outcomes, shows, strict=True) if bug
        ]
        failing = _brought(buggy, wrong, sum(shows[: len(known)]))
    if failing is None:
        return None
    seeded = replace(
        subject,
        buggy=Source(subject.golden.name, content),
        failing=(failing.text,),
        training=subject.training
        or tuple(
            RecordedTest(f"example-{i}", given.text, str(right)) for i, (given, right) in enumerate(known, 1)
        ),
    )
    line = program.text.count(b"\n", 0, mistake.edits[0].start) + 1
    return SeededBug(seeded, mistake.kind, line, len(wrong), len(inputs))


def _outcomes(buggy: Repairable, inputs: Sequence[Input]) -> Iterator[Outcome]:
    """Ends early where the program hangs too often."""
    slow = 0
    for start in range(0, len(inputs), AT_ONCE):
        found = buggy.run(inputs[start : start + AT_ONCE])
        slow += sum(outcome.ending is Ending.TIMEOUT for outcome in found)
        if slow > MOST_SLOW:
            return
        yield from found


def _brought(buggy: Repairable, wrong: Sequence[tuple[Input, Outcome]], examples: int) -> Input | None:
    """The input that the person brings: an example, else a short one; a wrong answer rather than a crash."""
    known, made = wrong[:examples], sorted(wrong[examples:][:SHORTEST], key=lambda pair: len(pair[0].text))
    ordered = sorted([*known, *made], key=lambda pair: not pair[1].completed)
    for given, _ in [*ordered, *wrong[examples + SHORTEST :]]:
        try:
            prove_repeatable(buggy, [given])
        except (NotDeterministic, NotFailing):
            continue
        return given
    return None

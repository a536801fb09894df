"""One job: a session in which the golden program answers, measured at each label budget.

The only module that knows how a session is driven. Held-out tests and the golden program stay on this side:
a session is handed the buggy program and a failing input, and hears answers.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.domain import Domain
from learn2fix.errors import BuildError, UsageError
from learn2fix.experiments.plan import Job
from learn2fix.experiments.processes import cpu_seconds, descendants
from learn2fix.experiments.programs import (
    MEASURING_LIMITS,
    GoldenProgram,
    file_options,
    has_form,
    named,
    open_source,
    parsed,
    placed,
)
from learn2fix.experiments.rows import KindRow, Row, SeededRow
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source
from learn2fix.fuzzing import EXTENDED, Fuzzer, Light, infer
from learn2fix.languages.protocol import Subject
from learn2fix.model import BUG_FROM, Ending, Input, Observation, Response
from learn2fix.people.golden import Golden
from learn2fix.people.protocol import Context, Exchange, Feedback
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Result, Session

FRESH = 200
"""Fuzzed inputs on which patched and golden program are compared."""
MADE = 60
"""Number of tests generated for a subject that has none: a third for training, the rest held out."""
POOL = 300
"""Number of inputs they are chosen from, so that rare ones (mostly failing) are not missed."""
TRIES = 4
"""Inputs tried per wanted input: to some the golden program has no answer."""
AT_ONCE = 10
MAX_SLOW = 25
"""Maximum number of inputs on which the golden program may time out before we settle for fewer."""
LOOK = 0.2
"""Seconds between two looks at the CPU time of all processes."""
COUNT = 2.0
"""Seconds between two counts of the processes that a CPU clock speaks for."""


def run_job(job: Job, subject: FolderSubject) -> Iterator[Row]:
    """Yields a row at each label budget."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="learn2fix-job-")))
        sandbox = stack.enter_context(Sandbox(MEASURING_LIMITS))
        golden = stack.enter_context(
            closing(GoldenProgram.open(subject, folder / "g", sandbox, checked=bool(job.input_kind)))
        )
        subject = subject.failing_on(*fitting(golden.domain(subject.failing[:1]), subject.failing))
        program = named(subject, placed(subject, subject.buggy, folder / "b"))
        watch = Stopwatch(CpuClock()) if job.setting.cpu_time else Stopwatch()
        session = stack.enter_context(
            Session.create(program, subject.failing, _options(job, subject, golden), clock=watch)
        )
        with watch.unnoticed():
            measuring = Measuring(job, subject, session, golden, folder, sandbox)
        yield from _conversation(job, session, golden, measuring, watch)


class CpuClock:
    """CPU time of this process and of all that it has started, looked at a few times a second."""

    def __init__(self) -> None:
        self._seconds, self._looked = 0.0, float("-inf")
        self._below: list[int] = []
        self._counted = float("-inf")

    def __call__(self) -> float:
        now = time.monotonic()
        if now - self._counted > COUNT:
            # Looks at every process of the machine: on a busy one, often enough to slow the job down.
            self._below, self._counted = descendants(os.getpid()), now
        if now - self._looked > LOOK:
            self._seconds, self._looked = max(self._seconds, cpu_seconds(os.getpid(), self._below)), now
        return self._seconds


class Stopwatch:
    """The session's clock, which stops while we measure."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._hidden = 0.0

    def __call__(self) -> float:
        return self._now() - self._hidden

    @contextmanager
    def unnoticed(self) -> Iterator[None]:
        """The clock runs inside, so that limits hold, and is set back at the end."""
        begun = self._now()
        try:
            yield
        finally:
            self._hidden += self._now() - begun


def _conversation(
    job: Job, session: Session, golden: GoldenProgram, measuring: Measuring, watch: Stopwatch
) -> Iterator[Row]:
    setting = job.setting
    rng = random.Random(f"answers {job.seed}")
    feedback, noise = Feedback(setting.feedback), setting.noise
    person = Golden(
        golden.run,
        feedback,
        noise,
        rng,
        golden.undefined,
        golden.same,
        golden.deliberate,
        always=setting.strategy == "paper",
    )
    failing = tuple(session.domain.parse(text) for text in session.failing)
    names = tuple(variable.name for variable in session.domain.variables)
    context = Context(failing, names, Feedback(setting.feedback))
    asked: list[Exchange] = []
    made: list[int] = []
    result: Result
    left = list(job.labels)
    conversation = session.conversation()
    try:
        question = next(conversation)
        while True:
            while left and len(asked) >= session.options.questions_for(left[0]):
                with watch.unnoticed():
                    result = session.result()
                    row = measuring.row(left.pop(0), result, asked, made)
                yield row
            if not left:
                conversation.close()
                return
            reply = person.reply(question, replace(context, history=tuple(asked)))
            asked.append((question, reply))
            made.append(session.generated)
            question = conversation.send(reply)
    except StopIteration as stop:
        result = stop.value
    # It ended by itself: a larger budget would have changed nothing.
    for labels in left:
        yield measuring.row(labels, result, asked, made)


@dataclass(frozen=True, slots=True)
class Validation:
    """An input with its ground truth."""

    text: str
    fails: bool


class Measuring:
    """Measures a result against the ground truth, out of the session's sight."""

    def __init__(
        self,
        job: Job,
        subject: FolderSubject,
        session: Session,
        golden: GoldenProgram,
        folder: Path,
        sandbox: Sandbox,
    ) -> None:
        self._job, self._session, self._golden = job, session, golden
        self._folder, self._sandbox = folder, sandbox
        self._subject = with_tests(subject, session.domain, session.subject, golden)
        tests = (*self._subject.training, *self._subject.heldout)
        self._validation = self._truths([test.input for test in tests])
        self._used = {test.input.strip() for test in tests} | {text.strip() for text in session.failing}
        self._heldout = [parsed(session.domain, test.input) for test in self._subject.heldout]
        self._patched: dict[bytes, list[Response]] = {}
        self._golden_domain = golden.domain(session.failing[:1])

    def row(self, labels: int, result: Result, asked: Sequence[Exchange], made: Sequence[int]) -> Row:
        """`made`: how many tests were generated when each question was asked.

        What was generated after the last question of the budget, in search of one more, is not of this run.
        """
        seen = result.generated
        questions = self._session.options.questions_for(labels)
        if questions <= len(asked):
            seen = seen[: made[questions - 1]] if questions else ()
        generated = self._failing(seen)
        labelled = self._failing([question.observation for question, _ in asked])
        predicted = self._predictions()
        val = [
            (truth.fails, truth.fails is bug) for truth, bug in zip(self._validation, predicted, strict=True)
        ]
        row = replace(
            self._job.row(labels, result.status),
            generated=len(seen),
            # Invalid inputs were asked about but not labelled.
            labelled=sum(fails is not None for fails in labelled),
            generated_failing=sum(fails is True for fails in generated),
            labelled_failing=sum(fails is True for fails in labelled),
            val_total=len(val),
            val_correct=sum(right for _, right in val),
            val_failing=sum(fails for fails, _ in val),
            val_failing_correct=sum(fails and right for fails, right in val),
            heldout_total=len(self._subject.heldout),
            questions=len(asked),
            candidates=result.effort.candidates,
            executions=result.effort.executions,
            learn_seconds=result.effort.learn_seconds,
            repair_seconds=result.effort.repair_seconds,
        )
        if isinstance(row, KindRow):
            answers = self._golden.answers(self._heldout)
            form = self._session.domain.form
            row = replace(
                row,
                form=form.origin.name.lower() if form is not None else "",
                in_form=sum(
                    has_form(self._golden_domain, question.observation.input) for question, _ in asked
                ),
                heldout_golden=self._count_same(
                    self._recorded(), [outcome.response for outcome in self._golden.run_all(self._heldout)]
                ),
                heldout_answered=sum(answer is not None for answer in answers),
            )
        if result.patches:
            row = self._measured_patch(row, result, asked)
        return replace(row, cpu_seconds=cpu_seconds(os.getpid()))

    def _measured_patch(self, row: Row, result: Result, asked: Sequence[Exchange]) -> Row:
        """The patch that the user would be offered first, as a program of its own."""
        called = int(result.status == "repaired")
        content = result.patches[0].candidate.apply(self._subject.buggy.content)
        used = {observation.input.text.strip() for observation in result.generated}
        used |= {question.observation.input.text.strip() for question, _ in asked}
        source = Source(self._subject.buggy.name, content)
        try:
            patched = open_source(self._subject, source, self._folder / f"p{row.labels}", self._sandbox)
        except BuildError:
            return replace(row, repaired=called)
        with closing(patched):
            if content not in self._patched:
                self._patched[content] = [outcome.response for outcome in patched.run(self._heldout)]
            fresh = self._fresh(self._used | used)
            agree = sum(
                self._golden.same(right, outcome.response)
                for (_, right), outcome in zip(fresh, patched.run([given for given, _ in fresh]), strict=True)
            )
        printed = self._patched[content]
        row = replace(
            row,
            repaired=called,
            heldout_passed=self._count_same(self._recorded(), printed),
            golden_agree=agree,
            golden_total=len(fresh),
        )
        if isinstance(row, KindRow):
            as_golden = self._count_same(self._golden.answers(self._heldout), printed)
            row = replace(
                row,
                heldout_as_golden=as_golden,
                confidence=result.patches[0].confidence,
                signals=json.dumps({name: round(value, 4) for name, value in result.signals.items()}),
            )
        if isinstance(row, SeededRow):
            row = replace(row, patch=result.patches[0].candidate.kind)
        return row

    def _count_same(self, wanted: Sequence[Response | None], found: Sequence[Response]) -> int:
        same = self._golden.same
        return sum(right is not None and same(right, a) for right, a in zip(wanted, found, strict=True))

    def _recorded(self) -> list[Response]:
        return [Response.read(test.output) for test in self._subject.heldout]

    def _truths(self, texts: Sequence[str]) -> list[Validation]:
        """Validation inputs to which the golden program has an answer."""
        domain = self._session.domain
        inputs = [parsed(domain, text) for text in texts]
        outcomes = self._session.subject.run(inputs)
        return [
            Validation(given.text, not self._golden.same(right, outcome.response))
            for given, outcome, right in zip(inputs, outcomes, self._golden.answers(inputs), strict=True)
            if right is not None
        ]

    def _predictions(self) -> list[bool]:
        try:
            chances = self._session.chances([truth.text for truth in self._validation])
        except UsageError:
            chances = [self._chance(truth.text) for truth in self._validation]
        return [chance >= BUG_FROM for chance in chances]

    def _chance(self, text: str) -> float:
        """The oracle cannot judge an input of another shape than the failing one: it counts as passing."""
        try:
            return self._session.chances([text])[0]
        except UsageError:
            return 0.0

    def _failing(self, observations: Sequence[Observation]) -> list[bool | None]:
        """Whether each is wrong; None where the golden program has no answer, unless by the paper's rule."""
        inputs = [observation.input for observation in observations]
        answers = self._golden.answers(inputs)
        if self._job.setting.strategy == "paper":
            answers = [outcome.response for outcome in self._golden.run_all(inputs)]
        return [
            None if right is None else not self._golden.same(right, observation.outcome.response)
            for observation, right in zip(observations, answers, strict=True)
        ]

    def _fresh(self, used: set[str]) -> list[tuple[Input, Response]]:
        """Unseen inputs with their right answers: near the known ones, and of usual size."""
        domain = self._session.domain
        known = [parsed(domain, truth.text) for truth in self._validation]
        seeds = [given for given in known if given.values] or [domain.parse(self._session.failing[0])]
        return answered_inputs(
            domain, seeds, random.Random(f"fresh {self._job.seed}"), FRESH, self._golden, used
        )


def answered_inputs(
    domain: Domain,
    seeds: Sequence[Input],
    rng: random.Random,
    count: int,
    golden: GoldenProgram,
    used: set[str],
) -> list[tuple[Input, Response]]:
    contract = infer([given.values for given in seeds])
    fuzzer = Fuzzer(domain, seeds, rng, operators=EXTENDED, contract=contract, seen=used)
    slow = 0

    def late(inputs: Sequence[Input]) -> list[bool]:
        nonlocal slow
        found = [outcome.ending is Ending.TIMEOUT for outcome in golden.run_all(inputs)]
        slow += sum(found)
        return found

    # Skip what takes the golden program too long: larger inputs would take as long or longer.
    light = Light(fuzzer, late, most=0)
    found: list[tuple[Input, Response]] = []
    for _ in range(0, TRIES * count, AT_ONCE):
        tried = [given for given in light.take(AT_ONCE) if given.text.strip() not in used]
        answers = golden.answers(tried)
        found += [(given, right) for given, right in zip(tried, answers, strict=True) if right is not None]
        if len(found) >= count or not tried or slow > MAX_SLOW:
            break
    return found[:count]


def with_tests(
    subject: FolderSubject, domain: Domain, buggy: Subject, golden: GoldenProgram
) -> FolderSubject:
    """Generates tests for a subject without any: fuzzed, reproducible, labelled by the golden program.

    Half of them fail, where enough failing ones are found.
    """
    if subject.heldout:
        return subject
    known = [domain.parse(text) for text in subject.failing]
    known += [parsed(domain, test.input) for test in subject.training]
    seeds = [given for given in known if given.values]
    used = {given.text.strip() for given in known}
    pool = answered_inputs(domain, seeds, random.Random(f"tests {subject.name}"), POOL, golden, used)
    outcomes = buggy.run([given for given, _ in pool])
    failing: list[tuple[str, Response]] = []
    passing: list[tuple[str, Response]] = []
    for (given, right), outcome in zip(pool, outcomes, strict=True):
        (passing if golden.same(right, outcome.response) else failing).append((given.text, right))
    wrong = min(len(failing), max(MADE // 2, MADE - len(passing)))
    chosen = failing[:wrong] + passing[: MADE - wrong]
    tests = [RecordedTest(f"made-{i}", text, str(right)) for i, (text, right) in enumerate(chosen, 1)]
    if subject.training:
        return replace(subject, heldout=tuple(tests))
    # The given failing inputs are tests as well, sometimes the only ones that fail.
    failing_tests = [
        RecordedTest(f"failing-{i}", given.text, str(right))
        for i, (given, right) in enumerate(zip(known, golden.answers(known), strict=True), 1)
        if right is not None
    ]
    return replace(
        subject,
        training=(*failing_tests, *(test for i, test in enumerate(tests) if i % 3 == 0)),
        heldout=tuple(test for i, test in enumerate(tests) if i % 3),
    )


def fitting(domain: Domain, texts: Sequence[str]) -> list[str]:
    """The inputs of the shape that the domain has: a session is about one shape."""
    return [text for text in texts if parsed(domain, text).values]


def _options(job: Job, subject: FolderSubject, golden: GoldenProgram) -> Options:
    setting = job.setting
    expected = None
    if setting.feedback == "output":
        # With output feedback, the expected output of the failing input is known as well.
        first = golden.domain(subject.failing).parse(subject.failing[0])
        expected = golden.answers([first])[0]
    return Options(
        labels=max(job.labels),
        feedback=setting.feedback,
        strategy=setting.strategy,
        learner=setting.learner,
        seed=job.seed,
        timeout=setting.timeout,
        jobs=1,
        build=subject.build,
        cflags=subject.cflags,
        expected=None if expected is None else str(expected),
        noise=setting.noise,
        mutations=setting.mutations,
        only_learn=setting.only_learn,
        as_run=setting.as_run,
        repairer=setting.repairer,
        **file_options(subject),
    )

"""Proves before the first question that the program fails as reported, and that it repeats itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from learn2fix.conversation.options import Options
from learn2fix.conversation.problem import FINISHING, Problem
from learn2fix.domain import Domain, infer_ranges, parse_lengths, parse_ranges
from learn2fix.errors import LayoutDecides, NotFailing, UsageError
from learn2fix.events import Emit, Notice
from learn2fix.languages.protocol import Subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.model import Answer, Input, Label, Observation, Outcome, Response, Verdict, canonical
from learn2fix.oracles.value_features import value_features


def prove(
    subject: Subject,
    failing: tuple[str, ...],
    form: str | None,
    options: Options,
    emit: Emit,
    clock: Callable[[], float],
) -> Problem:
    """The problem to be solved; refuses what cannot be learned from, and says what to type instead."""
    examples = [*failing, *(text for text, _ in options.tests)]
    if not examples:
        raise UsageError("no failing input given", 'say on what it goes wrong: --failing "2 2 2"')
    if options.learner == "patches" and subject.repairable is None:
        raise UsageError("patches need the source of the program", "without it: --learner tree, or smt")
    _refuse_genprog(subject, options)
    domain = subject.domain(examples, form)
    for note in subject.notes:
        emit(Notice(note))
    inputs = [domain.parse(text) for text in failing]
    tests = [(domain.parse(text), Response.read(output, options.layout)) for text, output in options.tests]
    domain = _narrowed(domain, inputs, [given for given, _ in tests], options)
    told = len(subject.notes)
    known = _known(subject, inputs, tests, options)
    for note in subject.notes[told:]:
        emit(Notice(note))
    domain = domain.with_output(known[0].observation.outcome)
    if not domain.numeric:
        domain = domain.with_lens(value_features(domain, inputs))
    end = options.timeout
    kept = 1 / 2 if options.phases == 2 else FINISHING
    return Problem(subject, domain, options, known, clock, end - kept * options.timeout, end, emit)


def _narrowed(domain: Domain, failing: Sequence[Input], tests: Sequence[Input], options: Options) -> Domain:
    """The inputs that --range and --where leave, or those between the least and greatest values of tests."""
    if options.ranges:
        lengths = parse_lengths(options.ranges, domain.variables)
        domain = domain.with_ranges(parse_ranges(options.ranges, domain.variables), lengths)
        _refuse_outside(domain, failing, "--range", "widen the range")
    elif tests:
        domain = domain.with_ranges(infer_ranges([*failing, *tests], domain.variables))
    if options.where:
        domain = domain.with_where(options.where)
        _refuse_outside(domain, failing, "--where", "widen it")
    return domain


def _refuse_outside(domain: Domain, failing: Sequence[Input], option: str, hint: str) -> None:
    for given in failing:
        if not domain.inside(given.values):
            raise UsageError(f"the failing input {given.text!r} is outside of {option}", hint)


def _refuse_genprog(subject: Subject, options: Options) -> None:
    """Before any question: the paper's repairer cannot do its part for every language."""
    if options.only_learn or subject.repairable is None:
        return
    repairer = options.repairer or ("genprog" if options.strategy == "paper" else "edits")
    if repairer in ("genprog", "genetic") and subject.repairable.statement_edits({}) is None:
        raise UsageError(
            f"GenProg's edits of statements do not exist for {subject.name}",
            "ask and learn only (learn2fix learn), or repair with ours: --repairer edits",
        )


def _known(
    subject: Subject,
    failing: Sequence[Input],
    tests: Sequence[tuple[Input, Response]],
    options: Options,
) -> tuple[Label, ...]:
    """The labels from before the first question: failing inputs first."""
    labels = []
    tested = {given.text: wanted for given, wanted in tests}
    wishes = [
        tested.get(given.text, _said(options) if i == 0 and options.expected else None)
        for i, given in enumerate(failing)
    ]
    for i, (given, outcome) in enumerate(
        zip(failing, prove_repeatable(subject, failing, wishes) if failing else [], strict=True)
    ):
        wanted = tested.get(given.text, expected_response(options, outcome) if i == 0 else None)
        if wanted is not None and subject.same(wanted, outcome.response):
            if i == 0 and options.expected is not None and not options.layout:
                refuse_layout(options.expected, outcome, subject.name)
            raise NotFailing(
                f"{subject.name} gives {str(outcome.response)!r} for {given.text!r}, which is what was "
                "expected",
                "give an input on which it goes wrong"
                + ("" if wanted == outcome.response else ", or --tolerance 0 if the form of numbers matters"),
            )
        said = Answer(Verdict.BUG, None if wanted is None else str(wanted))
        labels.append(Label(Observation(given, outcome), said))
    seen = {given.text for given in failing}
    rest = [(given, wanted) for given, wanted in tests if given.text not in seen]
    for (given, wanted), outcome in zip(rest, subject.run([given for given, _ in rest]), strict=True):
        right = subject.same(wanted, outcome.response)
        said = Answer(Verdict.OK) if right else Answer(Verdict.BUG, str(wanted))
        labels.append(Label(Observation(given, outcome), said))
    labels.sort(key=lambda label: label.answer.verdict is not Verdict.BUG)
    if not labels or labels[0].answer.verdict is not Verdict.BUG:
        raise NotFailing(
            f"{subject.name} passes every test it was given", 'say on what it fails: --failing "…"'
        )
    return tuple(labels)


def expected_response(options: Options, outcome: Outcome) -> Response | None:
    """What is right for the first failing input, as far as the user said it."""
    wanted = _said(options)
    if options.expected_status is None:
        return wanted
    if wanted is None and outcome.completed:
        wanted = outcome.response  # told by its status alone: what it prints is right
    return None if wanted is None else replace(wanted, status=options.expected_status)


def _said(options: Options) -> Response | None:
    return None if options.expected is None else Response.read(options.expected, options.layout)


def refuse_layout(right: bytes | str, outcome: Outcome, name: str) -> None:
    """Raises LayoutDecides where indentation and blank lines are all that is wrong."""
    alike = outcome.completed and canonical(right) == canonical(outcome.output)
    if alike and canonical(right, layout=True) != canonical(outcome.output, layout=True):
        raise LayoutDecides(
            f"{name} goes wrong in nothing but indentation and blank lines", "--layout makes them count"
        )

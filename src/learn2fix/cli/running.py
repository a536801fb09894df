"""Runs a conversation to its end, and stores and prints the result."""

from __future__ import annotations

import json
import os
import random
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import click

from learn2fix.cli.display import result_lines
from learn2fix.cli.export import write_tests_beside
from learn2fix.cli.opening import Answerer, named
from learn2fix.cli.progress import Narrated, Undisturbed, Watcher, has_colour
from learn2fix.cli.watchdog import TimeIsUp, Watchdog
from learn2fix.conversation.result import Effort, Findings
from learn2fix.domain.describing import described
from learn2fix.errors import Interrupted, MemoryDecides, NotFailing
from learn2fix.languages.opening import open_subject
from learn2fix.languages.surroundings import surroundings
from learn2fix.model import Answer, Label, Question, Reply
from learn2fix.oracles.risk import Risk
from learn2fix.people import AnswersFile, Context, Feedback, Golden, Person, Terminal, drive
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Result, Session
from learn2fix.store import OpenSession
from learn2fix.wording import TIME_IS_UP, plural

MORE_QUESTIONS = 5
"""Number of further questions that is suggested where no patch is likely enough."""


@contextmanager
def person(
    answerer: Answerer, options: Options, watcher: Watcher, arguments: Sequence[str] = ()
) -> Iterator[Person]:
    if answerer.golden:
        with golden(answerer.golden, options, arguments) as someone:
            yield Narrated(someone, watcher)
    elif answerer.answers:
        yield Narrated(AnswersFile.load(Path(answerer.answers)), watcher)
    else:
        with keyboard_and_screen() as (keyboard, screen):
            colour = has_colour(screen, os.environ)
            yield Undisturbed(Terminal(keyboard, screen, colour), watcher)


@contextmanager
def keyboard_and_screen() -> Iterator[tuple[TextIO, TextIO]]:
    """Where a person types and reads; if stderr is redirected, questions go to the terminal itself."""
    with ExitStack() as opened:
        keyboard, screen = sys.stdin, sys.stderr
        if keyboard.isatty() and not screen.isatty():
            with suppress(OSError):
                screen = opened.enter_context(open("/dev/tty", "w"))
        yield keyboard, screen


@contextmanager
def golden(program: str, options: Options, arguments: Sequence[str] = ()) -> Iterator[Person]:
    """Answers by running the golden program; its source is read only to tell what it raises on purpose.

    `arguments`: those of the program that it answers for, which it gets where it has none of its own.
    """
    is_path = os.path.exists(program) or ".c:" in program or ".py:" in program
    words = [program] if is_path else shlex.split(program)
    words += arguments if len(words) == 1 else ()
    around, _ = surroundings(options.files, options.variables, options.form)
    with Sandbox(counted=options.counted) as sandbox:
        subject = open_subject(
            named(words),
            sandbox,
            cflags=options.cflags,
            tolerance=options.tolerance,
            around=around,
            python=options.python,
        )
        try:
            # A generator of its own: noise in the answers must not change which inputs are generated.
            rng = random.Random(f"golden {options.seed}")
            repairable = subject.repairable
            yield Golden(
                lambda given: subject.run([given])[0],
                Feedback(options.feedback),
                options.noise,
                rng,
                lambda given: repairable is not None and repairable.undefined([given])[0],
                subject.same,
                subject.deliberate,
                always=options.strategy == "paper",
            )
        finally:
            subject.close()


def talk(
    session: Session,
    held: OpenSession,
    someone: Person,
    watcher: Watcher,
    as_json: bool,
    watchdog: Watchdog,
    *,
    keep: bool = True,
    advise: bool = True,
) -> int:
    """Runs the conversation to its end, stores and prints the result, and returns the exit code.

    Without `keep` the replies of `someone` are not saved: nobody was asked, so a later resume still asks.
    """
    saved = held.saved
    if saved.damage:
        watcher.say(f"The files of session {held.id} were damaged and have been mended: {saved.damage}")
    watcher.say(f"Session {held.id}, seed {session.options.seed}, isolation {session.isolation}.")
    if session.warning:
        watcher.say(session.warning)
    watchdog.watch(session.clock)
    try:
        try:
            result = converse_until(session, held, someone, watcher, keep)
        except TimeIsUp:
            result = result_so_far(session, held)
        watchdog.disarm()
        held.finish(result.document(), result.patches, result.grounds)
    except (Interrupted, KeyboardInterrupt) as stop:
        many = len(held.exchanges)
        kept = f"{plural(many, 'answer')} {'is' if many == 1 else 'are'} saved"
        watcher.say(
            f"Stopped. {kept}; `learn2fix resume {held.id}` goes on. Without a terminal: "
            f"`learn2fix pending {held.id}` prints the open question, with a command for each answer."
        )
        if as_json and isinstance(stop, Interrupted):
            print_json(session.result().document() | {"status": "stopped"})
        raise
    finally:
        watcher.close()
    watchdog.code = exit_code(result.status, session.options.only_learn)
    document = result.document()
    if as_json:
        print_json(document)
    else:
        print_result(document)
    if session.options.test:
        watcher.say(write_tests_beside(session.options.test, held.saved))
    if advise and result.status == "repaired":
        watcher.say(f"`learn2fix apply {held.id}` writes patch 1 into the source.")
    if advise and result.status == "no_patch" and held.exchanges and result.reason != TIME_IS_UP:
        watcher.say(
            f"If one of the answers was a slip: `learn2fix show {held.id}` lists them, "
            f"`learn2fix undo {held.id}` takes the newest back."
        )
    if advise and result.status == "undecided":
        enough, more = session.options.confident, len(held.exchanges) + MORE_QUESTIONS
        watcher.say(
            f"No patch is {enough:.0%} likely to be right. `learn2fix resume {held.id} --labels {more}` asks "
            f"on; `learn2fix apply {held.id}` writes patch 1 all the same."
        )
    return watchdog.code


def converse_until(
    session: Session, held: OpenSession, someone: Person, watcher: Watcher, keep: bool = True
) -> Result:
    """Runs the conversation to its end."""
    failing = tuple(label.observation.input for label in held.saved.record.failing)
    feedback = Feedback(session.options.feedback)

    def context() -> Context:
        return Context(
            failing,
            feedback=feedback,
            described=partial(described, session.domain),
            condition=session.condition,
            same=session.subject.same,
            compared=session.options.compared,
            verb=session.verb,
        )

    def on_reply(question: Question, reply: Reply) -> None:
        if keep:
            held.append(question, reply)

    def on_undo() -> None:
        if keep:
            held.undo()

    try:
        result = drive(
            session.conversation,
            someone,
            held.exchanges,
            on_reply=on_reply,
            on_undo=on_undo,
            on_question=held.asked if keep else lambda question: None,
            context=context,
            waiting=session.clock.waiting,
            emit=watcher,
        )
    except NotFailing as refuted:
        refuted.hint = f"`learn2fix undo {held.id}` takes that back; or begin with another --failing"
        shown = session.known[0].observation.outcome
        if session.subject.proved_by_choice and session.options.expected is None and shown.completed:
            raise MemoryDecides(refuted.message, str(shown.response), refuted.hint) from None
        raise
    return result


def result_so_far(session: Session, held: OpenSession) -> Result:
    """What there is when the work was interrupted; the answers at least."""
    try:
        return replace(session.result(), reason="the time is up")
    except (TimeIsUp, Exception):  # the work was left wherever it stood
        answers = [(question, reply) for question, reply in held.exchanges if isinstance(reply, Answer)]
        labels = (*session.known, *(Label(question.observation, reply) for question, reply in answers))
        nothing = Findings(
            status="no_patch",
            labels=labels,
            questions=len(answers),
            oracle_kind="none",
            condition="",
            smtlib="",
            risk=Risk(0.5, 1.0, "none"),
            patches=(),
            effort=Effort(),
        )
        return Result.of(
            nothing,
            session=session.id,
            seed=session.options.seed,
            strategy=session.options.strategy,
            isolation=session.isolation,
            reason="the time is up",
        )


def exit_code(status: str, only_learn: bool) -> int:
    """0 if a patch was found, or a condition for `learn`."""
    if status == "stopped":
        return Interrupted.exit_code
    return 0 if status == "repaired" or (only_learn and status == "learned") else 1


def print_json(document: Mapping[str, Any]) -> None:
    click.echo(json.dumps(document, indent=2))


def print_result(document: Mapping[str, Any]) -> None:
    for line in result_lines(document, has_colour(sys.stdout, os.environ)):
        click.echo(line)

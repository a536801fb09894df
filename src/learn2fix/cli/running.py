"""From values to a session that runs: the program, the store, the person, and what is said at the end."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import click

from learn2fix.errors import Interrupted, UsageError
from learn2fix.events import Event
from learn2fix.model import Question, Reply, digest

if TYPE_CHECKING:
    from learn2fix.cli.progress import Watcher
    from learn2fix.people import Person
    from learn2fix.session import Options, Session
    from learn2fix.store import OpenSession, Record, Saved, Store


@dataclass(frozen=True, slots=True)
class Who:
    """Who answers: a golden program, a file, or whoever sits at the terminal."""

    golden: str | None = None
    answers: str | None = None

    @property
    def is_there(self) -> bool:
        """Somebody who would have to wait."""
        return self.golden is None and self.answers is None


# Options that are kept, and what is made of them again


def options_to_json(options: Options, who: Who) -> dict[str, Any]:
    return dataclasses.asdict(options) | {"golden": who.golden}


def options_from_json(stored: Mapping[str, Any]) -> Options:
    from learn2fix.session import Options

    known = {field.name for field in dataclasses.fields(Options)}
    return Options(**{name: _frozen(value) for name, value in stored.items() if name in known})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def named(words: Sequence[str]) -> str | Sequence[str]:
    """One word names a program (`triangle.c:classify`), several are a command."""
    return words[0] if len(words) == 1 else tuple(words)


def anchored(program: str | None) -> str | None:
    """A program by its full path, so that it is found from any folder."""
    if not program:
        return None
    path, function = re.fullmatch(r"(.*?)(:[A-Za-z_]\w*)?", program, re.DOTALL).groups()  # type: ignore[union-attr]
    return os.path.abspath(path) + (function or "") if os.path.exists(path) else program


# Sessions, new and stored


class Listening(Protocol):
    """Hears events, and is told what people should read."""

    def __call__(self, event: Event) -> None: ...
    def say(self, text: str) -> None: ...


def create(
    store: Store,
    program: Sequence[str],
    failing: Sequence[str],
    options: Options,
    who: Who,
    watcher: Listening,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Session, OpenSession]:
    """Builds and proves first: what cannot be run makes no session."""
    from learn2fix.session import Session, read_input
    from learn2fix.store import Record

    texts = [read_input(text) for text in failing]
    session = Session.create(named(program), texts, options, emit=watcher, clock=clock)
    try:
        source = session.subject.source
        record = Record(
            program=tuple(program),
            directory=os.getcwd(),
            seed=options.seed,
            source_digest=session.source_digest,
            # What is known before the first question: the failing inputs, then tests.
            failing=session.known[: len(session.failing)],
            tests=session.known[len(session.failing) :],
            source=str(source) if source is not None else "",
            options=options_to_json(options, who),
        )
        held = store.create(record)
        session.id = held.id
        return session, held
    except BaseException:
        session.close()
        raise


def reopen(
    saved: Saved,
    watcher: Listening,
    clock: Callable[[], float] = time.monotonic,
    *,
    anyway: bool = False,
    **changes: Any,
) -> Session:
    """The program of a stored session, with its options; refused when the source is another by now."""
    from learn2fix.session import Session

    record = saved.record
    enter(record)
    options = dataclasses.replace(options_from_json(record.options), **changes)
    failing = [label.observation.input.text for label in record.failing]
    if source_changed(record):
        changed = f"{record.source} has changed since session {saved.id} began"
        if not anyway:
            raise UsageError(changed, "--anyway goes on with the answers that still fit")
        watcher.say(f"{changed}; answers about outputs that it no longer prints are asked again.")
    return Session.create(named(record.program), failing, options, emit=watcher, id=saved.id, clock=clock)


def source_changed(record: Record) -> bool:
    """Whether the source is not the one that the session began with; called from the session's folder."""
    if not record.source:
        return False
    try:
        with open(record.source, "rb") as file:
            return digest(file.read()) != record.source_digest
    except OSError as error:
        raise UsageError(f"cannot read {record.source}: {error.strerror}") from None


def enter(record: Record) -> None:
    """Programs of a session are named relative to the folder in which it began."""
    try:
        os.chdir(record.directory)
    except OSError as error:
        raise UsageError(f"cannot go to {record.directory}: {error.strerror}") from None


# Talking


@contextmanager
def person(who: Who, options: Options, watcher: Watcher) -> Iterator[Person]:
    from learn2fix.cli.progress import Narrated, Undisturbed, has_colour
    from learn2fix.people import AnswersFile, Terminal

    if who.golden:
        with golden(who.golden, options) as someone:
            yield Narrated(someone, watcher)
    elif who.answers:
        from pathlib import Path

        yield Narrated(AnswersFile.load(Path(who.answers)), watcher)
    else:
        with keyboard_and_screen() as (keyboard, screen):
            colour = has_colour(screen, os.environ)
            yield Undisturbed(Terminal(keyboard, screen, colour), watcher)


@contextmanager
def keyboard_and_screen() -> Iterator[tuple[TextIO, TextIO]]:
    """Where a person types and reads: with stderr in a file, questions still go to whom they are for."""
    with ExitStack() as opened:
        keyboard, screen = sys.stdin, sys.stderr
        if keyboard.isatty() and not screen.isatty():
            with suppress(OSError):
                screen = opened.enter_context(open("/dev/tty", "w"))
        yield keyboard, screen


@contextmanager
def golden(program: str, options: Options) -> Iterator[Person]:
    """The golden program is only ever run, to answer a question."""
    import random

    from learn2fix.languages.c.building import BuildOptions
    from learn2fix.languages.opening import open_subject
    from learn2fix.people import Feedback, Golden
    from learn2fix.sandbox import Sandbox

    is_path = os.path.exists(program) or ".c:" in program or ".py:" in program
    words = [program] if is_path else shlex.split(program)
    with Sandbox() as sandbox:
        subject = open_subject(named(words), sandbox, BuildOptions.parse(None, options.cflags))
        try:
            # Apart from the run's own randomness: whether this person errs must not change what is asked.
            rng = random.Random(f"golden {options.seed}")
            yield Golden(
                lambda given: subject.run([given])[0], Feedback(options.feedback), options.noise, rng
            )
        finally:
            subject.close()


def talk(
    session: Session,
    held: OpenSession,
    someone: Person,
    watcher: Watcher,
    as_json: bool,
    *,
    keep: bool = True,
    advise: bool = True,
    live: bool = False,
) -> int:
    """Runs the conversation to its end, keeps the result and prints it; the exit code.

    `live`: someone sits there and is not kept waiting; otherwise the same answers give the same run.
    Without `keep` the replies of `someone` are not saved: nobody was asked, so a later resume still asks.
    """
    from learn2fix.people import Context, Feedback, drive

    saved = held.saved
    if saved.damage:
        watcher.say(f"The files of session {held.id} were damaged and have been mended: {saved.damage}")
    watcher.say(f"Session {held.id}, seed {session.options.seed}, isolation {session.isolation}.")
    failing = tuple(label.observation.input for label in saved.record.failing)
    feedback = Feedback(session.options.feedback)

    def context() -> Context:
        return Context(failing, feedback=feedback, condition=session.condition)

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
            emit=watcher,
        )
    except (Interrupted, KeyboardInterrupt) as stop:
        watcher.say(
            f"Stopped. {len(held.exchanges)} answers are saved; `learn2fix resume {held.id}` goes on."
        )
        if as_json and isinstance(stop, Interrupted):
            print_json(session.result().document() | {"status": "stopped"})
        raise
    finally:
        watcher.close()
    document = result.document()
    held.finish(document, result.patches)
    if as_json:
        print_json(document)
    else:
        print_result(document)
    if session.options.test:
        from learn2fix.cli.from_test import write_tests

        watcher.say(write_tests(held.saved, session.options.test))
    if advise and result.patches:
        watcher.say(f"`learn2fix apply {held.id}` writes patch 1 into the source.")
    return exit_code(result.status, session.options.only_learn)


def exit_code(status: str, only_learn: bool) -> int:
    """0 when what was asked for was found: a patch, or for `learn` a condition."""
    if status == "stopped":
        return Interrupted.exit_code
    return 0 if status == "repaired" or (only_learn and status == "learned") else 1


def print_json(document: Mapping[str, Any]) -> None:
    click.echo(json.dumps(document, indent=2))


def print_result(document: Mapping[str, Any]) -> None:
    from learn2fix.cli.display import result_lines
    from learn2fix.cli.progress import has_colour

    for line in result_lines(document, has_colour(sys.stdout, os.environ)):
        click.echo(line)

"""Progress on stderr: a status line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TextIO

from learn2fix.domain.describing import joined
from learn2fix.events import Event, Judged, Notice, Progress, Stopped, Undone
from learn2fix.model import Answer, Question, Reply
from learn2fix.people import Context, Person
from learn2fix.people.escape import on_one_line
from learn2fix.wording import plural, shortened


def has_screen(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether the stream is a terminal that can overwrite a line."""
    return stream.isatty() and environ.get("TERM", "dumb") != "dumb"


def has_colour(stream: TextIO, environ: Mapping[str, str]) -> bool:
    return has_screen(stream, environ) and not environ.get("NO_COLOR")


class Watcher:
    """Shows events; thread-safe."""

    def __init__(self, stream: TextIO, environ: Mapping[str, str] = os.environ, asks: bool = True) -> None:
        """Without `asks`, says nothing about questions."""
        self._stream = stream
        self._asks = asks
        self._changes = has_screen(stream, environ)
        self._status = ""
        self._tried = 0
        self._paused = False
        self._mutex = threading.RLock()

    def __call__(self, event: Event) -> None:
        with self._mutex:
            match event:
                case Judged(tried, surviving, rate):
                    # Parts report their own counts, which would make the total jump back and forth.
                    if tried < self._tried:
                        return
                    self._tried = tried
                    self._show(
                        f"{plural(tried, 'candidate')} tried, {surviving:,} left, {rate:,.0f} a second"
                    )
                case Progress(phase, done, total, note):
                    of = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
                    self._show(f"{phase}{of}{f', {note}' if note else ''}")
                case Notice(text):
                    self.say(text)
                case Stopped(reason) if self._asks:
                    self.say(f"No further question: {reason}")
                case Undone(question):
                    self.say(f"Taken back: the answer about {question.observation.input.text.strip()}")
                case _:
                    pass

    def say(self, text: str) -> None:
        with self._mutex:
            self._clear()
            self._stream.write(f"{on_one_line(text)}\n")
            self._stream.flush()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keeps the screen still while a person reads a question."""
        with self._mutex:
            self._clear()
            self._paused = True
        try:
            yield
        finally:
            self._paused = False

    def close(self) -> None:
        with self._mutex:
            self._clear()

    def _show(self, text: str) -> None:
        if self._changes and not self._paused:
            self._status = on_one_line(text)[: shutil.get_terminal_size().columns - 1]
            self._stream.write(f"\r\x1b[K{self._status}")
            self._stream.flush()

    def _clear(self) -> None:
        if self._status:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._status = ""


class Undisturbed:
    """Pauses progress while a person answers."""

    def __init__(self, person: Person, watcher: Watcher) -> None:
        self._person = person
        self._watcher = watcher

    def reply(self, question: Question, context: Context) -> Reply:
        with self._watcher.paused():
            return self._person.reply(question, context)


class Narrated:
    """Prints the questions and answers of someone who is not at this terminal."""

    def __init__(self, person: Person, watcher: Watcher) -> None:
        self.person = person
        self._watcher = watcher

    def reply(self, question: Question, context: Context) -> Reply:
        reply = self.person.reply(question, context)
        if isinstance(reply, Answer):
            self._watcher.say(told(question, reply, context.described(question.observation.input)))
        return reply


def told(question: Question, answer: Answer, described: str = "") -> str:
    """A question and its answer on one line; the input by its values where it has no plain text."""
    observation = question.observation
    said = answer.verdict.value
    if answer.expected is not None:
        said += f", should be {shortened(answer.expected)}"
    if answer.rejected:
        said += f", not {' or '.join(map(shortened, answer.rejected))}"
    printed = shortened(str(observation.outcome.response)) or "(nothing)"
    given = shortened(joined(described, observation.input))
    return f"Question {question.number}: {given} -> {printed}: {said}"

"""One session in a thread of its own: runs the conversation, begins again after an undo, keeps the result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from learn2fix.errors import Interrupted, StoreError
from learn2fix.model import Answer, Label, Question
from learn2fix.people import Context, Feedback, drive
from learn2fix.session import Result, Session
from learn2fix.store import OpenSession, Saved, Store
from learn2fix.web.clock import PatientClock
from learn2fix.web.desk import Again, Desk, Phase
from learn2fix.web.plot import Plot, plot_of_labels, plot_of_session, suggested_by_labels
from learn2fix.web.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class Actions:
    """What the programmer may do besides watching; each raises Learn2FixError with the reason not to."""

    apply: Callable[[Saved, str], str]
    """Writes the patch with this id into the source; what was done, in a sentence."""
    export: Callable[[Saved, str], Mapping[str, bytes]]
    """The files of one format."""
    formats: tuple[str, ...]


class Host:
    def __init__(
        self,
        session: Session,
        held: OpenSession,
        store: Store,
        telemetry: Telemetry,
        clock: PatientClock,
    ) -> None:
        self.session, self.held, self.store, self.telemetry = session, held, store, telemetry
        self.plot: Plot | None = None
        self._suggested = (-1, "")
        self._clock = clock
        self.desk = Desk(held, clock)
        self.desk.on_question = self._on_question
        telemetry.on_change = self.desk.tell
        self._thread = threading.Thread(target=self._run, name=f"session {held.id}", daemon=True)
        self._artist = threading.Thread(target=self._draw, name=f"pictures of {held.id}", daemon=True)
        self._wanted = threading.Event()

    def start(self) -> None:
        self._thread.start()
        self._artist.start()

    def close(self, patience: float = 5.0) -> None:
        self.desk.close()
        self._wanted.set()
        for thread in (self._thread, self._artist):
            if thread.ident is not None:
                thread.join(patience)

    @property
    def suggested(self) -> str:
        """What the answers so far say of when the bug shows; "" until that is known of just these."""
        answers, condition = self._suggested
        return condition if answers == len(self.held.exchanges) else ""

    @property
    def labels(self) -> tuple[Label, ...]:
        """Everything answered, with values read: the store keeps only the text of inputs."""
        asked = [
            Label(question.observation, reply)
            for question, reply in self.held.exchanges
            if isinstance(reply, Answer)
        ]
        return (*self.session.known, *asked)

    def _run(self) -> None:
        try:
            if self.held.saved.result is not None:
                self._sketch()
                self.desk.rest(Phase.FINISHED)
            while True:
                phase, error = Phase.FINISHED, ""
                try:
                    self._finish(self._converse())
                except Again:
                    continue
                except Interrupted:
                    raise
                except StoreError as problem:
                    phase, error = Phase.FAILED, str(problem)
                except Exception as fault:
                    # The page stays up and says so; the answers are on the disk.
                    phase, error = Phase.FAILED, f"{type(fault).__name__}: {fault}"
                self.desk.rest(phase, error)
        except Interrupted:
            pass

    def _converse(self) -> Result:
        session, held = self.session, self.held
        failing = tuple(label.observation.input for label in held.saved.record.failing)
        feedback = Feedback(session.options.feedback)
        self._clock.restart()
        self.telemetry.begin()
        return drive(
            session.conversation,
            self.desk,
            held.exchanges,
            on_reply=self.desk.keep,
            on_undo=self.desk.drop,
            on_question=held.asked,
            context=lambda: Context(failing, feedback=feedback),
            emit=self.telemetry,
        )

    def _finish(self, result: Result) -> None:
        self.telemetry.learned(result.condition)
        try:
            self.plot = plot_of_session(self.session, self.labels, result.condition)
        except Exception as fault:
            # A picture is not worth a result.
            self.telemetry.say(f"no picture could be drawn: {fault}")
        self.desk.finish(result)

    def _on_question(self, question: Question) -> None:
        self._wanted.set()

    def _draw(self) -> None:
        """Pictures are made beside the conversation: whoever answers fast never waits for one."""
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self.desk.closed:
                return
            if self.held.saved.result is not None:
                continue
            try:
                answers, labels = len(self.held.exchanges), self.labels
                self._suggested = (answers, suggested_by_labels(self.session.domain, labels))
                self.desk.tell()
                plot = plot_of_labels(self.session.domain, labels, self.telemetry.reading.condition)
                if self.held.saved.result is None:  # else there is a better one by now
                    self.plot = plot
            except Exception as fault:
                self.telemetry.say(f"no picture could be drawn: {fault}")
            self.desk.tell()

    def _sketch(self) -> None:
        result: Mapping[str, Any] = self.held.saved.result or {}
        condition = str((result.get("oracle") or {}).get("text") or self.telemetry.reading.condition)
        self.plot = plot_of_labels(self.session.domain, self.labels, condition)

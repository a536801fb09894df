"""Runs one session's conversation in its own thread, replays it after an undo, and stores the result."""

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
from learn2fix.web.board import AnswersChanged, Board, Phase
from learn2fix.web.plot import Plot, plot_of_labels, plot_of_session, suggested_by_labels
from learn2fix.web.telemetry import Telemetry


@dataclass(frozen=True, slots=True)
class Actions:
    """What the programmer can do besides watching; each raises Learn2FixError when it is refused."""

    apply: Callable[[Saved, str], str]
    """Writes the patch with this id into the source; returns a sentence that says so."""
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
    ) -> None:
        self.session, self.held, self.store, self.telemetry = session, held, store, telemetry
        self.plot: Plot | None = None
        self._suggested = (-1, "")
        self.board = Board(held)
        self.board.on_question = self._on_question
        telemetry.on_change = self.board.notify
        self._thread = threading.Thread(target=self._run, name=f"session {held.id}", daemon=True)
        self._plotter = threading.Thread(target=self._draw, name=f"pictures of {held.id}", daemon=True)
        self._plot_wanted = threading.Event()

    def start(self) -> None:
        self._thread.start()
        self._plotter.start()

    def close(self, patience: float = 5.0) -> None:
        self.board.close()
        self._plot_wanted.set()
        for thread in (self._thread, self._plotter):
            if thread.ident is not None:
                thread.join(patience)

    @property
    def suggested(self) -> str:
        """The condition that the answers so far suggest; "" until it has been computed for exactly these."""
        answers, condition = self._suggested
        return condition if answers == len(self.held.exchanges) else ""

    @property
    def labels(self) -> tuple[Label, ...]:
        """All labelled inputs with their values parsed: the store keeps only their text."""
        asked = [
            Label(question.observation, reply)
            for question, reply in self.held.exchanges
            if isinstance(reply, Answer)
        ]
        return (*self.session.known, *asked)

    def _run(self) -> None:
        try:
            if self.held.saved.result is not None:
                self._plot_result()
                self.board.wait_for_change(Phase.FINISHED)
            while True:
                phase, error = Phase.FINISHED, ""
                try:
                    self._finish(self._converse())
                except AnswersChanged:
                    continue
                except Interrupted:
                    raise
                except StoreError as problem:
                    phase, error = Phase.FAILED, str(problem)
                except Exception as fault:
                    # The page stays up and says so; the answers are on the disk.
                    phase, error = Phase.FAILED, f"{type(fault).__name__}: {fault}"
                self.board.wait_for_change(phase, error)
        except Interrupted:
            pass

    def _converse(self) -> Result:
        session, held = self.session, self.held
        failing = tuple(label.observation.input for label in held.saved.record.failing)
        feedback = Feedback(session.options.feedback)
        session.clock.restart()
        self.telemetry.begin()
        return drive(
            session.conversation,
            self.board,
            held.exchanges,
            on_reply=self.board.on_reply,
            on_undo=self.board.on_undo,
            on_question=held.asked,
            context=lambda: Context(failing, feedback=feedback, verb=session.verb),
            waiting=session.clock.waiting,
            emit=self.telemetry,
        )

    def _finish(self, result: Result) -> None:
        self.telemetry.learned(result.condition)
        try:
            self.plot = plot_of_session(self.session, self.labels, result.condition)
        except Exception as fault:
            # A plot that fails must not cost the result.
            self.telemetry.say(f"no picture could be drawn: {fault}")
        self.board.finish(result)

    def _on_question(self, question: Question) -> None:
        self._plot_wanted.set()

    def _draw(self) -> None:
        """Plots in a thread of its own, so that no question waits for one."""
        while True:
            self._plot_wanted.wait()
            self._plot_wanted.clear()
            if self.board.closed:
                return
            if self.held.saved.result is not None:
                continue
            try:
                answers, labels = len(self.held.exchanges), self.labels
                self._suggested = (answers, suggested_by_labels(self.session.domain, labels))
                self.board.notify()
                plot = plot_of_labels(self.session.domain, labels, self.telemetry.reading.condition)
                if self.held.saved.result is None:  # else the plot of the result has replaced it
                    self.plot = plot
            except Exception as fault:
                self.telemetry.say(f"no picture could be drawn: {fault}")
            self.board.notify()

    def _plot_result(self) -> None:
        result: Mapping[str, Any] = self.held.saved.result or {}
        condition = str((result.get("oracle") or {}).get("text") or self.telemetry.reading.condition)
        self.plot = plot_of_labels(self.session.domain, self.labels, condition)

"""The current question, shared between the conversation and the pages that show it.

The conversation's thread waits in `reply`; pages answer from their own threads through `submit`. The first
answer counts and is acknowledged once it is on the disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from learn2fix.errors import Interrupted
from learn2fix.model import Answer, Question, Reply, Verdict, digest
from learn2fix.people import Context
from learn2fix.session import Result
from learn2fix.store import Exchange, OpenSession, Opinion


class Phase(StrEnum):
    THINKING = "thinking"
    """The next question is being chosen."""
    ASKING = "asking"
    BACK = "back"
    """Stored answers are being replayed, after an undo or a restart of the server."""
    FINISHED = "finished"
    FAILED = "failed"


class Status(StrEnum):
    SAVED = "saved"
    ALREADY = "already"
    """Somebody else answered first: that answer counts, this one is stored beside it."""
    GONE = "gone"
    """The question is no longer asked."""


@dataclass(frozen=True, slots=True)
class Receipt:
    status: Status
    agrees: bool = True
    """Whether this answer agrees with the one that counts."""


class AnswersChanged(Exception):
    """An answer was taken back or revised: the conversation must be replayed."""


class Listener(Protocol):
    def __call__(self) -> None: ...


def question_id(question: Question) -> str:
    """Stable across restarts of the server."""
    observation = question.observation
    return digest(str(question.number), observation.input.text, str(observation.outcome.response), length=20)


class Board:
    """A Person for `people.drive` whose replies come from web pages."""

    def __init__(self, held: OpenSession) -> None:
        self._held = held
        self._changed = threading.Condition(threading.RLock())
        self._listeners: list[Listener] = []
        self._question: Question | None = None
        self._reply: Reply | None = None
        self._taken: Reply | None = None
        self._answers_changed = False
        self._closed = False
        self._error = ""
        self._phase = Phase.BACK if held.exchanges else Phase.THINKING
        self.on_question: Callable[[Question], None] = lambda question: None
        """Called in the conversation's thread whenever a question is asked."""

    # For pages.

    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def error(self) -> str:
        return self._error

    @property
    def question(self) -> Question | None:
        """The question that is open now."""
        return self._question

    @property
    def present(self) -> tuple[Phase, Question | None]:
        """The phase and, while asking, the question: one consistent snapshot."""
        with self._changed:
            return self._phase, self._question if self._phase is Phase.ASKING else None

    @property
    def exchanges(self) -> Sequence[Exchange]:
        return self._held.exchanges

    @property
    def opinions(self) -> Sequence[Opinion]:
        return self._held.saved.opinions

    def find(self, id: str) -> Question | None:
        """The question with this id, open or answered."""
        with self._changed:
            asked = [question for question, _ in self.exchanges]
            if self._question is not None:
                asked.append(self._question)
            return next((question for question in reversed(asked) if question_id(question) == id), None)

    def submit(self, id: str, reply: Reply, who: str) -> Receipt:
        """Accepts a reply; it is on the disk on return. Raises StoreError if it could not be saved."""
        with self._changed:
            question = self._question
            if question is not None and question_id(question) == id and not self._closed:
                self._held.append(question, reply, who)
                self._question, self._reply = None, reply
                self._set(Phase.THINKING)
                return Receipt(Status.SAVED)
            for position, (asked, counted) in enumerate(self.exchanges):
                if question_id(asked) == id:
                    return self._further(position, asked, counted, reply, who)
            return Receipt(Status.GONE)

    def _further(self, position: int, asked: Question, counted: Reply, reply: Reply, who: str) -> Receipt:
        """A further answer to a question that has one: it is stored, and the majority counts."""
        if not (isinstance(reply, Answer) and isinstance(counted, Answer)):
            return Receipt(Status.ALREADY, reply == counted)
        before = [each for each in self.opinions if question_id(each.question) == question_id(asked)]
        if all(each.who != who for each in before):
            self._held.add_opinion(asked, reply, who)
            winner = weigh(counted, [*(each.reply for each in before), reply])
            if winner != counted and not self._closed:
                self._held.revise(position, winner)
                self._replay()
            self._notify()
            counted = winner
        return Receipt(Status.ALREADY, agree(reply, counted))

    def undo(self, answers: int) -> bool:
        """Takes back the newest answer, if there are exactly `answers` of them (else the page was stale)."""
        with self._changed:
            if self._closed or answers < 1 or len(self.exchanges) != answers:
                return False
            self._held.undo()
            self._replay()
            return True

    def settle(self, id: str, reply: Answer) -> bool:
        """The programmer decides which of several answers counts."""
        with self._changed:
            for position, (asked, counted) in enumerate(self.exchanges):
                if question_id(asked) == id and not self._closed:
                    if counted != reply:
                        self._held.revise(position, reply)
                        self._replay()
                    return True
            return False

    def retry(self) -> bool:
        """After a fault: runs the conversation again with the stored answers."""
        with self._changed:
            if self._phase is not Phase.FAILED or self._closed:
                return False
            self._replay()
            return True

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` after every change; returns a function that unsubscribes it."""
        with self._changed:
            self._listeners.append(listener)

        def leave() -> None:
            with self._changed, suppress(ValueError):
                self._listeners.remove(listener)

        return leave

    def notify(self) -> None:
        """Tells pages that something they show has changed."""
        with self._changed:
            self._notify()

    # For the conversation's thread.

    def reply(self, question: Question, context: Context) -> Reply:
        with self._changed:
            self._check_interrupted()
            self._question, self._reply = question, None
            self._set(Phase.ASKING)
        self.on_question(question)
        with self._changed:
            while self._reply is None:
                self._check_interrupted()
                self._changed.wait()
            reply, self._reply = self._reply, None
            self._taken = reply
            return reply

    def on_reply(self, question: Question, reply: Reply) -> None:
        """For `drive`: submitted replies are on the disk already, replayed ones may not be."""
        with self._changed:
            if reply is not self._taken:
                self._check_interrupted()
                self._held.append(question, reply)

    def on_undo(self) -> None:
        """For `drive`: the newest reply no longer applies."""
        with self._changed:
            self._check_interrupted()
            self._held.undo()

    def finish(self, result: Result) -> None:
        """Saves the result, unless an answer was taken back meanwhile, which makes it void."""
        with self._changed:
            self._check_interrupted()
            self._held.finish(result.document(), result.patches, result.grounds)

    def wait_for_change(self, phase: Phase, error: str = "") -> None:
        """After the end: returns when an answer is taken back, raises when the board is closed."""
        with self._changed:
            self._question, self._error = None, error
            if not self._answers_changed:
                self._set(phase)
            try:
                while True:
                    self._check_interrupted()
                    self._changed.wait()
            except AnswersChanged:
                self._error = ""

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._notify()

    def _check_interrupted(self) -> None:
        if self._closed:
            raise Interrupted("the server was stopped")
        if self._answers_changed:
            self._answers_changed = False
            raise AnswersChanged

    def _replay(self) -> None:
        self._answers_changed, self._question, self._reply = True, None, None
        self._set(Phase.BACK)

    def _set(self, phase: Phase) -> None:
        self._phase = phase
        self._changed.notify_all()
        self._notify()

    def _notify(self) -> None:
        for listener in self._listeners:
            listener()


def agree(one: Reply, other: Reply) -> bool:
    """Whether two replies are compatible; an unsure one contradicts nobody."""
    if not (isinstance(one, Answer) and isinstance(other, Answer)):
        return one == other
    if Verdict.UNSURE in (one.verdict, other.verdict):
        return not any(
            a.expected is not None and a.expected in b.rejected for a, b in ((one, other), (other, one))
        )
    expected = {answer.expected for answer in (one, other)} - {None}
    return one.verdict is other.verdict and len(expected) < 2


def weigh(counted: Answer, said: Sequence[Reply]) -> Answer:
    """The answer with most support; the current one wins a tie."""
    answers = [reply for reply in said if isinstance(reply, Answer)]
    firm = [answer for answer in answers if answer.verdict is not Verdict.UNSURE]

    def support(answer: Answer) -> int:
        return sum(agree(answer, other) for other in firm)

    best = max(firm, key=support, default=counted)
    if counted.verdict is Verdict.UNSURE:
        return counted  # nobody was contradicted; asking again is what an undo is for
    return best if support(best) > support(counted) else counted

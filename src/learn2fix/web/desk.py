"""Where the question of the moment lies: whoever is there answers, once, and is told when it is saved.

The conversation waits here in its own thread (`reply`); pages hand answers in from theirs (`submit`).
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
from learn2fix.web.clock import PatientClock


class Phase(StrEnum):
    THINKING = "thinking"
    """The next question is being looked for."""
    ASKING = "asking"
    BACK = "back"
    """Answers are being replayed: one was taken back, or the server was started again."""
    FINISHED = "finished"
    FAILED = "failed"


class Status(StrEnum):
    SAVED = "saved"
    ALREADY = "already"
    """Somebody answered before: that answer counts, this one is kept beside it."""
    GONE = "gone"
    """That question is not asked any more."""


@dataclass(frozen=True, slots=True)
class Receipt:
    status: Status
    agrees: bool = True
    """Whether this answer says the same as the one that counts."""


class Again(Exception):
    """The answers have changed: begin the conversation again and replay."""


class Listener(Protocol):
    def __call__(self) -> None: ...


def question_id(question: Question) -> str:
    """The same for the same question, also after the server was started again."""
    observation = question.observation
    return digest(
        str(question.number),
        observation.input.text,
        str(observation.outcome.response),
        "" if question.proposal is None else f"={question.proposal}",
        length=20,
    )


class Desk:
    """A Person for `people.drive`, and the place where pages look and answer."""

    def __init__(self, held: OpenSession, clock: PatientClock) -> None:
        self._held = held
        self._clock = clock
        self._changed = threading.Condition(threading.RLock())
        self._listeners: list[Listener] = []
        self._question: Question | None = None
        self._reply: Reply | None = None
        self._handed: Reply | None = None
        self._again = False
        self._closed = False
        self._error = ""
        self._phase = Phase.BACK if held.exchanges else Phase.THINKING
        self.on_question: Callable[[Question], None] = lambda question: None
        """Called in the conversation's thread once a question lies here."""

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
        """What is asked now."""
        return self._question

    @property
    def present(self) -> tuple[Phase, Question | None]:
        """What goes on and, while something is asked, what: of the same moment."""
        with self._changed:
            return self._phase, self._question if self._phase is Phase.ASKING else None

    @property
    def exchanges(self) -> Sequence[Exchange]:
        return self._held.exchanges

    @property
    def opinions(self) -> Sequence[Opinion]:
        return self._held.saved.opinions

    def find(self, id: str) -> Question | None:
        """The question with this id, asked now or answered already."""
        with self._changed:
            asked = [question for question, _ in self.exchanges]
            if self._question is not None:
                asked.append(self._question)
            return next((question for question in reversed(asked) if question_id(question) == id), None)

    def submit(self, id: str, reply: Reply, who: str) -> Receipt:
        """Hands a reply in. Returned: it is on the disk. Raises StoreError when it could not be saved."""
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
        """A question that is answered: a further person's word is kept, and the majority counts."""
        if not (isinstance(reply, Answer) and isinstance(counted, Answer)):
            return Receipt(Status.ALREADY, reply == counted)
        before = [each for each in self.opinions if question_id(each.question) == question_id(asked)]
        if all(each.who != who for each in before):
            self._held.add_opinion(asked, reply, who)
            winner = weigh(counted, [*(each.reply for each in before), reply])
            if winner != counted and not self._closed:
                self._held.revise(position, winner)
                self._replay()
            self._tell()
            counted = winner
        return Receipt(Status.ALREADY, agree(reply, counted))

    def undo(self, answers: int) -> bool:
        """Takes the newest of `answers` answers back; nothing happens when there are not just so many."""
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
        """After a fault: everything again, with the answers that are saved."""
        with self._changed:
            if self._phase is not Phase.FAILED or self._closed:
                return False
            self._replay()
            return True

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` after every change; what is returned ends that."""
        with self._changed:
            self._listeners.append(listener)

        def leave() -> None:
            with self._changed, suppress(ValueError):
                self._listeners.remove(listener)

        return leave

    def tell(self) -> None:
        """Something changed that pages show."""
        with self._changed:
            self._tell()

    # For the conversation's thread.

    def reply(self, question: Question, context: Context) -> Reply:
        with self._changed:
            self._stop_if_asked()
            self._question, self._reply = question, None
            self._set(Phase.ASKING)
        self.on_question(question)
        with self._changed, self._clock.waiting():
            while self._reply is None:
                self._stop_if_asked()
                self._changed.wait()
            reply, self._reply = self._reply, None
            self._handed = reply
            return reply

    def keep(self, question: Question, reply: Reply) -> None:
        """For `drive`: replies handed in here are on the disk already, those used again are not."""
        with self._changed:
            if reply is not self._handed:
                self._stop_if_asked()
                self._held.append(question, reply)

    def drop(self) -> None:
        """For `drive`: the newest reply does not fit any more."""
        with self._changed:
            self._stop_if_asked()
            self._held.undo()

    def finish(self, result: Result) -> None:
        """Saves the result, unless an answer was taken back meanwhile: then it is not one any more."""
        with self._changed:
            self._stop_if_asked()
            self._held.finish(result.document(), result.patches)

    def rest(self, phase: Phase, error: str = "") -> None:
        """At the end: waits until an answer is taken back (returns) or the desk is closed (raises)."""
        with self._changed:
            self._question, self._error = None, error
            if not self._again:
                self._set(phase)
            try:
                while True:
                    self._stop_if_asked()
                    self._changed.wait()
            except Again:
                self._error = ""

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            self._tell()

    def _stop_if_asked(self) -> None:
        if self._closed:
            raise Interrupted("the server was stopped")
        if self._again:
            self._again = False
            raise Again

    def _replay(self) -> None:
        self._again, self._question, self._reply = True, None, None
        self._set(Phase.BACK)

    def _set(self, phase: Phase) -> None:
        self._phase = phase
        self._changed.notify_all()
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def agree(one: Reply, other: Reply) -> bool:
    """Whether two people can both be right; who cannot tell contradicts nobody."""
    if not (isinstance(one, Answer) and isinstance(other, Answer)):
        return one == other
    if Verdict.UNSURE in (one.verdict, other.verdict):
        return not any(
            a.expected is not None and a.expected in b.rejected for a, b in ((one, other), (other, one))
        )
    expected = {answer.expected for answer in (one, other)} - {None}
    return one.verdict is other.verdict and len(expected) < 2


def weigh(counted: Answer, said: Sequence[Reply]) -> Answer:
    """The answer that most people stand behind; the one that counts already wins a tie."""
    answers = [reply for reply in said if isinstance(reply, Answer)]
    firm = [answer for answer in answers if answer.verdict is not Verdict.UNSURE]

    def support(answer: Answer) -> int:
        return sum(agree(answer, other) for other in firm)

    best = max(firm, key=support, default=counted)
    if counted.verdict is Verdict.UNSURE:
        return counted  # nobody was contradicted; asking again is what an undo is for
    return best if support(best) > support(counted) else counted

"""Carries replies from a person to the conversation: stored ones first, new ones only once they are saved."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TypeVar

from learn2fix.events import Emit, Notice, Undone, ignore
from learn2fix.model import Answer, Control, Question, Reply, Response
from learn2fix.people.protocol import Context, Exchange, Person
from learn2fix.wording import plural

R = TypeVar("R")
Conversation = Generator[Question, Reply, R]


def drive(
    make_conversation: Callable[[], Conversation[R]],
    person: Person,
    stored: Sequence[Exchange] = (),
    *,
    on_reply: Callable[[Question, Reply], None],
    on_undo: Callable[[], object],
    on_question: Callable[[Question], object] = lambda question: None,
    context: Callable[[], Context] = Context,
    waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
    emit: Emit = ignore,
) -> R:
    """Runs a conversation to its end and returns its result.

    `on_question` hears of each question that is asked; `waiting` surrounds the time that the person takes.
    `emit` hears of what was taken back or set apart; the conversation itself tells of questions and answers.
    `on_reply` and `on_undo` save; when they raise, the reply is not sent and the error goes to the caller.
    A conversation is deterministic, so taking back a reply and resuming are both: begin again, replay.
    Where a replayed question is not the one that was answered (the source or the tool has changed), this is
    said, and of the replies from there on only those are used whose question comes up again.
    """
    replies = list(stored)
    spare: dict[Key, Reply] = {}
    while True:
        conversation = make_conversation()
        try:
            question = next(conversation)
            position = 0
            while True:
                if position < len(replies) and not _same(replies[position][0], question):
                    spare = _set_apart(replies, position, on_undo, emit)
                if position == len(replies):
                    reply = spare.pop(_key(question), None)
                    if reply is None:
                        on_question(question)
                        with waiting():
                            reply = person.reply(question, replace(context(), history=tuple(replies)))
                    if reply is Control.UNDO:
                        if replies:
                            on_undo()
                            taken_back, _ = replies.pop()
                            emit(Undone(taken_back))
                            conversation.close()
                            break
                        emit(Notice("There is no answer to take back."))
                        continue
                    on_reply(question, reply)
                    replies.append((question, reply))
                position += 1
                question = conversation.send(replies[position - 1][1])
        except StopIteration as stop:
            result: R = stop.value
            return result
        except BaseException:
            conversation.close()
            raise


Key = tuple[str, Response, bool]


def _key(question: Question) -> Key:
    observation = question.observation
    return observation.input.text, observation.outcome.response, question.again is not None


def _same(stored: Question, asked: Question) -> bool:
    return _key(stored) == _key(asked)


def _set_apart(
    replies: list[Exchange], position: int, on_undo: Callable[[], object], emit: Emit
) -> dict[Key, Reply]:
    """Takes back the replies from `position` on; returns the answers among them by question."""
    apart = replies[position:]
    emit(
        Notice(
            f"Question {position + 1} is not the one that was answered: the program, the seed or the tool "
            f"has changed since. {position} of {plural(len(replies), 'answer')} kept; the others are used "
            "again where their questions come up."
        )
    )
    for _ in apart:
        on_undo()
        replies.pop()
    return {_key(question): reply for question, reply in apart if isinstance(reply, Answer)}

"""What everybody who answers questions must do, whoever it is. Subclass it, and say how each thing is said:

    class TestMyPerson(PersonConformance):
        def person(self, *meanings: Meaning) -> Person:
            return MyPerson(meanings)

`cannot_say` is what this kind of person has no words for. Every question is about the input of the same
program, which prints 2.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from enum import Enum
from typing import ClassVar

import pytest

from learn2fix.errors import Interrupted
from learn2fix.model import (
    Answer,
    Control,
    Ending,
    Input,
    Label,
    Observation,
    Outcome,
    Question,
    Reply,
    Requirement,
    Response,
    Verdict,
)
from learn2fix.people import Context, Exchange, Feedback, Person, drive
from learn2fix.store.codec import reply_from_json, reply_to_json

PRINTED, RIGHT, OFFERED = "2", "1", "7"


class Meaning(Enum):
    """What a person may want to say, and the reply that it is."""

    BUG = Answer(Verdict.BUG)
    SHOULD_BE_1 = Answer(Verdict.BUG, expected=RIGHT)
    FINE = Answer(Verdict.OK)
    UNSURE = Answer(Verdict.UNSURE)
    NO_SENSE = Answer(Verdict.INVALID)
    OFFERED_IS_RIGHT = Answer(Verdict.BUG, expected=OFFERED)
    NONE_IS_RIGHT = Answer(Verdict.BUG, rejected=(OFFERED,))
    """Neither what was printed nor what was offered."""
    FINISH = Control.FINISH
    UNDO = Control.UNDO

    @property
    def is_chosen(self) -> bool:
        return self in (Meaning.OFFERED_IS_RIGHT, Meaning.NONE_IS_RIGHT)

    @property
    def feedback(self) -> Feedback:
        """Whether a person who means this is asked what is right."""
        if self.is_chosen:
            return Feedback.CHOICE
        return Feedback.VERDICT if self is Meaning.BUG else Feedback.OUTPUT


def question(number: int = 1, choices: tuple[str, ...] = ()) -> Question:
    observation = Observation(Input(f"{number} 2 2"), Outcome(Ending.EXITED, f"{PRINTED}\n".encode()))
    return Question(number, 10 - number, observation, tuple(map(Response.read, choices)))


def asked_about(meaning: Meaning, number: int = 1) -> Question:
    return question(number, (PRINTED, OFFERED) if meaning.is_chosen else ())


WORDS = (Meaning.SHOULD_BE_1, Meaning.FINE, Meaning.NO_SENSE, Meaning.SHOULD_BE_1)
"""What everybody can say, in an order that nobody gets right by accident."""


class PersonConformance:
    """Tests that hold for everybody."""

    cannot_say: ClassVar[frozenset[Meaning]] = frozenset()

    def person(self, *meanings: Meaning) -> Person:
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "meaning" in metafunc.fixturenames:
            said = [meaning for meaning in Meaning if meaning not in metafunc.cls.cannot_say]
            metafunc.parametrize("meaning", said, ids=[meaning.name.lower() for meaning in said])

    def reply(self, meaning: Meaning) -> Reply:
        # There must be an answer to take back.
        history = ((question(9), Answer(Verdict.OK)),)
        context = Context(feedback=meaning.feedback, history=history)
        return self.person(meaning).reply(asked_about(meaning), context)

    def test_it_is_understood_as_it_was_meant(self, meaning: Meaning) -> None:
        assert self.reply(meaning) == meaning.value

    def test_what_is_said_can_be_stored(self, meaning: Meaning) -> None:
        reply = self.reply(meaning)
        assert reply_from_json(json.loads(json.dumps(reply_to_json(reply)))) == reply

    def test_repairs_are_held_to_what_is_said(self, meaning: Meaning) -> None:
        reply, asked = self.reply(meaning), asked_about(meaning)
        if not isinstance(reply, Answer):
            assert isinstance(reply, Control)
            return
        requirement = Requirement.from_label(Label(asked.observation, reply))
        if reply.verdict is Verdict.INVALID or meaning is Meaning.UNSURE:
            assert requirement is None
            return
        assert requirement is not None
        met = {text for text in (PRINTED, RIGHT, OFFERED, "9") if requirement.met_by(Response.read(text))}
        assert (
            met
            == {
                Meaning.BUG: {RIGHT, OFFERED, "9"},
                Meaning.SHOULD_BE_1: {RIGHT},
                Meaning.FINE: {PRINTED},
                Meaning.OFFERED_IS_RIGHT: {OFFERED},
                Meaning.NONE_IS_RIGHT: {RIGHT, "9"},
            }[meaning]
        )

    @pytest.mark.parametrize("cut", range(len(WORDS) + 1))
    def test_a_conversation_can_be_interrupted_anywhere(self, cut: int) -> None:
        """Somebody of the same kind goes on with what the first did not come to say."""
        exchanges: list[Exchange] = []

        def on_reply(asked: Question, reply: Reply) -> None:
            exchanges.append((asked, reply))
            if len(exchanges) == cut:
                raise KeyboardInterrupt

        def talk(person: Person) -> list[Reply]:
            return drive(conversation, person, tuple(exchanges), on_reply=on_reply, on_undo=exchanges.pop)

        if cut:
            with pytest.raises(KeyboardInterrupt):
                talk(self.person(*WORDS))
        assert talk(self.person(*WORDS[cut:])) == [meaning.value for meaning in WORDS]
        assert [reply for _, reply in exchanges] == [meaning.value for meaning in WORDS]


class FinitePersonConformance(PersonConformance):
    """For everybody whose answers come to an end, as those of a program do not."""

    def test_no_further_answer_is_no_end_but_a_pause(self) -> None:
        """`resume` goes on from there: exit code 4."""
        person = self.person(Meaning.FINE)
        assert person.reply(question(1), Context()) == Answer(Verdict.OK)
        with pytest.raises(Interrupted) as caught:
            person.reply(question(2), Context())
        assert caught.value.exit_code == 4


def conversation() -> Generator[Question, Reply, list[Reply]]:
    said = []
    for number in range(1, len(WORDS) + 1):
        said.append((yield question(number)))
    return said

"""Everybody who answers passes one suite: terminal, lines, a file, a golden program, a page."""

from __future__ import annotations

import io
import json
import operator
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

import pytest

from learn2fix.model import Answer, Ending, Input, Label, Observation, Outcome, Question, Reply, Verdict
from learn2fix.people import AnswersFile, Context, Feedback, Golden, Person, Terminal
from learn2fix.people.answers_file import parse
from learn2fix.store import Record, Store
from learn2fix.web.app import read_reply
from learn2fix.web.board import Board, question_id
from person_conformance import (
    OFFERED,
    PRINTED,
    RIGHT,
    WORDS,
    FinitePersonConformance,
    Meaning,
    PersonConformance,
)

LINES = {
    Meaning.BUG: "y",
    Meaning.SHOULD_BE_1: "y 1",
    Meaning.FINE: "n",
    Meaning.UNSURE: "u",
    Meaning.NO_SENSE: "i",
    Meaning.OFFERED_IS_RIGHT: "a",
    Meaning.NONE_IS_RIGHT: "x",
    Meaning.FINISH: "f",
    Meaning.UNDO: "p",
}


class TestLines(FinitePersonConformance):
    """Not a terminal: one line a reply."""

    said: ClassVar[Mapping[Meaning, str]] = LINES

    def person(self, *meanings: Meaning) -> Person:
        return Terminal(io.StringIO("".join(f"{self.said[each]}\n" for each in meanings)), io.StringIO())


class TestWords(TestLines):
    said: ClassVar[Mapping[Meaning, str]] = {
        Meaning.BUG: "wrong",
        Meaning.SHOULD_BE_1: "expected 1",
        Meaning.FINE: "fine",
        Meaning.UNSURE: "Unsure",
        Meaning.NO_SENSE: "invalid",
        Meaning.OFFERED_IS_RIGHT: OFFERED,
        Meaning.NONE_IS_RIGHT: "none",
        Meaning.FINISH: "finish",
        Meaning.UNDO: "undo",
    }


class Screen(io.StringIO):
    """Somebody sits before it who types when asked to, and leaves when there is nothing more to say."""

    def __init__(self, terminal: int, meanings: tuple[Meaning, ...]) -> None:
        super().__init__()
        self._terminal = terminal
        self._typed = iter([part for each in meanings for part in LINES[each].split()])

    def write(self, text: str) -> int:
        if text.endswith(("> ", "next) ")):
            end = "" if text.endswith("> ") else "\n"
            os.write(self._terminal, (next(self._typed, "\x04") + end).encode())
        return super().write(text)


class TestKeys(FinitePersonConformance):
    """A real terminal: one key a reply, and a line where one is asked for."""

    @pytest.fixture(autouse=True)
    def terminals(self) -> Iterator[None]:
        with ExitStack() as self.opened:
            yield

    def person(self, *meanings: Meaning) -> Person:
        terminal, program = os.openpty()
        self.opened.callback(os.close, terminal)
        keyboard = self.opened.enter_context(os.fdopen(program))
        return Terminal(keyboard, Screen(terminal, meanings))


class TestAnswersFile(FinitePersonConformance):
    """One line a question, in order."""

    cannot_say = frozenset({Meaning.UNDO})

    def line(self, meaning: Meaning) -> dict[str, object]:
        if meaning is Meaning.FINISH:
            return {"verdict": "finish"}
        assert isinstance(meaning.value, Answer)
        said = meaning.value
        expected = {"expected": f" {said.expected}\n"} if said.expected else {}
        rejected = {"rejected": list(said.rejected)} if said.rejected else {}
        return {"verdict": said.verdict.value, **expected, **rejected}

    def person(self, *meanings: Meaning) -> Person:
        text = "\n".join(json.dumps(self.line(each)) for each in meanings)
        return AnswersFile(parse(text, "answers"))


class TestAnswersFileByInput(TestAnswersFile):
    """Lines that name their input, in any order."""

    def person(self, *meanings: Meaning) -> Person:
        places = range(1 + len(WORDS) - len(meanings), 1 + len(WORDS))  # those that are not answered yet
        numbered = [*zip(places, meanings, strict=True), *((1, each) for each in meanings[:1])]
        lines = [self.line(each) | {"input": f"{number} 2 2"} for number, each in numbered]
        return AnswersFile(parse("\n".join(json.dumps(line) for line in reversed(lines)), "answers"))


class TestGolden(PersonConformance):
    """A correct program is never unsure and never ends a conversation."""

    cannot_say = frozenset({Meaning.UNSURE, Meaning.FINISH, Meaning.UNDO})
    prints: ClassVar[Mapping[Meaning, str]] = {
        Meaning.BUG: RIGHT,
        Meaning.SHOULD_BE_1: RIGHT,
        Meaning.FINE: PRINTED,
        Meaning.NO_SENSE: "",
        Meaning.OFFERED_IS_RIGHT: OFFERED,
        Meaning.NONE_IS_RIGHT: RIGHT,
    }

    def person(self, *meanings: Meaning) -> Person:
        texts = iter([self.prints[each] for each in meanings])
        feedback = meanings[0].feedback if meanings else Feedback.OUTPUT
        return Golden(lambda given: Outcome(Ending.EXITED, next(texts).encode()), feedback)


class Visitor:
    """Somebody in a browser: sees the question on the board, and answers from another thread."""

    def __init__(self, board: Board, meanings: tuple[Meaning, ...]) -> None:
        self._board, self._meanings = board, iter(meanings)

    def reply(self, question: Question, context: Context) -> Reply:
        thread = threading.Thread(target=self._answer, args=(question,))
        self._board.on_question = lambda question: thread.start()
        try:
            return self._board.reply(question, context)
        finally:
            thread.join()

    def _answer(self, question: Question) -> None:
        meaning = next(self._meanings, None)
        if meaning is None:
            self._board.close()  # the server is stopped
            return
        said, expected = {
            Meaning.BUG: ("y", ""),
            Meaning.SHOULD_BE_1: ("y", " 1 "),
            Meaning.FINE: ("n", None),
            Meaning.UNSURE: ("u", None),
            Meaning.NO_SENSE: ("i", None),
            Meaning.OFFERED_IS_RIGHT: ("a", None),
            Meaning.NONE_IS_RIGHT: ("x", None),
            Meaning.FINISH: ("f", None),
        }[meaning]
        reply = read_reply(question, said, expected, operator.eq)
        self._board.submit(question_id(question), reply, "somebody")


class TestPage(FinitePersonConformance):
    cannot_say = frozenset({Meaning.UNDO})  # a page takes answers back beside the conversation

    @pytest.fixture(autouse=True)
    def store(self, tmp_path: Path) -> Iterator[None]:
        failing = Label(Observation(Input("2 2 2"), Outcome(Ending.EXITED, b"2\n")), Answer(Verdict.BUG))
        self.record = Record(("a.c",), str(tmp_path), 1, "", (failing,))
        self.sessions = Store(tmp_path)
        with ExitStack() as self.opened:
            yield

    def person(self, *meanings: Meaning) -> Person:
        held = self.opened.enter_context(self.sessions.create(self.record))
        return Visitor(Board(held), meanings)

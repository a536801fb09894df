"""The loop that drives people, and what each does alone; what all do alike is in test_persons.py."""

from __future__ import annotations

import io
import random
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import Interrupted, StoreError, UsageError
from learn2fix.events import Event, Notice, Undone
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
from learn2fix.people import (
    AnswersFile,
    Context,
    Exchange,
    Feedback,
    Golden,
    Person,
    Terminal,
    answer_to,
    drive,
)
from learn2fix.people.difference import compare, from_nearest, pieces
from learn2fix.people.escape import on_one_line, visible

BUG, OK, UNSURE = Answer(Verdict.BUG), Answer(Verdict.OK), Answer(Verdict.UNSURE)


def outcome(text: str) -> Outcome:
    return Outcome(Ending.EXITED, f"{text}\n".encode())


def question(text: str, printed: str = "2", number: int = 1) -> Question:
    return Question(number, 10 - number, Observation(Input(text), outcome(printed)))


def conversation(labels: int = 4) -> Generator[Question, Reply, list[tuple[str, Reply]]]:
    """Asks about numbers; every bug doubles the next, so what is asked depends on what was said."""
    said: list[tuple[str, Reply]] = []
    number, value = 1, 1
    while number <= labels:
        reply = yield Question(number, labels - number, Observation(Input(str(value)), outcome("0")))
        said.append((str(value), reply))
        if reply is Control.FINISH:
            break
        assert isinstance(reply, Answer)
        value = value * 2 if reply.verdict is Verdict.BUG else value + 1
        number += 1
    return said


class Scripted:
    """Says what it was told to say; raises what it was told to raise."""

    def __init__(self, *script: Reply | BaseException) -> None:
        self.script = list(script)
        self.asked: list[str] = []

    def reply(self, question: Question, context: Context) -> Reply:
        self.asked.append(question.observation.input.text)
        step = self.script.pop(0)
        if isinstance(step, BaseException):
            raise step
        return step


class Saving:
    """What a store would hold."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []

    def on_reply(self, question: Question, reply: Reply) -> None:
        self.exchanges.append((question, reply))

    def on_undo(self) -> None:
        self.exchanges.pop()

    def drive(
        self, person: Person, events: list[Event] | None = None, labels: int = 4
    ) -> list[tuple[str, Reply]]:
        return drive(
            lambda: conversation(labels),
            person,
            tuple(self.exchanges),
            on_reply=self.on_reply,
            on_undo=self.on_undo,
            emit=(lambda event: None) if events is None else events.append,
        )


def test_drive_asks_saves_and_returns_the_result() -> None:
    saving = Saving()
    assert saving.drive(Scripted(OK, BUG, OK, OK)) == [("1", OK), ("2", BUG), ("4", OK), ("5", OK)]
    assert [reply for _, reply in saving.exchanges] == [OK, BUG, OK, OK]


def test_an_answer_is_sent_only_after_it_was_saved() -> None:
    order: list[str] = []

    def talk() -> Generator[Question, Reply, None]:
        yield question("1")
        order.append("sent")

    drive(talk, Scripted(OK), on_reply=lambda *_: order.append("saved"), on_undo=lambda: None)
    assert order == ["saved", "sent"]


def test_an_answer_that_is_not_saved_is_not_sent() -> None:
    closed: list[bool] = []

    def talk() -> Generator[Question, Reply, None]:
        try:
            yield question("1")
            pytest.fail("sent")
        finally:
            closed.append(True)

    def full(question: Question, reply: Reply) -> None:
        raise StoreError("not saved: disk full")

    with pytest.raises(StoreError, match="not saved"):
        drive(talk, Scripted(OK), on_reply=full, on_undo=lambda: None)
    assert closed == [True]


@pytest.mark.parametrize("stop", [Interrupted("ended"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_resuming_repeats_nothing_and_ends_the_same(stop: BaseException, after: int) -> None:
    script = [OK, BUG, BUG, OK]
    whole = Saving().drive(Scripted(*script))
    saving, first, second = Saving(), Scripted(*script[:after], stop), Scripted(*script[after:])
    with pytest.raises(type(stop)):
        saving.drive(first)
    assert saving.drive(second) == whole
    assert first.asked[-1] == second.asked[0]
    assert len(second.asked) == len(script) - after


def test_undo_takes_back_the_newest_answer_and_asks_again() -> None:
    saving, events, person = (
        Saving(),
        list[Event](),
        Scripted(OK, BUG, Control.UNDO, Control.UNDO, BUG, OK, OK, OK),
    )
    assert saving.drive(person, events) == [("1", BUG), ("2", OK), ("3", OK), ("4", OK)]
    assert person.asked == ["1", "2", "4", "2", "1", "2", "3", "4"]
    assert [event.question.observation.input.text for event in events if isinstance(event, Undone)] == [
        "2",
        "1",
    ]


def test_undo_before_the_first_answer_is_said_and_harmless() -> None:
    events: list[Event] = []
    assert len(Saving().drive(Scripted(Control.UNDO, OK, OK, OK, OK), events)) == 4
    assert any(isinstance(event, Notice) for event in events)


def test_finish_is_saved_and_replayed() -> None:
    saving = Saving()
    assert saving.drive(Scripted(BUG, Control.FINISH)) == [("1", BUG), ("2", Control.FINISH)]
    assert saving.drive(Scripted()) == [("1", BUG), ("2", Control.FINISH)]


@given(
    st.lists(st.sampled_from([OK, BUG, UNSURE, Control.UNDO, Control.FINISH]), max_size=25),
    st.lists(st.integers(0, 8), max_size=6),
)
def test_any_interruption_of_any_session_changes_nothing(script: list[Reply], cuts: list[int]) -> None:
    """Interrupted wherever, a session resumes at the same question and ends with the same result."""
    rest = [*script, *[Control.FINISH] * 2]
    whole, in_one_go = Saving(), Scripted(*rest)
    result = whole.drive(in_one_go)
    cut, asked = Saving(), list[str]()
    for size in [*cuts, len(rest)]:
        person = Scripted(*rest[:size], Interrupted("cut"))
        try:
            again = cut.drive(person)
        except Interrupted:
            asked += person.asked[:-1]
            rest = rest[size:]
            continue
        asked += person.asked
        break
    assert (again, cut.exchanges, asked) == (result, whole.exchanges, in_one_go.asked)


def test_changed_questions_are_said_and_fitting_answers_used_again() -> None:
    saving, events = Saving(), list[Event]()
    saving.drive(Scripted(OK, OK, BUG, OK))  # 1 2 3 6
    saving.exchanges[0] = (saving.exchanges[0][0], BUG)  # still asks 2 next, so the first two are replayed
    saving.exchanges[1] = (saving.exchanges[1][0], BUG)  # now asks 4, where 3 was answered
    person = Scripted(UNSURE, OK)
    assert saving.drive(person, events) == [("1", BUG), ("2", BUG), ("4", UNSURE), ("5", OK)]
    assert person.asked == ["4", "5"]
    notice = next(event.text for event in events if isinstance(event, Notice))
    assert "Question 3 is not the one that was answered" in notice
    assert "2 of 4" in notice
    assert [q.observation.input.text for q, _ in saving.exchanges] == ["1", "2", "4", "5"]


def test_an_answer_about_another_output_is_not_used_again() -> None:
    """The program changed: it prints something else now, so what was said of the old output is void."""
    saving = Saving()
    saving.exchanges = [(question("1", printed="9"), BUG)]
    person = Scripted(OK, OK, OK, OK)
    saving.drive(person)
    assert person.asked == ["1", "2", "3", "4"]


# Answers


def golden(text: str, feedback: Feedback = Feedback.OUTPUT) -> Golden:
    return Golden(lambda given: outcome(text), feedback)


def terminal(*lines: str) -> Terminal:
    return Terminal(io.StringIO("".join(f"{line}\n" for line in lines)), io.StringIO())


@given(st.text(), st.sampled_from([Verdict.BUG, Verdict.OK]))
def test_who_expects_what_was_printed_sees_no_bug(expected: str, verdict: Verdict) -> None:
    asked = question("1", printed="2")
    answer = answer_to(asked, verdict, expected)
    requirement = Requirement.from_label(Label(asked.observation, answer))
    assert requirement is not None
    assert requirement.met_by(Response.read("2")) == (answer.verdict is Verdict.OK)


# The golden program


@pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.EXITED])
def test_golden_calls_an_input_invalid_where_it_does_not_answer(ending: Ending) -> None:
    person = Golden(lambda given: Outcome(ending, b"1\n"))
    assert person.reply(question("1"), Context()).verdict is Verdict.INVALID


def test_golden_answers_with_what_it_raises_on_purpose() -> None:
    raised = Outcome(Ending.RAISED, detail="ValueError: negative")
    assert Golden(lambda given: raised).reply(question("1"), Context()).verdict is Verdict.INVALID
    person = Golden(lambda given: raised, deliberate=lambda each: each is raised)
    assert person.reply(question("1"), Context()) == Answer(Verdict.BUG, str(raised.response))


def test_golden_is_not_believed_where_its_language_leaves_open_what_it_does() -> None:
    person = Golden(lambda given: outcome("1"), undefined=lambda given: given.text != "2")
    assert person.reply(question("1"), Context((Input("2"),))).verdict is Verdict.INVALID
    # Where a failing input does the same, it does no harm.
    assert person.reply(question("1"), Context((Input("3"),))).verdict is not Verdict.INVALID


@pytest.mark.parametrize("ending", [ending for ending in Ending if ending is not Ending.EXITED])
def test_golden_that_always_answers_calls_every_difference_the_bug_and_nothing_else(ending: Ending) -> None:
    ends_so = Outcome(ending, b"1\n")
    person = Golden(lambda given: ends_so, always=True, undefined=lambda given: True)
    asked = question("1")
    assert person.reply(asked, Context()) == Answer(Verdict.BUG)
    alike = replace(asked, observation=replace(asked.observation, outcome=ends_so))
    assert person.reply(alike, Context()).verdict is Verdict.OK


def test_golden_errs_as_often_as_it_is_told_to() -> None:
    person = Golden(lambda given: outcome("1"), noise=0.25, rng=random.Random(1))
    verdicts = [person.reply(question("1", printed="2"), Context()).verdict for _ in range(2000)]
    assert 0.2 < verdicts.count(Verdict.OK) / 2000 < 0.3
    person = Golden(lambda given: outcome("2"), noise=0.25, rng=random.Random(1))
    verdicts = [person.reply(question("1", printed="2"), Context()).verdict for _ in range(2000)]
    assert 0.2 < verdicts.count(Verdict.BUG) / 2000 < 0.3
    with pytest.raises(ValueError):
        Golden(lambda given: outcome("1"), noise=0.1)


# A file of answers


def test_answers_by_input_come_before_answers_in_order(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(
        '{"verdict": "ok"}\n\n{"input": "2 2 2", "verdict": "bug", "expected": 1}\n'
        '{"verdict": "unsure"}\n{"verdict": "finish"}\n'
    )
    person = AnswersFile.load(path)
    said = [
        person.reply(question(text), Context()) for text in ("1 1 1", "2 2 2\n", "3 3 3", "2 2 2", "4 4 4")
    ]
    assert said == [OK, Answer(Verdict.BUG, "1"), UNSURE, Answer(Verdict.BUG, "1"), Control.FINISH]
    with pytest.raises(Interrupted, match=r"no answer to question 1, input '5 5 5'"):
        person.reply(question("5 5 5"), Context())


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "line 2: not JSON"),
        ("[]", "line 2: not a JSON object"),
        ("[" * 100_000, "line 2: not JSON"),
        ('{"verdict": "maybe"}', "line 2: the verdict is 'maybe'"),
        ('{"verdict": ["ok"]}', "line 2: the verdict is"),
        ("{}", "line 2: the verdict is None"),
        ('{"verdict": "ok", "inputs": "1"}', "line 2: unknown field 'inputs'"),
        ('{"verdict": "bug", "expected": [1]}', "line 2: expected is not text"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(f'{{"verdict": "ok"}}\n{line}\n')
    with pytest.raises(UsageError, match=problem):
        AnswersFile.load(path)


def test_an_answers_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        AnswersFile.load(tmp_path / "missing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        AnswersFile.load(tmp_path / "binary")


# What differs, and what can be shown


@given(st.text(), st.text())
def test_pieces_are_the_text(text: str, known: str) -> None:
    assert "".join(pieces(text)) == text
    assert "".join(piece for piece, _ in compare(text, known)) == text
    assert not any(differs for _, differs in compare(text, text))


def test_what_differs_from_the_nearest_known_input() -> None:
    compared, nearest = from_nearest("2 -3 2", ["2 2 2", "5 5 5"])
    assert ([piece for piece, differs in compared if differs], nearest) == (["-3"], "2 2 2")
    compared, _ = from_nearest("[3, 1, 2], 3", ["[3, 2], 3"])
    assert "".join(piece for piece, differs in compared if differs) in ("1,", ",1")
    assert from_nearest("1", []) == ([("1", False)], None)


HOSTILE = [
    "\x1b[2J\x1b[1;1H",  # clear the screen
    "\x1b]0;title\x07",  # OSC: window title
    "\x1b]52;c;aGk=\x1b\\",  # OSC 52: clipboard
    "\x9b31m",  # C1: CSI in one character
    "\x9d0;t\x9c",  # C1: OSC and ST
    "a\u202eb\u2066c\u200fd\u061c",  # bidi
    "a\u200bb\ufeff\u2060",  # invisible
    "fine\rlie",  # overwrites the line
    "\x08\x08\x08",
    "\x7f",
    "\u2028\u2029\x85",  # line ends that are not
    "\udc9b31m",  # a byte that is CSI in Latin-1
    "\U000e0041",  # tags
]


@given(
    st.one_of(
        st.sampled_from(HOSTILE), st.text(), st.binary().map(lambda b: b.decode("utf-8", "surrogateescape"))
    )
)
def test_nothing_shown_can_command_a_terminal(text: str) -> None:
    import unicodedata

    shown = visible(text)
    assert {unicodedata.category(c) for c in shown if c not in "\n\t"} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    } == set()
    assert "\n" not in on_one_line(text)
    shown.encode("utf-8")


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert visible(text) == text

"""A real process that holds a session and answers questions: what the fault tests kill, lock out and starve.

    python conversation_driver.py HOME SESSION|new PERSON [LABELS]

PERSON is `script` (answers by itself, and takes back every fifth answer) or `terminal`. After each commit
it prints what was acknowledged: `ack ROW INPUT`. The questions depend on the answers, as real ones do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path

from learn2fix.errors import Learn2FixError
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
    Verdict,
)
from learn2fix.people import Context, Feedback, Terminal, drive
from learn2fix.store import Record, Store

FAILING = Label(Observation(Input("2 2 2"), Outcome(Ending.EXITED, b"2\n")), Answer(Verdict.BUG, "1"))
RECORD = Record(("triangle.c",), "/", 1, "", (FAILING,))


def conversation(labels: int) -> Generator[Question, Reply, int]:
    value = 1
    for number in range(1, labels + 1):
        observation = Observation(Input(f"2 {value} 2"), Outcome(Ending.EXITED, b"2\n"))
        why = "A neighbour of the failing input."
        reply = yield Question(number, labels - number, observation, why=why)
        if reply is Control.FINISH:
            break
        assert isinstance(reply, Answer)
        value += 2 if reply.verdict is Verdict.BUG else 1
    return value


class Script:
    """What it says depends on the question alone, so a resumed session goes on as it would have."""

    def __init__(self) -> None:
        self.said = 0

    def reply(self, question: Question, context: Context) -> Reply:
        self.said += 1
        if self.said % 5 == 0 and context.history:
            return Control.UNDO
        return Answer(Verdict.BUG if question.number % 3 == 0 else Verdict.OK)


def main(home: str, id: str, who: str, labels: str = "1000000") -> int:
    store = Store(Path(home))
    screen = sys.stderr
    colour = os.environ.get("TERM") != "dumb" and screen.isatty()
    person = Script() if who == "script" else Terminal(sys.stdin, screen, colour)
    with store.create(RECORD) if id == "new" else store.open(id) as session:
        if session.saved.damage:
            print(f"damage {session.saved.damage}", flush=True)
        print(f"open {session.id} {len(session.exchanges)}", flush=True)

        def on_reply(question: Question, reply: Reply) -> None:
            session.append(question, reply)
            print(f"ack {question.number} {question.observation.input.text}", flush=True)

        def on_undo() -> None:
            session.undo()
            print("undone", flush=True)

        result = drive(
            lambda: conversation(int(labels)),
            person,
            session.exchanges,
            on_reply=on_reply,
            on_undo=on_undo,
            context=lambda: Context(
                failing=(FAILING.observation.input,), feedback=Feedback.OUTPUT, condition=lambda: "a == c"
            ),
        )
        print(f"done {result}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except Learn2FixError as error:
        print(f"error {error}", flush=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)

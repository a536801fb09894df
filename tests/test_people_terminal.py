"""The terminal person in a real terminal (a pty), and without one: golden transcripts."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pexpect
import pytest

from learn2fix.domain.describing import described
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.domain.outputs import same_output
from learn2fix.model import Answer, Control, Ending, Input, Observation, Outcome, Question, Response, Verdict
from learn2fix.people import Context, Feedback, Terminal
from learn2fix.people.phrasing import sentence
from learn2fix.store import Store

DRIVER = Path(__file__).with_name("conversation_driver.py")
KEYS = """\
  [y] bug  [n] ok  [u] unsure  [i] invalid: the input makes no sense  [e] expected output
  [p] previous  [f] finish  [s] when the bug shows, so far  [?] why this question
> """
FIRST_KEYS = KEYS.replace("[p] previous  ", "")


def environment(term: str) -> dict[str, str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {"TERM": term, "PYTHONPATH": path, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def spawn(home: Path, term: str = "dumb", id: str = "new", labels: int = 3) -> pexpect.spawn[str]:
    words = [str(DRIVER), str(home), id, "terminal", str(labels)]
    child = pexpect.spawn(sys.executable, words, env=environment(term), encoding="utf-8", timeout=60)
    child.delaybeforesend = None
    child.logfile_read = io.StringIO()
    return child


def shown(child: pexpect.spawn[str]) -> str:
    log = child.logfile_read
    assert isinstance(log, io.StringIO)
    return log.getvalue().replace("\r\n", "\n")


TRANSCRIPT = f"""\
open triangle-1 0

Question 1 of at most 3
  input    2 *1* 2
  failing  2 2 2
  prints   2
Is this the bug?
{FIRST_KEYS}?
A neighbour of the failing input.
Is this the bug?
{FIRST_KEYS}s
a == c
Is this the bug?
{FIRST_KEYS}p
There is no answer to take back.
Is this the bug?
{FIRST_KEYS}xyz
xyz is not one of the keys; `e xyz` says that xyz is right.
Is this the bug?
{FIRST_KEYS}n
ack 1 2 1 2

Question 2 of at most 3 (so far: 1 ok)
  input    2 2 2
  failing  2 2 2
  prints   2
Is this the bug?
{KEYS}y
What should it print? (Enter: skip; a \\ at the end of a line continues on the next) 1
ack 2 2 2 2

Question 3 of at most 3 (so far: 1 bug, 1 ok)
  input    2 *4* 2
  failing  2 2 2
  prints   2
Is this the bug?
{KEYS}p
undone

Question 2 of at most 3 (so far: 1 ok)
  input    2 2 2
  failing  2 2 2
  prints   2
Is this the bug?
{KEYS}u
ack 2 2 2 2

Question 3 of at most 3 (so far: 1 ok, 1 unsure)
  input    2 *3* 2
  failing  2 2 2
  prints   2
Is this the bug?
{KEYS}f
ack 3 2 3 2
done 3
"""


def test_a_session_on_a_dumb_terminal(tmp_path: Path) -> None:
    child = spawn(tmp_path)
    for key in ("?", "s", "p", "xyz\n", "n"):
        child.expect_exact("\n> ")
        child.send(key)
    child.expect_exact("\n> ")
    child.send("y")
    child.expect_exact("next) ")
    child.send("7\x7f1\n")  # a slip, corrected
    for key in "puf":
        child.expect_exact("\n> ")
        child.send(key)
    child.expect(pexpect.EOF)
    # A typed slip leaves backspaces behind it; they are the only control characters there are.
    assert shown(child).replace("7\b \b", "") == TRANSCRIPT
    (saved,) = [Store(tmp_path).load("triangle-1")]
    replies = [reply for _, reply in saved.exchanges]
    assert replies == [Answer(Verdict.OK), Answer(Verdict.UNSURE), Control.FINISH]


def test_colour_is_only_paint(tmp_path: Path) -> None:
    child = spawn(tmp_path, term="xterm", labels=1)
    child.expect_exact("\n> ")
    child.send("n")
    child.expect(pexpect.EOF)
    assert "\x1b[1;7m1\x1b[0m" in shown(child)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown(child))
    assert "\x1b" not in plain
    assert "  input    2 1 2\n  failing  2 2 2\n" in plain


def test_arrow_keys_and_enter_answer_nothing(tmp_path: Path) -> None:
    child = spawn(tmp_path, labels=1)
    child.expect_exact("\n> ")
    child.send("\x1b[A\r\n \x1bOP")
    child.send("n")
    child.expect(pexpect.EOF)
    assert "not one of the keys" not in shown(child)
    assert "ack 1" in shown(child)


def test_an_expected_output_of_several_lines(tmp_path: Path) -> None:
    child = spawn(tmp_path, labels=1)
    child.expect_exact("\n> ")
    child.send("e")
    child.expect_exact("next) ")
    child.send("a b\\\n c\n")
    child.expect(pexpect.EOF)
    assert Store(tmp_path).load("triangle-1").labels[1].answer == Answer(Verdict.BUG, "a b\nc")


def test_the_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    import termios

    child = spawn(tmp_path)
    child.expect_exact("\n> ")
    assert not termios.tcgetattr(child.child_fd)[3] & termios.ICANON
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    # The pty is gone with the child on some systems; the driver restored it before it went, see below.
    outer = pexpect.spawn(
        "/bin/sh",
        ["-c", f'"{sys.executable}" "{DRIVER}" "{tmp_path}" triangle-1 terminal 3; stty -a; echo end'],
        env=environment("dumb"),
        encoding="utf-8",
        timeout=60,
    )
    outer.expect_exact("\n> ")
    outer.send("f")
    outer.expect_exact("end")
    assert outer.before is not None
    assert " icanon" in outer.before
    assert " -icanon" not in outer.before
    assert " -echo " not in outer.before


def test_without_a_terminal_lines_are_read_and_the_end_is_an_end(tmp_path: Path) -> None:
    """Never waits for a key that cannot come: what was answered is kept, the rest can be resumed."""
    run = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path), "new", "terminal", "5"],
        input="n\nbug 1\\n2\nwhat\n",
        capture_output=True,
        text=True,
        timeout=60,
        env=environment("xterm"),
        check=False,
    )
    assert run.returncode == 4
    assert run.stdout.splitlines()[-1] == "error the input has ended"
    assert "\x1b" not in run.stderr
    assert "  input    2 *1* 2\n" in run.stderr
    answers = [reply for _, reply in Store(tmp_path).load("triangle-1").exchanges]
    assert answers == [Answer(Verdict.OK), Answer(Verdict.BUG, "1\n2")]


def ask(
    observation: Observation,
    lines: str = "n\n",
    choices: tuple[str, ...] = (),
    why: str = "",
    **known: Any,
) -> str:
    screen = io.StringIO()
    question = Question(1, 9, observation, tuple(map(Response.read, choices)), why=why)
    Terminal(io.StringIO(lines), screen, colour=False).reply(
        question,
        Context(failing=(Input("\x1b[31m1"),), condition=lambda: "\x1b[2J", **known),
    )
    return screen.getvalue()


@pytest.mark.parametrize(
    "hostile", [b"\x1b[2J", b"\x1b]52;c;aGk=\x07", b"\xc2\x9b1m", b"\x9b1m", "\u202e".encode()]
)
def test_hostile_characters_are_shown_escaped(hostile: bytes) -> None:
    """Fault 15: in the output, the input, the choices, the reason and the condition."""
    text = hostile.decode("utf-8", "surrogateescape")
    observation = Observation(Input(f"1 {text}"), Outcome(Ending.EXITED, b"before" + hostile + b"after\n"))
    screen = ask(observation, "s\n?\nn\n", (text,), why=text)
    assert set(screen) & set("\x1b\x07\x9b\u202e\udc9b") == set()
    assert screen.isprintable() or all(c.isprintable() or c == "\n" for c in screen)
    assert re.search(r"before\\(x1b|x9b|u202e).*after", screen)


def test_long_and_odd_outputs_stay_readable() -> None:
    flood = Observation(Input("1"), Outcome(Ending.EXITED, b"line\n" * 500 + b"x" * 5000))
    screen = ask(flood)
    assert screen.count("line") == 20 + 1
    assert "... and 481 more lines" in screen
    assert max(map(len, screen.splitlines())) < 1100
    assert "  prints   (nothing)\n" in ask(Observation(Input("1"), Outcome(Ending.EXITED)))
    assert "  ends     ⟨crash: SIGSEGV⟩\n" in ask(
        Observation(Input("1"), Outcome(Ending.SIGNALLED, status=11))
    )


def test_what_fixes_print_is_offered_in_order_and_the_printed_one_is_ok() -> None:
    screen = ask(Observation(Input("1"), Outcome(Ending.EXITED, b"2")), choices=("1", "2", "7\n8"))
    assert (
        "What should it print?\n"
        "  [a] 1\n"
        "  [n] 2  (ok: as it does now)\n"
        "  [b] 7↵8\n"
        "  [e] something else  [y] bug, but I can't say what is right  [u] unsure\n"
    ) in screen


def test_long_choices_keep_their_lines() -> None:
    grid = "\n".join(["1 2 3 4 5 6 7 8"] * 3)
    screen = ask(Observation(Input("1"), Outcome(Ending.EXITED, b"2")), choices=("2", grid))
    assert "  [a] 1 2 3 4 5 6 7 8\n      1 2 3 4 5 6 7 8\n" in screen


def test_answers_so_far_are_counted_in_plain_words() -> None:
    observation = Observation(Input("1"), Outcome(Ending.EXITED, b"2"))
    said = [Answer(Verdict.BUG), Answer(Verdict.OK), Answer(Verdict.BUG), Answer(Verdict.OK)]
    history = tuple((Question(n, 9 - n, observation), answer) for n, answer in enumerate(said, 1))
    assert "(so far: 1 bug)" in ask(observation, history=history[:1])
    assert "(so far: 2 bugs, 2 ok)" in ask(observation, history=history)


def test_a_second_offer_for_the_reported_input_says_what_it_is() -> None:
    observation = Observation(Input("1"), Outcome(Ending.EXITED, b"2"))
    question = Question(2, 8, observation, (Response.read("5"), Response.read("6")), reported=True)
    first = Question(1, 9, observation, (Response.read("3"), Response.read("4")), reported=True)
    none = Answer(Verdict.BUG, rejected=("3", "4"))
    asked = sentence(question, Context(feedback=Feedback.CHOICE, history=((first, none),)))
    assert asked == "You said that none of those is right for the input that you reported. Is one of these?"
    assert "none of those" not in sentence(question, Context(feedback=Feedback.CHOICE))


def test_what_counts_is_said_with_the_first_question_and_decides_what_is_meant() -> None:
    screen = io.StringIO()
    observation = Observation(Input("1 5"), Outcome(Ending.EXITED, b"3.000000"))
    question = Question(1, 4, observation)
    context = Context(compared="output, numbers within 0.001", same=same_output)
    # Without a verdict of its own, what is right says whether it was printed.
    assert Terminal(io.StringIO("e 3\n"), screen).reply(question, context) == Answer(Verdict.OK)
    assert Terminal(io.StringIO("y 3\n"), screen).reply(question, context) == Answer(Verdict.BUG, "3")
    assert screen.getvalue().startswith(
        "\nWhat counts: output, numbers within 0.001.\nQuestion 1 of at most 5\n"
    )
    later = io.StringIO()
    asked = Context(compared="output", history=((question, Answer(Verdict.OK)),))
    Terminal(io.StringIO("n\n"), later).reply(Question(2, 3, observation), asked)
    assert "What counts" not in later.getvalue()


def test_lists_and_grids_are_shown_by_name_and_can_be_copied() -> None:
    domain = FormLayout(read_form("n, m, a[n], g:word[n]{m}")).domain()
    screen = io.StringIO()
    asked = domain.parse("2 3\n5 8\n.#.\n#..\n")
    reported = domain.parse("2 3\n5 7\n.#.\n##.\n")
    context = Context((reported,), described=partial(described, domain))
    observation = Observation(asked, Outcome(Ending.EXITED, b"3"))
    Terminal(io.StringIO("r\nn\n"), screen).reply(Question(1, 2, observation), context)
    lines = [line.rstrip() for line in screen.getvalue().split("\n")]
    start = lines.index("  input    a = [5, *8*]")
    assert lines[start : start + 8] == [
        "  input    a = [5, *8*]",
        "           g =",
        "             .#.",
        "             #*.*.",
        "  failing  a = [5, 7]",
        "           g =",
        "             .#.",
        "             ##.",
    ]
    assert lines[start + 8] == "  prints   3"
    raw = lines.index("> r")
    assert lines[raw + 1 : raw + 5] == ["2 3", "5 8", ".#.", "#.."]
    assert "[r]" in screen.getvalue()
    assert "[r]" not in ask(observation)

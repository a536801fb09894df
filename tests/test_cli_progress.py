"""Progress on stderr: one changing line on a terminal, plain lines elsewhere, silence while someone reads."""

from __future__ import annotations

import io

from learn2fix.cli.display import label_line, summary, table
from learn2fix.cli.progress import Narrated, Undisturbed, Watcher, has_colour, told
from learn2fix.events import Judged, Learned, Notice, Progress, Stopped, Undone
from learn2fix.model import Answer, Control, Ending, Input, Observation, Outcome, Question, Reply, Verdict
from learn2fix.people import Context

QUESTION = Question(3, 7, Observation(Input("1 2\n"), Outcome(Ending.EXITED, b"5\n")))


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_only_lines() -> None:
    stream = io.StringIO()
    watcher = Watcher(stream, {"TERM": "xterm"})
    for event in (
        Judged(5200, 40, 11650.4),
        Progress("fuzzing", 3, 9),
        Learned("a == b"),
        Notice("two\nlines \x1b[2J"),
        Undone(QUESTION),
        Stopped("nothing tells the patches apart"),
    ):
        watcher(event)
    assert stream.getvalue() == (
        "two\\nlines \\x1b[2J\nTaken back: the answer about 1 2\n"
        "No further question: nothing tells the patches apart\n"
    )


def test_a_line_that_changes_is_gone_before_anything_else_is_said() -> None:
    stream = Screen()
    watcher = Watcher(stream, {"TERM": "xterm"})
    watcher(Judged(5200, 40, 11650.4))
    watcher(Progress("fuzzing", 3, 9, "near 2 2 2"))
    watcher.say("hello")
    watcher.close()
    assert stream.getvalue() == (
        "\r\x1b[K5,200 candidates tried, 40 left, 11,650 a second"
        "\r\x1b[Kfuzzing 3 of 9, near 2 2 2"
        "\r\x1b[Khello\n"
    )


def test_the_count_of_candidates_never_falls() -> None:
    stream = Screen()
    watcher = Watcher(stream, {"TERM": "xterm"})
    for tried in (6_000, 40, 9_870):
        watcher(Judged(tried, 6, 2_800.0))
    assert "6,000 candidates" in stream.getvalue()
    assert "9,870 candidates" in stream.getvalue()
    assert "K40 candidates" not in stream.getvalue()


def test_a_dumb_terminal_gets_no_escapes() -> None:
    stream = Screen()
    watcher = Watcher(stream, {"TERM": "dumb"})
    watcher(Judged(1, 1, 1.0))
    watcher.close()
    assert stream.getvalue() == ""


def test_nothing_moves_while_someone_reads_a_question() -> None:
    stream = Screen()
    watcher = Watcher(stream, {"TERM": "xterm"})

    class Reader:
        def reply(self, question: Question, context: Context) -> Reply:
            watcher(Judged(2, 2, 2.0))
            return Control.FINISH

    watcher(Judged(1, 1, 1.0))
    assert Undisturbed(Reader(), watcher).reply(QUESTION, Context()) is Control.FINISH
    assert stream.getvalue().endswith("a second\r\x1b[K")
    watcher(Judged(3, 3, 3.0))
    assert "3 candidates" in stream.getvalue()


def test_colour_is_for_terminals_that_want_it() -> None:
    assert has_colour(Screen(), {"TERM": "xterm"})
    assert not has_colour(Screen(), {"TERM": "xterm", "NO_COLOR": "1"})
    assert not has_colour(Screen(), {"TERM": "dumb"})
    assert not has_colour(Screen(), {})
    assert not has_colour(io.StringIO(), {"TERM": "xterm"})


def test_answers_that_nobody_here_gave_are_told() -> None:
    class Reporter:
        def reply(self, question: Question, context: Context) -> Reply:
            return Answer(Verdict.BUG, "7", ("8",))

    stream = io.StringIO()
    Narrated(Reporter(), Watcher(stream, {})).reply(QUESTION, Context())
    assert stream.getvalue() == "Question 3: 1 2 -> 5: bug, should be 7, not 8\n"
    silent = Question(1, 0, Observation(Input(""), Outcome(Ending.EXITED)))
    assert told(silent, Answer(Verdict.INVALID)) == "Question 1:  -> (nothing): invalid"


def test_results_in_words() -> None:
    assert summary({"status": "no_patch", "questions": 10, "effort": {"candidates": 5200}}) == (
        "No patch found: 10 questions, 5,200 candidate patches tried."
    )
    label = {"input": "1\n2", "output": "", "verdict": "unsure", "rejected": ["3", "4"]}
    assert label_line(label) == "1\\n2 -> (nothing): unsure, not 3 or 4"
    assert list(table([("A", "BB"), ("CCC", "D")])) == ["A    BB", "CCC  D"]


def test_a_long_output_is_told_by_its_ends() -> None:
    printed = " ".join(map(str, range(10_000)))
    question = Question(3, 7, Observation(Input("9\n"), Outcome(Ending.EXITED, printed.encode())))
    line = told(question, Answer(Verdict.BUG, expected=f"1 {printed}"))
    assert len(line) < 1_200
    assert "0 1 2 3" in line
    assert "9998 9999 (48,889 characters)" in line

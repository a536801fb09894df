"""A person at a terminal, who answers with single keys; or lines from a pipe."""

from __future__ import annotations

from typing import TextIO

from learn2fix.errors import Interrupted
from learn2fix.model import Answer, Control, Input, Question, Reply, Verdict
from learn2fix.people.difference import from_nearest
from learn2fix.people.escape import visible
from learn2fix.people.keys import Keys, keys_of
from learn2fix.people.protocol import Context, Feedback, answer_to, answer_to_proposal

VERDICT_KEYS = "[y] bug  [n] fine  [u] unsure  [i] input makes no sense"
PROPOSAL_KEYS = "[y] yes  [n] no  [u] unsure  [i] input makes no sense"
OTHER_KEYS = "[e] expected output  [p] previous  [f] finish  [c] condition  [?] why this question"
RAW_KEY = "  [r] the input as the program reads it"

WORDS = {
    "yes": "y",
    "bug": "y",
    "wrong": "y",
    "no": "n",
    "ok": "n",
    "fine": "n",
    "right": "n",
    "unsure": "u",
    "invalid": "i",
    "expected": "e",
    "previous": "p",
    "undo": "p",
    "finish": "f",
    "condition": "c",
    "raw": "r",
    "why": "?",
}
"""Words that lines may begin with instead of a key."""

MAX_LINES, MAX_COLUMNS = 20, 1000


class Terminal:
    def __init__(self, source: TextIO, screen: TextIO, colour: bool = False) -> None:
        self._keys: Keys = keys_of(source, screen)
        self._screen = screen
        self._colour = colour

    def reply(self, question: Question, context: Context) -> Reply:
        self._show_question(question, context)
        while True:
            key, rest = self._read_key()
            reply = self._act(key, rest, question, context)
            if reply is not None:
                return reply

    def _act(self, key: str, rest: str, question: Question, context: Context) -> Reply | None:
        """The reply, or None if the question is still open."""
        match key:
            case "y" if question.proposal is not None:
                return answer_to_proposal(question, yes=True)
            case "n" if question.proposal is not None:
                right = self._expected(rest, context, "What should it print then?")
                if right is not None:
                    return answer_to(question, Verdict.BUG, right)
                return answer_to_proposal(question, yes=False)
            case "y":
                return answer_to(
                    question, Verdict.BUG, self._expected(rest, context, "What should it print?")
                )
            case "n":
                return Answer(Verdict.OK)
            case "u":
                return Answer(Verdict.UNSURE)
            case "i":
                return Answer(Verdict.INVALID)
            case "e":
                right = rest or self._ask_line("What should it print?", "Enter: back to the question")
                if right:
                    return answer_to(question, Verdict.OK, right, context.same)
            case "p" if context.history:
                return Control.UNDO
            case "p":
                self._say("There is no answer to take back.")
            case "f":
                return Control.FINISH
            case "c":
                known = context.condition() or "nothing is known yet"
                self._say(f"The bug shows when: {visible(known)}")
            case "r":
                # Nothing before it and behind it, so that it can be copied.
                self._say(visible(question.observation.input.text.rstrip("\n")))
            case "?":
                self._say(visible(question.why) or "It was picked at random near the failing input.")
            case _:
                self._say("That is not one of the keys.")
        self._show_keys(question, context)
        return None

    def _expected(self, rest: str, context: Context, prompt: str) -> str | None:
        """The expected output, if the person wants to give it."""
        if rest:
            return rest
        if context.feedback is Feedback.OUTPUT:
            return self._ask_line(prompt, "Enter: skip") or None
        return None

    def _ask_line(self, prompt: str, hint: str) -> str:
        """A line; several when the person ends lines with a backslash. Without a terminal none is asked for:
        there a line is a reply, and the next line is the reply to the next question."""
        if not self._keys.one_by_one:
            return ""
        self._write(f"{prompt} ({hint}; a \\ at the end of a line continues on the next) ")
        lines = []
        try:
            lines.append(self._keys.line())
            while lines[-1].endswith("\\"):
                lines[-1] = lines[-1][:-1]
                lines.append(self._keys.line())
        except Interrupted:
            # The verdict stands even without the expected output.
            self._write("\n")
            return ""
        return "\n".join(lines).strip()

    def _read_key(self) -> tuple[str, str]:
        """The key, and the rest of the line."""
        try:
            typed = self._keys.key("> ")
        except Interrupted:
            self._write("\n")
            raise
        if self._keys.one_by_one:
            self._write(f"{visible(typed)}\n")
            return typed.lower(), ""
        self._write(f"{visible(typed)}\n")
        word, _, rest = typed.strip().partition(" ")
        key = WORDS.get(word.lower(), word.lower())
        return key, rest.strip().replace("\\n", "\n")

    def _show_question(self, question: Question, context: Context) -> None:
        total = question.number + question.remaining
        counts = context.counts
        said = ", ".join(
            f"{counts[verdict]} {word}"
            for verdict, word in (
                (Verdict.BUG, "bug"),
                (Verdict.OK, "fine"),
                (Verdict.UNSURE, "unsure"),
                (Verdict.INVALID, "no sense"),
            )
            if counts[verdict]
        )
        self._say("")
        if context.compared and not context.history:
            self._say(f"What counts: {context.compared}.")
        head = f"Question {question.number} of at most {total}"
        self._say(self._bold(head) + (f" (so far: {said})" if said else ""))
        observation = question.observation
        compared, nearest = from_nearest(
            _shown(observation.input, context), [_shown(known, context) for known in context.failing]
        )
        self._field("input", "".join(self._mark(visible(text), differs) for text, differs in compared))
        if nearest is not None:
            self._field("failing", visible(nearest))
        answer = str(observation.outcome.response)
        self._field("prints" if observation.outcome.completed else "ends", visible(answer) or "(nothing)")
        if question.proposal is not None:
            self._field("right?", visible(str(question.proposal)) or "(nothing)")
        self._show_keys(question, context)

    def _show_keys(self, question: Question, context: Context) -> None:
        if question.proposal is None:
            self._say(self._bold("Is this the bug?"))
            self._say(f"  {VERDICT_KEYS}")
        else:
            proposal = visible(str(question.proposal))
            short = proposal if len(proposal) <= 60 and "\n" not in proposal else "this"
            self._say(self._bold(f"Should it print {short} here?"))
            self._say(f"  {PROPOSAL_KEYS}")
        raw = RAW_KEY if context.described(question.observation.input) else ""
        self._say(f"  {OTHER_KEYS}{raw}")

    def _field(self, name: str, text: str) -> None:
        lines = text.split("\n")
        if len(lines) > MAX_LINES:
            lines = [*lines[:MAX_LINES], f"... and {len(lines) - MAX_LINES} more lines"]
        reset = "\x1b[0m" if self._colour else ""
        lines = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]}{reset} ..." for line in lines]
        indent = "\n" + " " * 11
        self._say(f"  {name:<9}{indent.join(lines)}")

    def _mark(self, text: str, differs: bool) -> str:
        if not differs:
            return text
        return f"\x1b[1;7m{text}\x1b[0m" if self._colour else f"*{text}*"

    def _bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self._colour else text

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()


def _shown(given: Input, context: Context) -> str:
    return context.described(given) or given.text.rstrip("\n")

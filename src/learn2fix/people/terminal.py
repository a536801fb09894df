"""A person at a terminal, who answers with single keys; or lines from a pipe."""

from __future__ import annotations

from typing import TextIO

from learn2fix.errors import Interrupted
from learn2fix.model import Control, Question, Reply, canonical
from learn2fix.people.escape import visible
from learn2fix.people.keys import Keys, keys_of
from learn2fix.people.phrasing import (
    WORDS,
    answers,
    choices,
    cut,
    question_lines,
    reply_of,
    sentence,
    shown_choice,
    starred,
)
from learn2fix.people.protocol import Context, Feedback

WIDTH = 100
"""Columns after which keys go on in the next line."""


class Terminal:
    def __init__(self, source: TextIO, screen: TextIO, colour: bool = False) -> None:
        self._keys: Keys = keys_of(source, screen, WORDS)
        self._screen = screen
        self._colour = colour

    def reply(self, question: Question, context: Context) -> Reply:
        self._show_question(question, context)
        while True:
            reply = self._act(self._typed(question, context), question, context)
            if reply is not None:
                return reply

    def _act(self, typed: str, question: Question, context: Context) -> Reply | None:
        """The reply, or None if the question is still open."""
        key, rest = self._meant(typed, question)
        if key == "y" and not rest and not question.choices and context.feedback is Feedback.OUTPUT:
            rest = self._ask_line(f"What should it {context.verb}?", "Enter: skip")
        elif key == "e" and not rest and context.feedback is Feedback.OUTPUT:
            rest = self._ask_line(f"What should it {context.verb}?", "Enter: back to the question")
        reply = reply_of(key, question, rest or None, context.same)
        if reply is not None:
            return reply
        match key:
            case "e" if not rest and self._keys.one_by_one:
                pass
            case "p" if context.history:
                return Control.UNDO
            case "p":
                self._say("There is no answer to take back.")
            case "s":
                self._say(visible(context.condition()) or "Nothing is known yet.")
            case "r":
                # Nothing before it and behind it, so that it can be copied.
                self._say(visible(question.observation.input.text.rstrip("\n")))
            case "?":
                self._say(visible(question.why) or "It was picked at random near the failing input.")
            case _:
                self._not_understood(typed.strip(), context)
        self._show_keys(question, context)
        return None

    def _not_understood(self, typed: str, context: Context) -> None:
        hint = f"; `e {typed}` says that {typed} is right" if context.feedback is Feedback.OUTPUT else ""
        self._say(visible(f"{typed} is not one of the keys{hint}."))

    def _ask_line(self, prompt: str, hint: str) -> str:
        """A line; several when the person ends lines with a backslash. Without a terminal none is asked for:
        there a line is a reply, and the next line is the reply to the next question."""
        if not self._keys.one_by_one:
            return ""
        prompt = f"{prompt} ({hint}; a \\ at the end of a line continues on the next) "
        lines = []
        try:
            lines.append(self._keys.line(prompt))
            while lines[-1].endswith("\\"):
                lines[-1] = lines[-1][:-1]
                lines.append(self._keys.line())
        except Interrupted:
            # The verdict stands even without the expected output.
            self._write("\n")
            return ""
        return "\n".join(lines).strip()

    def _typed(self, question: Question, context: Context) -> str:
        # `p` is told, not waited for, where there is nothing to take back.
        keys = "p" + "".join(key for key, _ in self._all_keys(question, context))
        keys += keys.upper() + "".join(choice.key for choice in choices(question))
        try:
            typed = self._keys.key("> ", keys)
        except Interrupted:
            self._write("\n")
            raise
        if not self._keys.one_by_one:
            self._write(f"{visible(typed)}\n")
        return typed

    def _meant(self, typed: str, question: Question) -> tuple[str, str]:
        """The key, and the rest of the line."""
        said = canonical(typed.replace("\\n", "\n"), question.observation.outcome.counted.layout)
        if len(said) > 1 or said.isdigit():
            # Typing one of the responses chooses it, even where it reads "yes" or "no".
            for choice in choices(question):
                if choice.response.completed and said == str(choice.response):
                    return choice.key, ""
        word, _, rest = typed.strip().partition(" ")
        key = WORDS.get(word.lower(), word.lower() if len(word) == 1 else word)
        return key, rest.strip().replace("\\n", "\n")

    def _show_question(self, question: Question, context: Context) -> None:
        self._say("")
        for line in question_lines(question, context, self._mark, self._bold):
            self._say(line)
        self._show_keys(question, context)

    def _show_keys(self, question: Question, context: Context) -> None:
        self._say(self._bold(sentence(question, context)))
        for choice in choices(question):
            lines = shown_choice(choice.response, context)
            own = f"  (ok: as it {'does' if choice.response.completed else 'ends'} now)" if choice.own else ""
            self._say(f"  [{choice.key}] " + "\n      ".join(cut(lines)) + own)
        line = " "
        # What is no answer has a line of its own.
        begins = "p" if context.history else "f"
        for key, text in self._all_keys(question, context):
            entry = f" [{key}] {text}"
            if len(line) + len(entry) > WIDTH or key == begins:
                self._say(line)
                line = " "
            line += entry if line == " " else f" {entry}"
        self._say(line)

    def _all_keys(self, question: Question, context: Context) -> list[tuple[str, str]]:
        keys = answers(question, context)
        if context.feedback is Feedback.OUTPUT and "e" not in dict(keys):
            keys.append(("e", "expected output"))
        if context.history:
            keys.append(("p", "previous"))
        keys += [("f", "finish"), ("s", "when the bug shows, so far")]
        keys.append(("?", "why this question"))
        if context.described(question.observation.input):
            keys.append(("r", "the input as the program reads it"))
        return keys

    def _mark(self, text: str, differs: bool) -> str:
        if not differs or not self._colour:
            return starred(text, differs)
        return f"\x1b[1;7m{text}\x1b[0m"

    def _bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self._colour else text

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()

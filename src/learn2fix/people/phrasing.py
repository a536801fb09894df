"""A question in words: what is asked, and the answers that can be chosen, the same at every door."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from learn2fix.model import Answer, Control, Input, Question, Reply, Response, Same, Verdict
from learn2fix.people.difference import from_nearest
from learn2fix.people.escape import marked_spaces, visible
from learn2fix.people.protocol import Context, Feedback, answer_to
from learn2fix.wording import plural

MAX_LINES, MAX_COLUMNS = 20, 1000
ONE_LINE = 30
"""Number of characters up to which a choice of several lines is shown in one."""
LINE_BREAK = "↵"
LETTERS = "abcdghjk"
"""Keys of choices: letters, because a digit could be taken for what is printed."""

VERDICTS = {"y": Verdict.BUG, "n": Verdict.OK, "u": Verdict.UNSURE, "i": Verdict.INVALID}
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
    "none": "x",
    "expected": "e",
    "previous": "p",
    "undo": "p",
    "finish": "f",
    "condition": "s",
    "raw": "r",
    "why": "?",
}
"""Words that people say instead of a key."""


@dataclass(frozen=True, slots=True)
class Choice:
    key: str
    response: Response
    own: bool
    """Whether this is what the program does now."""

    def answer(self, question: Question) -> Answer:
        return Answer(Verdict.OK) if self.own else answer_to(question, Verdict.BUG, str(self.response))


def choices(question: Question) -> list[Choice]:
    letters = iter(LETTERS)
    shown = question.observation.outcome.response
    return [
        Choice("n" if choice == shown else next(letters), choice, choice == shown)
        for choice in question.choices
    ]


def none_of_these(question: Question) -> Answer:
    shown = question.observation.outcome.response
    return Answer(Verdict.BUG, rejected=tuple(str(each) for each in question.choices if each != shown))


def reply_of(
    key: str, question: Question, right: str | None = None, same: Same = operator.eq
) -> Reply | None:
    """What a key says, with the response that is right if the person gave it; None: nothing."""
    for choice in choices(question):
        if key == choice.key and right is None:
            return choice.answer(question)
    match key:
        case "y":
            return answer_to(question, Verdict.BUG, right)
        case "e" if right is not None:
            return answer_to(question, Verdict.OK, right, same)
        case _ if right is not None:
            return None
        case "x" if question.choices:
            return none_of_these(question)
        case "f":
            return Control.FINISH
        case _:
            return Answer(VERDICTS[key]) if key in VERDICTS else None


def head(question: Question) -> str:
    """Which question it is, of how many at least and at most."""
    least, most = question.number + question.least, question.number + question.remaining
    if not question.least:
        return f"Question {question.number} of at most {most}"
    many = str(most) if least == most else f"at least {least} and at most {most}"
    return f"Question {question.number} of {many}"


def sentence(question: Question, context: Context) -> str:
    """What is asked."""
    right = f"What should it {context.verb}?"
    if question.again is not None:
        return (
            f"You said {said(question.again)} here, which does not fit the other answers. Please look again."
        )
    if question.reported and _none_was_right(question, context):
        return "You said that none of those is right for the input that you reported. Is one of these?"
    if question.reported:
        return f"This is the input that you reported. {right}"
    return right if question.choices else "Is this the bug?"


def _none_was_right(question: Question, context: Context) -> bool:
    """Whether other responses were offered for this input before."""
    given = question.observation.input.text
    return any(
        asked.observation.input.text == given and isinstance(reply, Answer) and reply.rejected
        for asked, reply in context.history
    )


def said(answer: Answer) -> str:
    """An answer in a few words."""
    right = "" if answer.expected is None else f", it should be {visible(answer.expected)}"
    return f"{answer.verdict.value}{right}"


def answers(question: Question, context: Context) -> list[tuple[str, str]]:
    """The keys of answers other than choices, with what each says."""
    found = []
    if question.choices or question.reported:
        if context.feedback is Feedback.CHOICE:
            found.append(("x", "none of these"))
        else:
            found.append(("e", "something else"))
        found.append(("y", "bug, but I can't say what is right"))
    else:
        found.append(("y", "bug"))
    if question.reported:
        found.append(("n", "ok after all, which ends the session"))
    elif not any(choice.own for choice in choices(question)):
        found.append(("n", "ok"))
    found.append(("u", "unsure"))
    if not question.reported:
        found.append(("i", "invalid: the input makes no sense"))
    return found


def shown_input(given: Input, context: Context) -> str:
    """An input as people read it, with white space that is easily missed made visible."""
    text, described = given.text.removesuffix("\n"), context.described(given)
    if described.endswith(repr(text)):
        described = ""  # It was quoted for its white space alone.
    if not text:
        return "(nothing)"
    return marked_spaces(described or text, quoted=bool(described) or context.verb == "return")


Mark = Callable[[str, bool], str]


def starred(text: str, differs: bool) -> str:
    return f"*{text}*" if differs else text


def question_lines(
    question: Question, context: Context, mark: Mark = starred, bold: Callable[[str], str] = str
) -> Iterator[str]:
    """What the question is about: the input beside the nearest failing one, and what the program does."""
    counts = context.counts
    so_far = ", ".join(_counted(counts[verdict], verdict) for verdict in Verdict if counts[verdict])
    if context.compared and not context.history:
        yield f"What counts: {context.compared}."
    yield bold(head(question)) + (f" (so far: {so_far})" if so_far else "")
    if question.again is not None:
        yield from _other_answers(question, context)
    observation = question.observation
    others = [] if question.reported else [shown_input(known, context) for known in context.failing]
    compared, nearest = from_nearest(shown_input(observation.input, context), others)
    yield _field("input", "".join(mark(visible(text), differs) for text, differs in compared))
    if nearest is not None:
        yield _field("failing", visible(nearest))
    verb = f"{context.verb}s" if observation.outcome.completed else "ends"
    yield _field(verb, shown_response(observation.outcome.response, context))


def _counted(count: int, verdict: Verdict) -> str:
    """`2 bugs`; the other verdicts are no nouns."""
    return plural(count, "bug") if verdict is Verdict.BUG else f"{count} {verdict.value}"


def _other_answers(question: Question, context: Context) -> Iterator[str]:
    """What was said of other inputs, to be looked at beside this one."""
    # What was asked again counts as it was said then.
    latest = {asked.observation.input: (asked, reply) for asked, reply in context.history}
    for asked, reply in latest.values():
        if isinstance(reply, Answer) and asked.observation.input != question.observation.input:
            given = _joined(shown_input(asked.observation.input, context))
            printed = shown_response(asked.observation.outcome.response, context).replace("\n", " ")
            yield "".join(cut([f"  answered {visible(given)} -> {printed}: {said(reply)}"]))


def _joined(lines: str) -> str:
    """An input that is laid out, with a table's rows behind its name."""
    return lines.replace("\n  ", " ").replace("\n", ", ")


def shown_response(response: Response, context: Context) -> str:
    text = str(response)
    return visible(marked_spaces(text, quoted=context.verb == "return")) if text else "(nothing)"


def shown_choice(response: Response, context: Context) -> list[str]:
    """A few short lines as one, so that `2` and `2↵3` do not begin alike."""
    lines = shown_response(response, context).split("\n")
    joined = LINE_BREAK.join(lines)
    return [joined] if len(joined) <= ONE_LINE else lines


def _field(name: str, text: str) -> str:
    return f"  {name:<9}" + ("\n" + " " * 11).join(cut(text.split("\n")))


def cut(lines: list[str]) -> list[str]:
    """As much as fits on a screen."""
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"... and {len(lines) - MAX_LINES} more lines"]
    # A colour that is on where a line is cut must end there.
    return [
        line
        if len(line) <= MAX_COLUMNS
        else line[:MAX_COLUMNS] + ("\x1b[0m" if "\x1b" in line else "") + " ..."
        for line in lines
    ]

"""`pending` and `answer`: the open question of a session and one answer to it, for mail, CI and programs."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from learn2fix.cli.options import complete_session, json_option, session_argument, user_store
from learn2fix.errors import Interrupted, UsageError
from learn2fix.model import Question, Reply
from learn2fix.people import Context, Feedback
from learn2fix.people.phrasing import WORDS, answers, choices, question_lines, reply_of, said, sentence
from learn2fix.store import Saved, Store

anyway_option = click.option("--anyway", is_flag=True, help="Go on although the source has changed since.")


class OneAnswer:
    """Answers the open question, if there is something to say, and leaves."""

    def __init__(self, word: str | None = None, expected: str | None = None) -> None:
        self._word, self._expected = word, expected

    def reply(self, question: Question, context: Context) -> Reply:
        word, self._word = self._word, None
        if word is None:
            raise Interrupted("the question is open")
        return read_answer(question, context, word, self._expected)


def read_answer(question: Question, context: Context, word: str, expected: str | None) -> Reply:
    reply = reply_of(WORDS.get(word.lower(), word), question, expected, context.same)
    allowed = context.feedback is not Feedback.VERDICT or expected is None
    if reply is None or not allowed:
        said = word if expected is None else f"{word} --expected {expected}"
        words = ", ".join(answer for answer, _ in possible(question, context))
        raise UsageError(f"{said!r} does not answer this question", f"say one of {words}")
    return reply


@click.command(short_help="Print the open question of a session.")
@click.argument("session", default="last", shell_complete=complete_session)
@anyway_option
@json_option
def pending(session: str, anyway: bool, as_json: bool) -> int:
    """Print the open question of a session, with a command for each answer.

    \b
    learn2fix pending triangle-1
    learn2fix pending --json
    """
    store = user_store()
    saved = store.load(store.resolve(session))
    if saved.pending is None and saved.result is None:
        go_on(store, saved.id, OneAnswer(), anyway)
        saved = store.load(saved.id)
    return show(saved, as_json)


@click.command(short_help="Answer the open question of a session.")
@session_argument
@click.argument("question", metavar="Qn")
@click.argument("word", metavar="bug|ok|unsure|invalid|none|finish")
@click.option("--expected", metavar="OUT", help="With bug: what is right.")
@anyway_option
@json_option
def answer(session: str, question: str, word: str, expected: str | None, anyway: bool, as_json: bool) -> int:
    """Answer the open question of a session, and print the next one or the result.

    `none`: neither what the program does nor any of the choices is right. `finish` ends the questions.

    \b
    learn2fix answer triangle-1 Q3 ok
    learn2fix answer triangle-1 Q3 bug --expected 1
    """
    store = user_store()
    saved = store.load(store.resolve(session))
    if not re.fullmatch(r"[Qq]?\d+", question):
        raise UsageError(
            f"{question!r} is no question", "the first is Q1; `learn2fix pending` prints the open one"
        )
    if saved.pending is None and saved.result is None:
        go_on(store, saved.id, OneAnswer(), anyway)
        saved = store.load(saved.id)
    if saved.pending is None or int(question.lstrip("Qq")) != saved.pending.number:
        now = "no question is" if saved.pending is None else f"Q{saved.pending.number} is"
        raise UsageError(
            f"{question} is not open, {now}", f"`learn2fix undo {saved.id}` takes back the newest answer"
        )
    read_answer(saved.pending, context_of(saved), word, expected)  # before anything is opened
    go_on(store, saved.id, OneAnswer(word, expected), anyway)
    return show(store.load(saved.id), as_json)


def go_on(store: Store, id: str, person: OneAnswer, anyway: bool) -> None:
    """Runs the session up to the next question without an answer, or to its end."""
    from learn2fix.cli.opening import reopen
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import converse_until

    watcher = Watcher(sys.stderr, asks=False)
    with store.open(id) as held, reopen(held.saved, watcher, anyway=anyway) as running:
        try:
            result = converse_until(running, held, person, watcher)
            held.finish(result.document(), result.patches, result.grounds)
        except Interrupted:
            pass
        finally:
            watcher.close()


def show(saved: Saved, as_json: bool) -> int:
    from learn2fix.cli.running import print_json, print_result

    question = saved.pending if saved.result is None else None
    if as_json:
        asked = None if question is None else question_document(saved, question)
        document: dict[str, Any] = {
            "schema": 1,
            "session": saved.id,
            "status": saved.status,
            "question": asked,
        }
        print_json(document | ({"result": saved.result} if saved.result is not None else {}))
    elif question is None:
        print_result(saved.result or {})
    else:
        context = context_of(saved)
        click.echo("\n".join(question_lines(question, context)))
        click.echo(sentence(question, context))
        width = max(len(command) for command, _ in commands(saved, question))
        for command, says in commands(saved, question):
            click.echo(f"  {command.ljust(width)}  {says}".rstrip())
    return 0


def context_of(saved: Saved) -> Context:
    """What is known of a session without opening its program."""
    from learn2fix.session import verb_of

    history = tuple(saved.exchanges)
    failing = tuple(label.observation.input for label in saved.record.failing)
    feedback = Feedback(saved.record.options.get("feedback", "output"))
    program = saved.record.program
    return Context(
        failing,
        feedback=feedback,
        history=history,
        verb=verb_of(program[0] if len(program) == 1 else program),
    )


def possible(question: Question, context: Context) -> Iterator[tuple[str, str]]:
    """The words of `answer`, with what each says."""
    for choice in choices(question):
        said = choice.answer(question)
        right = "" if said.expected is None else f" --expected {shlex.quote(said.expected)}"
        yield f"{said.verdict.value}{right}", "as it does now" if choice.own else ""
    words = {"x": "none", "y": "bug", "n": "ok", "u": "unsure", "i": "invalid", "e": "bug --expected OUT"}
    if context.feedback is Feedback.OUTPUT and not question.choices and not question.reported:
        yield words["e"], "what is right"
    for key, says in answers(question, context):
        yield words[key], says if says != words[key] else ""
    yield "finish", "no more questions"


def commands(saved: Saved, question: Question) -> list[tuple[str, str]]:
    return [
        (f"learn2fix answer {saved.id} Q{question.number} {word}", says)
        for word, says in possible(question, context_of(saved))
    ]


def question_document(saved: Saved, question: Question) -> Mapping[str, Any]:
    observation = question.observation
    return {
        "id": f"Q{question.number}",
        "least": question.least,
        "remaining": question.remaining,
        "input": observation.input.text,
        "output": str(observation.outcome.response),
        "asks": sentence(question, context_of(saved)),
        "reported": question.reported,
        "again": None if question.again is None else said(question.again),
        "choices": [str(choice) for choice in question.choices],
        "why": question.why,
        "commands": [command for command, _ in commands(saved, question)],
    }

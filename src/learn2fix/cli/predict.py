"""`predict`: applies what a session has learned to further inputs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from learn2fix.cli.options import json_option, session_argument, user_store
from learn2fix.errors import UsageError
from learn2fix.model import Control, Question, Reply, Verdict
from learn2fix.people import Context
from learn2fix.store import Saved

if TYPE_CHECKING:
    from learn2fix.cli.progress import Watcher
    from learn2fix.session import Session


class Silent:
    """Finishes at the first question that has no stored answer."""

    def reply(self, question: Question, context: Context) -> Reply:
        return Control.FINISH


@click.command(
    short_help="Say for inputs whether the bug shows: bug, ok or unsure.",
    # An input may begin with a minus sign.
    context_settings={"ignore_unknown_options": True},
)
@session_argument
@click.argument("inputs", nargs=-1, metavar="[INPUT]...", type=click.UNPROCESSED)
@click.option("--anyway", is_flag=True, help="Go on although the source has changed since.")
@json_option
def predict(session: str, inputs: tuple[str, ...], anyway: bool, as_json: bool) -> int:
    """Say for inputs whether the bug shows: bug, ok or unsure, one word a line.

    `unsure` where the evidence does not carry it, `invalid` where the program cannot be given the input.
    Without INPUT they are read from stdin, one a line.

    \b
    learn2fix predict triangle-1 "3 3 3" "3 4 5"
    learn2fix predict last < inputs.txt
    """
    from learn2fix.cli.opening import reopen
    from learn2fix.cli.progress import Watcher
    from learn2fix.cli.running import print_json

    store = user_store()
    saved = store.load(store.resolve(session))
    asked = _given(inputs)
    first = next(asked, None)
    if first is None:
        raise UsageError("no input given", 'learn2fix predict SESSION "3 3 3", or one a line on stdin')
    watcher = Watcher(sys.stderr, asks=False)
    found = []
    with reopen(saved, watcher, anyway=anyway) as running:
        _begin(running, saved)
        watcher.close()
        for text in chain((first,), asked):
            word = _word(running, text, watcher)
            found.append({"input": text, "verdict": word})
            if not as_json:
                click.echo(word)
                # Whoever writes one input after the other waits for each answer.
                sys.stdout.flush()
    if as_json:
        print_json({"schema": 1, "session": saved.id, "predictions": found})
    return 0


def _given(inputs: tuple[str, ...]) -> Iterator[str]:
    """The inputs, each when it is there."""
    from learn2fix.session import read_input

    if inputs:
        yield from map(read_input, inputs)
        return
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


def _begin(running: Session, saved: Saved) -> None:
    """From what was found, or else by going through the answers again."""
    from learn2fix.cli.opening import changed_sources
    from learn2fix.people import drive

    if saved.grounds is not None and not changed_sources(saved.record):
        running.recall(saved.grounds)
        return

    def keep_out(*_: object) -> None:
        """Replaying must not change the store."""

    drive(running.conversation, Silent(), saved.exchanges, on_reply=keep_out, on_undo=keep_out)


def _word(running: Session, text: str, watcher: Watcher) -> str:
    """One that the program cannot be given says nothing of the others."""
    try:
        return running.predict([text])[0].value
    except UsageError as problem:
        watcher.say(str(problem))
        return Verdict.INVALID.value

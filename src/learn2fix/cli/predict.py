"""`predict`: applies what a session has learned to further inputs."""

from __future__ import annotations

import sys

import click

from learn2fix.cli.options import json_option, session_argument, user_store
from learn2fix.errors import UsageError
from learn2fix.model import Control, Question, Reply, Verdict
from learn2fix.people import Context


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
    from learn2fix.people import drive
    from learn2fix.session import read_input

    store = user_store()
    saved = store.load(store.resolve(session))
    asked = [read_input(text) for text in inputs] or [
        line.rstrip("\r\n") for line in sys.stdin if line.strip()
    ]
    if not asked:
        raise UsageError("no input given", 'learn2fix predict SESSION "3 3 3", or one a line on stdin')
    watcher = Watcher(sys.stderr, asks=False)

    def keep_out(*_: object) -> None:
        """Replaying must not change the store."""

    with reopen(saved, watcher, anyway=anyway) as running:
        drive(running.conversation, Silent(), saved.exchanges, on_reply=keep_out, on_undo=keep_out)
        watcher.close()
        readable = []
        for text in asked:
            try:
                readable.append(running.domain.parse(text).text)
            except UsageError as problem:
                watcher.say(str(problem))
        found = dict(zip(readable, running.predict(readable), strict=True))
        words = [found.get(text, Verdict.INVALID).value for text in asked]
    if as_json:
        print_json(
            {
                "schema": 1,
                "session": saved.id,
                "predictions": [
                    {"input": text, "verdict": word} for text, word in zip(asked, words, strict=True)
                ],
            }
        )
    else:
        for word in words:
            click.echo(word)
    return 0

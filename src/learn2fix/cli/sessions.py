"""`sessions`, `show` and `undo`: inspect stored sessions and take back answers."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from learn2fix.cli.options import json_option, session_argument, user_store
from learn2fix.errors import StoreError
from learn2fix.store import Saved


@click.command(short_help="List all sessions, or delete some.")
@click.option(
    "--delete", multiple=True, metavar="SESSION", help="Delete this session. May be given several times."
)
@json_option
def sessions(delete: tuple[str, ...], as_json: bool) -> int:
    """List all sessions, oldest first, or delete some.

    They are kept in $LEARN2FIX_HOME, or $XDG_DATA_HOME/learn2fix, or ~/.local/share/learn2fix.

    \b
    learn2fix sessions
    learn2fix sessions --delete triangle-1 --delete triangle-2
    """
    from learn2fix.cli.display import table
    from learn2fix.people.escape import on_one_line

    store = user_store()
    # All names are resolved before anything is deleted.
    for id in [store.resolve(name) for name in delete]:
        store.delete(id)
        click.echo(f"Deleted session {id}.", err=True)
    if delete:
        return 0
    rows, documents = list[tuple[str, ...]](), list[dict[str, Any]]()
    rows.append(("SESSION", "STATUS", "ANSWERS", "BEGUN", "PROGRAM"))
    for id in store.ids():
        try:
            saved = store.load(id)
        except StoreError as error:
            click.echo(f"learn2fix: {on_one_line(str(error))}", err=True)
            rows.append((id, "unreadable", "", "", ""))
            documents.append({"session": id, "status": "unreadable"})
            continue
        answers = len(saved.exchanges)
        program = on_one_line(saved.record.title)
        rows.append((id, saved.status, str(answers), saved.created[:16].replace("T", " "), program))
        documents.append(
            {
                "session": id,
                "status": saved.status,
                "answers": answers,
                "created": saved.created,
                "program": saved.record.title,
                "directory": saved.record.directory,
                "seed": saved.record.seed,
            }
        )
    if as_json:
        click.echo(json.dumps(documents, indent=2))
    elif len(rows) > 1:
        for line in table(rows):
            click.echo(line)
    else:
        click.echo('There is no session yet. Try: learn2fix fix triangle.c --failing "2 2 2"', err=True)
    return 0


@click.command(short_help="Show a session or a patch.")
@session_argument
@json_option
def show(session: str, as_json: bool) -> int:
    """Show a session or a patch.

    \b
    learn2fix show triangle-1
    learn2fix show last --json
    learn2fix show 3f9ac1d2
    """
    from learn2fix.cli.display import label_line, print_diff, result_lines
    from learn2fix.cli.progress import has_colour

    store = user_store()
    try:
        saved = store.load(store.resolve(session))
    except StoreError as missing:
        try:
            _, patch = store.find_patch(session)
        except StoreError:
            raise missing from None
        print_diff(patch.diff)
        return 0
    if as_json:
        click.echo(json.dumps(document_of(saved), indent=2))
        return 0
    document = document_of(saved)
    record = saved.record
    click.echo(f"Session {saved.id}: {record.title}, begun {saved.created}, seed {record.seed}")
    if saved.damage:
        click.echo(f"Damaged: {saved.damage}; `learn2fix resume {saved.id}` mends it", err=True)
    for label in document["labels"]:
        click.echo(f"  {label_line(label)}")
    if saved.result is None:
        click.echo(f"Not finished; `learn2fix resume {saved.id}` goes on.")
        return 0
    for line in result_lines(document, has_colour(sys.stdout, os.environ)):
        click.echo(line)
    return 0


@click.command(short_help="Take back the newest answer of a session.")
@session_argument
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many answers.")
def undo(session: str, count: int) -> int:
    """Take back the newest answer of a session; `resume` asks again from there.

    \b
    learn2fix undo triangle-1
    learn2fix undo last --count 2
    """
    from learn2fix.cli.progress import told
    from learn2fix.model import Answer
    from learn2fix.people.escape import on_one_line

    store = user_store()
    with store.open(store.resolve(session)) as held:
        for _ in range(count):
            taken = held.undo()
            if taken is None:
                raise StoreError(f"session {held.id} has no answer to take back")
            question, reply = taken
            words = told(question, reply) if isinstance(reply, Answer) else "the end of the questions"
            click.echo(on_one_line(f"Taken back: {words}"))
        click.echo(f"`learn2fix resume {held.id}` goes on from there.", err=True)
    return 0


def document_of(saved: Saved) -> dict[str, Any]:
    """The result document, or what is known so far of an unfinished session."""
    if saved.result is not None:
        return saved.result
    from learn2fix.conversation.result import label_document

    return {
        "schema": 1,
        "session": saved.id,
        "status": "stopped",
        "seed": saved.record.seed,
        "strategy": saved.record.options.get("strategy", ""),
        "questions": len(saved.exchanges),
        "labels": [label_document(label) for label in saved.labels],
        "oracle": None,
        "patches": [],
    }

"""`serve`: two links for a session, one for the programmer and one for the reporter of the bug."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from learn2fix.cli.options import cores, failing_inputs, options_of, run_options, user_store
from learn2fix.errors import StoreError, UsageError

if TYPE_CHECKING:
    from learn2fix.session import Session
    from learn2fix.store import OpenSession, Saved, Store
    from learn2fix.web import Actions, Host
    from learn2fix.web.registry import Opener
    from learn2fix.web.telemetry import Telemetry

PORT = 8734
IN_A_FOLDER = threading.Lock()
"""Held while in a session's directory: a process has only one, and programs are named relative to it."""


@click.command(short_help="Serve a web page for the person who reported the bug.")
@click.argument("program", metavar="[SESSION | PROGRAM]", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--failing",
    multiple=True,
    metavar="INPUT",
    help="Begin a new session of PROGRAM with this failing input, or @FILE.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, metavar="N", help="0 picks one."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Another address lets other machines in.",
)
@click.option("--name", metavar="NAME[:PORT]", help="By which name people reach it, for the links.")
@click.option(
    "--reporter",
    "reporters",
    multiple=True,
    metavar="NAME",
    help="A link of their own for NAME: their answers count as one voice.",
)
@click.option(
    "--expires",
    type=click.FloatRange(min=0, min_open=True),
    metavar="HOURS",
    help="From now; for the links of --reporter, or without any for the common one.",
)
@click.option(
    "--withdraw",
    multiple=True,
    metavar="NAME",
    help="NAME's link is no longer good; `reporter` replaces the common one.",
)
@click.option("--certificate", metavar="FILE", help="For HTTPS: a certificate, as PEM.")
@click.option("--key", metavar="FILE", help="The certificate's private key, unless it is in the same file.")
@click.option("--anyway", is_flag=True, help="Go on although the source has changed since.")
@run_options
def serve(
    program: tuple[str, ...], failing: tuple[str, ...], port: int, host: str, name: str | None, anyway: bool,
    reporters: tuple[str, ...], expires: float | None, withdraw: tuple[str, ...], certificate: str | None,
    key: str | None, **given: Any,
) -> int:  # fmt: skip
    """Serve a web page for the person who reported the bug.

    Prints two links, one for the programmer and one for the reporter. The reporter's page asks one question
    at a time and shows no source and no patches. Answers are saved before they are acknowledged; started
    again, the server goes on at the same question, under the same links. Without SESSION the newest one is
    served. The programmer's page opens the other sessions, too; links made before stay good.

    \b
    learn2fix serve triangle-1
    learn2fix serve triangle.c --failing "2 2 2"
    learn2fix serve last --port 0
    learn2fix serve last --reporter ann --reporter bob --expires 48

    Whoever holds a link is one voice, and so are all who share one. Only this machine can reach the page.
    `--host` opens it to others: then everybody between them and you can read along, unless --certificate, a
    tunnel or a proxy makes it HTTPS.
    """
    try:
        from learn2fix.web import Host, Registry, make_app, serve_forever
        from learn2fix.web import links as secret
        from learn2fix.web.server import Certificate, is_loopback, listen, site_for
        from learn2fix.web.telemetry import Telemetry
    except ImportError as missing:
        raise UsageError(f"the web page needs {missing.name}", "pip install 'learn2fix[web]'") from None

    if key and not certificate:
        raise UsageError("--key belongs to a --certificate", "give both")
    secured = Certificate(certificate, key) if certificate else None
    if secured:
        secured.check()
    store, telemetry = user_store(), Telemetry()
    with listen(host, port) as listening:
        port = listening.getsockname()[1]
        site, shown = site_for(host, port, name)
        session, held = _session(store, program, failing, given, anyway, telemetry)
        with held, session:
            registry = Registry(store, opener(store, given["jobs"] or cores(), anyway))
            running = Host(session, held, store, telemetry)
            registry.add(running)
            secret.withdraw(store.home, held.id, withdraw)
            until = None if expires is None else time.time() + 3600 * expires
            links = secret.invite(store.home, held.id, reporters, until)
            app = make_app(registry, site, actions())
            if not is_loopback(host) and not secured:
                _warn(host)
            base = f"{'https' if secured else 'http'}://{shown}"
            click.echo(f"programmer {base}{links.path(secret.PROGRAMMER)}")
            click.echo(f"reporter {base}{links.path(secret.REPORTER)}")
            for link in links.reporters:
                if link.name != secret.COMMON:
                    click.echo(f"reporter:{link.name} {base}{links.path(secret.REPORTER, link.name)}")
            sys.stdout.flush()
            click.echo(f"Session {held.id}. Ctrl-C stops; started again it goes on where it was.", err=True)
            running.start()
            try:
                serve_forever(app, listening, secured)
            finally:
                registry.close()
                running.close()
    return 0


def _session(
    store: Store,
    program: tuple[str, ...],
    failing: tuple[str, ...],
    given: dict[str, Any],
    anyway: bool,
    telemetry: Telemetry,
) -> tuple[Session, OpenSession]:
    from learn2fix.cli.opening import Answerer, create, reopen

    if failing or given["files"]:
        if not program:
            raise UsageError("which program?", 'learn2fix serve triangle.c --failing "2 2 2"')
        options, failing = failing_inputs(options_of(given), program, failing)
        return create(store, program, failing, options, Answerer(), telemetry)
    if len(program) > 1:
        raise UsageError("one session at a time", 'a new one: learn2fix serve PROGRAM --failing "…"')
    name = program[0] if program else "last"
    try:
        id = store.resolve(name)
    except StoreError as missing:
        if Path(name.split(":")[0]).exists():
            raise UsageError(
                f"{name} is no session", f'a new one: learn2fix serve {name} --failing "…"'
            ) from None
        if not program:
            raise UsageError(
                "there is no session yet", 'a new one: learn2fix serve PROGRAM --failing "…"'
            ) from None
        raise missing
    with ExitStack() as stack:
        held = stack.enter_context(store.open(id))
        session = reopen(held.saved, telemetry, anyway=anyway, jobs=given["jobs"] or cores())
        stack.pop_all()
        return session, held


def opener(store: Store, jobs: int, anyway: bool) -> Opener:
    """Opens further sessions of the store."""

    def open_session(id: str, stack: ExitStack) -> Host:
        from learn2fix.cli.opening import reopen
        from learn2fix.web import Host
        from learn2fix.web.telemetry import Telemetry

        telemetry = Telemetry()
        held = stack.enter_context(store.open(id))
        with IN_A_FOLDER:
            session = reopen(held.saved, telemetry, anyway=anyway, jobs=jobs)
        stack.enter_context(session)
        return Host(session, held, store, telemetry)

    return open_session


def _warn(host: str) -> None:
    click.echo(
        f"Warning: on {host} other machines can reach this page. Whoever has the reporter's link can answer, "
        "whoever has the programmer's link can read patches and change the source; without HTTPS everyone on "
        "the way can read both links. Use it in a network you trust, or behind a proxy with HTTPS.",
        err=True,
    )


def actions() -> Actions:
    """`apply` and `export` for the programmer's page."""
    from learn2fix.cli.apply import pick, write_patch
    from learn2fix.cli.export import FORMATS, files_of
    from learn2fix.web import Actions

    def apply(saved: Saved, patch_id: str) -> str:
        return write_patch(saved, pick(saved, patch_id))

    def export(saved: Saved, format: str) -> Mapping[str, bytes]:
        with IN_A_FOLDER:
            return files_of(saved, format, Path(saved.record.directory))

    return Actions(apply, export, tuple(FORMATS))

"""The two secret links of a session, stored so that they survive a restart of the server."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from learn2fix.errors import StoreError

REPORTER, PROGRAMMER = "r", "p"
TOKEN_BYTES = 24
"""Random bytes in a token: 192 bits cannot be guessed."""


@dataclass(frozen=True, slots=True)
class Links:
    reporter: str
    programmer: str

    def opens(self, role: str, token: str) -> bool:
        wanted = {REPORTER: self.reporter, PROGRAMMER: self.programmer}.get(role)
        return wanted is not None and hmac.compare_digest(wanted.encode(), token.encode("utf-8", "replace"))

    def path(self, role: str) -> str:
        return f"/{role}/{self.reporter if role == REPORTER else self.programmer}/"


def new_links() -> Links:
    return Links(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(TOKEN_BYTES))


def links_for(home: Path, session: str) -> Links:
    """The links of a session: created once and kept until their file is deleted."""
    path = home / "links" / f"{session}.json"
    try:
        found = json.loads(path.read_text())
        links = Links(found["reporter"], found["programmer"])
        if min(len(links.reporter), len(links.programmer)) >= TOKEN_BYTES:
            return links
    except (OSError, ValueError, KeyError, TypeError):
        pass  # missing or damaged: new links replace the old ones
    links = new_links()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"reporter": links.reporter, "programmer": links.programmer}, file)
        fresh.replace(path)
    except OSError as error:
        raise StoreError(f"cannot keep the links in {path.parent}: {error.strerror}") from error
    return links


def session_with_link(home: Path, role: str, token: str) -> str | None:
    """The session this link belongs to. Compares every link, so that timing reveals nothing."""
    found = None
    for path in sorted((home / "links").glob("*.json")):
        try:
            kept = json.loads(path.read_text())
            links = Links(kept["reporter"], kept["programmer"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if min(len(links.reporter), len(links.programmer)) >= TOKEN_BYTES and links.opens(role, token):
            found = path.stem
    return found

"""The secret links of a session, stored so that they survive a restart of the server.

One for the programmer, one for whoever reports, and one for each person with a name. A link is one voice,
whoever holds it; it may expire, and it can be withdrawn.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from learn2fix.errors import StoreError, UsageError

REPORTER, PROGRAMMER = "r", "p"
TOKEN_BYTES = 24
"""Random bytes in a token: 192 bits cannot be guessed."""
MOST_NAMES = 200
COMMON = "reporter"
"""The name of the link that everybody may be sent."""
OWNER = "programmer"


@dataclass(frozen=True, slots=True)
class Link:
    """One voice."""

    name: str
    token: str
    until: float | None = None
    """When it stops being good, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Links:
    programmer: str
    reporters: tuple[Link, ...]

    def voice(self, role: str, token: str, now: float) -> str | None:
        """Who speaks through a link; None for one that is not good. Compares all, so timing tells nothing."""
        found = None
        links = (Link(OWNER, self.programmer),) if role == PROGRAMMER else self.reporters
        for link in links if role in (PROGRAMMER, REPORTER) else ():
            same = hmac.compare_digest(link.token.encode(), token.encode("utf-8", "replace"))
            if same and (link.until is None or now < link.until):
                found = link.name
        return found

    @property
    def reporter(self) -> str:
        """The token of the common link."""
        return next((link.token for link in self.reporters if link.name == COMMON), "")

    def path(self, role: str, name: str = COMMON) -> str:
        if role == PROGRAMMER:
            return f"/{role}/{self.programmer}/"
        token = next((link.token for link in self.reporters if link.name == name), "")
        return f"/{role}/{token}/"

    def document(self) -> dict[str, Any]:
        listed = [{"name": link.name, "token": link.token, "until": link.until} for link in self.reporters]
        return {"programmer": self.programmer, "reporters": listed}


def new_links() -> Links:
    return Links(_token(), (Link(COMMON, _token()),))


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def links_for(home: Path, session: str) -> Links:
    """The links of a session: created once and kept until their file is deleted."""
    path = _file(home, session)
    links = _read(path)
    return links if links is not None else _write(path, new_links())


def invite(home: Path, session: str, names: Sequence[str], until: float | None = None) -> Links:
    """Makes a link for each name that has none; `until` holds for these, and for those that exist."""
    links = links_for(home, session)
    for name in names:
        if not name.isprintable() or not name.strip() or len(name) > 60 or name == OWNER:
            raise UsageError(f"{name!r} cannot be the name of a link", "take a short one, such as ann")
    kept = {link.name: link for link in links.reporters}
    for name in names or ((COMMON,) if until is not None else ()):
        known = kept.get(name, Link(name, _token()))
        kept[name] = known if until is None else replace(known, until=until)
    if len(kept) > MOST_NAMES:
        raise UsageError(f"{MOST_NAMES} links for one session are the most")
    changed = replace(links, reporters=tuple(kept.values()))
    return links if changed == links else _write(_file(home, session), changed)


def withdraw(home: Path, session: str, names: Sequence[str]) -> Links:
    """Their links are not good any more. The common one is replaced by a new one."""
    links = links_for(home, session)
    if unknown := set(names) - {link.name for link in links.reporters}:
        raise UsageError(f"nobody called {', '.join(sorted(unknown))} has a link to session {session}")
    left = [link for link in links.reporters if link.name not in names]
    fresh = [Link(COMMON, _token())] if COMMON in names else []
    return _write(_file(home, session), replace(links, reporters=(*fresh, *left))) if names else links


def find_link(home: Path, role: str, token: str, now: float) -> tuple[str, str] | None:
    """The session that a link belongs to, and who speaks through it."""
    found = None
    for path in sorted((home / "links").glob("*.json")):
        links = _read(path)
        voice = links.voice(role, token, now) if links is not None else None
        if voice is not None:
            found = path.stem, voice
    return found


def _file(home: Path, session: str) -> Path:
    return home / "links" / f"{session}.json"


def _read(path: Path) -> Links | None:
    """None where there are none, or where they are damaged: new links replace them then."""
    try:
        found = json.loads(path.read_text())
        listed = found.get("reporters") or [{"name": COMMON, "token": found["reporter"]}]
        reporters = [Link(str(each["name"]), str(each["token"]), each.get("until")) for each in listed]
        links = Links(str(found["programmer"]), tuple(reporters))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    tokens = [links.programmer, *(link.token for link in links.reporters)]
    return links if min(map(len, tokens)) >= TOKEN_BYTES else None


def _write(path: Path, links: Links) -> Links:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(links.document(), file)
        fresh.replace(path)
    except OSError as error:
        raise StoreError(f"cannot keep the links in {path.parent}: {error.strerror}") from error
    return links

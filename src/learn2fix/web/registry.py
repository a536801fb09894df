"""The sessions that one server serves: the one it was started with, and those opened later.

Following a link opens its session, so every link of the store works for as long as any server runs.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from learn2fix.errors import StoreError, UsageError
from learn2fix.store import Store
from learn2fix.web.host import Host
from learn2fix.web.links import PROGRAMMER, Links, find_link, links_for

MAX_OPEN = 12
"""Maximum number of open sessions: each runs its own search in its own sandbox."""

Opener = Callable[[str, ExitStack], Host]
"""Prepares a stored session to be served; the stack releases what it holds."""


class Registry:
    def __init__(self, store: Store, opener: Opener) -> None:
        self.store, self._opener = store, opener
        self._hosts: dict[str, Host] = {}
        self._ends: dict[str, ExitStack] = {}
        self._opening = threading.Lock()

    def add(self, host: Host) -> Links:
        """Serve a session that the caller has opened and will close."""
        self._hosts[host.held.id] = host
        return self.links(host.held.id)

    def links(self, id: str) -> Links:
        return links_for(self.store.home, id)

    @property
    def open_ids(self) -> frozenset[str]:
        return frozenset(self._hosts)

    def session_for(self, role: str, token: str) -> tuple[str, str] | None:
        """The session that a link belongs to, and whose voice it is."""
        return find_link(self.store.home, role, token, time.time())

    def host(self, id: str) -> Host:
        """The session, opened on first use. Raises Learn2FixError if it cannot be opened."""
        found = self._hosts.get(id)
        if found is not None:
            return found
        with self._opening:
            if id in self._hosts:
                return self._hosts[id]
            if id not in self.store.ids():
                raise StoreError(f"there is no session {id}")
            if len(self._hosts) >= MAX_OPEN:
                raise UsageError(f"{len(self._hosts)} sessions are open already", f"learn2fix serve {id}")
            with ExitStack() as stack:
                host = self._opener(id, stack)
                stack.callback(host.close)
                host.start()
                self._ends[id] = stack.pop_all()
            self._hosts[id] = host
            return host

    def path(self, id: str) -> str:
        """The path of the programmer's page for a session."""
        return self.links(id).path(PROGRAMMER)

    def close(self) -> None:
        with self._opening:
            for id, stack in self._ends.items():
                del self._hosts[id]
                stack.close()
            self._ends.clear()

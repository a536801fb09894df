"""Every session that one server serves: the one it was started with, and those that somebody opens later.

A link opens its session also when nobody has asked for it since the server was started, so one server keeps
all links of a store good.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack

from learn2fix.errors import StoreError, UsageError
from learn2fix.store import Store
from learn2fix.web.host import Host
from learn2fix.web.links import PROGRAMMER, Links, links_for, session_behind

MOST_OPEN = 12
"""Each open session searches on its own, with its own sandbox."""

Opener = Callable[[str, ExitStack], Host]
"""Makes a session of the store ready to be served; what it holds is let go of by the stack."""


class House:
    def __init__(self, store: Store, opener: Opener, most: int = MOST_OPEN) -> None:
        self.store = store
        self._opener, self._most = opener, most
        self._hosts: dict[str, Host] = {}
        self._ends: dict[str, ExitStack] = {}
        self._opening = threading.Lock()

    def receive(self, host: Host) -> Links:
        """A session that the caller made, and closes itself."""
        self._hosts[host.held.id] = host
        return self.links(host.held.id)

    def links(self, id: str) -> Links:
        return links_for(self.store.home, id)

    @property
    def open_ids(self) -> frozenset[str]:
        return frozenset(self._hosts)

    def behind(self, role: str, token: str) -> str | None:
        """The session that a link belongs to."""
        return session_behind(self.store.home, role, token)

    def host(self, id: str) -> Host:
        """The session, opened if it is not. Raises Learn2FixError with the reason when it cannot be."""
        found = self._hosts.get(id)
        if found is not None:
            return found
        with self._opening:
            if id in self._hosts:
                return self._hosts[id]
            if id not in self.store.ids():
                raise StoreError(f"there is no session {id}")
            if len(self._hosts) >= self._most:
                raise UsageError(f"{len(self._hosts)} sessions are open already", f"learn2fix serve {id}")
            with ExitStack() as stack:
                host = self._opener(id, stack)
                stack.callback(host.close)
                host.start()
                self._ends[id] = stack.pop_all()
            self._hosts[id] = host
            return host

    def path(self, id: str) -> str:
        """Where the programmer sees a session."""
        return self.links(id).path(PROGRAMMER)

    def close(self) -> None:
        with self._opening:
            for id, stack in self._ends.items():
                del self._hosts[id]
                stack.close()
            self._ends.clear()

    def hush(self) -> None:
        """Ends the news of every page, so that a server that stops need not wait for them."""
        for host in list(self._hosts.values()):
            host.desk.close()

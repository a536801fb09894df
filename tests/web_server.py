"""A real server around a real session, for tests: pages are fetched and answered over a socket."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from learn2fix.cli.opening import Answerer, create, reopen
from learn2fix.cli.options import options_of
from learn2fix.cli.serve import actions, opener
from learn2fix.store import Store
from learn2fix.web import Host, Links, Registry, make_app
from learn2fix.web.links import invite
from learn2fix.web.server import listen, make_server, site_for
from learn2fix.web.telemetry import Telemetry

ZOO = Path(__file__).parent / "zoo/triangle"


def classify(text: str) -> str:
    """What Steve's triangle should print."""
    a, b, c = map(int, text.split())
    if min(a, b, c) <= 0:
        return "4"
    return {1: "1", 2: "2", 3: "3"}[len({a, b, c})]


@dataclass
class Site:
    port: int
    host: Host
    links: Links
    home: Path
    registry: Registry | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def reporter(self) -> str:
        return self.links.path("r")

    @property
    def programmer(self) -> str:
        return self.links.path("p")

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            given = {"Host": f"127.0.0.1:{self.port}"} | (headers or {})
            if body is not None:
                given.setdefault("Content-Length", str(len(body)))
            for name, value in given.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, response.read()
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        return self.request("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def link_of(self, name: str) -> str:
        """The path of a link of their own."""
        return invite(self.home, self.host.held.id, [name]).path("r", name)

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        given = {"Content-Type": "application/json", "Origin": self.origin}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        status, _, content = self.request("POST", path, json.dumps(body).encode(), given)
        try:
            return status, json.loads(content)
        except ValueError:
            return status, {"text": content.decode()}

    def news(self, path: str) -> Iterator[dict[str, Any]]:
        """States as a page hears them; ends with the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", f"{path}news")
            response = connection.getresponse()
            assert response.status == 200, response.read()
            while line := response.readline():
                if line.startswith(b"data:") and (state := json.loads(line[5:])):
                    yield state
        finally:
            connection.close()

    def state(self, phase: str, path: str | None = None) -> dict[str, Any]:
        """The next state in this phase."""
        for state in self.news(path or self.reporter):
            if state["phase"] == phase:
                return state
            assert state["phase"] != "failed", self.host.board.error
        raise AssertionError("the news have ended")


def answer_for(question: dict[str, Any]) -> dict[str, Any]:
    """What someone who knows triangles says."""
    right = classify(" ".join(field["value"] for field in question["fields"]))
    if question["printed"] == right:
        return {"question": question["id"], "key": "n"}
    return {"question": question["id"], "key": "y", "expected": right}


@contextmanager
def running(
    folder: Path,
    session: str | None = None,
    program: str = "triangle.c",
    failing: str = "2 2 2",
    name: str | None = None,
    **options: Any,
) -> Iterator[Site]:
    """Serves a new session of the triangle, or a stored one; `name`: how people reach it besides."""
    before = os.getcwd()
    work, home = folder / "work", folder / "home"
    work.mkdir(exist_ok=True)
    if program.endswith(".c") and not (work / program).exists():
        (work / program).write_bytes((ZOO / "buggy.c").read_bytes())
    os.chdir(work)
    store, telemetry = Store(home), Telemetry()
    try:
        if session is None:
            chosen = options_of({"seed": 1, "learner": "tree"} | options)
            opened, held = create(store, (program,), (failing,), chosen, Answerer(), telemetry)
        else:
            held = store.open(session)
            opened = reopen(held.saved, telemetry)
        with held, opened, listen("127.0.0.1", 0) as listening:
            port = listening.getsockname()[1]
            host = Host(opened, held, store, telemetry)
            registry = Registry(store, opener(store, 1, False))
            links = registry.add(host)
            server = make_server(make_app(registry, site_for("127.0.0.1", port, name)[0], actions()))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()
            host.start()
            try:
                yield Site(port, host, links, home, registry)
            finally:
                host.board.close()  # ends the streams of its pages, so that the server need not wait for them
                registry.close()
                server.should_exit = True
                thread.join(20)
                host.close(20)
    finally:
        os.chdir(before)


SHOP = """def discount(price, qty):
    total = price * qty
    if qty > 10:
        total = total * 9 // 10
    return total
"""


def in_another_folder(tmp_path: Path) -> str:
    """A second session of the same store, begun where another program is; its id."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "shop.py").write_text(SHOP)
    before = os.getcwd()
    os.chdir(folder)
    try:
        options = options_of({"seed": 1, "learner": "tree", "labels": 2})
        words, failing = ("shop.py:discount",), ("100, 10",)
        made, held = create(Store(tmp_path / "home"), words, failing, options, Answerer(), Telemetry())
        with made, held:
            return held.id
    finally:
        os.chdir(before)


class Line:
    """What lies between a page and the server: it can fall silent, break, and be mended."""

    def __init__(self) -> None:
        self._listening = listen("127.0.0.1", 0)
        self.port: int = self._listening.getsockname()[1]
        self.name = f"127.0.0.1:{self.port}"
        self.target = 0
        self.broken = False
        self.connections = 0
        """How many were made so far."""
        self.heartbeats = 0
        self._open: list[tuple[socket.socket, socket.socket, threading.Event]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Connections that exist stay, and nothing comes through them any more."""
        for _, _, flows in self._open:
            flows.clear()

    def cut(self) -> None:
        """Every connection ends, and none can be made."""
        self.broken = True
        self.silence()
        for near, far, flows in self._open:
            for end in (near, far):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            flows.set()

    def mend(self) -> None:
        self.broken = False

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if self.broken:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                near.close()
                continue
            flows = threading.Event()
            flows.set()
            self.connections += 1
            self._open.append((near, far, flows))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other, flows), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, flows: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                flows.wait()
                sink.sendall(data)
                self.heartbeats += b"event: heartbeat" in data
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

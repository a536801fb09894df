"""Faults 42 to 44 and 49: silent connections, one who poses as many, text that no file holds, old links."""

from __future__ import annotations

import json
import logging
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.web_server import Site, answer_for, running

from learn2fix.cli.serve import actions
from learn2fix.errors import UsageError
from learn2fix.web import make_app
from learn2fix.web.links import invite, withdraw
from learn2fix.web.patience import MOST_WAITING, Bounded, new_protocol
from learn2fix.web.server import Certificate, listen, make_server, site_for


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running(tmp_path) as site:
        yield site


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /r/x/answer HTTP/1.1\r\n"])
def test_42_the_page_is_answerable_beside_300_who_never_ask(site: Site, said: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=30))
            one.sendall(said)
        assert site.get(site.reporter)[0] == 200
        question = site.state("asking")["question"]
        assert site.post(f"{site.reporter}answer", answer_for(question))[0] == 200
        assert site.state("asking")["question"]["number"] == 2


def cut_off(connection: socket.socket) -> bool:
    """An answer may come first; then the end must."""
    with suppress(ConnectionResetError):
        while connection.recv(1000):
            pass
    return True


def test_42_bodies_that_never_come(site: Site) -> None:
    head = (
        f"POST {site.reporter}answer HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nOrigin: {site.origin}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    ).encode()
    with ExitStack() as stack:
        ends = []
        for _ in range(MOST_WAITING + 40):
            ends.append(stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=30)))
            ends[-1].sendall(head)
        assert site.get(site.reporter)[0] == 200
        assert cut_off(ends[0])  # the oldest had to go


def test_42_fifty_readers_are_served(site: Site) -> None:
    site.state("asking")
    seen: list[str] = []

    def read() -> None:
        seen.append(site.state("asking")["phase"])

    readers = [threading.Thread(target=read) for _ in range(50)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(60)
    assert seen == ["asking"] * 50


def test_42_time_runs_for_headers_and_bodies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("learn2fix.web.patience.HEADER_SECONDS", 0.2)
    monkeypatch.setattr("learn2fix.web.patience.BODY_SECONDS", 0.2)
    with running(tmp_path) as site:
        for said in (b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", site.port), timeout=60) as one:
                one.sendall(said)
                assert cut_off(one)
        assert site.get(site.reporter)[0] == 200


def test_42_what_is_logged_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("learn2fix-test-bounded")
    limit = Bounded(5)
    logger.addFilter(limit)
    try:
        for number in range(1000):
            logger.error("message %d", number)
    finally:
        logger.removeFilter(limit)
    assert [record.getMessage() for record in caplog.records][-1] == "no further messages are written"
    assert len(caplog.records) == 5


def test_servers_count_apart() -> None:
    assert new_protocol().waiting is not new_protocol().waiting


def test_43_one_link_is_one_voice_whatever_cookies_say(site: Site) -> None:
    question = site.state("asking")["question"]
    right = answer_for(question)
    other = right | {"key": "y" if right["key"] == "n" else "n", "expected": None}
    site.post(f"{site.reporter}answer", right)
    for number in range(10):
        status, said = site.post(f"{site.reporter}answer", other, Cookie=f"learn2fix-who=person{number}")
        assert (status, said) == (200, {"status": "already", "agrees": False})
    row = site.state("asking", site.programmer)["history"][0]
    assert len(row["people"]) == 1
    assert not row["disagreement"]


@pytest.mark.parametrize("how", ["withdrawn", "expired"])
def test_49_a_page_hears_nothing_more_once_its_link_is_not_good(site: Site, how: str) -> None:
    path = site.link_of("ann")
    heard = site.news(path)
    question = next(state for state in heard if state["phase"] == "asking")["question"]
    if how == "withdrawn":
        withdraw(site.home, site.host.held.id, ["ann"])
    else:
        invite(site.home, site.host.held.id, ["ann"], until=time.time() - 1)
    assert site.post(f"{path}answer", answer_for(question))[0] == 403
    assert not site.host.board.exchanges
    assert site.post(f"{site.reporter}answer", answer_for(question))[0] == 200
    assert next(heard, None) is None  # there is something new to tell, and ann is not told
    assert [site.get(each)[0] for each in (path, f"{path}news")] == [403, 403]
    assert site.state("asking")["question"] != question  # the others go on


@pytest.mark.parametrize("text", ["\ud800", "5\udcff", "\udfff\ud800"])
def test_44_half_a_character_is_refused_in_a_line(site: Site, text: str) -> None:
    question = site.state("asking")["question"]
    body = {"question": question["id"], "key": "y", "expected": text}
    status, said = site.post(f"{site.reporter}answer", body)
    assert status == 400
    assert "half a character" in said["message"]
    assert site.post(f"{site.reporter}answer", answer_for(question))[0] == 200
    for format in actions().formats:
        assert site.get(f"{site.programmer}export/{format}")[0] in (200, 409)
    assert json.dumps(site.host.held.saved.result) is not None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make a certificate with")
def test_https_with_a_given_certificate(site: Site, tmp_path: Path) -> None:
    words = (
        "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    subprocess.run(
        ["openssl", *words.split(), "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    certificate = Certificate(str(tmp_path / "cert.pem"), str(tmp_path / "key.pem"))
    certificate.check()
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert site.registry is not None
        app = make_app(site.registry, site_for("127.0.0.1", port, None)[0], actions())
        server = make_server(app, certificate)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        context = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
        with (
            socket.create_connection(("127.0.0.1", port), timeout=60) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as secure,
        ):
            request = f"GET {site.reporter} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n"
            secure.sendall(request.encode())
            assert secure.recv(15).startswith(b"HTTP/1.1 200")
        server.should_exit = True
        thread.join(30)


def test_a_certificate_that_is_none_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("nothing")
    for name in ("cert.pem", "missing.pem"):
        with pytest.raises(UsageError, match="cannot use the certificate"):
            Certificate(str(tmp_path / name)).check()

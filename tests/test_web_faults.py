"""Faults 17 and 25 to 27: other sites, other names, paths that climb, archives, markup in what is shown."""

from __future__ import annotations

import io
import json
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.web.security import CONTENT_POLICY, MAX_BODY, plain_path, same_origin
from web_server import Site, answer_for, running

EVIL = "<script>alert(1)<script> \"onload='x'"
"""What a program might print; a slash is left out so that a file can be called so too."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("web"), labels=3) as found:
        found.state("asking")
        yield found


# 25: nobody else answers


def attacks(site: Site) -> dict[str, tuple[str, dict[str, str]]]:
    """A path and headers for each way in that must be shut."""
    path = f"{site.reporter}answer"
    own = {"Origin": site.origin, "Sec-Fetch-Site": "same-origin"}
    port = site.port
    return {
        "no origin": (path, {}),
        "another origin": (path, {"Origin": "http://evil.example"}),
        "another port": (path, {"Origin": f"http://127.0.0.1:{port + 1}"}),
        "origin null": (path, {"Origin": "null"}),
        "empty origin": (path, {"Origin": ""}),
        "origin with more behind": (path, {"Origin": f"{site.origin}.evil.example"}),
        "origin with a user": (path, {"Origin": f"http://evil@127.0.0.1:{port}"}),
        "cross-site by the browser's word": (path, {"Origin": site.origin, "Sec-Fetch-Site": "cross-site"}),
        "same-site is not same-origin": (path, {"Origin": site.origin, "Sec-Fetch-Site": "same-site"}),
        "a foreign host": (path, own | {"Host": "evil.example"}),
        "a host without the port": (path, own | {"Host": "127.0.0.1"}),
        "another loopback name": (path, own | {"Host": f"localhost.evil.example:{port}"}),
        "no token": ("/answer", own),
        "an empty token": ("/r//answer", own),
        "a wrong token": (f"/r/{'A' * 32}/answer", own),
        "a token cut short": (f"{site.reporter[:-2]}/answer", own),
        "the programmer's token": (f"/r/{site.links.programmer}/answer", own),
        "the reporter applies": (f"/p/{site.links.reporter}/apply", own),
    }


@pytest.mark.parametrize(
    "name",
    [
        "no origin",
        "another origin",
        "another port",
        "origin null",
        "empty origin",
        "origin with more behind",
        "origin with a user",
        "cross-site by the browser's word",
        "same-site is not same-origin",
        "a foreign host",
        "a host without the port",
        "another loopback name",
        "no token",
        "an empty token",
        "a wrong token",
        "a token cut short",
        "the programmer's token",
        "the reporter applies",
    ],
)
def test_whoever_does_not_come_from_our_page_is_refused(
    site: Site, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path, headers = attacks(site)[name]
    question = site.state("asking")["question"]
    body = json.dumps(answer_for(question)).encode()
    status, found, content = site.request("POST", path, body, {"Content-Type": "application/json"} | headers)
    assert status == 403
    assert site.state("asking")["answers"] == 0
    assert found["content-security-policy"] == CONTENT_POLICY
    said = "".join(capfd.readouterr()) + content.decode()
    assert site.links.reporter not in said
    assert site.links.programmer not in said


@pytest.mark.parametrize("path", ["/r", "/r/", "/r//", "/p", "/p/", "/p//", "/p//news", "/r/?x=1"])
def test_a_page_without_a_token_is_forbidden(site: Site, path: str) -> None:
    assert site.get(path)[0] == 403


def test_a_page_of_another_name_sees_nothing(site: Site) -> None:
    """A name that an attacker makes point to this machine (DNS rebinding)."""
    for host in ("evil.example", f"evil.example:{site.port}", "", f"127.0.0.1:{site.port}, evil.example"):
        for path in (site.reporter, f"{site.reporter}news", "/static/live.js", "/"):
            assert site.get(path, Host=host)[0] in (400, 403)


def test_a_page_of_another_site_can_link_here_and_nothing_else(site: Site) -> None:
    mail = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert site.request("GET", site.reporter, headers=mail)[0] == 200
    script = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    for path in (site.reporter, f"{site.reporter}news", "/static/live.js"):
        assert site.request("GET", path, headers=script)[0] == 403


def test_every_response_carries_the_policy(site: Site) -> None:
    for path, wanted in ((site.reporter, 200), (site.programmer, 200), ("/", 404), ("/static/live.js", 200)):
        status, headers, _ = site.get(path)
        assert status == wanted
        assert headers["content-security-policy"] == CONTENT_POLICY
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers
        assert "set-cookie" not in headers  # the link says who speaks


def test_methods_and_sizes_that_no_page_uses(site: Site) -> None:
    own = {"Origin": site.origin, "Content-Type": "application/json"}
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert site.request(method, f"{site.reporter}answer", b"{}", own)[0] == 405
    assert site.request("POST", f"{site.reporter}answer", b"x" * (MAX_BODY + 1), own)[0] == 413
    endless = own | {"Transfer-Encoding": "chunked"}
    with socket.create_connection(("127.0.0.1", site.port), 30) as raw:
        lines = [f"POST {site.reporter}answer HTTP/1.1", f"Host: 127.0.0.1:{site.port}"]
        raw.sendall("\r\n".join([*lines, *(f"{k}: {v}" for k, v in endless.items()), "", ""]).encode())
        assert b" 413 " in raw.recv(4096).split(b"\r\n")[0]
    plain = {"Origin": site.origin, "Content-Type": "text/plain"}
    assert site.request("POST", f"{site.reporter}answer", b"{}", plain)[0] == 400
    assert site.state("asking")["answers"] == 0


# The reporter sees the question and nothing else


def test_the_reporters_link_opens_nothing_of_the_programmers(site: Site) -> None:
    for path in ("session/triangle-1", "export/patch", "export/json", "apply", "settle", "retry"):
        assert site.get(f"{site.reporter}{path}")[0] == 404
        assert site.get(f"/p/{site.links.reporter}/{path}")[0] in (403, 404)
        assert site.post(f"{site.reporter}{path}", {"patch": "x"})[0] == 403
    heard = json.dumps(next(site.news(site.reporter))) + site.get(site.reporter)[2].decode()
    for secret in ("classify", "triangle", "possible fixes", site.links.programmer, str(site.home)):
        assert secret not in heard


# 26: paths that climb


@pytest.mark.parametrize(
    "path",
    [
        "/../etc/passwd",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/%252e%252e%252fapp.py",
        "/static/..\\app.py",
        "/static/%5c..%5capp.py",
        "/static/live.js%00.css",
        "/static/%00",
        "/static//etc/passwd",
        "/%2e%2e",
        "/static/",
        "/static/app.py",
        "/r/../p/",
    ],
)
def test_a_path_that_climbs_finds_nothing(site: Site, path: str) -> None:
    assert site.get(path)[0] == 404


def test_sessions_are_not_paths(site: Site) -> None:
    for id in ("..", "%2e%2e", "..%2f..%2fhome", "triangle-1%2f..%2f..", "nothing-9", "%00", ".new-x"):
        assert site.get(f"{site.programmer}session/{id}")[0] == 404
        assert site.get(f"{site.programmer}export/{id}")[0] == 404


@given(st.text(st.sampled_from("./%25eE\\0a"), max_size=12))
def test_plain_paths_never_climb(text: str) -> None:
    from urllib.parse import unquote

    path = text
    for _ in range(3):
        if ".." in path.split("/") or "\\" in path or "\0" in path:
            assert not plain_path(text.encode())
        path = unquote(path)


@given(st.text(max_size=30))
def test_only_one_origin_is_ours(text: str) -> None:
    assert same_origin(text, "127.0.0.1:8000") == (
        text.lower() in ("http://127.0.0.1:8000", "https://127.0.0.1:8000") and text.startswith("http")
    )


# 27: archives


def test_nothing_takes_an_archive_and_what_we_pack_stays_in_its_folder(tmp_path: Path) -> None:
    with running(tmp_path, labels=1) as site:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("../../climbed", "x")
        before = sorted(tmp_path.rglob("*"))
        for role in (site.reporter, site.programmer):
            for path in ("", "import", "session/triangle-1", "export/json"):
                own = {"Origin": site.origin, "Content-Type": "application/zip"}
                assert site.request("POST", f"{role}{path}", packed.getvalue(), own)[0] in (403, 405)
        assert sorted(tmp_path.rglob("*")) == before
        site.post(f"{site.reporter}answer", answer_for(site.state("asking")["question"]))
        site.state("finished")
        for format in ("json", "genprog", "pytest"):
            status, _, content = site.get(f"{site.programmer}export/{format}")
            assert status == 200
            names = zipfile.ZipFile(io.BytesIO(content)).namelist()
            assert names
            assert all("/" not in name and ".." not in name for name in names)


# 17: markup in what is shown (the browser's part is in test_web_browser.py)


def test_a_program_named_like_markup_is_escaped(tmp_path: Path) -> None:
    name = f"{EVIL}.c"
    with running(tmp_path, program=name, labels=1) as site:
        id = site.host.held.id
        for path in (site.programmer, f"{site.programmer}session/{id}"):
            page = site.get(path)[2].decode()
            assert "&lt;script&gt;alert(1)" in page
            assert "<script>alert" not in page
            assert "\"onload='" not in page

"""`serve --host` from another machine: a network namespace of its own, joined to ours by a cable."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from learn2fix.model import Answer, Verdict
from learn2fix.store import Store
from test_web_sessions import start
from web_server import ZOO

BROWSER = """
import http.client, json, sys
host, port, requests = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
answers = []
for method, path, headers, body in requests:
    connection = http.client.HTTPConnection(host, port, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        data = json.dumps(body).encode() if body is not None else b""
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        if path.endswith("news"):
            while not (line := response.readline()).startswith(b"data:") or b'"asking"' not in line:
                pass
            answers.append([response.status, line[5:].decode()])
        else:
            answers.append([response.status, response.read().decode("utf-8", "replace")])
    except OSError as error:
        answers.append([0, type(error).__name__])
    finally:
        connection.close()
print(json.dumps(answers))
"""


@dataclass(frozen=True)
class Elsewhere:
    process: int
    """One that lives there."""
    ours: str
    """Our end of the cable, seen from there."""

    def asks(self, port: int, *requests: tuple[str, str, dict[str, str], Any]) -> list[tuple[int, str]]:
        """What a page there gets, status 0 where there is no way to us."""
        words = [*there(self.process), sys.executable, "-c", BROWSER, self.ours, str(port)]
        done = subprocess.run([*words, json.dumps(requests)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return [(status, text) for status, text in json.loads(done.stdout)]


def there(process: int) -> list[str]:
    return ["nsenter", "--target", str(process), "--net"]


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    if os.geteuid() or not all(map(shutil.which, ("ip", "nsenter", "unshare"))):
        pytest.skip("another network namespace takes root and the programs ip, nsenter and unshare")
    number = random.SystemRandom().randrange(1, 250)
    cable = f"l2f{number}"
    ours, theirs = f"10.203.{number}.1", f"10.203.{number}.2"
    # Not `ip netns`, which leaves a mount behind: this namespace ends with the process in it, the cable too.
    settler = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "echo there; exec sleep 600"], stdout=subprocess.PIPE, text=True
    )
    peer = ["peer", "name", f"{cable}b", "netns", str(settler.pid)]
    steps = [
        ["ip", "link", "add", f"{cable}a", "type", "veth", *peer],
        ["ip", "addr", "add", f"{ours}/24", "dev", f"{cable}a"],
        ["ip", "link", "set", f"{cable}a", "up"],
        [*there(settler.pid), "ip", "addr", "add", f"{theirs}/24", "dev", f"{cable}b"],
        [*there(settler.pid), "ip", "link", "set", f"{cable}b", "up"],
    ]
    try:
        assert settler.stdout is not None
        if settler.stdout.readline() != "there\n":
            pytest.skip("no other network namespace can be made here: unshare --net fails")
        for words in steps:
            made = subprocess.run(words, capture_output=True, text=True, check=False)
            if made.returncode:
                pytest.skip(f"no cable to another network here: {' '.join(words)}: {made.stderr.strip()}")
        yield Elsewhere(settler.pid, ours)
    finally:
        settler.kill()
        settler.communicate()
        subprocess.run(["ip", "link", "del", f"{cable}a"], capture_output=True, check=False)


def new_session(tmp_path: Path, *words: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/triangle.c").write_bytes((ZOO / "buggy.c").read_bytes())
    known = ["triangle.c", "--failing", "2 2 2", "--expected", "1", "--learner", "tree", "--seed", "1"]
    return start(tmp_path, *known, "--port", "0", *words)


def parts(link: str) -> tuple[str, int, str]:
    """Host with port, port, path."""
    place, _, path = link.removeprefix("http://").partition("/")
    return place, int(place.rpartition(":")[2]), f"/{path}"


def test_a_reporter_on_another_machine_answers(tmp_path: Path, elsewhere: Elsewhere) -> None:
    process, links = new_session(tmp_path, "--host", elsewhere.ours)
    try:
        place, port, path = parts(links["reporter"])
        assert place.startswith(f"{elsewhere.ours}:")
        honest = {"Host": place}
        page, state = elsewhere.asks(port, ("GET", path, honest, None), ("GET", f"{path}news", honest, None))
        assert page[0] == 200
        question = json.loads(state[1])["question"]
        answer = {"question": question["id"], "key": "n"}
        origin = {"Origin": f"http://{place}", "Content-Type": "application/json"}
        seen = elsewhere.asks(
            port,
            ("GET", path, {"Host": f"evil.example:{port}"}, None),
            ("GET", "/r/guess/", honest, None),
            ("POST", f"{path}answer", honest | origin | {"Origin": "http://evil.example"}, answer),
            ("POST", f"{path}answer", honest | {"Content-Type": "application/json"}, answer),
            ("POST", f"{path}answer", honest | origin, answer),
        )
        assert [status for status, _ in seen] == [403, 403, 403, 403, 200]
        assert json.loads(seen[-1][1])["status"] == "saved"
        assert Store(tmp_path / "home").load("triangle-1").exchanges[0][1] == Answer(Verdict.OK)
    finally:
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert f"Warning: on {elsewhere.ours} other machines can reach this page" in err
    assert "Traceback" not in err


def test_nobody_on_another_machine_reaches_a_server_that_was_not_told_to_let_them(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    process, links = new_session(tmp_path)
    try:
        place, port, path = parts(links["reporter"])
        (seen,) = elsewhere.asks(port, ("GET", path, {"Host": place}, None))
        assert seen == (0, "ConnectionRefusedError")
    finally:
        process.terminate()
        process.communicate(timeout=60)

"""The web server over time: killed and started again, several sessions of one store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from learn2fix.store import Store
from learn2fix.web.board import question_id
from learn2fix.web.links import links_for
from web_server import SHOP, Site, answer_for, in_another_folder, running

# Started again


def start(folder: Path, *words: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    process = subprocess.Popen(
        [sys.executable, "-m", "learn2fix", "serve", *words],
        env={**os.environ, "PYTHONPATH": path, "LEARN2FIX_HOME": str(folder / "home")},
        cwd=folder / "work",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    links = dict(process.stdout.readline().split() for _ in range(2))
    return process, links


def site_of(links: dict[str, str], folder: Path) -> Site:
    port = int(links["reporter"].split("/")[2].split(":")[1])
    return Site(port, None, links_for(folder / "home", "triangle-1"), folder / "home")  # type: ignore[arg-type]


def test_killed_and_started_again_it_asks_the_same_question_under_the_same_link(tmp_path: Path) -> None:
    from web_server import ZOO

    (tmp_path / "work").mkdir()
    (tmp_path / "work/triangle.c").write_bytes((ZOO / "buggy.c").read_bytes())
    process, links = start(
        tmp_path, "triangle.c", "--failing", "2 2 2", "--port", "0", "--learner", "tree", "--seed", "1"
    )
    try:
        site = site_of(links, tmp_path)
        assert list(links) == ["programmer", "reporter"]
        assert links["reporter"] == site.origin + site.reporter
        site.post(f"{site.reporter}answer", answer_for(site.state("asking")["question"]))
        second = site.state("asking")["question"]
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    process, again = start(tmp_path, "--port", str(site.port))
    try:
        assert again == links
        assert site.state("asking")["question"] == second
        # A page that slept through it all sends an answer given before.
        first = Store(site.home).load("triangle-1").exchanges[0][0]
        late = {"question": question_id(first), "key": "n"}
        assert site.post(f"{site.reporter}answer", late)[1]["status"] == "already"
        process.terminate()
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 4
    assert "Traceback" not in err
    for secret in (site.links.reporter, site.links.programmer):
        assert secret not in err
        assert secret not in out


def test_another_address_is_a_choice_with_a_warning(tmp_path: Path) -> None:
    from web_server import ZOO

    (tmp_path / "work").mkdir()
    (tmp_path / "work/triangle.c").write_bytes((ZOO / "buggy.c").read_bytes())
    where = ["--port", "0", "--host", "0.0.0.0", "--name", "fix.example"]
    process, links = start(tmp_path, "triangle.c", "--failing", "2 2 2", "--learner", "tree", *where)
    try:
        site = site_of(links, tmp_path)
        assert links["reporter"] == f"http://fix.example:{site.port}{site.reporter}"
        assert site.get(site.reporter, Host=f"fix.example:{site.port}")[0] == 200
        assert site.get(site.reporter, Host=f"other.example:{site.port}")[0] == 403
        # A page is open when the server stops.
        state = site.news(site.reporter)
        next(state)
        process.terminate()
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert "Warning: on 0.0.0.0 other machines can reach this page" in err
    assert "ERROR" not in err
    assert "Traceback" not in err


# Several sessions


def test_one_server_opens_every_session_of_the_store(tmp_path: Path) -> None:
    other = in_another_folder(tmp_path)
    with running(tmp_path, labels=2) as site:
        mine = site.state("asking")["question"]
        listed = site.get(site.programmer)[2].decode()
        assert f'data-open="{other}"' in listed
        assert f'data-open="{site.host.held.id}"' not in listed
        assert site.post(f"{site.programmer}open", {"session": "../home"})[0] == 400
        status, said = site.post(f"{site.programmer}open", {"session": other})
        assert status == 200
        theirs = said["path"]
        assert theirs not in (site.programmer, site.reporter)
        assert site.post(f"{site.programmer}open", {"session": other}) == (200, said)
        # Both go on, each with its own program, whatever folder the process is in.
        shown = site.state("asking", theirs)
        assert shown["program"] == "shop.py:discount"
        for _ in range(2):
            question = site.state("asking", theirs)["question"]
            assert site.post(f"{theirs}answer", {"question": question["id"], "key": "n"})[0] == 200
        assert site.state("finished", theirs)["history"]
        assert site.state("asking")["question"] == mine
        site.post(f"{site.reporter}answer", answer_for(mine))
        site.post(f"{site.reporter}answer", answer_for(site.state("asking")["question"]))
        site.state("finished")
        for path in (theirs, site.programmer):
            assert site.get(f"{path}export/pytest")[0] == 200
        # The reporter of one session sees nothing of the other.
        assert site.post(f"{site.reporter}open", {"session": other})[0] == 403


def test_a_link_opens_its_session_after_the_server_was_started_for_another(tmp_path: Path) -> None:
    other = in_another_folder(tmp_path)
    link = links_for(tmp_path / "home", other).path("r")
    with running(tmp_path, labels=1) as site:
        question = site.state("asking", link)["question"]
        assert [field["name"] for field in question["fields"]] == ["price", "qty"]
        assert site.post(f"{link}answer", {"question": question["id"], "key": "n"})[0] == 200
        (tmp_path / "home" / "links" / f"{other}.json").unlink()
        assert site.get(link)[0] == 403
    assert len(Store(tmp_path / "home").load(other).exchanges) == 1


def test_a_session_that_cannot_be_opened_says_why_to_the_programmer_only(tmp_path: Path) -> None:
    other = in_another_folder(tmp_path)
    links = links_for(tmp_path / "home", other)
    (tmp_path / "elsewhere/shop.py").write_text(SHOP + "# changed\n")
    with running(tmp_path, labels=1) as site:
        status, said = site.post(f"{site.programmer}open", {"session": other})
        assert (status, "has changed since" in said["message"]) == (409, True)
        status, _, page = site.get(links.path("p"))
        assert (status, b"has changed since" in page) == (503, True)
        status, _, page = site.get(links.path("r"))
        assert (status, b"shop.py" in page) == (503, False)
        site.state("asking")

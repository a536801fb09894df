"""The web page as a page uses it: news, answers, undo, several people, a server that was killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import learn2fix.web.host as web_host
from learn2fix.domain import words_domain
from learn2fix.errors import StoreError, UsageError
from learn2fix.model import (
    Answer,
    Ending,
    Input,
    Kind,
    Label,
    Observation,
    Outcome,
    Question,
    Response,
    Verdict,
)
from learn2fix.store import Store
from learn2fix.web.app import Malformed, read_reply
from learn2fix.web.clock import PatientClock
from learn2fix.web.desk import agree, question_id, weigh
from learn2fix.web.links import links_for
from learn2fix.web.plot import MOST_VALUES, axis, information, plot_of_labels
from learn2fix.web.server import site_for
from learn2fix.web.views import ended, fields, shown, spoken_condition
from web_server import SHOP, Site, answer_for, in_another_folder, running


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running(tmp_path, labels=4) as found:
        yield found


# A whole session


def test_a_session_from_first_question_to_thanks(site: Site) -> None:
    asked = []
    for state in site.news(site.reporter):
        if state["phase"] == "asking":
            question = state["question"]
            asked.append(question["id"])
            assert question["number"] == len(asked)
            assert question["number"] + question["remaining"] == 4
            assert [field["before"] for field in question["fields"]] == ["2", "2", "2"]
            status, said = site.post(f"{site.reporter}answer", answer_for(question))
            assert (status, said) == (200, {"status": "saved", "agrees": True})
        if state["phase"] == "finished":
            break
    assert len(asked) == len(set(asked)) == 4
    assert "programmer" in state["learned"]["text"]
    saved = Store(site.home).load(site.host.held.id)
    assert [question_id(question) for question, _ in saved.exchanges] == asked
    assert saved.result is not None
    view = site.state("finished", site.programmer)
    assert [row["id"] for row in view["history"]] == asked
    assert view["plot"]["x"]
    assert len(view["plot"]["dots"]) == 5


def test_going_back_asks_the_same_question_again(site: Site) -> None:
    first = site.state("asking")["question"]
    site.post(f"{site.reporter}answer", answer_for(first))
    second = site.state("asking")
    assert second["question"]["number"] == 2
    assert site.post(f"{site.reporter}undo", {"answers": second["answers"]})[1] == {"status": "undone"}
    # A double click: the second one finds that there are not so many answers any more.
    assert site.post(f"{site.reporter}undo", {"answers": second["answers"]})[0] == 409
    again = site.state("asking")["question"]
    assert again == first
    assert Store(site.home).load(site.host.held.id).exchanges == ()


def test_going_back_from_the_end(site: Site) -> None:
    question = site.state("asking")["question"]
    site.post(f"{site.reporter}answer", {"question": question["id"], "say": "finish"})
    end = site.state("finished")
    assert site.post(f"{site.reporter}undo", {"answers": end["answers"]})[0] == 200
    assert site.state("asking")["question"] == question
    assert Store(site.home).load(site.host.held.id).result is None


def test_an_answer_that_cannot_be_saved_is_not_acknowledged(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = site.state("asking")["question"]

    def full(*given: object) -> None:
        raise StoreError("not saved: database or disk is full", "make room in /somewhere/secret")

    with monkeypatch.context() as patched:
        patched.setattr(site.host.held, "append", full)
        status, said = site.post(f"{site.reporter}answer", answer_for(question))
    assert status == 503
    assert said["status"] == "not saved"
    assert "secret" not in said["message"]
    assert site.state("asking")["question"] == question
    assert site.post(f"{site.reporter}answer", answer_for(question))[1]["status"] == "saved"


def test_a_fault_keeps_the_page_and_the_answers(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    question = site.state("asking")["question"]

    def broken(*given: object) -> None:
        raise RuntimeError("the machine hiccuped")

    with monkeypatch.context() as patched:
        patched.setattr(site.host.desk, "finish", broken)
        site.post(f"{site.reporter}answer", {"question": question["id"], "say": "finish"})
        for state in site.news(site.programmer):
            if state["phase"] == "failed":
                break
    assert "hiccuped" in state["error"]
    assert "error" not in next(site.news(site.reporter))
    assert site.post(f"{site.programmer}retry", {})[0] == 200
    site.state("finished")


# Several people


def test_twenty_people_and_double_clicks_one_answer_is_stored(site: Site) -> None:
    """Fault 24."""
    question = site.state("asking")["question"]
    body = answer_for(question)
    start = threading.Barrier(20)

    def person(number: int) -> list[tuple[int, str]]:
        start.wait()
        twice = [site.post(f"{site.reporter}answer", body, who=f"person{number}") for _ in range(2)]
        return [(status, said["status"]) for status, said in twice]

    with ThreadPoolExecutor(20) as people:
        told = [each for both in people.map(person, range(20)) for each in both]
    assert sorted(told) == [(200, "already")] * 39 + [(200, "saved")]
    saved = Store(site.home).load(site.host.held.id)
    assert len(saved.exchanges) == 1
    assert len({opinion.who for opinion in saved.opinions}) == len(saved.opinions) == 20
    assert site.state("asking")["question"]["number"] == 2


def test_disagreement_is_shown_weighed_and_settled(site: Site) -> None:
    question = site.state("asking")["question"]
    right = answer_for(question)
    assert right["say"] in ("right", "wrong")
    other = right | {"say": "wrong" if right["say"] == "right" else "right", "expected": None}
    site.post(f"{site.reporter}answer", right, who="ann")
    status, said = site.post(f"{site.reporter}answer", other, who="bob")
    assert (status, said) == (200, {"status": "already", "agrees": False})
    # One against one: the first stands, and nobody has two voices.
    assert site.post(f"{site.reporter}answer", other, who="bob")[1]["agrees"] is False
    row = site.state("asking", site.programmer)["history"][0]
    assert row["disagreement"]
    assert [person["agrees"] for person in row["people"]] == [True, False]
    before = row["said"]
    # Two against one: the majority counts, and the conversation is replayed with it.
    assert site.post(f"{site.reporter}answer", other, who="eve")[1]["agrees"] is True
    after = site.state("asking", site.programmer)["history"][0]
    assert after["said"] != before
    # The programmer has the last word.
    body = {"question": question["id"], "place": 0}
    assert site.post(f"{site.programmer}settle", body) == (200, {"status": "settled"})
    assert site.state("asking", site.programmer)["history"][0]["said"] == before
    assert site.post(f"{site.programmer}settle", body | {"place": 7})[0] == 400


def test_the_answer_to_a_question_nobody_asks(site: Site) -> None:
    site.state("asking")
    status, said = site.post(f"{site.reporter}answer", {"question": "0" * 20, "say": "wrong"})
    assert (status, said["status"]) == (409, "gone")


@pytest.mark.parametrize(
    "body",
    [[], {}, {"question": 3, "say": "wrong"}, {"question": "x" * 300, "say": "wrong"}, "wrong", None],
)
def test_bodies_that_no_page_sends(site: Site, body: object) -> None:
    assert site.post(f"{site.reporter}answer", body)[0] == 400


ANSWERS = st.builds(
    Answer,
    st.sampled_from(Verdict),
    st.none() | st.sampled_from(["1", "2"]),
    st.just(()) | st.just(("1",)),
)


@given(ANSWERS, ANSWERS)
def test_agreeing_is_mutual(one: Answer, other: Answer) -> None:
    assert agree(one, other) == agree(other, one)
    assert agree(one, one) or one.expected in one.rejected


@given(ANSWERS, st.lists(ANSWERS, max_size=5))
def test_no_minority_replaces_what_counts(counted: Answer, said: list[Answer]) -> None:
    chosen = weigh(counted, [counted, *said])
    firm = [answer for answer in [counted, *said] if answer.verdict is not Verdict.UNSURE]
    if chosen != counted:
        assert sum(agree(chosen, a) for a in firm) > sum(agree(counted, a) for a in firm)


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
        late = {"question": question_id(first), "say": "right"}
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
            assert site.post(f"{theirs}answer", {"question": question["id"], "say": "right"})[0] == 200
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
        assert site.post(f"{link}answer", {"question": question["id"], "say": "right"})[0] == 200
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


# Answers come faster than pictures


def test_no_question_waits_for_a_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    painted = threading.Event()

    def slowly(*given: object) -> None:
        painted.wait(60)

    monkeypatch.setattr(web_host, "plot_of_labels", slowly)
    try:
        with running(tmp_path, labels=3) as site:
            for number in (1, 2, 3):
                question = site.state("asking")["question"]
                assert question["number"] == number
                site.post(f"{site.reporter}answer", answer_for(question))
            site.state("finished")
            painted.set()
    finally:
        painted.set()


def test_while_questions_are_asked_the_programmer_sees_what_the_answers_suggest(site: Site) -> None:
    first = site.state("asking")["question"]
    site.post(f"{site.reporter}answer", {"question": first["id"], "say": "right"})
    state = next(state for state in site.news(site.programmer) if state["suggested"])
    assert re.search(r"\b[abc]\b", state["suggested"])


def test_a_finished_session_shows_its_result_at_once(tmp_path: Path) -> None:
    with running(tmp_path, labels=1) as site:
        site.post(f"{site.reporter}answer", answer_for(site.state("asking")["question"]))
        end = site.state("finished")
        id = site.host.held.id
    with running(tmp_path, session=id) as site:
        assert next(site.news(site.reporter)) == end or site.state("finished") == end


# The programmer


def test_a_patch_is_applied_once_and_refused_when_the_source_has_changed(tmp_path: Path) -> None:
    with running(tmp_path, labels=10, learner=None, expected="1") as site:
        for state in site.news(site.reporter):
            if state["phase"] == "asking":
                site.post(f"{site.reporter}answer", answer_for(state["question"]))
            if state["phase"] == "finished":
                break
        assert state["learned"]["repaired"]
        view = site.state("finished", site.programmer)
        patch = view["patches"][0]
        assert patch["diff"][0].startswith("--- ")
        assert site.post(f"{site.programmer}apply", {"patch": "nonsense"})[0] == 409
        status, said = site.post(f"{site.programmer}apply", {"patch": patch["id"]})
        assert (status, said["status"]) == (200, "applied")
        source = tmp_path / "work/triangle.c"
        after = source.read_text()
        assert "a == b == c" not in after
        status, said = site.post(f"{site.programmer}apply", {"patch": patch["id"]})
        assert (status, "is applied already" in said["message"]) == (200, True)
        assert source.read_text() == after
        source.write_text(after := after + "\n")
        status, said = site.post(f"{site.programmer}apply", {"patch": patch["id"]})
        assert (status, said["status"]) == (409, "refused")
        assert source.read_text() == after
        # What the reporter hears has nothing of it.
        heard = repr(next(site.news(site.reporter))) + site.get(site.reporter)[2].decode()
        for secret in ("a == b", "classify", "triangle", patch["id"], site.links.programmer):
            assert secret not in heard
        for format in ("patch", "json", "pytest"):
            status, headers, content = site.get(f"{site.programmer}export/{format}")
            assert status == 200
            assert headers["content-disposition"].startswith("attachment")
            assert content.startswith(b"PK")
        page = site.get(f"{site.programmer}session/triangle-1")
        assert page[0] == 200
        assert b"a == b &amp;&amp; b == c" in page[2] or b"+" in page[2]
    assert sorted(p.name for p in (tmp_path / "work").iterdir()) == ["triangle.c"]


# Parts


def test_a_night_without_an_answer_costs_little() -> None:
    now = [100.0]
    clock = PatientClock(lambda: now[0], most=20.0)
    now[0] += 5
    assert clock() == 5
    with clock.waiting():
        now[0] += 10
        assert clock() == 15
        now[0] += 36_000
        assert clock() == 25
    assert clock() == 25
    now[0] += 1
    assert clock() == 26
    clock.restart()
    assert clock() == 0


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1e5)), max_size=20))
def test_the_clock_never_goes_back(steps: list[tuple[bool, float]]) -> None:
    now = [0.0]
    clock = PatientClock(lambda: now[0])
    last = clock()
    for waits, seconds in steps:
        if waits:
            with clock.waiting():
                now[0] += seconds
                inside = clock()
            assert last <= inside <= last + 20.001
        else:
            now[0] += seconds
        assert clock() >= last - 1e-6
        last = clock()


def test_links_are_kept_private_and_made_anew_when_damaged(tmp_path: Path) -> None:
    links = links_for(tmp_path, "triangle-1")
    assert links_for(tmp_path, "triangle-1") == links
    assert links_for(tmp_path, "triangle-2") != links
    path = tmp_path / "links/triangle-1.json"
    assert path.stat().st_mode & 0o077 == 0
    path.write_text('{"reporter": "", "programmer": ""}')
    anew = links_for(tmp_path, "triangle-1")
    assert len(anew.reporter) >= 24
    assert not anew.opens("r", "")
    assert not anew.opens("r", anew.programmer)
    assert anew.opens("r", anew.reporter)


def test_names_of_the_server() -> None:
    site, shown_name = site_for("127.0.0.1", 8000, None)
    assert shown_name == "127.0.0.1:8000"
    assert site.hosts == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    site, shown_name = site_for("192.0.2.1", 8000, "fix.example")
    assert shown_name == "fix.example:8000"
    assert site.hosts == {"fix.example:8000", "192.0.2.1:8000"}
    assert site_for("::1", 8000, None)[1] == "[::1]:8000"
    assert site_for("0.0.0.0", 8000, "fix.example:443")[1] == "fix.example:443"


def question(proposal: str | None = None) -> Question:
    return Question(
        1,
        3,
        Observation(Input("2 2 3"), Outcome(Ending.EXITED, b"2\n")),
        None if proposal is None else Response.read(proposal),
    )


def test_what_the_buttons_mean() -> None:
    assert read_reply(question(), "wrong", " 1 ") == Answer(Verdict.BUG, "1")
    assert read_reply(question(), "wrong", None) == Answer(Verdict.BUG)
    assert read_reply(question(), "right", "1") == Answer(Verdict.OK)
    assert read_reply(question(), "invalid", None) == Answer(Verdict.INVALID)
    assert read_reply(question("1"), "yes", None) == Answer(Verdict.BUG, "1")
    assert read_reply(question("1"), "no", None) == Answer(Verdict.UNSURE, rejected=("1",))
    assert read_reply(question("1"), "no", "3") == Answer(Verdict.BUG, "3")
    with pytest.raises(Malformed):
        read_reply(question(), "yes", None)
    with pytest.raises(Malformed):
        read_reply(question(), "wrong", "9" * 10_001)


def test_fields_have_names_and_say_what_changed() -> None:
    domain = words_domain(["2 2 2"], ["width", "unit_price", "i3"])
    found = fields(domain, "2 20 2", "2 2 2")
    assert found is not None
    assert [field["name"] for field in found] == ["width", "unit price", "value 3"]
    assert [field["changed"] for field in found] == [False, True, False]
    assert found[1]["before"] == "2"
    assert fields(domain, "not for this program", "2 2 2") is None


def test_an_outcome_without_output_is_said_in_words() -> None:
    assert ended(Outcome(Ending.SIGNALLED, status=11)) == "It crashed (SIGSEGV)."
    assert ended(Outcome(Ending.TIMEOUT)).startswith("It gave no answer")
    assert ended(Outcome(Ending.EXITED, b"2")) == ""


def test_a_condition_in_words() -> None:
    assert spoken_condition("i1 == i2 and i3 <= 7") == "value 1 is value 2 and value 3 is at most 7"


@given(st.text())
def test_what_is_shown_has_nothing_hidden(text: str) -> None:
    assert all(character.isprintable() or character.isspace() for character in shown(text))


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1), st.integers(-(10**12), 10**12))
def test_axes_are_ordered_short_and_hold_the_failing_value(values: list[int], home: int) -> None:
    found = axis(values, home, Kind.INT)
    assert found == sorted(set(found))
    assert home in found
    assert 1 < len(found) <= MOST_VALUES


def test_the_most_telling_inputs_are_drawn() -> None:
    domain = words_domain(["5 1 9"], ["a", "noise", "b"])
    rows = [("5 1 9", True), ("5 2 9", True), ("1 1 9", False), ("5 3 2", False), ("1 2 2", False)]
    labels = [
        Label(
            Observation(domain.parse(text), Outcome(Ending.EXITED, b"0")),
            Answer(Verdict.BUG if bug else Verdict.OK),
        )
        for text, bug in rows
    ]
    plot = plot_of_labels(domain, labels)
    assert plot is not None
    assert (plot.x, plot.y) == ("a", "b")
    assert len(plot.cells) == len(plot.ys)
    assert all(len(row) == len(plot.xs) for row in plot.cells)
    assert information([(1, True), (2, False)]) == 1.0
    only_text = words_domain(["abc"])
    label = Label(Observation(only_text.parse("abc"), Outcome(Ending.EXITED, b"0")), Answer(Verdict.BUG))
    assert plot_of_labels(only_text, [label]) is None


def test_serve_says_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from learn2fix.cli.app import app

    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="--failing"):
        app.main(["serve", "--port", "0"], standalone_mode=False)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UsageError, match="cannot listen"):
        app.main(["serve", "--port", str(taken.getsockname()[1])], standalone_mode=False)

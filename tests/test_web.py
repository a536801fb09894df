"""A session as its pages see it: questions, answers, undo, several people, the programmer."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import learn2fix.web.host as web_host
from learn2fix.errors import StoreError
from learn2fix.model import (
    Answer,
    Verdict,
)
from learn2fix.store import Store
from learn2fix.web.board import agree, question_id, weigh
from web_server import Site, answer_for, running


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
    site.post(f"{site.reporter}answer", {"question": question["id"], "key": "f"})
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
        patched.setattr(site.host.board, "finish", broken)
        site.post(f"{site.reporter}answer", {"question": question["id"], "key": "f"})
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
    links = [site.link_of(f"person{number}") for number in range(20)]

    def person(number: int) -> list[tuple[int, str]]:
        start.wait()
        twice = [site.post(f"{links[number]}answer", body) for _ in range(2)]
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
    assert right["key"] in ("n", "y")
    other = right | {"key": "y" if right["key"] == "n" else "n", "expected": None}
    ann, bob, eve = map(site.link_of, ("ann", "bob", "eve"))
    site.post(f"{ann}answer", right)
    status, said = site.post(f"{bob}answer", other)
    assert (status, said) == (200, {"status": "already", "agrees": False})
    # One against one: the first stands, and nobody has two voices.
    assert site.post(f"{bob}answer", other)[1]["agrees"] is False
    row = site.state("asking", site.programmer)["history"][0]
    assert row["disagreement"]
    assert [person["agrees"] for person in row["people"]] == [True, False]
    assert [person["who"] for person in row["people"]] == ["ann", "bob"]
    before = row["said"]
    # Two against one: the majority counts, and the conversation is replayed with it.
    assert site.post(f"{eve}answer", other)[1]["agrees"] is True
    after = site.state("asking", site.programmer)["history"][0]
    assert after["said"] != before
    # The programmer has the last word.
    body = {"question": question["id"], "place": 0}
    assert site.post(f"{site.programmer}settle", body) == (200, {"status": "settled"})
    assert site.state("asking", site.programmer)["history"][0]["said"] == before
    assert site.post(f"{site.programmer}settle", body | {"place": 7})[0] == 400


def test_the_answer_to_a_question_nobody_asks(site: Site) -> None:
    site.state("asking")
    status, said = site.post(f"{site.reporter}answer", {"question": "0" * 20, "key": "y"})
    assert (status, said["status"]) == (409, "gone")


@pytest.mark.parametrize(
    "body",
    [[], {}, {"question": 3, "key": "y"}, {"question": "x" * 300, "key": "y"}, "wrong", None],
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
    site.post(f"{site.reporter}answer", {"question": first["id"], "key": "n"})
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

"""The store: what was saved comes back exactly, in order, and nothing is ever changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.errors import StoreError
from learn2fix.model import (
    Answer,
    Candidate,
    Control,
    Edit,
    Ending,
    Input,
    Label,
    Location,
    Observation,
    Outcome,
    Patch,
    Question,
    Response,
    Verdict,
)
from learn2fix.store import Record, Store, codec, default_home

FAILING = Label(
    Observation(Input("2 2 2"), Outcome(Ending.EXITED, b"2\n")), Answer(Verdict.BUG, expected="1")
)
RECORD = Record(("triangle.c",), "/somewhere", 7, "abc", (FAILING,), (), "triangle.c", {"labels": 10})

texts = st.text(st.characters(exclude_categories=["Cs"]))
broken = st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))
outcomes = st.builds(
    Outcome, st.sampled_from(Ending), st.binary(), st.integers(-300, 300), st.one_of(texts, broken)
)
observations = st.builds(Observation, st.builds(Input, st.one_of(texts, broken)), outcomes)
questions = st.builds(
    Question,
    st.integers(1, 99),
    st.integers(0, 99),
    observations,
    st.lists(broken.map(Response.read), max_size=3).map(tuple),
    st.booleans(),
    texts,
)
answers = st.builds(
    Answer, st.sampled_from(Verdict), st.none() | broken, st.lists(texts, max_size=3).map(tuple)
)
replies = st.one_of(answers, st.just(Control.FINISH))
patches = st.builds(
    Patch,
    st.text("0123456789abcdef", min_size=4),
    st.builds(
        Candidate,
        st.lists(st.builds(Edit, st.integers(0, 9), st.integers(9, 20), st.binary()), max_size=3).map(tuple),
        texts,
        st.floats(0, 100),
    ),
    st.builds(Location, texts, st.integers(1, 99), st.integers(1, 99)),
    texts,
    broken,
    st.floats(0, 1),
    st.lists(texts, max_size=3).map(tuple),
)


def question(number: int, text: str | None = None) -> Question:
    observation = Observation(Input(text or f"{number} 0 0"), Outcome(Ending.EXITED, b"4\n"))
    return Question(number, 10 - number, observation)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home", clock=lambda: 1_800_000_000.0)


@given(questions, replies, patches)
def test_every_noun_survives_json(asked: Question, reply: Answer | Control, patch: Patch) -> None:
    import json

    def through(data: codec.Json) -> codec.Json:
        text = json.dumps(data)
        assert text.isascii()
        again = json.loads(text)
        assert isinstance(again, dict)
        return again

    assert codec.question_from_json(through(codec.question_to_json(asked))) == asked
    assert codec.reply_from_json(through(codec.reply_to_json(reply))) == reply
    assert codec.patch_from_json(through(codec.patch_to_json(patch))) == patch
    if isinstance(reply, Answer):
        label = Label(asked.observation, reply)
        assert codec.label_from_json(through(codec.label_to_json(label))) == label


@settings(max_examples=15, deadline=None)
@given(st.lists(st.one_of(st.tuples(questions, replies), st.none()), max_size=8))
def test_what_was_saved_comes_back_in_order(
    tmp_path_factory: pytest.TempPathFactory, script: list[tuple[Question, Answer | Control] | None]
) -> None:
    store = Store(tmp_path_factory.mktemp("store"))
    expected: list[tuple[Question, Answer | Control]] = []
    with store.create(RECORD) as session:
        for step in script:
            if step is None:
                assert session.undo() == (expected.pop() if expected else None)
            else:
                session.append(*step)
                expected.append(step)
        id = session.id
        assert list(session.exchanges) == expected
    saved = store.load(id)
    assert list(saved.exchanges) == expected
    assert saved.record == RECORD
    assert saved.damage == ""


def test_labels_are_the_failing_input_and_the_answers(store: Store) -> None:
    with store.create(RECORD) as session:
        session.append(question(1), Answer(Verdict.OK))
        session.append(question(2), Control.FINISH)
        saved = session.saved
    assert saved.labels == (FAILING, Label(question(1).observation, Answer(Verdict.OK)))
    assert saved.finished


def test_a_result_is_void_once_an_answer_is_added_or_taken_back(store: Store) -> None:
    patch = Patch("abcd", Candidate((Edit(0, 1, b"x"),), "constant", 1.0), Location("a.c", 1, 1), "", "")
    with store.create(RECORD) as session:
        session.append(question(1), Answer(Verdict.OK))
        session.finish({"status": "repaired"}, [patch])
        assert (session.saved.status, session.saved.patches) == ("repaired", (patch,))
        assert store.find_patch("abc") == (session.saved, patch)
        session.undo()
        assert (session.saved.status, session.saved.patches) == ("open", ())
    with pytest.raises(StoreError, match="no patch"):
        store.find_patch("abc")


def test_a_session_of_a_folder_is_named_after_it(store: Store) -> None:
    store.create(Record((".",), "/home/me/invoice", 1, "", ())).close()
    assert store.ids() == ["invoice-1"]


def test_ids_are_numbered_and_can_be_shortened(store: Store) -> None:
    for program in ("src/triangle.c:classify", "triangle.c", "./My Tool", "--", "shop.py:discount"):
        store.create(Record((program, "{a}"), "/", 1, "", ())).close()
    assert store.ids() == ["triangle-1", "triangle-2", "my-tool-3", "session-4", "shop-5"]
    assert store.resolve("triangle-1") == "triangle-1"
    assert store.resolve("shop") == "shop-5"
    assert store.resolve("3") == "my-tool-3"
    assert store.resolve("last") == "shop-5"
    for wrong in ("triangle", "nothing", ""):
        with pytest.raises(StoreError):
            store.resolve(wrong)


def test_the_number_goes_on_after_ten(store: Store) -> None:
    ids = []
    for _ in range(11):
        with store.create(RECORD) as session:
            ids.append(session.id)
    assert store.ids() == ids
    assert ids[-1] == "triangle-11"


def test_a_session_that_is_not_there(store: Store) -> None:
    assert store.ids() == []
    with pytest.raises(StoreError, match="there is no session"):
        store.open("triangle-1")
    with pytest.raises(StoreError):
        store.load("triangle-1")


def test_entries_cannot_be_changed_or_deleted(store: Store) -> None:
    store.create(RECORD).close()
    with sqlite3.connect(store.home / "sessions/triangle-1/session.db") as connection:
        for statement in ("UPDATE entries SET body = ''", "DELETE FROM entries"):
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                connection.execute(statement)


def test_the_schema_says_what_it_is_for_and_can_be_queried(store: Store) -> None:
    with store.create(RECORD) as session:
        session.append(question(1), Answer(Verdict.BUG, expected="3"))
    with sqlite3.connect(store.home / "sessions/triangle-1/session.db") as connection:
        (schema,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'entries'").fetchone()
        assert schema.count("--") >= 6
        assert connection.execute("SELECT session, input, verdict, expected FROM replies").fetchall() == [
            ("triangle-1", "1 0 0", "bug", "3")
        ]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_where_sessions_are_kept() -> None:
    assert default_home({"HOME": "/h"}) == Path("/h/.local/share/learn2fix")
    assert default_home({"HOME": "/h", "XDG_DATA_HOME": "/x"}) == Path("/x/learn2fix")
    assert default_home({"XDG_DATA_HOME": "/x", "LEARN2FIX_HOME": "/l"}) == Path("/l")


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot make a session"):
        Store(tmp_path / "file").create(RECORD)


def test_an_odd_home(tmp_path: Path) -> None:
    """Characters that mean something in the URI by which SQLite opens a file."""
    store = Store(tmp_path / "a?mode=memory#b%41 c")
    with store.create(RECORD) as session:
        session.append(question(1), Answer(Verdict.OK))
    assert len(store.load("triangle-1").exchanges) == 1

"""The parts of the web page, each alone: clock, links, names, buttons, fields, plots."""

from __future__ import annotations

import json
import operator
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain import words_domain
from learn2fix.errors import UsageError
from learn2fix.model import (
    Answer,
    Ending,
    Input,
    Kind,
    Label,
    Observation,
    Outcome,
    Question,
    Reply,
    Response,
    Verdict,
)
from learn2fix.web.app import BadRequest, read_reply
from learn2fix.web.links import find_link, invite, links_for, withdraw
from learn2fix.web.plot import MAX_VALUES, axis, information, plot_of_labels
from learn2fix.web.server import site_for
from learn2fix.web.views import ended, fields, shown, spoken_condition


def test_links_are_kept_private_and_made_anew_when_damaged(tmp_path: Path) -> None:
    links = links_for(tmp_path, "triangle-1")
    assert links_for(tmp_path, "triangle-1") == links
    assert links_for(tmp_path, "triangle-2") != links
    path = tmp_path / "links/triangle-1.json"
    assert path.stat().st_mode & 0o077 == 0
    path.write_text('{"reporter": "", "programmer": ""}')
    anew = links_for(tmp_path, "triangle-1")
    (common,) = anew.reporters
    assert len(common.token) >= 24
    assert anew.voice("r", "", 0) is None
    assert anew.voice("r", anew.programmer, 0) is None
    assert anew.voice("r", common.token, 0) == "reporter"
    assert anew.voice("p", anew.programmer, 0) == "programmer"


def test_links_of_an_older_version_stay_good(tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    old = {"reporter": "r" * 32, "programmer": "p" * 32}
    (tmp_path / "links/triangle-1.json").write_text(json.dumps(old))
    assert find_link(tmp_path, "r", "r" * 32, 0) == ("triangle-1", "reporter")
    invite(tmp_path, "triangle-1", ["ann"])
    assert find_link(tmp_path, "r", "r" * 32, 0) == ("triangle-1", "reporter")


def test_49_links_expire_and_are_withdrawn(tmp_path: Path) -> None:
    common = links_for(tmp_path, "t-1").path("r").split("/")[2]
    links = invite(tmp_path, "t-1", ["ann", "bob"], until=100.0)
    ann, bob = (links.path("r", name).split("/")[2] for name in ("ann", "bob"))
    assert find_link(tmp_path, "r", ann, 99.0) == ("t-1", "ann")
    assert find_link(tmp_path, "r", ann, 100.0) is None
    assert find_link(tmp_path, "r", common, 100.0) == ("t-1", "reporter")
    assert invite(tmp_path, "t-1", ["ann"], until=200.0).path("r", "ann").split("/")[2] == ann
    assert find_link(tmp_path, "r", ann, 150.0) == ("t-1", "ann")
    withdraw(tmp_path, "t-1", ["bob", "reporter"])
    assert find_link(tmp_path, "r", bob, 50.0) is None
    assert find_link(tmp_path, "r", common, 50.0) is None
    assert links_for(tmp_path, "t-1").path("r") not in ("/r//", f"/r/{common}/")
    with pytest.raises(UsageError, match="nobody called eve"):
        withdraw(tmp_path, "t-1", ["eve"])
    for name in ("", " ", "a\nb", "programmer", "x" * 61):
        with pytest.raises(UsageError, match="cannot be the name"):
            invite(tmp_path, "t-1", [name])


def test_names_of_the_server() -> None:
    site, shown_name = site_for("127.0.0.1", 8000, None)
    assert shown_name == "127.0.0.1:8000"
    assert site.hosts == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    site, shown_name = site_for("192.0.2.1", 8000, "fix.example")
    assert shown_name == "fix.example:8000"
    assert site.hosts == {"fix.example:8000", "192.0.2.1:8000"}
    assert site_for("::1", 8000, None)[1] == "[::1]:8000"
    assert site_for("0.0.0.0", 8000, "fix.example:443")[1] == "fix.example:443"


def question(*choices: str) -> Question:
    observation = Observation(Input("2 2 3"), Outcome(Ending.EXITED, b"2\n"))
    return Question(1, 3, observation, tuple(map(Response.read, choices)))


def test_what_the_buttons_mean() -> None:
    def said(asked: Question, key: str, expected: str | None = None) -> Reply:
        return read_reply(asked, key, expected, operator.eq)

    assert said(question(), "y", " 1 ") == Answer(Verdict.BUG, "1")
    assert said(question(), "y") == Answer(Verdict.BUG)
    assert said(question(), "n") == Answer(Verdict.OK)
    assert said(question(), "i") == Answer(Verdict.INVALID)
    assert said(question("1", "2"), "a") == Answer(Verdict.BUG, "1")
    assert said(question("1", "2", "3"), "b") == Answer(Verdict.BUG, "3")
    assert said(question("1", "2"), "n") == Answer(Verdict.OK)
    assert said(question("1", "2"), "x") == Answer(Verdict.BUG, rejected=("1",))
    assert said(question("1", "2"), "e", "3") == Answer(Verdict.BUG, "3")
    assert said(question("1", "2"), "e", "2") == Answer(Verdict.OK)
    for key, expected in (("a", None), ("yes", None), ("e", None), ("n", "1"), ("y", "9" * 10_001)):
        with pytest.raises(BadRequest):
            said(question(), key, expected)


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
    assert 1 < len(found) <= MAX_VALUES


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

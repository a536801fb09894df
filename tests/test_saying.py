"""When the bug shows, as it is said: short, exact or called rough, never empty words, in every part."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from at_terminal import environment
from formulas import bound, compare
from learn2fix.cli.display import percent, result_lines
from learn2fix.model import Example, Kind, Variable
from learn2fix.oracles.formula import FALSE, TRUE, Formula, conjunction, disjunction
from learn2fix.oracles.readable import LIMIT, brief, shown
from learn2fix.wording import plural, quoted

ZOO = Path(__file__).parent / "zoo"
VARIABLES = [Variable("quantity", Kind.INT), Variable("price_of_one", Kind.INT), Variable("n", Kind.INT)]

OPS = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])
PLACES = st.integers(0, 2)
LITERALS = st.one_of(
    st.builds(bound, PLACES, OPS, st.integers(-1000, 1000)),
    st.tuples(PLACES, PLACES).filter(lambda pair: pair[0] != pair[1]).flatmap(
        lambda pair: st.builds(compare, st.just(pair[0]), OPS, st.just(pair[1]))
    ),
)  # fmt: skip
FORMULAS = st.recursive(
    LITERALS, lambda inner: st.lists(inner, min_size=1, max_size=5).map(conjunction)
    | st.lists(inner, min_size=1, max_size=5).map(disjunction), max_leaves=14,
)  # fmt: skip
POINTS = st.tuples(*[st.integers(-1000, 1000)] * 3)


SEEN = st.lists(st.tuples(POINTS, st.booleans()), min_size=1, max_size=30)


@given(FORMULAS | st.sampled_from([TRUE, FALSE]), SEEN)
def test_what_is_said_is_short_and_true(formula: Formula, seen: list[tuple[tuple[int, ...], bool]]) -> None:
    predicted = [Example(point, failing) for point, failing in dict(seen).items()]
    certain = [example for example in predicted if example.failing][:1]
    said = shown(formula, VARIABLES, certain, predicted, lambda place: str(predicted[place].point))
    assert "True" not in said.sentence
    assert "False" not in said.sentence
    if said.formula is None:
        # Examples, or nothing; and never that it shows everywhere where it does not.
        assert "when" not in said.sentence
        if "on all of the" in said.sentence:
            assert all(example.failing for example in predicted)
        return
    text = said.formula.text(VARIABLES)
    assert len(text) <= LIMIT
    wrong = sum(said.formula.holds(each.point) is not each.failing for each in predicted)
    many = plural(len(predicted), "generated input")
    rough = f"The bug shows roughly when: {text} (wrong on {wrong} of {many})"
    assert said.sentence == (rough if wrong else f"The bug shows when: {text}")
    # Both sides were seen, and the report itself is among what it describes.
    assert len({example.failing for example in predicted}) == 2
    assert certain[0].failing
    assert said.formula.holds(certain[0].point)


@given(FORMULAS | st.sampled_from([TRUE, FALSE, None]))
def test_what_is_said_in_passing_is_short_or_left_out(formula: Formula | None) -> None:
    text = brief(formula, VARIABLES)
    assert len(text) <= LIMIT
    assert text not in ("True", "False")


def test_who_asks_for_more_gets_more() -> None:
    long = disjunction([bound(0, "==", value) for value in range(100, 1000, 90)])
    points = [(value, 1, 1) for value in range(100, 1000, 45)]
    predicted = [Example(point, long.holds(point)) for point in points]
    assert shown(long, VARIABLES, predicted[:1], predicted, str).formula != long
    assert shown(long, VARIABLES, predicted[:1], predicted, str, 1000).formula == long


def document(**changes: Any) -> dict[str, Any]:
    risk = {"estimate": 0.0, "upper95": 0.2, "method": "x"}
    oracle = {"text": "n > 1", "sentence": "The bug shows when: n > 1", "risk": risk}
    return {"status": "learned", "questions": 1, "labels": [], "oracle": oracle, "patches": []} | changes


def test_nothing_is_ever_wrong_with_chance_0() -> None:
    lines = "\n".join(result_lines(document()))
    assert "less than 1%, at most 20%" in lines
    assert not re.search(r"\b0 ?%", lines)
    assert [percent(share) for share in (0.0, 0.004, 0.01, 0.5)] == ["less than 1%"] * 2 + ["1%", "50%"]


@pytest.mark.parametrize(("status", "shown"), [("undecided", "79%"), ("repaired", "80%")])
def test_what_is_not_likely_enough_does_not_look_as_if_it_were(status: str, shown: str) -> None:
    patch = {"rank": 1, "id": "abc", "confidence": 0.7963, "diff": ""}
    assert f"Patch 1 (abc, confidence {shown})" in list(
        result_lines(document(status=status, patches=[patch]))
    )


def test_one_is_no_plural() -> None:
    assert [plural(count, "answer") for count in (0, 1, 2)] == ["0 answers", "1 answer", "2 answers"]
    assert [plural(count, "fix") for count in (1, 1200)] == ["1 fix", "1,200 fixes"]
    assert "Learned: 1 question." in list(result_lines(document()))
    for count in (0, 2):
        assert f"Learned: {count} questions." in list(result_lines(document(questions=count)))


@given(st.text())
def test_a_text_is_never_in_quotes_twice(text: str) -> None:
    said = quoted(text)
    assert "\n" not in said
    assert said in (repr(text), f"`{text}`")


def test_texts_with_quotes_stand_in_others() -> None:
    assert [quoted(text) for text in ("2 2 1", "'ab', 3")] == ["'2 2 1'", "`'ab', 3`"]


SAMPLE = ("triangle", "weekday", "line_words", "py_shipping", "py_second_largest", "py_anagram")


@pytest.mark.parametrize("name", SAMPLE)
def test_no_condition_of_the_zoo_is_too_long(name: str, tmp_path: Path) -> None:
    about = tomllib.loads((ZOO / name / "subject.toml").read_text())
    function = f":{about['function']}" if "function" in about else ""
    words = ["learn", f"{about['buggy']}{function}", "--failing", about["failing"][0], "--labels", "6"]
    done = subprocess.run(
        [sys.executable, "-m", "learn2fix", *words, "--golden", f"{about['golden']}{function}", "--seed", "1",
         "--json"],
        env=environment(tmp_path), cwd=ZOO / name, capture_output=True, text=True, check=False,
    )  # fmt: skip
    oracle = json.loads(done.stdout)["oracle"]
    assert oracle["sentence"]
    assert len(oracle["text"]) <= LIMIT
    assert oracle["text"] not in ("True", "False")
    assert oracle["text"] in oracle["sentence"]

"""`learn2fix form`: how a program reads its input."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from learn2fix.cli.app import app

ZOO = Path(__file__).parent / "zoo"
FORMS = {
    "list_maximum": "n, a[n]",
    "lists_range_sums": "n, q, value[n], (l, r)[q]",
    "lists_cases": "t, (n, value[n])[t]",
    "table_diagonals": "n, g[n][n]",
    "word_palindrome": "s:word",
    "words_longest": "n, word:word[n]",
    "grid_full_rows": "n, m, row:word[n]{m}",
    "grid_neighbours": "n, m, g:char[n][m]",
    "line_words": "line:line",
    "line_capitals": "c:line",
    "pairs_until_zero": "(a, b)[until 0 0]",
    "triangle": "a, b, c",
}


def form(*words: str) -> Result:
    return CliRunner().invoke(app, ["form", *words], standalone_mode=False)


@pytest.mark.parametrize("name", FORMS)
def test_the_form_of_a_zoo_program_is_found_and_proved(name: str) -> None:
    failing = tomllib.loads((ZOO / name / "subject.toml").read_text())["failing"][0]
    document = json.loads(form(str(ZOO / name / "buggy.c"), "--failing", failing, "--json").stdout)
    assert document["form"] == FORMS[name]
    assert document["origin"] == "proved"


@pytest.mark.parametrize(
    ("script", "failing", "expected"),
    [
        ("n = int(input())\na = list(map(int, input().split()))", "3\n4 1 5", "n, a[n]"),
        ("n = int(input())\na = [int(input()) for _ in range(n)]", "2\n4\n1", "n, a[n]"),
        (
            "for _ in range(int(input())):\n    a, b = map(int, input().split())",
            "2\n1 2\n3 4",
            "i1, (a, b)[i1]",
        ),
    ],
)
def test_the_form_of_a_script_is_found_and_proved(
    tmp_path: Path, script: str, failing: str, expected: str
) -> None:
    (tmp_path / "script.py").write_text(script)
    document = json.loads(form(str(tmp_path / "script.py"), "--failing", failing, "--json").stdout)
    assert (document["form"], document["origin"]) == (expected, "proved")


def test_the_form_of_what_is_read_all_at_once_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import sys\nn, *a = map(int, sys.stdin.read().split())\nprint(sum(a))\n"
    )
    document = json.loads(form(str(tmp_path / "script.py"), "--failing", "3\n4 1 5", "--json").stdout)
    assert (document["form"], document["origin"]) == ("i1, i2[i1]", "guessed")


def test_the_example_is_shown_by_name_and_by_colour() -> None:
    program = str(ZOO / "list_maximum" / "buggy.c")
    result = CliRunner().invoke(app, ["form", program, "--failing", "3\n-5 -2 -4\n"], color=True)
    assert "a = [-5, -2, -4]" in result.stdout
    assert "\x1b[36m3\x1b[0m\n\x1b[33m-5\x1b[0m \x1b[33m-2\x1b[0m" in result.stdout


def test_a_form_that_does_not_fit_is_refused_in_a_line() -> None:
    program = str(ZOO / "list_maximum" / "buggy.c")
    result = form(program, "--failing", "3\n1 2 3\n", "--form", "n, a[n - 1]")
    assert result.exception is not None
    assert "'3' is left over" in str(result.exception)


def test_an_executable_is_guessed_at() -> None:
    document = json.loads(form("cat", "--failing", "2\n5 6\n", "--json").stdout)
    assert (document["form"], document["origin"]) == ("i1, i2[i1]", "guessed")
    assert document["inputs"][0]["values"] == {"i2": "[5, 6]"}

"""Forms found from what programs read; the programs here are plain functions that read through a scanner."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence

import pytest

from learn2fix.domain.inputs import Origin
from learn2fix.domain.reading import Read, ReadKind, Trace
from learn2fix.languages.input_form import watch


class Ended(Exception):
    pass


class Scanner:
    """Reads a text as scanf, fgets and getchar do, and records it."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.reads = text, 0, list[Read]()

    def _note(self, place: str, kind: ReadKind, start: int, end: int, name: str, found: bool = True) -> str:
        self.reads.append(Read(place, kind, start, end, name, found, skips=kind is not ReadKind.CHARACTER))
        self.at = end
        if not found:
            raise Ended
        return self.text[start:end]

    def _token(self, place: str, kind: ReadKind, name: str, pattern: str) -> str:
        space = re.compile(r"\s*").match(self.text, self.at)
        start = space.end() if space else self.at
        found = re.compile(pattern).match(self.text, start)
        return self._note(place, kind, start, found.end() if found else start, name, found is not None)

    def int(self, name: str, place: str = "") -> int:
        return int(self._token(place or name, ReadKind.INTEGER, name, r"[-+]?\d+"))

    def real(self, name: str) -> float:
        return float(self._token(name, ReadKind.REAL, name, r"[-+]?\d+(\.\d+)?"))

    def word(self, name: str) -> str:
        return self._token(name, ReadKind.WORD, name, r"\S+")

    def char(self, name: str, place: str = "") -> str:
        end = min(self.at + 1, len(self.text))
        return self._note(place or name, ReadKind.CHARACTER, self.at, end, name, end > self.at)

    def line(self, name: str) -> str:
        if self.at >= len(self.text):
            self._note(name, ReadKind.LINE, self.at, self.at, name, False)
        end = self.text.find("\n", self.at)
        text = self._note(name, ReadKind.LINE, self.at, len(self.text) if end < 0 else end, name)
        self.at += 1
        return text


Program = Callable[[Scanner], object]


def run(program: Program) -> Callable[[Sequence[str]], list[Trace]]:
    def record(texts: Sequence[str]) -> list[Trace]:
        traces = []
        for text in texts:
            scanner = Scanner(text)
            with contextlib.suppress(Ended, IndexError, ValueError):
                program(scanner)
            traces.append(Trace(text, tuple(scanner.reads)))
        return traces

    return record


def count_and_list(s: Scanner) -> None:
    [s.int("a") for _ in range(s.int("n"))]


def list_and_queries(s: Scanner) -> None:
    n, m = s.int("n"), s.int("m")
    [s.int("a") for _ in range(n)]
    [(s.int("l"), s.int("r")) for _ in range(m)]


def table(s: Scanner) -> None:
    n, m = s.int("n"), s.int("m")
    [[s.int("g") for _ in range(m)] for _ in range(n)]


def cases(s: Scanner) -> None:
    for _ in range(s.int("t")):
        [s.int("a") for _ in range(s.int("n"))]


def tree(s: Scanner) -> None:
    [(s.int("u"), s.int("v")) for _ in range(s.int("n") - 1)]


def until_zero(s: Scanner) -> None:
    while s.int("n"):
        s.int("m")


def until_two_zeros(s: Scanner) -> None:
    while s.int("a") + s.int("b"):
        pass


def until_end(s: Scanner) -> None:
    while True:
        s.int("x")


def text_of_length(s: Scanner) -> None:
    s.int("n")
    s.word("s")


def rows_of_words(s: Scanner) -> None:
    n = s.int("n")
    s.int("m")
    [s.word("row") for _ in range(n)]


def grid_of_characters(s: Scanner) -> None:
    n, m = s.int("n"), s.int("m")
    s.char("", "newline")
    for _ in range(n):
        for _ in range(m):
            s.char("g")
        s.char("", "newline")


def letter_and_rows(s: Scanner) -> None:
    n = s.int("n")
    s.int("m")
    s.char("", "blank")
    s.char("c")
    s.char("", "newline")
    [s.line("row") for _ in range(n)]


def characters_of_a_line(s: Scanner) -> None:
    s.int("k")
    s.char("", "newline")
    while s.char("c") != "\n":
        pass


def first_letters(s: Scanner) -> None:
    s.char("c")
    while s.char("", "skip") != "\n":
        pass
    s.char("d")


def too_few_characters(s: Scanner) -> None:
    """The line ends are read too: a bug, but the form shows all the same."""
    n, m = s.int("n"), s.int("m")
    [[s.char("g") for _ in range(m)] for _ in range(n)]


def read_int(s: Scanner, name: str) -> int:
    digits = ""
    while not digits or (s.at < len(s.text) and s.text[s.at - 1].isdigit()):
        digits += s.char(name)
    return int(digits)


def numbers_by_character(s: Scanner) -> None:
    [read_int(s, "a") for _ in range(read_int(s, "n"))]


def lines(s: Scanner) -> None:
    n = int(s.line("n"))
    [s.line("text") for _ in range(n)]


def numbers_on_lines(s: Scanner) -> None:
    n = int(s.line("n"))
    list(map(int, s.line("a").split()))[:n]


def stops_early(s: Scanner) -> None:
    for _ in range(s.int("n")):
        if s.int("a") == 7:
            return


CASES: list[tuple[Program, str, str]] = [
    (count_and_list, "3\n5 6 7\n", "n, a[n]"),
    (list_and_queries, "3 2\n5 6 7\n1 2\n1 3\n", "n, m, a[n], (l, r)[m]"),
    (table, "2 3\n1 2 3\n4 5 6\n", "n, m, g[n][m]"),
    (table, "2 2\n1 2\n4 5\n", "n, m, g[n][m]"),
    (cases, "2\n3\n5 6 7\n1\n9\n", "t, (n, a[n])[t]"),
    (tree, "4\n1 2\n2 3\n3 4\n", "n, (u, v)[n - 1]"),
    (until_zero, "3 1\n4 2\n0\n", "(n, m)[until 0]"),
    (until_two_zeros, "3 1\n4 2\n0 0\n", "(a, b)[until 0 0]"),
    (until_end, "3 1 4 1\n", "x[...]"),
    (text_of_length, "4\nabca\n", "n, s:word{n}"),
    (rows_of_words, "2 3\nabc\ndef\n", "n, m, row:word[n]{m}"),
    (grid_of_characters, "2 3\n#..\n.#.\n", "n, m, g:line[n]{m}"),
    (letter_and_rows, "3 2 W\nOO\nWW\nWW\n", "n, m, c:char, row:line[n]{m}"),
    (first_letters, "rock\npaper\n", "c:line, d:line"),
    (too_few_characters, "2 3\n#..\n.#.\n", "n, m, g:line[n]{m}"),
    (numbers_by_character, "3\n15 6 7\n", "n, a[n]"),
    (characters_of_a_line, "4\nab cd\n", "k, c:line"),
    (lines, "2\nhello you\nbye\n", "n, text:line[n]"),
    (numbers_on_lines, "3\n5 6 7\n", "n, a[n]"),
    (stops_early, "4\n5 6 7 8\n", "n, a[n]"),
]


@pytest.mark.parametrize(("program", "text", "form"), CASES, ids=lambda each: getattr(each, "__name__", None))
def test_the_form_is_found_from_one_input(program: Program, text: str, form: str) -> None:
    found = watch(run(program), [text])
    assert found is not None
    assert str(found.layout.form) == form
    assert found.origin is Origin.PROVED
    assert found.layout.join(found.layout.split(text)) == text

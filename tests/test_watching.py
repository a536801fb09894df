"""What variables held in a run: seen without changing what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn2fix.languages.opening import open_subject
from learn2fix.languages.watching import by_name, told
from learn2fix.model import Input
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent / "zoo"

NESTED = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
typedef struct { int x; } point;
enum side { LEFT, RIGHT };
int total;
static int twice(int a) { if (a < 0) return 0; return a * 2; }
int main(void) {
    char word[20] = "start";
    int list[3] = {0};
    double mean = 0;
    point p = {3};
    enum side where = RIGHT;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            list[i] += twice(j);
    int k = 0;
    do k++; while (k < 5);
    switch (k) {
    case 5:
        total = 10;
        break;
    default:
        total = 1;
    }
    mean = total / 4.0;
    strcpy(word, strchrnul("a,b", ','));
    while (p.x > 0) p.x--;
    printf("%d %s %g\n", total, word, mean);
    fprintf(stderr, "its own words");
    return 0;
}
"""
LAZY = '''"""A text."""
from __future__ import annotations
import sys

class Odd:
    def __repr__(self):
        raise ValueError("not to be shown")

def count(words):
    seen = {}
    for word in words:
        seen[word] = seen.get(word, 0) + 1
    return (n for n in seen.values())

odd = Odd()
line = input().split()
print(sum(count(line)))
sys.exit(3)
'''


def held(path: Path, text: str) -> dict[str, str]:
    with Sandbox() as sandbox:
        subject = open_subject(str(path), sandbox)
        try:
            assert subject.repairable is not None
            (found,) = by_name([subject.repairable.held(Input(text))])
            return found
        finally:
            subject.close()


def test_numbers_texts_and_items_of_every_block_of_a_c_program(tmp_path: Path) -> None:
    (tmp_path / "nested.c").write_text(NESTED)
    assert held(tmp_path / "nested.c", "") == {
        "total": "10",
        "a": "1",
        "word": '",b"',
        "list[0]": "2",
        "list[1]": "2",
        "list[2]": "2",
        "mean": "2.5",
        "where": "1",
        "i": "2",
        "j": "1",
        "k": "5",
    }


def test_variables_of_a_script_and_its_functions(tmp_path: Path) -> None:
    (tmp_path / "lazy.py").write_text(LAZY)
    assert held(tmp_path / "lazy.py", "b a b\n") == {
        "line": "['b', 'a', 'b']",
        "words": "['b', 'a', 'b']",
        "seen": "{'b': 2, 'a': 1}",
        "word": "'b'",
    }


def test_what_the_program_writes_is_not_taken_for_ours() -> None:
    said = b"own words\n\x01f\x02x\x023\nmore\x01g\x02y\x024\n\x01f\x02x\x025\n\x01broken\n"
    assert told(said) == {("f", "x"): "5"}


def test_names_of_two_functions_are_told_apart_in_every_column() -> None:
    columns = by_name([{("f", "x"): "1", ("g", "x"): "2", ("", "n"): "3"}, {("f", "x"): "4"}])
    assert columns == [{"x in f": "1", "x in g": "2", "n": "3"}, {"x in f": "4"}]


C_PROGRAMS = sorted(path for path in ZOO.glob("*/golden.c") if not path.parent.name.startswith("endless"))


@pytest.mark.parametrize("path", C_PROGRAMS[::4], ids=lambda path: path.parent.name)
def test_a_watched_program_of_the_zoo_builds(path: Path) -> None:
    """One that does not build would tell nothing, silently."""
    from learn2fix.languages.c.watching import watched

    with Sandbox() as sandbox:
        subject = open_subject(str(path), sandbox).repairable
        assert subject is not None
        subject.patched(watched(subject.text)).close()
        subject.close()

"""GenProg's normal form of C: what its statements are, and that writing one out changes nothing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.genprog import GenProgEdits
from learn2fix.languages.c.edits.normal_form import Statement, statements
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.model import Candidate, Input, Requirement

PROGRAMS = sorted((Path(__file__).parent / "zoo").glob("*/buggy.c"))[::6]
EVERYTHING = b"""\
#include <stdio.h>
int odd(int n) { return n % 2 != 0 && n > 0 ? 1 : n < 0 && (n % 2 || n == -4) ? -1 : 0; }
int main(void) {
    int n, i, j = 3, most = 1 > 2 || j > 2, table[4] = {1, 2, 3, 4};
    const int fixed = 5;
    char *name = "none";
    if (scanf("%d", &n) != 1) return 1;
    if (n > 2 && n < 9 && n != 5) printf("middle\\n"); else printf("far\\n");
    if (n == 1 || n == 7 || !(n > 0 && n < 8)) { printf("edge\\n"); }
    if (n > 3) if (n < 6) printf("inner\\n");
    for (i = 0, j = 1; i < 4 && j < 20; i++, j *= 2) table[i] += j;
    for (i = 0; i < 4; i++) { if (table[i] == 3) continue; most += table[i]; }
    while (n > 3 || most > 40) { n--; most -= 3; }
    do most++; while (most % 7 && most < 60);
    i = 2, j = n > 1 ? 4 : 6;
    name = n > 2 ? "many" : "few";
    printf("%d %d %s\\n", most + (n == 3 && j), odd(n - 5) * j, name);
    printf("%d %d %s\\n", i, fixed, n % 2 ? "odd" : "even");
    return 0;
}
"""
INPUTS = ("1", "2", "3", "5", "7", "12", "-4")


def of(source: bytes) -> list[Statement]:
    return statements(Program(source, Hints()))


def texts(source: bytes) -> list[str]:
    return [each.text for each in of(source) if each.text]


@pytest.mark.parametrize(
    "source",
    [EVERYTHING, *(p.read_bytes() for p in PROGRAMS)],
    ids=["everything", *(p.parent.name for p in PROGRAMS)],
)
def test_a_statement_in_its_own_place_changes_nothing(source: bytes) -> None:
    """In normal form the program does what it did, whichever of its statements is written out."""
    made = [(each, each.put(each.text)) for each in of(source) if each.put is not None]
    written = [(each, edits) for each, edits in made if edits]
    candidates = [Candidate(tuple(sorted(edits)), "same", 0.0) for _, edits in written]
    assert candidates
    inputs = [Input(text) for text in INPUTS]
    with closing(CEvaluator(source)) as evaluator:
        (original,) = evaluator.add([Candidate((), "original", 0.0)])
        wanted = [
            Requirement(given, response)
            for given, groups in zip(inputs, evaluator.outputs(inputs, [original]), strict=True)
            for response in groups
        ]
        ids = evaluator.add(candidates)
        kept = set(evaluator.judge(wanted, ids).survivors)
    changed = [each.text for number, (each, _) in zip(ids, written, strict=True) if number not in kept]
    assert changed == []


def test_a_condition_is_a_tree_of_ifs() -> None:
    source = b"int f(int a, int b) {\n  if (a > 1 && b > 2) return 1; else return 2;\n  return 3;\n}\n"
    assert "if (b > 2) { return 1; } else { return 2; }" in texts(source)
    results = {edit.apply(source).decode() for edit in GenProgEdits(source, {2: 1.0}).all_edits()}
    head, tail = "int f(int a, int b) {\n  ", "\n  return 3;\n}\n"
    assert f"{head}if (!(a > 1)) {{ return 2; }}{tail}" in results
    copied = "if (a > 1) { if (b > 2) { return 1; } else { return 2; } return 3; } else { return 2; }"
    assert f"{head}{copied}{tail}" in results


def test_an_if_has_an_else_and_a_loop_a_guard() -> None:
    source = b"int f(int a) {\n  int i = 0;\n  while (i < a) i++;\n  if (a > 2) i = 7;\n  return i;\n}\n"
    assert {"i = 0;", "if (!(i < a)) { break; }", "i++;", "i = 7;"} <= set(texts(source))
    results = {
        edit.apply(source).decode() for edit in GenProgEdits(source, dict.fromkeys(range(9), 1.0)).all_edits()
    }
    body = "int f(int a) {{\n  {}\n  {}\n  {}\n  return i;\n}}\n"
    plain = ("int i = 0;", "while (i < a) i++;", "if (a > 2) i = 7;")
    assert body.format("int i;", *plain[1:]) in results
    assert body.format(plain[0], "while (1) i++;", plain[2]) in results
    assert body.format(plain[0], "while (i < a) { i = 0; i++; }", plain[2]) in results
    assert body.format(*plain[:2], "if (a > 2) { i = 7; } else { return i; }") in results
    # A copy that leaves a loop stands in one.
    assert all("break" not in text.partition("if (a > 2)")[2] for text in results)


def test_a_chosen_value_is_decided_on_before_the_statement() -> None:
    source = (
        b'#include <stdio.h>\nint main(void) {\n  int n = 3;\n  puts(n > 2 && n < 5 ? "in" : "out");\n}\n'
    )
    assert {'chosen = "in";', 'if (n < 5) { chosen = "in"; } else { chosen = "out"; }'} <= set(texts(source))
    results = {edit.apply(source).decode() for edit in GenProgEdits(source, {4: 1.0}).all_edits()}
    wanted = 'if (n > 2 && n < 5) { chosen = "in"; chosen = "out"; } else { chosen = "out"; } puts(chosen); }'
    assert any(wanted in text for text in results)
    # Its variable is nowhere else.
    assert all(text.count("char *chosen") == 1 for text in results if "chosen" in text)


def test_first_values_are_statements_and_jumps_are_none() -> None:
    source = b"int f(int a) { int t[3] = {4, 5, 6}; static int s = 1; for (;;) { if (a) break; a = t[1]; } }"
    found = texts(source)
    assert {"t[0] = 4;", "t[1] = 5;", "t[2] = 6;", "a = t[1];"} <= set(found)
    assert "s = 1;" not in found
    assert "break;" not in found

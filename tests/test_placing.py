"""Where edits go in a meta-program: the smallest thing that can hold them."""

from __future__ import annotations

import pytest

from evaluator_conformance import edit as whole_edit
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.judging.placing import Placing
from learn2fix.languages.c.judging.spots import Key, Spots, Use
from learn2fix.model import Candidate, Edit

PROGRAM = rb"""
#include <stdio.h>
#define LIMIT 10
#define TWICE(x) ((x) + (x))
int table[3] = {1, 2, 3};
int total = 5;
static int read_one(void) { int v = 0; scanf("%d", &v); return v; }
int fold(int n, double w) {
    int k = n + 1, left[2] = {n, 4};
    static int kept = 3;
    for (int i = 0; i < LIMIT; i++) {
        if (i == 3) continue;
        total += i * k;
        table[i % 3]++;
    }
    while (read_one() > n && k < 9) k = k + 2;
    switch (n % 4) {
    case 1: total = 7; break;
    default: k--;
    }
    if (n > 2) total = 1; else total = 2;
    printf("%d %f\n", k, w * 2);
    TWICE(k);
    return left[0] + kept;
}
int main(void) { return fold(read_one() + 1, total); }
"""
LOOP = rb"""
#define REP(i, n) for (i = 0; i < n; i++)
int main(void) { int i, s = 0; REP(i, 4) s += i; REP(i, 3) { s++; } return s; }
"""


def edit(source: bytes, old: bytes, new: bytes) -> Edit:
    """Where `old` differs from `new`, and nothing more."""
    found = whole_edit(source, old, new)
    same = next(
        (i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    rest = min(len(old), len(new)) - same
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return Edit(found.start + same, found.end - tail, new[same : len(new) - tail])


def change(source: bytes, old: bytes, new: bytes) -> Candidate:
    return Candidate((edit(source, old, new),), "test", 1.0)


def place(source: bytes, candidates: list[Candidate]) -> tuple[Spots, list[tuple[Use, ...] | None]]:
    spots = Spots()
    placing = Placing(find_sites(source), spots)
    return spots, [placing.place(candidate) for candidate in candidates]


def spot_of(old: bytes, new: bytes, source: bytes = PROGRAM) -> Key | None:
    """The one spot that a change uses; None when it fits nowhere."""
    spots, (uses,) = place(source, [change(source, old, new)])
    if uses is None:
        return None
    ((number, alternative),) = uses
    assert alternative == 1
    return spots.every[number].key


def role(old: bytes, new: bytes, source: bytes = PROGRAM) -> str | None:
    key = spot_of(old, new, source)
    return None if key is None else key.role


def test_edits_of_one_expression_share_its_site() -> None:
    changes = [(b"n + 1", b"n - 1"), (b"n + 1", b"2"), (b"+ 1, left", b"+ 9, left")]
    spots, uses = place(PROGRAM, [change(PROGRAM, old, new) for old, new in changes])
    assert uses == [((0, 1),), ((0, 2),), ((0, 3),)]
    assert spots.every[0].original == b"n + 1"
    assert spots.every[0].alternatives == [b"n - 1", b"2", b"n + 9"]


def test_edits_with_one_result_are_one_alternative() -> None:
    spots, uses = place(PROGRAM, [change(PROGRAM, b"n + 1", b"n - 1"), change(PROGRAM, b"+ 1,", b"- 1,")])
    assert uses == [((0, 1),), ((0, 1),)]
    assert len(spots.every[0].alternatives) == 1


def test_a_candidate_of_several_edits_uses_a_spot_for_each_site() -> None:
    first, second = edit(PROGRAM, b"n + 1", b"n + 2"), edit(PROGRAM, b"k < 9", b"k < 8")
    third = edit(PROGRAM, b"n + 1", b"n - 1")
    candidates = [(second, first), (first,), (), (first, third)]
    spots, uses = place(PROGRAM, [Candidate(edits, "", 0) for edits in candidates])
    assert uses == [((0, 1), (1, 1)), ((0, 1),), (), ((0, 2),)]
    assert [spot.original for spot in spots.every] == [b"n + 1", b"k < 9"]
    assert spots.every[0].alternatives == [b"n + 2", b"n - 2"]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (b"i < LIMIT", b"i <= LIMIT", ("cond", "int", b"i <= LIMIT")),
        (b"int i = 0", b"int i = 1", ("value", "__typeof__(i)", b"1")),
        (b"i++", b"i += 2", ("update", "__typeof__(i)", b"(i)+(2)")),
        (b"total += i * k", b"total -= i", ("assign", "__typeof__(total)", b"(total)-(i)")),
        (b"table[i % 3]++", b"table[i % 3]--", ("update", "__typeof__(table[i % 3])", b"(table[i % 3])-1")),
        (b"k < 9", b"k < 8", ("cond", "int", b"k < 8")),
        (b"n % 4", b"n % 5", ("value", "long", b"n % 5")),
        (b"w * 2", b"w * 3", ("value", "double", b"w * 3")),
        (b'"%d %f\\n"', b'"%d-%f\\n"', ("text", "const char *", b'"%d-%f\\n"')),
        (b"total = 5", b"total = 6", ("global", "__typeof__(total)", b"6")),
        (b"{1, 2, 3}", b"{1, 2, 9}", ("global", "__typeof__(table[2])", b"9")),
        (b"{n, 4}", b"{n, 6}", ("value", "int", b"6")),
        (b"left[0] + kept", b"left[1] + kept", ("value", "int ", b"left[1] + kept")),
    ],
)  # fmt: skip
def test_what_is_evaluated_where(old: bytes, new: bytes, found: tuple[str, str, bytes]) -> None:
    spots, _ = place(PROGRAM, [change(PROGRAM, old, new)])
    (spot,) = spots.every
    assert spot.key.role == "expression"
    assert (spot.how, spot.kind, spot.alternatives[0]) == found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"total += i * k;", b"", "guard"),
        (b"total += i * k;", b";", "guard"),
        (b"total += i * k;", b"if (k > 2) { total += i * k; }", "guard"),
        (b"total += i * k;", b"if (k > 2) total += i * k;", "guard"),
        (b"total += i * k;", b"{ total += i; k++; }", "statement"),
        (b"if (i == 3) continue;", b"if (i == 3) break;", "statement"),
        (b"read_one() > n && k < 9", b"read_one() > n || k < 9", "choice"),
        (b"read_one() > n", b"n < read_one()", "choice"),
        (b"k < 9)", b"k < 9 || n)", "choice"),
        (b"k < 9)", b"(k < 9 || n))", "expression"),
        (b"int k = n + 1", b"long k = n + 1", "copy"),
        (b"static int kept = 3", b"static int kept = 4", "copy"),
        (b"case 1:", b"case 2:", "copy"),
        (b"case 1: total = 7; break;", b"case 1: total = 7;", "copy"),
        (b"total = 7;", b"total = 8;", "expression"),
        (b"k--;", b"k++;", "expression"),
        (b"k--;", b"", "guard"),
        (b"double w", b"float w", None),
        (b"LIMIT 10", b"LIMIT 11", None),
        (b"(x) + (x)", b"(x) * 2", None),
        (b"TWICE(k)", b"TWICE(n)", "statement"),
        (b"int total", b"long total", None),
        (b"main(void) {", b"main(void) { int x;", "copy"),
    ],
)
def test_what_is_no_expression_is_held_by_the_smallest_thing_around_it(
    old: bytes, new: bytes, expected: str | None
) -> None:
    assert role(old, new) == expected


@pytest.mark.parametrize(
    ("put", "expected"),
    [
        (b"k = 3;", Key("assignment", 0, "before", b"k")),
        (b"if (n) k += 2;", Key("assignment", 0, "before", b"k")),
        (b"if (i > k) break;", Key("jump", 0, "before", b"break;")),
        (b"return 4;", Key("jump", 0, "before", b"return 4;")),
        (b"if (k) ", Key("guard", 0)),
        (b"k = read_one();", Key("insertion", 0, "before")),
        (b"while (k > 9) k--;", Key("insertion", 0, "before")),
        (b"int q = 2;", Key("statement", 0)),
        (b"again: ", Key("copy", 0)),
    ],
)
def test_what_is_put_before_a_statement(put: bytes, expected: Key) -> None:
    start = PROGRAM.index(b"total += i * k;")
    spots, _ = place(PROGRAM, [Candidate((Edit(start, start, put),), "", 0)])
    (spot,) = spots.every
    assert spot.key == expected._replace(place=spot.key.place)
    if expected.role not in ("statement", "copy"):
        slot = find_sites(PROGRAM).slots[spot.key.place]
        assert PROGRAM[slot.start : slot.end] == b"total += i * k;"


def test_steps_of_what_is_put_are_counted() -> None:
    start = PROGRAM.index(b"total += i * k;")
    spots, _ = place(PROGRAM, [Candidate((Edit(start, start, b"while (k > 9) k--;"),), "", 0)])
    assert spots.every[0].alternatives == [b"while (k > 9) {if(--l2f_steps<0)l2f_stop();k--;}"]


def test_an_if_put_before_the_branch_of_an_if_would_catch_its_else() -> None:
    assert role(b"total = 1; else", b"if (n > 5) total = 1; else") == "statement"
    first, last = PROGRAM.index(b"total = 1;"), PROGRAM.index(b"total = 1;") + len(b"total = 1;")
    braced = Candidate((Edit(first, first, b"{ if (n > 5) "), Edit(last, last, b" }")), "", 0)
    spots, _ = place(PROGRAM, [braced])
    assert [spot.key.role for spot in spots.every] == ["guard"]


def test_edits_of_two_statements_are_held_by_what_is_around_both() -> None:
    edits = (
        edit(PROGRAM, b"if (i == 3) continue;", b""),
        edit(PROGRAM, b"table[i % 3]++;", b"k = 2; table[0]++;"),
    )
    spots, _ = place(PROGRAM, [Candidate(edits, "", 0)])
    (spot,) = spots.every
    assert spot.key.role == "statement"
    slot = find_sites(PROGRAM).slots[spot.key.place]
    assert PROGRAM[slot.start : slot.end].startswith(b"for (int i")


def test_edits_of_two_functions_fit_nowhere_unless_both_are_expressions() -> None:
    far = edit(PROGRAM, b"+ 1, total", b"+ 2, total")
    value, kind = edit(PROGRAM, b"return v", b"return v + 1"), edit(PROGRAM, b"int k", b"long k")
    assert place(PROGRAM, [Candidate((kind, far), "", 0)])[1] == [None]
    assert place(PROGRAM, [Candidate((value, edit(PROGRAM, b"n + 1", b"n")), "", 0)])[1] != [None]


def test_an_alternative_must_be_of_the_class_that_is_printed() -> None:
    assert role(b"k, w * 2", b"k + 1, w * 2") == "expression"
    assert role(b"k, w * 2", b"2.5, w * 2") == "statement"


def test_bodies_and_heads_of_loop_macros() -> None:
    assert role(b"s += i", b"s -= i", LOOP) == "expression"
    assert role(b"s++;", b"", LOOP) == "guard"
    assert role(b"REP(i, 4)", b"REP(i, 5)", LOOP) == "statement"
    spots, _ = place(LOOP, [change(LOOP, b"REP(i, 4) s += i;", b"REP(i, 5) s++;")])
    assert spots.every[0].alternatives == [b"REP(i, 5) {if(--l2f_steps<0)l2f_stop();s++;}"]

"""The fast evaluator keeps the protocol, agrees with programs compiled one by one, survives what it runs."""

from __future__ import annotations

import random
import time
import tomllib
from array import array
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluator_programs import C
from tests.responses import printed, texts

from evaluator_conformance import ZOO, EvaluatorConformance, change, edit
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.engine import UNDECIDED, EngineError
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.evaluator import Clock, Evaluator, Fed
from learn2fix.model import Candidate, Edit, Input
from test_evaluation_faults import WILD

PROGRAMS = sorted(
    # Edits of arrays go out of bounds or read what was never set: then anything may be printed.
    path.parent.name
    for path in ZOO.glob("*/buggy.c")
    if b"[" not in path.read_bytes()
)


class TestEngine(EvaluatorConformance):
    programs = C

    def make(self, source: bytes, clock: Clock = time.monotonic) -> Evaluator:
        return CEvaluator(source, clock=clock)


def inputs_of(name: str) -> list[Input]:
    about = tomllib.loads((ZOO / name / "subject.toml").read_text())
    return [Input(text) for text in [*about["failing"], "0", "1 2 3", "12 5 9 2", "3\n4 5 6"]]


def answers(evaluator: Evaluator, inputs: Sequence[Input], among: Iterable[int]) -> list[dict[int, str]]:
    found = printed(evaluator.outputs(inputs, among))
    return [{i: text for text, members in groups.items() for i in members} for groups in found]


def alone(source: bytes, candidates: Sequence[Candidate], inputs: Sequence[Input]) -> list[dict[int, str]]:
    """The same candidates, each compiled by itself: a deletion of nothing at the end fits no site."""
    evaluator = CEvaluator(source)
    evaluator.add(candidates)
    evaluator._waiting.clear()
    evaluator._alone += range(len(candidates))
    try:
        return answers(evaluator, inputs, range(len(candidates)))
    finally:
        evaluator.close()


def together(source: bytes, candidates: Sequence[Candidate], inputs: Sequence[Input]) -> list[dict[int, str]]:
    evaluator = CEvaluator(source)
    try:
        return answers(evaluator, inputs, evaluator.add(candidates))
    finally:
        evaluator.close()


def assert_agree(source: bytes, candidates: Sequence[Candidate], inputs: Sequence[Input]) -> None:
    one, many = alone(source, candidates, inputs), together(source, candidates, inputs)
    wrong = {
        i: (candidates[i].edits, given.text, many[n][i], one[n][i])
        for n, given in enumerate(inputs)
        for i in range(len(candidates))
        if many[n][i] != one[n][i]
    }
    assert len(wrong) * 20 <= len(candidates)
    assert [why for i, why in wrong.items() if defined(source, candidates[i], inputs)] == []


STRICT = ("return-type", "uninitialized", "maybe-uninitialized", "format", "array-bounds")
SANITIZED = (
    *("gcc", "-O1", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"),
    *(f"-Werror={word}" for word in STRICT),
    "-lm",
)


def defined(source: bytes, candidate: Candidate, inputs: Sequence[Input]) -> bool:
    """As far as the user's compiler can see, the patched program does nothing undefined on these inputs, and
    what it prints does not depend on what fresh memory holds."""
    found = []
    for fill in ("zero", "pattern"):
        try:
            command = (*SANITIZED, f"-ftrivial-auto-var-init={fill}")
            evaluator = RebuildEvaluator(candidate.apply(source), command=command)
        except BuildError:
            return False
        try:
            found.append(texts(evaluator.original(inputs)))
        finally:
            evaluator.close()
    return found[0] == found[1] and not any("crash" in answer for answer in found[0])


@pytest.mark.parametrize("name", PROGRAMS)
def test_sharing_an_execution_changes_no_answer(name: str) -> None:
    """Hundreds of real edits of each program of the zoo, together and one by one."""
    source = (ZOO / name / "buggy.c").read_bytes()
    every = list(CEdits().candidates(source, Hints()))
    sample = random.Random(name).sample(every, min(len(every), 150))
    assert_agree(source, sample, inputs_of(name)[:3])


@pytest.mark.parametrize("name", ["triangle", "factorial", "password", "average"])
def test_agrees_with_the_users_compiler(name: str) -> None:
    source = (ZOO / name / "buggy.c").read_bytes()
    every = list(CEdits().candidates(source, Hints()))
    sample = random.Random(name + "!").sample(every, 8)
    inputs = inputs_of(name)[:3]
    # Variables that are read before they are set are zero in both.
    reference = RebuildEvaluator(source, command=("gcc", "-O0", "-ftrivial-auto-var-init=zero", "-w", "-lm"))
    try:
        expected = answers(reference, inputs, reference.add(sample))
    finally:
        reference.close()
    found = together(source, sample, inputs)
    wrong = {i for n in range(len(inputs)) for i in range(len(sample)) if found[n][i] != expected[n][i]}
    assert [sample[i].edits for i in wrong if defined(source, sample[i], inputs)] == []


TRICKY = rb"""
#include <stdio.h>
#include <string.h>
#define SQUARE(x) ((x) * (x))
#define LIMIT 10
int table[4] = {1, 2, 3, 4};
int total = 5;
static int calls;
struct point { int x, y; };
int next(int n) { calls++; return n + 1; }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
double half(double v) { return v / 2; }
int main(void) {
    int n, i, j = 3;
    if (scanf("%d", &n) != 1) return 1;
    int room[n > 0 && n < 50 ? n : 1];
    memset(room, 0, sizeof room);
    char word[20] = "abc";
    struct point p = {1, 2}, q;
    float f = n / 4;
    const int fixed = n + 2;
    unsigned long big = 1UL << 40;
    for (i = 0; i < LIMIT; i++) {
        room[i % (n > 0 && n < 50 ? n : 1)] = i * j;
        if (i == 3) continue;
        if (i > 6) break;
        else if (i % 2) total += i; else total -= SQUARE(i);
        switch (i) {
        case 1: total++; break;
        case 2: total *= 2;
        default: table[i % 4] += next(i);
        }
    }
    while (j-- > 0) if (j == 1) total += fib(j + 4);
    q = p;
    q.y += n;
    for (char *s = word; *s; s++) total += *s - 'a';
    do total += calls; while (total < 3 && ++calls < 5);
    printf("%d %d %s %.2f %d %lu\n", total, table[2], word, half(f) + q.y, fixed, big >> 38);
    printf("%d %d\n", room[0], strlen(word) > 2 ? (int)f : -1);
    return 0;
}
"""


def test_all_that_c_offers() -> None:
    """Dangling else, switch, arrays of variable length, structs, recursion, macros, effects in conditions."""
    every = list(CEdits().candidates(TRICKY, Hints()))
    sample = random.Random(1).sample(every, min(len(every), 200))
    # Not where nothing is read: what an edit does with a variable that was never set is up to the compiler.
    assert_agree(TRICKY, sample, [Input("7"), Input("0"), Input("-3")])


ELEMENT_TOO_SOON = b"""#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n, i = 0, *a = NULL;
    scanf("%d", &n);
    a = malloc(n * sizeof *a);
    for (i = 0; i < n; i++) a[i] = i;
    printf("%d", a[n - 1] + i);
    return 0;
}
"""


def test_an_element_that_is_not_there_yet_harms_only_who_sets_it() -> None:
    place = ELEMENT_TOO_SOON.index(b"a = malloc")
    sooner = [Candidate((Edit(place, place, text),), "", 0) for text in (b"a[i]++; ", b"a[i] = 1; ")]
    right = change(ELEMENT_TOO_SOON, b"a[n - 1] + i", b"a[n - 1] - i")
    assert_agree(ELEMENT_TOO_SOON, [*sooner, right], [Input("5")])


ARRAY_IN_A_LOOP = b"""#include <stdio.h>
int main(void) {
    int turns = 0, n;
    while (turns) {
        scanf("%d", &n);
        int a[n], i, sum = 0;
        for (i = 0; i < n; i++) a[i] = i;
        for (i = 0; i < n; i++) sum += a[i];
        printf("%d", sum);
        turns--;
    }
    return 0;
}
"""


def test_alternatives_with_arrays_of_variable_length_do_not_disturb_each_other() -> None:
    loop = ARRAY_IN_A_LOOP[ARRAY_IN_A_LOOP.index(b"while") : ARRAY_IN_A_LOOP.index(b"    return")].rstrip()
    body = loop.partition(b") ")[2]
    ways = [loop.replace(b"while", b"if"), body, b"do " + body + b" while (turns > 0);"]
    assert_agree(ARRAY_IN_A_LOOP, [change(ARRAY_IN_A_LOOP, loop, way) for way in ways], [Input("5")])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"i == 3", b"i = 3"),
        (b"i == 3", b"i++ == 3"),
        (b"i * j", b"i -- j"),
        (b"i * j", b"i - -j"),
        (b"i * j", b"i / (i - 2)"),
        (b"if (i == 3) continue;", b"if (i == 3) { if (n > 5) continue; }"),
        (b"if (i == 3) continue;", b";"),
        (b"if (i == 3) continue;", b""),
        (b"total += i;", b"if (n > 2) total += i;"),
        (b"total += i;", b"{ total += i; break; }"),
        (b"break;", b"{ total++; break; }"),
        (b"j-- > 0", b"--j > 0"),
        (b"q = p;", b"q.x = p.y; q.y = p.x;"),
        (b"q = p;", b"int k = 2; q = p; q.x = k;"),
        (b"1UL << 40", b"1 << 4"),
        (b"f = n / 4", b"f = n / 4.0"),
        (b"float f", b"double f"),
        (b"{1, 2, 3, 4}", b"{1, 2, 9, 4}"),
        (b"3, 4}", b"7, 4}"),
        (b"total = 5", b"total = 6"),
        (b"LIMIT 10", b"LIMIT 5"),
        (b"room[n > 0 && n < 50 ? n : 1]", b"room[60]"),
        (b"case 2:", b"case 3:"),
        (b'"%d %d\\n"', b'"%d-%d\\n"'),
        (b"%.2f", b"%.0f"),
        (b"fib(n - 1)", b"fib(n - 2)"),
        (b"n < 2 ? n :", b"n < 3 ? 1 :"),
        (b"return n + 1;", b"return n + 1 + calls;"),
        (b"total += *s - 'a';", b"total += *(char *)0;"),
        (b"half(f) + q.y", b"half(f) * q.y"),
        (b"half(f) + q.y", b"n"),
        (b"while (total < 3", b"while (total < 3 || 1"),
    ],
)  # fmt: skip
def test_every_kind_of_change(old: bytes, new: bytes) -> None:
    others = [
        change(TRICKY, b"i < LIMIT", b"i < 4"),
        change(TRICKY, b"i > 6", b"i > 5"),
        Candidate((), "", 0),
    ]
    assert_agree(TRICKY, [change(TRICKY, old, new), *others], [Input("7"), Input("1")])


def test_edits_far_apart_are_one_candidate() -> None:
    first, second = edit(TRICKY, b"i < LIMIT", b"i < 4"), edit(TRICKY, b"n + 2", b"n + 3")
    third = edit(TRICKY, b"int calls", b"long calls")
    candidates = [
        Candidate(edits, "", 0) for edits in ((first,), (second,), (first, second), (second, third))
    ]
    assert_agree(TRICKY, candidates, [Input("7")])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"int n, i, j = 3;", b"int n, i, j = 4;"),
        (b"int n, i, j = 3;", b"long n = 2, i, j = 3;"),
        (b"float f", b"double f"),
        (b"case 2:", b"case 3:"),
        (b"case 1: total++; break;", b"case 1: total++;"),
        (b"q = p;", b"int k = 2; q = p; q.x = k;"),
        (b"calls++;", b"static int own; own += 2; calls += own;"),
        (b"return n < 2", b"int m = n; if (m > 3) return 3; return n < 2"),
    ],
)
def test_what_fits_nowhere_else_changes_a_copy_of_its_function(old: bytes, new: bytes) -> None:
    candidates = [change(TRICKY, old, new), change(TRICKY, b"i > 6", b"i > 5")]
    assert_agree(TRICKY, candidates, [Input("7"), Input("1"), Input("x")])
    evaluator = CEvaluator(TRICKY)
    try:
        printed(evaluator.outputs([Input("7")], evaluator.add(candidates)))
        assert not evaluator.alone
    finally:
        evaluator.close()


def test_a_copy_of_main_finds_a_clean_stack() -> None:
    source = b'int main(void) { int a, n; int b[9]; scanf("%d", &n); printf("%d %d", a, b[n]); }'
    changes = [
        change(source, b"int a, n;", b"int a, n, k = 2;"),
        change(source, b"int b[9];", b"long b[300];"),
    ]
    assert together(b"#include <stdio.h>\n" + source, [_shifted(c, 19) for c in changes], [Input("3")]) == [
        {0: "0 0", 1: "0 0"}
    ]


def test_what_does_not_compile_loses_no_other() -> None:
    wrong = [change(TRICKY, b"i > 6", b"i > %d %% 2.5" % n) for n in range(12)]
    wrong += [change(TRICKY, b"int n, i,", b"int n, n, i = %d," % n) for n in range(3)]
    right = [change(TRICKY, b"i > 6", b"i > %d" % n) for n in range(12)]
    mixed = [candidate for pair in zip(wrong, right, strict=False) for candidate in pair] + wrong[12:]
    evaluator = CEvaluator(TRICKY)
    try:
        ids = evaluator.add(mixed)
        found = answers(evaluator, [Input("7")], ids)[0]
        assert (
            {i for i in ids if found[i] == "⟨does not compile⟩"}
            == {i for i in ids if mixed[i] in wrong}
            == evaluator.uncompilable
        )
    finally:
        evaluator.close()


LOOP_MACRO = rb"""
#include <stdio.h>
#define REP(i, n) for (i = 0; i < n; i++)
int main(void) { int i, s = 0, n; scanf("%d", &n); REP(i, n) { s += i; } REP(i, 3) s++; printf("%d", s); }
"""


THREE = b"""#include <stdio.h>
int main(void) {
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
    for (int i = 0; i < 3; i++) {
        a = a + 11;
        b = b + 12;
        c = c + 13;
        printf("%d %d %d ", a, b, c);
    }
    return 0;
}
"""
ADDED = (11, 12, 13)
SPELLINGS = (b"+ %d", b"+ (%d)", b"- -%d")
"""One value written in several ways: such candidates share a process until something tells them apart."""
additions = st.tuples(*(st.tuples(st.sampled_from([own, 1, 2]), st.sampled_from(SPELLINGS)) for own in ADDED))


@settings(max_examples=60, deadline=None)
@given(st.lists(additions, min_size=1, max_size=60, unique=True))
def test_candidates_of_several_edits_part_wherever_they_differ(
    wanted: list[tuple[tuple[int, bytes], ...]],
) -> None:
    def written(wants: Sequence[tuple[int, bytes]]) -> Candidate:
        each = [(b"+ %d" % own, spelling % want) for own, (want, spelling) in zip(ADDED, wants, strict=True)]
        return Candidate(tuple(edit(THREE, old, new) for old, new in each if old != new), "several", 1.0)

    def printed(wants: Sequence[tuple[int, bytes]]) -> str:
        begun = list(zip((1, 2, 3), wants, strict=True))
        return " ".join(str(start + turn * want) for turn in (1, 2, 3) for start, (want, _) in begun)

    evaluator = CEvaluator(THREE)
    try:
        ids = evaluator.add([written(wants) for wants in wanted])
        (found,) = answers(evaluator, [Input("1 2 3")], ids)
        assert found == dict(zip(ids, map(printed, wanted), strict=True))
        for unit in evaluator._units:
            # Nobody got lost on the way: then they would have been looked for, and found, one by one.
            everyone = array("I", range(len(unit.meta.identifiers)))
            assert UNDECIDED not in unit.engine.run(everyone, Fed(b"1 2 3"), 20_000, 5.0).ended
    finally:
        evaluator.close()


BEYOND = rb"""
#include <stdio.h>
int main(void) {
    char word[8] = "abc";
    unsigned sum = 0;
    for (int i = 0; i < 8; i++) sum = sum * 31 + word[i];
    printf("%u\\n", sum);
    return 0;
}
"""


def test_what_lies_beyond_an_array_is_the_same_in_every_run() -> None:
    """Else who reads too far would survive by chance."""
    far = [change(BEYOND, b"i < 8; i", b"i < %d; i" % n) for n in (16, 24, 40, 72)]
    assert together(BEYOND, far, [Input("")]) == together(BEYOND, far, [Input("")])


def test_loop_macros_are_understood() -> None:
    evaluator = CEvaluator(LOOP_MACRO)
    try:
        changes = [(b"s += i", b"s -= i"), (b"s++;", b"s--;"), (b"s += i", b"i = i - 1")]
        changes.append((b"i < n; i++)", b"i <= n; i++)"))
        ids = evaluator.add([change(LOOP_MACRO, old, new) for old, new in changes])
        assert printed(evaluator.outputs([Input("4")], ids)) == [
            {"-3": (0,), "3": (1,), "⟨no answer in time⟩": (2,), "14": (3,)}
        ]
        assert not evaluator._alone[1:]
    finally:
        evaluator.close()


def _shifted(candidate: Candidate, by: int) -> Candidate:
    edits = tuple(Edit(e.start + by, e.end + by, e.text) for e in candidate.edits)
    return Candidate(edits, candidate.kind, candidate.cost)


def test_a_program_that_the_engine_does_not_take() -> None:
    with pytest.raises(EngineError):
        CEvaluator(b"#include <unistd.h>\nint main(void) { return fork(); }")


def test_functions_that_the_engine_does_not_know_are_left_to_the_users_compiler() -> None:
    pid = change(WILD, b"printf(", b'(void)getpid(); printf("x"); printf(')
    none = change(WILD, b"printf(", b"no_such_function(); printf(")
    groups = together(WILD, [pid, none], [Input("5")])
    assert groups[0] == {0: "x5", 1: "⟨does not compile⟩"}


def test_formats_widths_and_signs_are_passed_as_they_are() -> None:
    source = rb"""
#include <stdio.h>
int main(void) {
    char c = -7; short s = 300; unsigned u = 4000000000u; long long w = -5000000000LL; float f = 1.5f; int n;
    scanf("%d", &n);
    printf("%d %d %u %lld %f %c %s\n", c + n, s, u, w, f, 'a' + n, n > 2 ? "big" : "small");
    return n / 2;
}
"""
    swaps = [
        (b"c + n", b"c - n"),
        (b"c + n", b"s"),
        (b"s, u", b"u, s"),
        (b", u,", b", u / 2,"),
        (b"w, f", b"w * n, f / 2"),
    ]
    swaps += [
        (b"w, f", b"w, f + n"),
        (b"'a' + n", b"'b'"),
        (b'"big"', b'"huge"'),
        (b"n > 2", b"n > 9"),
        (b"%u", b"%x"),
    ]
    assert_agree(source, [change(source, old, new) for old, new in swaps], [Input("1"), Input("3")])

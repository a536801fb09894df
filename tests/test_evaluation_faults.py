"""What a candidate does to the engine hurts nobody else: wild writes, floods, records of its own, signals."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing, suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.responses import printed

from evaluator_conformance import change
from learn2fix.languages.c.judging.engine import (
    ENDINGS,
    OUTCOME,
    RESULT,
    UNDECIDED,
    EngineError,
    read_outcomes,
    read_run,
)
from learn2fix.languages.c.judging.engine import _outcome as read_outcome
from learn2fix.languages.c.judging.evaluator import CRASHED, CEvaluator
from learn2fix.model import Candidate, Counted, Edit, Input, Requirement, Response


def together(source: bytes, candidates: Sequence[Candidate], *, linked: bool = False) -> dict[int, str]:
    """What each prints for 5."""
    with closing(CEvaluator(source, linked=linked)) as evaluator:
        (groups,) = printed(evaluator.outputs([Input("5")], evaluator.add(candidates)))
    return {i: text for text, members in groups.items() for i in members}


WILD = rb"""
#include <stdio.h>
#include <string.h>
int a[4];
int main(void) {
    int n; long k = 0;
    scanf("%d", &n);
    for (int i = 0; i < 4; i++) a[i] = n;
    printf("%d\n", a[3]);
    return 0;
}
"""


def test_wild_writes_hurt_only_their_own_candidate() -> None:
    spray = b"for (k = -4000000; k < 4000000; k++) a[k] = 1;"
    stack = b"memset((char *)&n - 100000, 255, 90000);"
    candidates = [
        change(WILD, b"a[i] = n;", b"a[i] = n + 1;"),
        change(WILD, b"scanf", spray + b" scanf"),
        change(WILD, b"scanf", stack + b" scanf"),
        change(WILD, b"a[i] = n;", b"a[i * 100000000] = n;"),
        change(WILD, b"a[3]", b"a[2] + 1"),
    ]
    groups = together(WILD, candidates)
    assert groups[0] == "6"
    assert groups[3] == "⟨crash: SIGSEGV⟩"
    assert groups[4] == "6"


OVERRUN = rb"""
#include <stdio.h>
char s[10], *t;
int c;
int main(void) {
    t = s;
    c = getchar();
    do { *t++ = c; c = getchar(); } while (c != '5' && c != -1);
    printf("%d\n", (int)(t - s));
    return 0;
}
"""


def test_who_writes_over_the_way_to_the_alternatives_has_crashed() -> None:
    # The loop of the last two never ends and writes over all data behind the array, where tables that lead
    # to the alternatives of later places lie; that visit must not be repeated for ever.
    others = [change(OVERRUN, b"(int)(t - s)", b"(int)(t - s) + %d" % n) for n in range(200)]
    endless = [change(OVERRUN, b"c != '5' && c != -1", each) for each in (b"c != '5' || c != -1", b"1")]
    groups = together(OVERRUN, [*others, *endless])
    assert groups[7] == "8"
    assert groups[200] == groups[201] == "⟨crash: SIGSEGV⟩"


SIZED = rb"""
#include <stdio.h>
int sum(int n, int values[n]) {
    int s = 1;
    for (int i = 0; i < n; i++) s += values[i];
    return s;
}
int main(void) {
    int n;
    scanf("%d", &n);
    int values[2] = {n, n};
    printf("%d\n", sum(2, values));
    return 0;
}
"""


def test_parameters_may_have_sizes_that_other_parameters_tell() -> None:
    with closing(CEvaluator(SIZED)) as evaluator:
        ids = evaluator.add([change(SIZED, b"int s = 1", b"int s = 0"), change(SIZED, b"s += ", b"s -= ")])
        (groups,) = printed(evaluator.outputs([Input("5")], ids))
        assert groups == {"10": (0,), "-9": (1,)}
        assert evaluator.fast
        assert not evaluator.alone


DEEP = b"int f(int n) { char big[100000]; return f(n + 1) + big[n % 9]; }\n"


def test_what_a_program_must_not_do_ends_it_alone() -> None:
    flood = change(WILD, b"printf(", b'for (;;) printf("%0200d", 1); printf(')
    deep = change(WILD, b"int main(void) {", DEEP + b"int main(void) { f(1);")
    stop = change(WILD, b"a[i] = n;", b"abort();")
    quiet = change(WILD, b"return 0;", b"return 3;")
    groups = together(b"#include <stdlib.h>" + WILD, [_shifted(c, 19) for c in (flood, deep, stop, quiet)])
    assert groups == {
        0: "⟨endless output⟩",
        1: "⟨crash: SIGSEGV⟩",
        2: "⟨crash: SIGABRT⟩",
        3: "5",
    }


def _shifted(candidate: Candidate, by: int) -> Candidate:
    edits = tuple(Edit(e.start + by, e.end + by, e.text) for e in candidate.edits)
    return Candidate(edits, candidate.kind, candidate.cost)


def system_call(number: int, *arguments: object) -> str:
    """Whatever the engine offers to a program, this it can do; the result is `k`."""
    registers = ", ".join(f'"{r}"((long)({a}))' for r, a in zip("DSd", arguments, strict=False))
    given = f'"a"((long){number})' + (f", {registers}" if registers else "")
    return f'__asm__ volatile("syscall" : "=a"(k) : {given} : "rcx", "r11", "memory");'


def descriptors(number: int, *arguments: object) -> str:
    return "for (int fd = 3; fd < 200; fd++) {" + system_call(number, "fd", *arguments) + "}"


WRITE, CLOSE, PAUSE, GETPID, FORK, EXIT, KILL, TRUNCATE, GETPPID, SETSID = (
    1,
    3,
    34,
    39,
    57,
    60,
    62,
    77,
    110,
    112,
)
ATTACKS = {
    "kills its parent": system_call(GETPPID) + system_call(KILL, "k", 9),
    "kills all": system_call(KILL, -1, 9),
    "stops itself": system_call(GETPID) + system_call(KILL, "k", 19),
    "stops its parent": system_call(GETPPID) + system_call(KILL, "k", 19),
    "closes what is open": descriptors(CLOSE),
    "writes records of its own": descriptors(WRITE, '"Orecords that nobody would believe"', 30),
    "cuts the records off": descriptors(TRUNCATE, 0),
    "ends without a record": system_call(EXIT, 0),
    "leaves a child": system_call(FORK)
    + "if (k == 0) {" + system_call(SETSID) + "for (;;) " + system_call(PAUSE) + "}",
}  # fmt: skip


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="system calls as this machine makes them")
@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_the_engine_hurts_only_its_own_candidate(attack: str, linked: bool) -> None:
    guilty = change(WILD, b"printf(", b"{" + ATTACKS[attack].encode() + b"} printf(")
    before = [change(WILD, b"a[i] = n;", b"a[i] = n + %d;" % n) for n in range(4)]
    after = [change(WILD, b"a[3]", b"a[2] + %d" % n) for n in range(4)]
    answers = together(WILD, [*before, guilty, *after], linked=linked)
    del answers[len(before)]
    assert answers == {0: "5", 1: "6", 2: "7", 3: "8", 5: "5", 6: "6", 7: "7", 8: "8"}


@given(st.binary(min_size=OUTCOME.size, max_size=60))
def test_an_answer_that_makes_no_sense_is_an_error_of_the_engine(data: bytes) -> None:
    try:
        outcome, position = read_outcome(data, 0)
        counted, _ = read_outcome(data, 0, Counted(stderr=True))
    except EngineError:
        kind, _, length = OUTCOME.unpack_from(data)
        assert not 0 <= kind < len(ENDINGS) or OUTCOME.size + length > len(data)
    else:
        assert position <= len(data)
        assert outcome.ending in ENDINGS
        # Output and standard error are parts of what was sent, whatever it says of their length.
        assert outcome.output.startswith(counted.output + counted.stderr)


def packed(outcomes: Sequence[bytes], ended: Sequence[int], lines: int = 0, root: int = UNDECIDED) -> bytes:
    """An answer as the engine writes one."""
    text = RESULT.pack(0, 1, 7, len(outcomes), lines, root, 0, 0.5)
    for body in outcomes:
        text += OUTCOME.pack(0, 0, len(body)) + body
        text += bytes(-len(text) % 4)
    return text + b"".join(each.to_bytes(4, "little") for each in ended) + bytes(8 * lines)


HONEST = packed([b"5", b"seven"], [0, 1, UNDECIDED], lines=4, root=1)


def test_an_honest_answer_is_read() -> None:
    run = read_run(HONEST, 3)
    assert [outcome.output for outcome in run.outcomes] == [b"5", b"seven"]
    assert (run.root, list(run.ended), len(run.earlier)) == (run.outcomes[1], [0, 1, UNDECIDED], 2)


@given(
    st.one_of(
        st.binary(max_size=200),
        st.tuples(st.integers(0, len(HONEST) - 1), st.binary(min_size=1, max_size=8)).map(
            lambda change: HONEST[: change[0]] + change[1] + HONEST[change[0] + len(change[1]) :]
        ),
        st.integers(0, len(HONEST)).map(lambda cut: HONEST[:cut]),
    ),
    st.integers(0, 5),
)
@example(packed([b"5"], [1, 0, 0]), 3)
@example(packed([], [UNDECIDED] * 3, root=0), 3)
@example(RESULT.pack(0, 1, 7, 1 << 31, 0, 0, 0, 0.5), 0)
@example(RESULT.pack(0, 1, 7, 0, 1 << 31, UNDECIDED, 0, 0.5), 0)
@example(RESULT.pack(0, 1, 7, 0, 0, UNDECIDED, 0, float("nan")), 0)
def test_35_whatever_the_engine_says_is_an_answer_or_an_error_of_it(data: bytes, asked: int) -> None:
    try:
        run = read_run(data, asked)
    except EngineError:
        pass
    else:
        assert len(run.ended) == asked
        assert all(each == UNDECIDED or each < len(run.outcomes) for each in run.ended)
        assert run.seconds >= 0
        assert run.steps >= 0
    with suppress(EngineError):
        assert len(read_outcomes(data, asked)) <= max(1, asked)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="system calls as this machine makes them")
@pytest.mark.parametrize("attack", [name for name in ATTACKS if name != "leaves a child"])
def test_35_a_program_that_attacks_the_engine_itself_is_judged_all_the_same(attack: str) -> None:
    """Not a candidate but the program, in every run of it."""
    hostile = WILD.replace(b"printf(", b"{" + ATTACKS[attack].encode() + b"} printf(")
    with closing(CEvaluator(hostile)) as evaluator:
        evaluator.add([change(hostile, b"a[i] = n;", b"a[i] = n + 1;")])
        for answer in evaluator.original([Input("5"), Input("6")]):
            assert str(answer)
        assert len(evaluator.coverage([Input("5")])) == 1
        assert evaluator.judge([Requirement(Input("5"), Response.read("6"))]).judged == 1


LONG_WORD = rb"""
#include <stdio.h>
int main(void) {
    int length;
    scanf("%d", &length);
    if (length > 90) length = length - 3;
    char word[5];
    scanf("%s", word);
    int i = 0, pairs = 0;
    while (word[i + 1]) {
        if (word[i] == word[i + 1]) pairs++;
        i++;
    }
    printf("%d", pairs);
    return 0;
}
"""


def test_a_crash_that_the_alternatives_make_room_against_is_no_cure() -> None:
    more = [change(LONG_WORD, b"length - 3", b"length - 3 + %d" % number) for number in range(1, 9)]
    more += [change(LONG_WORD, b"length > 90", b"length > %d" % number) for number in range(91, 99)]
    room = change(LONG_WORD, b"word[5]", b"word[60]")
    crashing, harmless = Input("20 " + "a" * 20), Input("3 aab")
    with closing(CEvaluator(LONG_WORD)) as evaluator:
        assert [str(found) for found in evaluator.original([crashing, harmless])] == [str(CRASHED), "1"]
        evaluator.add([*more, room])
        requirements = [Requirement(crashing, Response.read("19")), Requirement(harmless, Response.read("1"))]
        assert evaluator.judge(requirements).survivors == (len(more),)


UNSET = rb"""
#include <stdio.h>
int twice(int n) {
    int sum;
    sum += 2 * n;
    return sum;
}
int main(void) {
    int n, sum;
    scanf("%d", &n);
    sum += n;
    printf("%d %d", sum, twice(n));
    return 0;
}
"""


@pytest.mark.parametrize("linked", [False, True])
def test_fresh_memory_holds_what_the_users_compiler_puts_there(linked: bool) -> None:
    pattern = int.from_bytes(b"\xfe" * 4, "little", signed=True)
    candidates = [
        change(UNSET, b"n, sum;", b"n, sum = 0;"),
        change(UNSET, b"int sum;", b"int sum = 0;"),
    ]
    flags = ("-ftrivial-auto-var-init=pattern",)
    with closing(CEvaluator(UNSET, cflags=flags, linked=linked)) as evaluator:
        (before,) = evaluator.original([Input("5")])
        assert str(before) == f"{pattern + 5} {pattern + 10}"
        (groups,) = printed(evaluator.outputs([Input("5")], evaluator.add(candidates)))
        assert groups == {f"5 {pattern + 10}": (0,), f"{pattern + 5} 10": (1,)}

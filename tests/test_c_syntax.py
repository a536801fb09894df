"""The one parser of C: loop macros, pieces of programs, and how deep a program may nest."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.finding import find_sites
from learn2fix.languages.c.scope import build
from learn2fix.languages.c.syntax import (
    MOST_LEVELS,
    TooDeep,
    expression,
    fragment,
    loop_macros,
    parse,
    places,
    statement_types,
)
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import INT

MACROS = b"""#define REP(i, n) for (i = 0; i < n; i++)
#define UNTIL(c) while (!(c))
#define ALL(i) REP(i, 10)
#define MAX(a, b) max((a), (b))
#define R(i,n) REP(i,n)
"""


def test_macros_that_are_loops() -> None:
    assert loop_macros(MACROS) == {b"REP", b"UNTIL", b"ALL", b"R"}


statements = st.recursive(
    st.sampled_from([b"s += 1;", b"f(i, n);", b"if (s) s--; else s++;", b"s = MAX(s, n) + 1;", b"return s;"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: b"{ " + b"\n".join(parts) + b" }"),
        st.tuples(
            st.sampled_from(
                [b"REP(i, n)", b"R(i,n)", b"ALL(j)", b"UNTIL(s > (n - 1))", b"REP(i,\n   f(n, 2))"]
            ),
            inner,
        ).map(b" ".join),
        st.tuples(st.sampled_from([b"for (;;)", b"while (n--)", b"if (s)"]), inner).map(b" ".join),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(statements)
def test_a_loop_macro_is_the_head_of_a_loop(body: bytes) -> None:
    source = MACROS + b"int main(void) { int s = 0; " + body + b" return s; }\n"
    plain = source
    for macro in (b"REP(i, n)", b"R(i,n)", b"ALL(j)", b"UNTIL(s > (n - 1))", b"REP(i,\n   f(n, 2))"):
        plain = plain[: len(MACROS)] + plain[len(MACROS) :].replace(macro, b"for(;;)")
    root, expected = parse(source), parse(plain)
    assert not root.has_error
    calls = 0
    for node in root.walk():
        assert 0 <= node.start <= node.end <= len(source)
        assert all(child.parent is node for child in node.children)
        if node.field == "macro":
            calls += 1
            assert node.type == "loop_macro"
            assert [child.type for child in node.children] == ["argument_list"]
            assert source[node.start : node.end] in body
    assert calls == sum(body.count(name) for name in (b"REP(", b"R(", b"ALL(", b"UNTIL("))
    assert [(place.single, place.node.type) for place in places(root)] == [
        (place.single, place.node.type) for place in places(expected)
    ]
    ours = [source[p.node.start : p.node.end] for p in places(root) if not has_loop(p.node)]
    theirs = [plain[p.node.start : p.node.end] for p in places(expected) if not has_loop(p.node)]
    assert ours == theirs


def has_loop(node: Node) -> bool:
    return any(inner.type == "for_statement" for inner in node.walk())


def test_calls_of_loop_macros_that_are_no_heads_stay_calls() -> None:
    source = MACROS + b"int f(int n) { REP(i, n); return MAX(n, 2) + 1; } REP(i, 3) {}"
    root = parse(source)
    assert [source[node.start : node.end] for node in root.walk() if node.field == "macro"] == [b"REP(i, 3)"]


def test_edits_change_what_is_given_to_a_loop_macro() -> None:
    source = MACROS + b"int main(void) { int i, n = 3, s = 0; REP(i, n) s += i; return s; }"
    every = [candidate.apply(source) for candidate in CEdits().candidates(source, Hints())]
    results = [text for text in every if text.startswith(MACROS)]
    assert any(b"REP(i, n + 1)" in text for text in results)
    assert any(b"REP(i, n) s -= i" in text for text in results)
    assert not [text for text in results if parse(text).has_error]


def test_pieces_of_programs() -> None:
    assert statement_types(b"a = 1; int b; for (;;) ;") == [
        "expression_statement",
        "declaration",
        "for_statement",
    ]
    assert statement_types(b"a = ;") is None
    assert statement_types(b"} void g(void) {") is None
    assert statement_types(b"REP(i, n) a++;") is None
    assert statement_types(b"REP(i, n) a++;", [b"REP"]) == ["for_statement"]
    assert fragment(b"int f(void) { return 1 }") is None
    assert fragment(b"int f(void) { return " + b"(" * 2000 + b"1" + b")" * 2000 + b"; }") is None


@pytest.mark.parametrize("text", [b"a + 1", b"(x) * (y)", b"f(a, b)[2]", b"1 ? 2 : 3", b"-1"])
def test_expressions_stand_where_they_are_said_to(text: bytes) -> None:
    found = expression(text, 100)
    assert found is not None
    assert (found.start, found.end, found.parent) == (100, 100 + len(text), None)


@pytest.mark.parametrize("text", [b"", b"a +", b"a; b", b"int x", b"a, b = 2", b"for (;;)"])
def test_what_is_no_expression(text: bytes) -> None:
    assert expression(text, 0) is None


def program(value: bytes, before: bytes = b"") -> bytes:
    start = (
        b'#include <stdio.h>\nint f(int x) { return x; }\nint main(void) { int a, b = 0; scanf("%d", &a); '
    )
    return start + before + b" b = " + value + b'; printf("%d", b); return 0; }\n'


ELSE_IFS = b"".join(b"if (a == %d) b = %d; else " % (i, i) for i in range(300)) + b";"


@pytest.mark.parametrize(
    "source",
    [
        program(b"a" + b"+1" * 300),
        program(b"a" + b"+f(1)" * 300),
        program(b"f(" * 300 + b"a" + b")" * 300),
        program(b"(" * 300 + b"a" + b")" * 300),
        program(b"".join(b"a==%d?%d:" % (i, i) for i in range(300)) + b"0"),
        program(b"1", b"{" * 300 + b"b++;" + b"}" * 300),
        program(b"1", b"if (" + b"!(" * 300 + b"f(a)" + b")" * 300 + b") b++;"),
        program(b"1", ELSE_IFS),
    ],
    ids=["sum", "calls in a sum", "calls", "parentheses", "arms", "braces", "nots", "else-ifs"],
)
def test_programs_that_nest_deeply_are_edited(source: bytes) -> None:
    candidates = CEdits().candidates(source, Hints())
    assert next(candidates).apply(source) != source
    assert len(find_sites(source).slots) >= 4


@pytest.mark.parametrize(
    "source",
    [
        program(b"a" + b"+1" * 20_000),
        program(b"".join(b"a==%d?%d:" % (i, i) for i in range(4_000)) + b"0"),
        program(b"1", b"{" * 20_000 + b"b++;" + b"}" * 20_000),
    ],
    ids=["sum", "arms", "braces"],
)
def test_programs_that_nest_too_deeply_are_refused_in_a_line(source: bytes) -> None:
    with pytest.raises(TooDeep, match=f"more than {MOST_LEVELS:,} levels") as raised:
        next(CEdits().candidates(source, Hints()))
    assert "\n" not in str(raised.value)
    with pytest.raises(TooDeep):
        find_sites(source)


@pytest.mark.parametrize(
    "text",
    [
        b"const N = 5;\nint main(void) { int a[N]; return N; }\n",
        b"static count, last = 2;\nint main(void) { register i; return count + last; }\n",
        b"#define M(x) x\nmain()\n{\n    return M(1);\n}\n",
        b"static twice(int a) { return 2 * a; }\nmain(void) { return twice(3); }\n",
    ],
)
def test_a_declaration_without_a_type_is_one_of_int(text: bytes) -> None:
    root = parse(text)
    assert not root.has_error
    assert "main" in [text[name.start : name.end].decode() for name in _declared(root)]
    missing = [node for node in root.walk() if node.type == "implicit_int"]
    assert missing
    assert all(node.start == node.end for node in missing)
    for node in root.walk():
        for child in node.children:
            assert node.start <= child.start <= child.end <= node.end
    symbols = build(root, text.decode()).symbols
    assert {symbol.type.base for symbol in symbols} == {INT}


def _declared(root: Node) -> list[Node]:
    return [f.of("declarator").of("declarator") for f in root.children if f.type == "function_definition"]


def test_only_what_helps_is_read_as_an_int() -> None:
    text = b"int main(void) { return 0; }\nint broken( { ;\n"
    assert not [node for node in parse(text).walk() if node.type == "implicit_int"]
    text = b'// main() {\nint main(void) { puts("\\n"\n"static x;"); return @; }\n'
    assert not [node for node in parse(text).walk() if node.type == "implicit_int"]

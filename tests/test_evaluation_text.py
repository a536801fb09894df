"""Text woven into programs, and what is known of expressions without parsing them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.languages.c.judging import prelude
from learn2fix.languages.c.judging.expressions import one_line, pure, shape, value_class
from learn2fix.languages.c.judging.instrument import lines, per_line, steps
from learn2fix.languages.c.judging.weave import Wrap, weave
from learn2fix.languages.c.syntax import parse
from learn2fix.model import Edit, apply_edits

CALLABLE = frozenset({b"abs", b"sqrt"})


@st.composite
def nested_wraps(draw: st.DrawFn) -> tuple[bytes, list[Wrap]]:
    """Ranges that nest or are disjoint, made by splitting ranges."""
    size = draw(st.integers(0, 30))
    source = bytes(draw(st.lists(st.sampled_from(b"abc"), min_size=size, max_size=size)))
    wraps: list[Wrap] = []
    ranges = [(0, size)]
    for number in range(draw(st.integers(0, 6))):
        start, end = draw(st.sampled_from(ranges))
        first = draw(st.integers(start, end))
        second = draw(st.integers(first, end))
        if first < second:
            wraps.append(Wrap(first, second, b"(%d" % number, b")%d" % number))
            ranges = [r for r in ranges if r != (start, end)] + [
                (start, first),
                (first, second),
                (second, end),
            ]
    return source, wraps


@settings(deadline=None)
@given(nested_wraps())
def test_wraps_nest(made: tuple[bytes, list[Wrap]]) -> None:
    source, wraps = made
    woven = weave(source, wraps)
    stack: list[int] = []
    rest = bytearray()
    position = 0
    while position < len(woven):
        if woven[position : position + 1] == b"(":
            stack.append(woven[position + 1])
            position += 2
        elif woven[position : position + 1] == b")":
            assert stack.pop() == woven[position + 1]
            position += 2
        else:
            rest.append(woven[position])
            position += 1
    assert stack == []
    assert bytes(rest) == source


@settings(deadline=None)
@given(st.binary(max_size=30), st.data())
def test_without_wraps_weaving_is_patching(source: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(source)), min_size=4, max_size=4)))
    edits = (Edit(cuts[0], cuts[1], b"x"), Edit(cuts[2], cuts[3], b"yy"))
    assert weave(source, [], edits) == apply_edits(source, edits)


def test_an_edit_takes_the_wraps_that_it_breaks() -> None:
    source = b"one two three"
    wraps = [Wrap(4, 7, b"<", b">"), Wrap(8, 13, b"[", b"]")]
    assert weave(source, wraps, [Edit(2, 6, b"-")]) == b"on-o [three]"
    assert weave(source, wraps, [Edit(5, 6, b"W")]) == b"one <tWo> [three]"
    # At the beginning of a range: what is replaced lies inside, what is inserted before it.
    assert weave(source, wraps, [Edit(4, 5, b"T")]) == b"one <Two> [three]"
    assert weave(source, wraps, [Edit(4, 4, b"a ")]) == b"one a <two> [three]"


@pytest.mark.parametrize(
    "text",
    [b"a", b"a+b*(c-1)", b"a[i+1].x", b"abs(a) + sqrt(2.0)", b"c == ')'", b"sizeof(int) * a",
     b"(long long)(a)", b"p->x"],
)  # fmt: skip
def test_expressions_that_may_be_tried(text: bytes) -> None:
    assert pure(text, CALLABLE)


@pytest.mark.parametrize(
    "text",
    [b"", b" ", b"a = b", b"a += 1", b"a <<= 1", b"i++", b"--i", b"f(a)", b"a, b", b"(a", b"a)", b"a; b",
     b"a[1", b"{1}", b"(a = b)", b"abs(i++)", b"'", b'"abc', b"a }"],
)  # fmt: skip
def test_expressions_that_may_not(text: bytes) -> None:
    assert not pure(text, CALLABLE)


def test_a_macro_with_effects_makes_an_expression_impure() -> None:
    assert pure(b"READ + 1", CALLABLE)
    assert not pure(b"READ + 1", CALLABLE, frozenset({b"READ"}))


@settings(deadline=None)
@given(st.text(alphabet="ab()[];+", max_size=12))
def test_well_formed_is_balanced(text: str) -> None:
    left = text
    while (less := re.sub(r"\([^][();]*\)|\[[^][();]*\]", "", left)) != left:
        left = less
    assert shape(text.encode())[0] == (not re.search(r"[][();]", left))


@pytest.mark.parametrize(
    ("text", "kind"),
    [(b"a + 1", "i"), (b"d", "f"), (b"a * 2.5", "f"), (b"a < 2.5", "?"), (b"&a", "p"), (b'"x"', "p"),
     (b"other", "?"), (b"0x1e", "i"), (b"1e3", "f"), (b"(int)d", "?")],
)  # fmt: skip
def test_classes_of_values(text: bytes, kind: str) -> None:
    assert value_class(text, {b"a": "i", b"d": "f", b"int": "i"}) == kind


def test_one_line_keeps_strings() -> None:
    assert one_line(b'a /* no */ + // end\n b "// yes /* */"') == b'a   +    b "// yes /* */"'


def test_steps_are_counted_in_every_loop_and_function() -> None:
    source = b"int f(int n) { while (n) n--; do { n++; } while (n < 3);"
    source += b" again: n++; if (n < 9) goto again; return n; }"
    woven = weave(source, steps(parse(source), b"S;"))
    assert woven.count(b"S;") == 4
    assert not parse(woven.replace(b"S;", b"S();")).has_error


def test_lines_of_long_statements() -> None:
    source = b"int f(int a,\n int b) {\n  if (a >\n b)\n    return a;\n  else return\n b;\n}\n"
    wraps, spoken = lines(source, "c")
    assert len(wraps) == len(spoken) == 3
    assert per_line([2, 1, 0], spoken) == {3: 2, 4: 2, 5: 1, 6: 0, 7: 0}


def test_declarations_of_what_is_used() -> None:
    text = prelude.declarations(
        ["stdio.h", "limits.h"], {"printf", "INT_MAX", "sqrt", "M_PI", "mine"}, {"mine"}
    )
    assert "int printf(const char*,...);" in text
    assert "#define INT_MAX" in text
    assert "double sqrt(double);" in text
    assert "M_PI" not in text
    assert prelude.declarations(["stdio.h"], {"printf"}, {"printf"}).strip() == ""


def test_unknown_headers_are_kept() -> None:
    assert prelude.replaceable(b"#include <stdio.h>\n#include <math.h>\n")
    assert not prelude.replaceable(b'#include <stdio.h>\n#include "mine.h"\n')

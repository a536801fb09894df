"""Whatever the program, every edit of it is Python: programs made up by Hypothesis."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Collection

import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st

from learn2fix.edits.catalogue import Operator
from learn2fix.edits.ordering import candidates
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.errors import BuildError
from learn2fix.languages.python.edits import insertions, results
from learn2fix.languages.python.edits.generator import CATALOGUE
from learn2fix.languages.python.edits.program import Program

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")

WHOLE_STATEMENTS = (insertions.__name__, results.__name__)
OF_EXPRESSIONS = [operator for operator in CATALOGUE if operator.propose.__module__ not in WHOLE_STATEMENTS]
HINTS = Hints(inputs=((3,),), expected=("'it\\'s'", "[1]"))

ATOMS = (
    "a", "b", "xs", "s", "n", "0", "1", "7", "-2", "0.5", "2.0", "1j", "'x'", '"é"', "b''", "'''y\nz'''",
    "'p' 'q'", "None", "True", "...", "[]", "{}", "()", "f'{a}'", 'f"{n:.2f} "', "self.x", "xs[0]", "xs[-1]",
    "f(a)",
)  # fmt: skip
# What may need parentheses when it moves.
PARTS = (
    "not a", "a if b else n", "lambda: a", "(lambda q: n)", "(q := a)", "(yield a)", "(i for i in xs)",
    "await b", "a < b", "a in xs", "a or b", "a and n", "a | b", "-a", "a - 1", "a * b", "a ** b", "(a, b)",
    "(a\n + b)", "(a)", "(a or b)", "(1)", "xs[a:b]", "[*xs, a]",
)  # fmt: skip
# Every kind of expression in every kind of place; § stands for a smaller one.
GROWN = (
    "(§)", "((§))", "(§\n)", "§ + §", "§+§", "§ - §", "§ * §", "§ / §", "§//§", "§ % §", "§ ** §", "§ & §",
    "§|§", "§ ^ §", "§ << §", "§ @ §", "-§", "~§", "+§", "not §", "not(§)", "§ and §", "§ or §",
    "§ or § and §", "§ < §", "§<=§", "§ == § != §", "§ is not §", "§ in §", "§ not in §", "§<§<§",
    "§ is None", "§ == 1 or §", "§ if § else §", "(§)if(§)else(§)", "lambda: §", "lambda q, r=§: §",
    "(q := §)", "q := §", "(yield)", "yield §", "(yield from §)", "await §", "(await §)",
    "[§]", "[§, §]", "[*§, §]", "[§, *§]", "(§, §)", "§, §", "*§, §", "(*§,)", "{§, §}", "{§: §}",
    "{**§, §: §}", "[§ for q in §]", "[§ for q in § if §]", "{§ for q in §}", "{§: § for q in § if § if §}",
    "(§ for q in §)", "sum(§ for q in §)", "sorted(§ for q in xs)", "max(§)", "max(§, §)", "min(§, §, §)",
    "f(§, k=§)", "f(*§, §)", "f(§, **§)", "f(k=§, **§)", "f(*§, start=§)", "int(§)", "round(§)", "len(§)",
    "pow(§, **§)", "get(**§)", "sorted(§, key=§)", "range(§)", "range(§, §)", "range(§, §, §)",
    "math.floor(§)", "s.find(§)", "(§).strip()", "§.join(§)", "d.get(§)", "d.pop(*§)", "d.get(**§)", "xs[§]",
    "xs[§:§]", "xs[§:]",
    "xs[::§]", "xs[§:§:§]", "xs[§, §]", "xs[*§]", "(§)[§]", "(§).real", "(§).x", "(§)(§)", "f'{§}'",
    "f'{§!r:>{§}} y'", 'f"{§} {§:.1f}"', "f'''{§}\n{§}'''", "f'{§}' 'z'", "f'\\ {§}'",
)  # fmt: skip
STATEMENTS = (
    "return §", "return(§)", "a = §", "a = b = §", "(a) = §", "a: int = §", "a += §", "a -= §", "xs[§] = §",
    "f(§)[§:] = §", "(§).x = §", "xs[§:] = §", "(§).x += §", "a, (b, *xs) = §", "[a, *b] = §", "del xs[§]",
    "del f(§)[§:], a", "print(§)", "§", "assert §", "assert §, §", "raise § from §", "yield §",
    "a = yield §", "a; b = §", "global a", "import math",
)  # fmt: skip
JUMPS = ("break", "continue", "return", "pass", "pass  # nothing", '"""Text."""')
# How compound statements begin, and what else they may have or need.
COMPOUND = (
    ("if §", "elif §"), ("if(§)", "else"), ("while §", "else"), ("while(§)", ""), ("for i in §", "else"),
    ("for i, (j, *k) in §", ""), ("with §", ""), ("with § as q", ""), ("with (§) as (q, a)", ""),
    ("def g(a=§, *, b=§)", ""), ("@f(§)\ndef g(q)", ""), ("@f\nclass C(§)", ""), ("async def g()", ""),
    ("async for i in §", ""), ("try", "except E as e"), ("try", "finally"),
    ("match §:\n    case -1 | a.b", ""), ("match §:\n    case [a, *_] if §", ""),
)  # fmt: skip


@st.composite
def filled(draw: st.DrawFn, template: str, depth: int) -> str:
    first, *rest = template.split("§")
    return first + "".join(draw(expressions(depth)) + part for part in rest)


@st.composite
def expressions(draw: st.DrawFn, depth: int) -> str:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(ATOMS + PARTS))
    return draw(filled(draw(st.sampled_from(GROWN)), depth - 1))


@st.composite
def statements(draw: st.DrawFn, depth: int) -> str:
    return draw(filled(draw(st.sampled_from(STATEMENTS)), depth))


@st.composite
def blocks(draw: st.DrawFn, depth: int = 2) -> str:
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 4))
        if kind == 0:
            parts.append(draw(st.sampled_from(JUMPS)))
        elif kind < 3 or depth == 0:
            parts.append(draw(statements(1)))
        else:
            head, tail = draw(st.sampled_from(COMPOUND))
            for branch in (head, tail) if head == "try" or (tail and draw(st.booleans())) else (head,):
                indent = "        " if branch.startswith("match") else "    "
                parts.append(draw(filled(branch, 1)) + ":")
                parts.append(textwrap.indent(draw(blocks(depth - 1)), indent))
    return "\n".join(parts)


def check(text: str, operators: Collection[Operator[Program]], every: int = 1) -> None:
    """All candidates parse, or those at every so many places beyond the first hundreds."""
    source = text.encode()
    try:
        ast.parse(source)
        program = Program(source, HINTS)
    except (SyntaxError, BuildError):
        reject()
    for place, candidate in enumerate(candidates(operators, priors("python"), program)):
        if place < 300 or place % every == 0:
            result = candidate.apply(source)
            try:
                ast.parse(result)
            except SyntaxError:
                raise AssertionError(f"{candidate.kind}:\n{text}\n→\n{result.decode()}") from None


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(statements(2))
@example("a = [*xs, not not a]")
@example("a, (b, *xs) = a")
@example("(() + 1j).x = 2.0")
@example("(not ()).x = a")
@example("xs[(yield)] = a")
@example("xs[a] = [(yield)]")
def test_edits_of_expressions_are_python(statement: str) -> None:
    check(f"async def f(a, b, xs, s, n=2):\n    a = 1\n    {statement}\n", OF_EXPRESSIONS)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(blocks(), st.booleans())
@example("def g(q):\n    return q\ndef g(a):\n    return a", True)
def test_edits_of_statements_are_python(block: str, ended: bool) -> None:
    text = "async def f(a, b, xs, s, n=2):\n" + textwrap.indent(block, "    ")
    check(text + "\n" if ended else text, list(CATALOGUE), every=17)

"""Every operator of C: its example, its prior, and what holds for whatever it proposes."""

from __future__ import annotations

import math
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.edits.catalogue import Catalogue, Operator, Unusual
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CATALOGUE, CEdits
from learn2fix.languages.c.edits.parsed import squeezed
from learn2fix.languages.c.edits.program import Program

HINTS = Hints(inputs=((4123,),), expected=("Impossible",))
"""What the examples of operators that take values or texts of a failing test are about."""


@pytest.mark.parametrize("operator", tuple(CATALOGUE), ids=lambda operator: operator.name)
def test_an_operator_makes_its_example(operator: Operator[Program]) -> None:
    before = CATALOGUE.framed(operator.before).encode()
    made = [found.apply(before).decode() for found in CEdits([operator]).candidates(before, HINTS)]
    assert squeezed(CATALOGUE.framed(operator.after)) in map(squeezed, made)


def test_every_operator_has_a_prior_and_every_prior_an_operator() -> None:
    assert {operator.name for operator in CATALOGUE} == set(priors("c").operators)


def test_no_two_operators_share_a_name() -> None:
    catalogue: Catalogue[str] = Catalogue("c")
    enter = catalogue.operator("x", why="", before="", after="")
    enter(lambda _: iter(()))
    with pytest.raises(ValueError, match="two operators of c are called 'x'"):
        enter(lambda _: iter(()))


def test_costs_are_finite_and_traits_never_make_a_change_likelier() -> None:
    costs = priors("c")
    assert all(math.isfinite(cost) for cost in costs.operators.values())
    assert all(0 <= cost < math.inf for cost in costs.traits.values())


NAMES = st.sampled_from(["a", "b", "c", "x", "t[a]", "t[b + 1]", "N"])
NUMBERS = st.sampled_from(["0", "1", "2", "7", "10", "100", "1000000007", "0.5", "'k'", "-3"])
BINARY = st.sampled_from(["+", "-", "*", "/", "<", "<=", "==", "!=", "&&", "||", "&", ">>"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, BINARY, inner),
        st.builds("({})".format, inner),
        st.builds("!({})".format, inner),
        st.builds("(int)({})".format, inner),
        st.builds("abs({})".format, inner),
        st.builds("f({}, {})".format, inner, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES, NUMBERS), _larger, max_leaves=6)
SIMPLE = st.one_of(
    st.builds("a = {};".format, EXPRESSIONS),
    st.builds("t[b] += {};".format, EXPRESSIONS),
    st.builds('printf("%d %s\\n", {}, "Yes");'.format, EXPRESSIONS),
    st.just('scanf("%d,%c", &a, &b);'),
    st.just("c++;"),
    st.just("int p[3] = {1, 2, 4};"),
)
STATEMENTS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds("if ({}) {}".format, EXPRESSIONS, inner),
        st.builds("if ({}) {{ {} }} else {}".format, EXPRESSIONS, inner, inner),
        st.builds("while ({}) {{ {} {} }}".format, EXPRESSIONS, inner, inner),
        st.builds("for (a = 0; a < b; a++) {}".format, inner),
        st.builds("switch (a) {{ case 1: {} default: break; }}".format, inner),
    ),
    max_leaves=4,
)
PROGRAMS = st.builds(
    "#define N 50\nint f(int u, int v) {{ return u; }}\n"
    "int main(void) {{\n int a, b = 1, c; double x; int t[9];\n {}\n {}\n return 0;\n}}\n".format,
    STATEMENTS,
    STATEMENTS,
)


@settings(max_examples=25, deadline=None)
@given(PROGRAMS, st.booleans())
def test_every_candidate_of_any_program_applies_and_comes_by_cost(text: str, hinted: bool) -> None:
    source, hints = text.encode(), HINTS if hinted else Hints(suspicion={5: 0.9, 6: 0.2})
    found = list(islice(CEdits().candidates(source, hints), 3_000))
    results = [squeezed(candidate.apply(source).decode()) for candidate in found]
    assert len(set(results)) == len(results)
    assert squeezed(text) not in results
    assert all(one.cost <= other.cost for one, other in pairwise(found))
    for candidate in found:
        ends = [0, *(edit.end for edit in candidate.edits)]
        starts = [*(edit.start for edit in candidate.edits), len(source)]
        assert all(end <= start for end, start in zip(ends, starts, strict=True))


@settings(max_examples=10, deadline=None)
@given(PROGRAMS)
def test_whatever_an_operator_proposes_has_traits_that_are_known(text: str) -> None:
    program, known = Program(text.encode(), HINTS), priors("c").traits
    for operator in CATALOGUE:
        for proposal in operator.propose(program):
            assert not isinstance(proposal, Unusual) or set(proposal.traits) <= set(known)

"""Inputs made on purpose, and inputs that are better not asked about."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain import Range, call_domain
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.forms import read_form
from learn2fix.fuzzing import Corpus, constants, corners, infer, wide
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.c.undefined import Undefined
from learn2fix.model import Answer, Input, Kind, Question, Verdict
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Session
from line_domain import KINDS, Line

integers = st.integers(-(10**6), 10**6)
numbers = st.one_of(integers, st.fractions(max_denominator=8))


@given(st.lists(numbers, min_size=1, max_size=4), st.integers(), st.integers(1, 12))
def test_wide_inputs_are_new_and_keep_kind_and_sign(
    values: list[int | Fraction], seed: int, digits: int
) -> None:
    domain = Line([Range() for _ in values], [KINDS[type(value)] for value in values])
    start = domain.render(values)
    contract = infer([values])
    made = list(
        islice(wide(domain, [start], [7, 100], contract, random.Random(seed), {start.text}, digits), 30)
    )
    assert len({new.text for new in made} | {start.text}) == len(made) + 1
    longest = max([digits, *(len(str(abs(int(value)))) for value in values)])
    for new in made:
        assert [type(value) for value in new.values] == [type(value) for value in values]
        assert all(abs(value) <= max(10**longest, 101) for value in new.values)
        for value, old in zip(new.values, values, strict=True):
            assert value >= 0 or old < 0


def test_numbers_of_any_length_are_tried_where_they_can_be_read() -> None:
    """Python's numbers have no limit: neither those given nor those in the program are cut off."""
    domain = Line([Range()], [Kind.INT])
    start = domain.render([10**30])
    known = constants(f"return n > {10**25}")
    assert known == (10**25,)
    made = list(islice(wide(domain, [start], known, infer([(10**30,)]), random.Random(1), set()), 60))
    assert any(abs(new.values[0] - 10**25) <= 1 for new in made)
    assert any(new.values[0] > 10**27 for new in made)


def test_an_empty_list_leads_to_large_elements_of_lists_that_do_something_new() -> None:
    domain = FormLayout(read_form("n, a[n]")).domain()
    empty, other = domain.parse("0"), domain.parse("1 5")
    corpus = Corpus()
    corpus.note(other, ["a new line"])
    known = infer([empty.values])
    made = list(islice(wide(domain, [empty], [], known, random.Random(1), set(), 9, corpus), 40))
    assert any(number > 10**5 for new in made for number in new.values[0])


def test_no_number_is_tried_that_the_program_cannot_read() -> None:
    domain = Line([Range()], [Kind.INT])
    start = domain.render([7])
    made = list(islice(wide(domain, [start], [10**25], infer([(7,)]), random.Random(1), set(), 9), 60))
    assert made
    assert all(abs(new.values[0]) <= 10**9 for new in made)


@given(st.lists(st.integers(0, 10**30)))
def test_the_numbers_of_a_program_are_found(known: list[int]) -> None:
    text = "int x1 = 0;" + "".join(f" if (x1 > {number}) f(y2, 1.5e3);" for number in known)
    assert constants(text) == tuple(sorted({0, *known}))


ODD = """#include <stdio.h>
int main(void) {
    int squares[8], n, unset;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < 8; i++) squares[i] = i * i;
    if (n == 5) unset = 3; else if (n == 6) scanf("%d", &unset);
    if (n > 90) printf("%d\\n", unset); else printf("%d\\n", n < 20 ? squares[n] : n * 1000000000);
    return 0;
}
"""


def test_undefined_is_out_of_bounds_or_never_set_but_not_overflow(tmp_path: Path) -> None:
    source = tmp_path / "odd.c"
    source.write_text(ODD)
    with Sandbox() as sandbox:
        subject = CSubject(source, None, sandbox)
        check = Undefined(subject)
        try:
            said = check.complains([Input("3"), Input("9"), Input("5"), Input("40"), Input("95")])
        finally:
            check.close()
            subject.close()
    assert said == [False, True, False, False, True]


def test_a_question_is_made_on_purpose_where_the_best_fixes_differ(tmp_path: Path) -> None:
    """Near 3 and 4 nothing tells a sum from one that is cut at the program's own limit."""
    limit = 100_000
    source = tmp_path / "capped.c"
    source.write_text(
        "#include <stdio.h>\n"
        "int main(void) {\n"
        "    long a, b;\n"
        '    if (scanf("%ld %ld", &a, &b) != 2) return 1;\n'
        "    long sum = a + b, capped = sum;\n"
        f"    if (capped > {limit}) capped = {limit};\n"
        '    printf("%ld\\n", a);\n'
        "    return 0;\n"
        "}\n"
    )

    def right(question: Question) -> Answer:
        a, b = question.observation.input.values
        expected = str(min(a + b, limit))
        shown = str(question.observation.outcome.response)
        return Answer(Verdict.OK) if shown == expected else Answer(Verdict.BUG, expected)

    with Session.create(str(source), ["3 4"], Options(seed=1, timeout=1e6, expected="7")) as session:
        conversation = session.conversation()
        asked = []
        try:
            question = next(conversation)
            while True:
                asked.append(question)
                question = conversation.send(right(question))
        except StopIteration as stop:
            result = stop.value
    assert "capped" in result.patches[0].description
    assert any(max(question.observation.input.values) > 10_000 for question in asked)


def test_corners_have_one_value_that_is_nothing() -> None:
    domain = call_domain(["[3, 1], 'ab', 4, True, None"], ["xs", "s", "n", "b", "o"])
    start = domain.parse("[3, 1], 'ab', 4, True, None")
    texts = [each.text for each in corners(domain, [start])]
    assert texts == ["[], 'ab', 4, True, None", "[3, 1], '', 4, True, None", "[3, 1], 'ab', 0, True, None"]
    assert corners(domain, [domain.parse("[], '', 0, True, None")]) == []

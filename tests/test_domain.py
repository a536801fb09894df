"""Text to values and back: exact, whatever the spelling; ranges; outputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain import (
    Range,
    call_domain,
    format_number,
    infer_ranges,
    output_values,
    output_variables,
    parse_number,
    parse_ranges,
    words_domain,
)
from learn2fix.domain.ranges import numbers_in
from learn2fix.errors import UsageError
from learn2fix.model import Ending, Kind, Observation, Outcome, Variable, canonical

decimals = st.builds(
    lambda n, places: Fraction(n, 10**places), st.integers(-(10**12), 10**12), st.integers(0, 9)
)
number_texts = st.one_of(
    st.integers(-(10**40), 10**40).map(str),
    st.from_regex(r"[-+]?[0-9]{1,8}\.[0-9]{0,6}([eE][-+]?[0-9]{1,2})?", fullmatch=True),
    st.from_regex(r"[-+]?0{0,3}[0-9]{1,20}", fullmatch=True),
)
spaces = st.text(alphabet=" \t\n", min_size=1, max_size=3)


@given(st.integers())
def test_an_integer_of_any_size_is_read_as_it_is_written(value: int) -> None:
    assert parse_number(format_number(value)) == value


@given(decimals)
def test_a_decimal_is_read_as_it_is_written(value: Fraction) -> None:
    assert parse_number(format_number(value)) == value


@pytest.mark.parametrize(
    "token", ["nan", "inf", "-inf", "0x10", "1_000", "", "-", "1e9999999", "٣", "1" * 401]
)
def test_what_is_no_plain_number_is_text(token: str) -> None:
    assert parse_number(token) is None


@given(st.lists(number_texts, min_size=1, max_size=6), st.lists(spaces, min_size=5, max_size=5), spaces)
def test_words_are_written_back_byte_for_byte(tokens: list[str], between: list[str], end: str) -> None:
    text = "".join(t + g for t, g in zip(tokens, [*between, ""], strict=False)).rstrip() + end
    domain = words_domain([text])
    parsed = domain.parse(text)
    assert parsed.text == text
    assert domain.render(parsed.values).text == text


@given(st.lists(st.integers(), min_size=3, max_size=3))
def test_changed_values_read_back_and_the_layout_stays(values: list[int]) -> None:
    domain = words_domain(["  1\t2\n 3\n"])
    text = domain.render(values).text
    assert list(domain.parse(text).values) == values
    assert text.startswith("  ")
    assert text.endswith("\n")
    assert text.count("\t") == 1


def test_a_number_keeps_its_spelling_until_it_changes() -> None:
    domain = words_domain(["007 +5 1e3"])
    assert domain.render([7, 5, Fraction(1000)]).text == "007 +5 1e3"
    assert domain.render([8, 5, Fraction(1000)]).text == "8 +5 1e3"


def test_types_come_from_all_examples() -> None:
    domain = words_domain(["1 2 x", "1 2.5 y"])
    assert [v.kind for v in domain.variables] == [Kind.INT, Kind.REAL, Kind.TEXT]
    assert [v.name for v in domain.variables] == ["i1", "i2", "i3"]
    assert not domain.numeric


def test_another_number_of_values_is_refused_with_a_hint() -> None:
    domain = words_domain(["1 2 3"])
    with pytest.raises(UsageError, match=r"has 1 value, not 3"):
        domain.parse("7")
    with pytest.raises(UsageError, match=r"has 2 values, not 3.*i1, i2, i3"):
        domain.parse("1 2")
    with pytest.raises(UsageError, match="i2 must be a whole number"):
        domain.parse("1 x 3")


literals = st.recursive(
    st.one_of(
        st.integers(),
        st.booleans(),
        st.none(),
        st.text(max_size=5),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=3), inner, max_size=2),
    ),
    max_leaves=6,
)


@given(st.lists(literals, min_size=1, max_size=4), st.integers(0, 4))
def test_a_call_is_read_as_python_reads_it(values: list[object], positional: int) -> None:
    names = [f"p{i}" for i in range(len(values))]
    parts = [
        repr(v) if i < positional else f"{n}={v!r}"
        for i, (n, v) in enumerate(zip(names, values, strict=True))
    ]
    text = ", ".join(parts)
    domain = call_domain([text], names)
    again = domain.parse(domain.render(domain.parse(text).values).text)
    assert again.values == domain.parse(text).values
    assert again.text == domain.render(again.values).text
    for value, given_value, variable in zip(again.values, values, domain.variables, strict=True):
        assert value == given_value or (variable.kind is Kind.REAL and float(value) == given_value)


def test_keywords_in_any_order_and_defaults_left_out() -> None:
    domain = call_domain(["qty=3, price=100"], ["price", "qty", "rate"])
    assert [v.name for v in domain.variables] == ["price", "qty"]
    assert domain.parse("price=1, qty=2").values == (1, 2)
    assert domain.render((5, 6)).text == "price=5, qty=6"
    assert domain.parse("5, qty=6").values == (5, 6)


@pytest.mark.parametrize(
    "text",
    ["1, 2, 3", "1, b=2, b=3", "c=1", "__import__('os')", "1 +", "*[1]", ")(", "", "1, 2) or f(3", "**{}"],
)
def test_what_is_no_call_of_plain_values_is_one_clear_line(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        call_domain([text], ["a", "b"])
    assert "\n" not in str(caught.value)


def test_a_real_parameter_takes_whole_numbers_and_writes_a_float() -> None:
    domain = call_domain(["x=1"], ["x"], {"x": Kind.REAL})
    assert domain.parse("x=0.1").values == (Fraction(1, 10),)
    assert domain.render((Fraction(2),)).text == "x=2.0"


def test_ranges_are_given_by_name_or_for_all() -> None:
    variables = (Variable("a"), Variable("b"))
    assert parse_ranges(["a=1..100"], variables) == (Range(1, 100), Range())
    assert parse_ranges(["0.."], variables) == (Range(0, None), Range(0, None))
    assert parse_ranges(["b=-5..-1"], variables)[1] == Range(-5, -1)
    for wrong in ("a=5..1", "c=1..2", "a", "a=x..2", "=1..2"):
        with pytest.raises(UsageError):
            parse_ranges([wrong], variables)


def test_ranges_are_inferred_from_known_inputs() -> None:
    domain = words_domain(["1 10", "5 -3"])
    inputs = [domain.parse("1 10"), domain.parse("5 -3")]
    ranged = domain.with_ranges(infer_ranges(inputs, domain.variables))
    assert ranged.inside((3, 0))
    assert not ranged.inside((6, 0))
    assert not ranged.inside((3, 11))


def test_the_range_of_a_list_is_that_of_its_numbers() -> None:
    domain = call_domain(["[3, 1], {'a': 2.5}, 'x', True, None"], ["xs", "prices", "word", "flag", "rest"])
    ranged = domain.with_ranges(parse_ranges(["1..10"], domain.variables))
    assert ranged.inside(([1, 10, (2, {3})], {"a": 2.5}, "0", False, None))
    assert not ranged.inside(([1, 11], {"a": 2.5}, "0", False, None))
    assert not ranged.inside(([1], {"a": 0.5}, "0", False, None))
    assert parse_ranges(["xs=0.."], domain.variables)[0] == Range(0, None)
    for wrong in ("word=1..2", "flag=0..1"):
        with pytest.raises(UsageError, match="has no range"):
            parse_ranges([wrong], domain.variables)


@given(
    st.recursive(
        st.one_of(st.integers(-20, 20), st.floats(-20, 20), st.booleans(), st.text(max_size=3), st.none()),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(st.text(max_size=2), inner)
        ),
        max_leaves=8,
    )
)
def test_a_range_covers_what_none_of_its_numbers_leaves(value: Any) -> None:
    numbers = list(numbers_in(value))
    assert Range(-5, 5).covers(value) == all(-5 <= number <= 5 for number in numbers)
    assert Range().covers(value)


def exited(text: str) -> Outcome:
    return Outcome(Ending.EXITED, text.encode())


def test_outputs_are_numbers_where_numbers_were_printed() -> None:
    one = output_variables(exited("42\n"))
    assert one == (Variable("output", Kind.INT),)
    assert output_values(exited(" 2.50 \n"), one) == (Fraction(5, 2),)
    assert output_values(exited("YES"), one) == ("YES",)
    assert output_values(Outcome(Ending.SIGNALLED, b"42", 11), one) == ("⟨crash: SIGSEGV⟩",)
    two = output_variables(exited("1 2.5"))
    assert [v.name for v in two] == ["output1", "output2"]
    assert output_values(exited("7"), two) == ("7", "7")
    assert output_variables(exited("YES"))[0].kind is Kind.TEXT
    assert output_variables(exited("1"), frozenset({"output"}))[0].name == "output_"


def test_a_point_is_the_inputs_then_the_output() -> None:
    domain = words_domain(["2 2 2"]).with_output(exited("2"))
    assert domain.point(Observation(domain.parse("1 2 3"), exited("3\n"))) == (1, 2, 3, 3)
    assert [v.name for v in domain.all_variables] == ["i1", "i2", "i3", "output"]


@given(st.text(alphabet="ab \t\r\n", max_size=30))
def test_comparison_forgets_blank_lines_and_surrounding_space_only(text: str) -> None:
    kept = canonical(text)
    assert kept == canonical("\n \n" + text + "  \n\n")
    assert "".join(kept.split()) == "".join(text.split())
    assert canonical(kept) == kept


def test_space_inside_a_line_counts() -> None:
    assert canonical("a  b") != canonical("a b")
    assert canonical("a\nb") != canonical("a b")
    assert canonical(b"\xff\x00x") != canonical(b"\xfe\x00x")

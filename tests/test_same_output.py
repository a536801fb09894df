"""When a program prints what is expected: numbers with a fraction by value, everything else as text."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from learn2fix.domain.outputs import same_output
from learn2fix.domain.values import alike
from learn2fix.model import OUTPUT_ONLY, Counted, Ending, Input, Observation, Outcome, Response, canonical
from learn2fix.store.codec import observation_from_json, observation_to_json


def printed(text: str, status: int | None = None, stderr: str | None = None) -> Response:
    return Response(Ending.EXITED, text, status, stderr)


TEXTS = st.text("01279.-+e \nax⟨", max_size=12)
NUMBERS = st.decimals(-(10**9), 10**9, places=6)


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ("3", "3.000000", True),
        ("3.000000", "3", True),
        ("2.5", "2.50", True),
        ("2.50", "2.5", True),
        ("0.33", "0.333333", True),
        ("-0.0", "0.000", True),
        ("1e3", "1000.0", True),
        ("x = 2.5, y = 1\nok", "x = 2.50, y = 1.0\nok", True),
        ("3", "3.4", False),
        ("0.333333", "0.33", False),  # digits that a person wrote are meant
        ("2.5", "2.54", False),  # too few to be rounded
        ("0.33", "0.336", False),
        ("7", "007", False),
        ("1.2.30", "1.2.3", False),  # a version is no number
        ("v1.10", "v1.1", False),
        ("2.5 1", "2.50  1", False),
        ("2.5", "2.50\n1", False),
        ("2.5", "", False),
        ("nan", "2.5", False),
        ("x 2.5", "y 2.5", False),
    ],
)
def test_what_a_person_means(expected: str, found: str, same: bool) -> None:
    assert same_output(Response.read(expected), printed(found)) is same


@given(TEXTS, TEXTS, st.sampled_from([None, 0.0, 1e-6]))
def test_the_same_is_the_same_and_printed_outputs_have_no_direction(
    one: str, other: str, tolerance: float | None
) -> None:
    for text in (one, other):
        assert same_output(printed(text), printed(text), tolerance)
        assert same_output(Response.read(text), Response.read(text), tolerance)
    if tolerance is None:
        assert same_output(printed(one), printed(other)) == same_output(printed(other), printed(one))


@given(NUMBERS, st.integers(0, 5))
def test_zeros_at_the_end_say_nothing(number: Decimal, more: int) -> None:
    longer = f"{number}" + "0" * more
    for one, other in ((f"{number}", longer), (longer, f"{number}")):
        assert same_output(printed(one), printed(other))
        assert same_output(printed(one), printed(other), 0.0) is (one == other)


@given(NUMBERS, st.integers(2, 5))
def test_who_rounds_means_the_number(number: Decimal, places: int) -> None:
    rounded = number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    assert same_output(Response.read(f"{rounded}"), printed(f"{number}"))
    # What a program printed is not rounded: it has the digits that it has.
    assert same_output(printed(f"{rounded}"), printed(f"{number}")) is (rounded == number)


@given(NUMBERS, NUMBERS, st.floats(1e-9, 1.0))
@example(Decimal("1.000000"), Decimal("1.500000"), 0.5)
@example(Decimal("1000.000000"), Decimal("1001.000000"), 1e-3)
def test_an_error_may_be_absolute_or_relative(right: Decimal, number: Decimal, tolerance: float) -> None:
    apart = abs(Fraction(right) - Fraction(number))
    near = apart <= Fraction(tolerance) * max(1, abs(Fraction(right)))
    assert same_output(printed(f"{right}"), printed(f"{number}"), tolerance) is near


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_whole_numbers_are_exact_whatever_the_tolerance(one: int, other: int) -> None:
    assert same_output(printed(f"{one}"), printed(f"{other}"), 0.5) is (one == other)


def test_a_status_or_standard_error_that_nobody_named_may_be_any() -> None:
    found = printed("2.50", 3, "no such file")
    assert same_output(printed("2.5"), found)
    assert same_output(printed("2.5", 3), found)
    assert not same_output(printed("2.5", 4), found)
    assert not same_output(printed("2.5", 3, "other"), found)
    assert not same_output(printed(""), Response(Ending.TIMEOUT))


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (0.3, 0.30000000000000004, True),
        ([1, (2.0, {"x": 3.5})], [1, (2.0000001, {"x": 3.5})], True),
        (1, 1.0000001, True),
        (1, 2, False),
        (float("inf"), 5.0, False),
        (1.0, 10**400, False),
        (1.5, "1.5", False),
        (True, 1.0, False),
    ],
)
def test_values_of_python_functions_within_a_tolerance(one: object, other: object, near: bool) -> None:
    assert alike(one, other, 1e-6) is near
    assert alike(other, one, 1e-6) is near


WORDS = st.text("abc 12.\n", max_size=10)


@given(WORDS, st.integers(0, 255), WORDS, st.booleans(), st.booleans())
def test_what_counts_is_written_and_read_back(
    output: str, status: int, stderr: str, status_counts: bool, stderr_counts: bool
) -> None:
    counted = Counted(status_counts, stderr_counts)
    outcome = Outcome(Ending.EXITED, output.encode(), status, stderr=stderr.encode(), counted=counted)
    assert Response.read(str(outcome.response)) == outcome.response
    stored = observation_from_json(observation_to_json(Observation(Input("1"), outcome)))
    assert stored.outcome.response == outcome.response
    assert outcome.answered is (status_counts or bool(outcome.response.text))


@given(st.integers(1, 255))
def test_only_what_counts_tells_outcomes_apart(status: int) -> None:
    fine, other = Outcome(Ending.EXITED, b"1"), Outcome(Ending.EXITED, b"1", status, stderr=b"oh")
    assert fine.response == other.response
    assume(status != fine.status)
    for counted in (Counted(status=True), Counted(stderr=True)):
        told = [
            Outcome(o.ending, o.output, o.status, stderr=o.stderr, counted=counted) for o in (fine, other)
        ]
        assert told[0].response != told[1].response


def test_what_counts_in_words() -> None:
    assert str(OUTPUT_ONLY) == "output"
    assert str(Counted(status=True)) == "output and exit status"
    assert str(Counted(True, True)) == "output, exit status and standard error"


@given(st.text(" *\t\nab", max_size=20), st.booleans())
def test_layout_is_a_matter_of_white_space_alone(text: str, layout: bool) -> None:
    shown = canonical(text, layout)
    assert canonical(shown, layout) == shown
    assert canonical(shown) == canonical(text)
    assert canonical(text + " \n\n", layout) == shown


def test_indentation_counts_with_the_layout_only() -> None:
    assert canonical("  *\n\n ***  \n") == "*\n***"
    assert canonical("  *\n\n ***  \n", layout=True) == "  *\n\n ***"
    shown = Outcome(Ending.EXITED, b" *\n***\n", counted=Counted(layout=True))
    assert shown.response == Response.read(" *\n***", layout=True) != Response.read("*\n***", layout=True)

"""C functions that take and give more than numbers."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.fuzzing.fuzzer import Fuzzer
from learn2fix.fuzzing.mutations import EXTENDED
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.c.values import find_signature
from learn2fix.languages.opening import open_subject
from learn2fix.sandbox import Sandbox

HEADER = """#pragma once
#include <stdbool.h>
typedef int money;
typedef enum { LOW, HIGH } level;
typedef struct { int x; double y; } point;
struct item { char name[16]; money price; unsigned char code; point at; };
"""
SOURCE = """#include <string.h>
#include "types.h"
static int range(const int *a, int n) {
    int low = a[0], high = a[0];
    for (int i = 1; i < n; i++) { if (a[i] < low) low = a[i]; if (a[i] > high) high = a[i]; }
    return high - low;
}
void sort(int a[], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n; j++)
            if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
}
point mirror(point p, bool over_x) { if (over_x) p.x = -p.x; return p; }
money worth(const struct item *items, int count, level l) {
    money sum = 0;
    for (int i = 0; i < count; i++) sum += items[i].price;
    return l == HIGH ? 2 * sum : sum;
}
struct item same(struct item i) { return i; }
void upper(char *s) { for (; *s; s++) if (*s >= 'a' && *s <= 'z') *s -= 32; }
const char *tail(const char *s) { return strlen(s) > 1 ? s + 1 : 0; }
int divide(int a, int b, int *rest) { *rest = a % b; return a / b; }
money twice(money m) { return 2 * m; }
void move(point *p, double by) { p->y += by; }
int deep(int **p) { return **p; }
int called(int (*f)(int)) { return f(1); }
void silent(const char *s) { (void)s; }
int *address(int x) { static int y; y = x; return &y; }
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("values")
    (folder / "types.h").write_text(HEADER)
    (folder / "code.c").write_text(SOURCE)
    return folder / "code.c"


@pytest.mark.parametrize(
    ("name", "call", "answer"),
    [
        ("range", "[3, 1, 2], 3", "2"),
        ("sort", "[3, 1, 2], 3", "a=[1, 2, 3]"),
        ("sort", "a=[], n=0", "a=[]"),
        ("mirror", "{'x': 1, 'y': 2.5}, True", "{'x': -1, 'y': 2.5}"),
        ("worth", "[{'name': 'a', 'price': 3, 'code': 1, 'at': {'x': 0, 'y': 0}}], 1, 1", "6"),
        ("upper", "'az it\\'s'", "s='AZ IT\\'S'"),
        ("tail", "'abc'", "'bc'"),
        ("tail", "'a'", "None"),
        ("divide", "7, 2, 0", "3, rest=1"),
        ("twice", "21", "42"),
        ("move", "{'x': 1, 'y': 0.5}, 1", "p={'x': 1, 'y': 1.5}"),
    ],
)
def test_a_call_is_answered(source: Path, sandbox: Sandbox, name: str, call: str, answer: str) -> None:
    subject = open_subject(f"{source}:{name}", sandbox)
    given_input = subject.domain([call]).parse(call)
    assert str(subject.run([given_input])[0].response) == answer
    assert subject.repairable is not None
    with closing(subject.repairable.evaluator(time.monotonic)) as evaluator:
        assert str(evaluator.original([given_input])[0]) == answer
    subject.close()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deep", r"`int \*\*p` of deep in code.c cannot be written as a value \(numbers, enums, bool"),
        ("called", r"`int \(\*f\)\(int\)` of called"),
        ("silent", "gives no answer"),
        ("address", r"returns `int \*`"),
    ],
)
def test_what_cannot_be_called_is_refused(source: Path, sandbox: Sandbox, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        open_subject(f"{source}:{name}", sandbox)


@pytest.mark.parametrize(
    ("name", "call", "words"),
    [
        ("sort", "[1, 2], 3", "a has 2 items and n is 3"),
        ("mirror", "{'x': 1}, True", "p must be {'x': …, 'y': …}"),
        ("mirror", "{'x': 'a', 'y': 1}, True", r"p\['x'\] must be a whole number"),
        ("mirror", "{'x': 'a', 'y': 1}, True", "for the letter 'a' write 97"),
        ("upper", "3", "s must be a text"),
        ("divide", "7, 2", "rest"),
        ("range", "[1.5], 1", "an item of a must be a whole number"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(
    source: Path, sandbox: Sandbox, name: str, call: str, words: str
) -> None:
    subject = open_subject(f"{source}:{name}", sandbox)
    with pytest.raises(UsageError, match=words):
        subject.domain([call])
    subject.close()


def test_lengths_follow_from_lists(source: Path, sandbox: Sandbox) -> None:
    subject = open_subject(f"{source}:sort", sandbox)
    domain = subject.domain(["[3, 1, 2], 3"])
    assert [variable.name for variable in domain.variables] == ["a"]
    assert domain.render(([5, 4],)).text == "[5, 4], 2"
    with pytest.raises(UsageError, match="a has 1 item and n is 2"):
        domain.parse("[1], 2")
    subject.close()


ITEM = st.fixed_dictionaries(
    {
        "name": st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3),
        "price": st.integers(-(2**31), 2**31 - 1),
        "code": st.integers(0, 255),
        "at": st.fixed_dictionaries(
            {"x": st.integers(-(2**31), 2**31 - 1), "y": st.floats(-1e30, 1e30, allow_subnormal=False)}
        ),
    }
)


@pytest.fixture(scope="module")
def same(source: Path, sandbox: Sandbox) -> Iterator[CSubject]:
    subject = open_subject(f"{source}:same", sandbox)
    assert isinstance(subject, CSubject)
    yield subject
    subject.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ITEM)
def test_a_struct_comes_back_as_it_went_in(same: CSubject, item: dict[str, Any]) -> None:
    call = repr(item)
    answer = same.run([same.domain([call]).parse(call)])[0]
    assert ast.literal_eval(answer.output.decode()) == item


def test_a_signature_is_read_off_the_last_file() -> None:
    found = find_signature(b"typedef long big;\nint f(const big *b, char s[8]) { return *b; }", "f", "f.c")
    assert [(p.name, p.const, p.answers) for p in found.parameters] == [
        ("b", True, False),
        ("s", False, True),
    ]


TYPED = b"""typedef enum { RED = 1, BLUE, GREEN = 7 } colour;
typedef struct { colour paint; unsigned char doors; } plain;
int price(plain car, colour wanted, unsigned short year) { return car.doors + wanted + year; }
"""


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_generated_calls_are_of_the_declared_types(seed: int) -> None:
    """Structs with all their members, enums with what they name, numbers that the type can hold."""
    domain = find_signature(TYPED, "price", "t.c").domain(["{'paint': 2, 'doors': 4}, 1, 2000"])
    seeds = [domain.parse("{'paint': 2, 'doors': 4}, 1, 2000")]
    found = Fuzzer(domain, seeds, random.Random(seed), operators=EXTENDED).take(30)
    assert found
    for made in found:
        car, wanted, year = made.values
        assert car.keys() == {"paint", "doors"}
        assert {car["paint"], wanted} <= {1, 2, 7}
        assert 0 <= car["doors"] <= 255
        assert 0 <= year <= 65535


def test_a_call_with_what_no_enum_names_is_taken_as_it_is() -> None:
    domain = find_signature(TYPED, "price", "t.c").domain(["{'paint': 3, 'doors': 4}, 1, 2000"])
    assert domain.inside(({"paint": 5, "doors": 4}, 9, 2000))


def test_a_number_that_the_type_cannot_hold_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^year must be from 0 to 65535 \(it is `unsigned short`\), not -1"):
        find_signature(TYPED, "price", "t.c").domain(["{'paint': 2, 'doors': 4}, 1, -1"])

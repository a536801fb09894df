"""What expressions mean to the solver is what they are when executed, and what is solved for parts fixes."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.languages.c import symbolic as c
from learn2fix.languages.python import symbolic as python
from learn2fix.languages.symbolic import Meaning, parting, value

NAMES = "abc"
LEAVES = st.sampled_from([*NAMES, "1", "2", "7", "100"])


def expressions(binary: list[str], unary: list[str]) -> st.SearchStrategy[str]:
    """Divisors are numbers, so that nobody divides by zero."""

    def larger(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        divided = st.tuples(part, st.sampled_from(["/", "%"]), st.sampled_from(["3", "(-4)"]))
        joined = st.tuples(part, st.sampled_from(binary), part)
        return st.one_of(
            st.one_of(divided, joined).map(lambda each: f"({' '.join(each)})"),
            st.tuples(st.sampled_from(unary), part).map(lambda each: f"({' '.join(each)})"),
        )

    return st.recursive(LEAVES, larger, max_leaves=6)


VALUES = st.fixed_dictionaries({name: st.integers(-300, 300) for name in NAMES})
COMMON = ["+", "-", "*", "<", "<=", ">", ">=", "==", "!="]


@given(expressions([*COMMON, "and", "or"], ["-", "not"]), VALUES)
def test_a_python_expression_is_read_as_it_is_evaluated(text: str, values: dict[str, int]) -> None:
    text = text.replace("/", "//")
    assert value(ast.parse(text, mode="eval").body, values, truncates=False) == int(eval(text, dict(values)))


@pytest.fixture(scope="module")
def samples() -> list[tuple[str, dict[str, int]]]:
    found: list[tuple[str, dict[str, int]]] = []

    @given(expressions([*COMMON, "&&", "||"], ["-", "!"]), VALUES)
    def collect(text: str, values: dict[str, int]) -> None:
        found.append((text, values))

    collect()
    return found


def test_a_c_expression_is_read_as_it_is_compiled(
    samples: list[tuple[str, dict[str, int]]], tmp_path: Path
) -> None:
    lines = []
    for text, values in samples:
        held = ", ".join(f"{name} = {number}" for name, number in values.items())
        lines.append(f'{{ volatile long long {held}; printf("%lld\\n", (long long)({text})); }}')
    source = tmp_path / "all.c"
    source.write_text("#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
    subprocess.run(["gcc", "-w", "-o", tmp_path / "all", source], check=True)
    printed = subprocess.run([tmp_path / "all"], check=True, capture_output=True, text=True).stdout.split()
    assert len(printed) == len(samples) >= 50
    for (text, values), output in zip(samples, printed, strict=True):
        assert value(c.expression(text), values, truncates=True) == int(output), (text, values)


def parted(one: str, two: str, *names: str, language: str = "c") -> list[dict[str, int]]:
    read = c.meaning if language == "c" else python.meaning
    meanings = [read(text.encode()) for text in (one, two)]
    assert isinstance(meanings[0], Meaning)
    assert isinstance(meanings[1], Meaning)
    return list(parting(meanings[0], meanings[1], names))


def test_assignments_and_conditions_on_the_way_are_followed() -> None:
    program = """int f(int a, int b) {{
        int s = a * 3;
        if (b < 1000) return 0;
        s += b;
        if (s {} 123456) return 1;
        return 2;
    }}"""
    found = parted(program.format("<"), program.format("<="), "a", "b")
    assert found
    assert all(3 * each["a"] + each["b"] == 123456 and each["b"] >= 1000 for each in found)


def test_what_a_loop_leaves_behind_is_unknown_and_items_are_proposed() -> None:
    program = """int main(void) {{ int n, i, k, a[9], s = 0; scanf("%d %d", &n, &k);
        for (i = 0; i < n; i++) {{ scanf("%d", &a[i]); if (a[i] {} k * 1000) s++; }} printf("%d", s); }}"""
    found = parted(program.format(">"), program.format(">="), "k", "a")
    assert found
    assert all(each["a[i]"] == 1000 * each["k"] for each in found)


def test_an_inserted_branch_is_entered() -> None:
    body = "def f(x):\n    y = x - 5\n{}    return y\n"
    found = parted(body.format(""), body.format("    if y == 70000: return 0\n"), "x", language="python")
    assert found == [{"x": 70005}]


def test_nothing_is_proposed_where_no_value_parts_them() -> None:
    assert not parted("int f(int a) { return a < 5; }", "int f(int a) { return a <= 4; }", "a")

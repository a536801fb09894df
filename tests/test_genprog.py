"""GenProg's edits of statements: what holds in every language, and what only in one."""

from __future__ import annotations

import ast
import random
import textwrap
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python_programs import SCRIPT, SHOP

from learn2fix.languages.c.edits.genprog import GenProgEdits as CEdits
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.protocol import StatementEdits
from learn2fix.languages.python.edits.genprog import GenProgEdits as PythonEdits
from learn2fix.model import Candidate

ZOO = Path(__file__).parent / "zoo"
JUMPS = textwrap.dedent(
    '''\
    import sys
    def search(rows, key):
        """Where the key is."""
        found = None
        for row in rows:
            if not row: continue
            for place, each in enumerate(row):
                if each == key:
                    found = (row, place)
                    break
            else:
                found = None
                continue
            break
        else:
            return -1
        with open("x") as file:
            text = """a
        b"""
        def inner():
            nonlocal found
            found = 1
            return found
        try:
            inner()
        except ValueError as error:
            raise KeyError(key) from error
        finally:
            key = [k for k in rows]; text += "é"
        return found
    class Walk:
        size = 3
        def __iter__(self):
            for x in range(self.size):
                yield x
    async def wait(x):
        await x
    match sys.argv:
        case [_, word]:
            print(search([], word))
        case _:
            print("none")'''
).encode()


def is_c(source: bytes) -> bool:
    return not parse(source).has_error


def is_python(source: bytes) -> bool:
    """Whether it compiles: a `return` outside of a function parses, and is no program."""
    with warnings.catch_warnings(action="ignore"):
        try:
            compile(source, "program.py", "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


@dataclass(frozen=True)
class Language:
    edits: Callable[[bytes, Mapping[int, float]], StatementEdits]
    is_program: Callable[[bytes], bool]
    sources: tuple[bytes, ...]


LANGUAGES = {
    "c": Language(CEdits, is_c, tuple(p.read_bytes() for p in sorted(ZOO.glob("*/buggy.c")))),
    "python": Language(
        PythonEdits,
        is_python,
        (SHOP, SCRIPT, JUMPS, *(p.read_bytes() for p in sorted(ZOO.glob("*/buggy.py")))),
    ),
}
PROGRAMS = [(name, source) for name, language in LANGUAGES.items() for source in language.sources]


def weights(source: bytes) -> dict[int, float]:
    return {line: 1.0 if line % 2 else 0.1 for line in range(1, source.count(b"\n") + 2)}


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_edit_is_a_program(name: str) -> None:
    language, kinds = LANGUAGES[name], set()
    for source in language.sources:
        assert language.is_program(source)
        edits = list(language.edits(source, weights(source)).all_edits())
        kinds |= {edit.kind for edit in edits}
        for edit in edits[:60] + random.Random(1).sample(edits, min(len(edits), 60)):
            assert language.is_program(edit.apply(source)), edit.apply(source).decode()
    assert kinds == {"delete", "append", "swap"}


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PROGRAMS), st.integers(0, 10**6))
def test_mutation_and_crossover_give_programs(program: tuple[str, bytes], seed: int) -> None:
    name, source = program
    rng, language = random.Random(seed), LANGUAGES[name]
    edits = language.edits(source, weights(source))
    parents = [Candidate((), "original", 0.0), Candidate((), "original", 0.0)]
    for _ in range(4):
        parents = [edits.mutate(parent, rng) for parent in parents]
        for child in (*parents, *edits.crossover(parents[0], parents[1], rng)):
            result = child.apply(source)
            assert all(0 <= e.start <= e.end <= len(source) for e in child.edits)
            if name == "c":
                assert result.count(b"{") == result.count(b"}")
            else:
                ast.parse(result)


@pytest.mark.parametrize("name", LANGUAGES)
def test_mutation_is_repeatable(name: str) -> None:
    language = LANGUAGES[name]
    source = language.sources[0]
    runs = [
        language.edits(source, weights(source)).mutate(Candidate((), "", 0.0), random.Random(7))
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def results(edits: StatementEdits, source: bytes) -> dict[str, str]:
    return {edit.apply(source).decode(): edit.kind for edit in edits.all_edits()}


def test_only_weighted_lines_are_edited_in_c() -> None:
    source = b"int main(void) {\n  int a = 1;\n  a = 2;\n  a = 3;\n  return a;\n}\n"
    texts = results(CEdits(source, {3: 1.0}), source)
    assert "int main(void) {\n  int a = 1;\n  \n  a = 3;\n  return a;\n}\n" in texts
    assert "int main(void) {\n  int a = 1;\n  a = 2;\n  return a;\n  a = 3;\n  return a;\n}\n" in texts
    assert "int main(void) {\n  int a = 1;\n  a = 3;\n  a = 2;\n  return a;\n}\n" in texts
    assert list(texts.values()).count("delete") == 1


def test_only_weighted_lines_are_edited_in_python() -> None:
    source = b"def f(a):\n    b = a\n    if a:\n        b = 2\n    return b\n"
    texts = results(PythonEdits(source, {4: 1.0}), source)
    assert texts == {
        "def f(a):\n    b = a\n    if a:\n        pass\n    return b\n": "delete",
        "def f(a):\n    b = a\n    if a:\n        b = 2\n        b = a\n    return b\n": "append",
        "def f(a):\n    b = a\n    if a:\n        b = 2\n        if a:\n            b = 2\n    return b\n": (
            "append"
        ),
        "def f(a):\n    b = a\n    if a:\n        b = 2\n        b = 2\n    return b\n": "append",
        "def f(a):\n    b = a\n    if a:\n        b = 2\n        return b\n    return b\n": "append",
        "def f(a):\n    b = a\n    if a:\n        return b\n    b = 2\n": "swap",
    }


def test_python_copies_find_their_variables() -> None:
    source = b"def f(a):\n    b = 1\n    a = b\n    return a\n\ndef g(c):\n    d = c\n    return d\n"
    texts = results(PythonEdits(source, {2: 1.0, 7: 1.0}), source)
    assert "def f(a):\n    b = 1\n    a = b\n    a = b\n    return a\n" + G in texts
    assert "def f(a):\n    a = b\n    b = 1\n    return a\n" + G not in texts
    assert "def f(a):\n    b = 1\n    return a\n    a = b\n    return a\n" + G in texts
    assert all("def f(a):\n    b = 1\n    d = c" not in text for text in texts)
    assert all("d = c\n    a = b" not in text for text in texts)


G = "\ndef g(c):\n    d = c\n    return d\n"


def test_python_jumps_stay_in_loops_and_functions() -> None:
    source = b"for i in range(3):\n    if i:\n        break\nprint(1)\n"
    texts = results(PythonEdits(source, {3: 1.0, 4: 1.0}), source)
    assert "for i in range(3):\n    if i:\n        break\n        print(1)\nprint(1)\n" in texts
    assert all("print(1)\nbreak" not in text for text in texts)

"""The one table of C's types and library says what the compiler and its headers say."""

from __future__ import annotations

import shutil
import subprocess
from itertools import permutations
from pathlib import Path

import pytest

from learn2fix.languages.c.library import HEADERS, PROTOTYPES
from learn2fix.languages.c.types import (
    CHAR,
    DOUBLE_TYPE,
    FLOAT_TYPE,
    INT_TYPE,
    LONG,
    LONG_TYPE,
    NUMBERS,
    STRUCT,
    TYPEDEFS,
    UNKNOWN,
    Type,
    larger,
    literal_type,
    named_type,
    number,
)

GCC = shutil.which("gcc") or "gcc"
STANDARD = [header for header in HEADERS if header not in ("iso646.h", "stdbool.h", "memory.h")]
INCLUDES = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in (*STANDARD, "stdbool.h"))


def compiled(folder: Path, text: str) -> str:
    """What a program prints."""
    (folder / "p.c").write_text(text)
    subprocess.run([GCC, "-w", "-o", folder / "p", folder / "p.c", "-lm"], check=True)
    return subprocess.run([folder / "p"], check=True, capture_output=True, text=True).stdout


def test_sizes_and_signs_are_those_of_the_compiler(tmp_path: Path) -> None:
    names = [kind.name for kind in NUMBERS] + [name for name in TYPEDEFS if name != "__int64"]
    lines = "".join(f'printf("%d %d\\n", (int)sizeof({n}) * 8, ({n})-1 < ({n})0);' for n in names)
    printed = compiled(tmp_path, f"{INCLUDES}int main(void) {{ {lines} }}").splitlines()
    for name, line in zip(names, printed, strict=True):
        kind = number(name)
        assert kind is not None
        bits, signed = map(int, line.split())
        assert signed == kind.signed, name
        if kind.name not in ("_Bool", "long double"):
            assert bits == kind.bits, name


def test_macros_have_the_values_of_the_real_headers(tmp_path: Path) -> None:
    every = {name: text for macros in HEADERS.values() for name, text in macros.items()}
    values = {name: text for name, text in every.items() if text and text[0] in "(0123456789"}
    assert {"INT_MAX", "UINT64_MAX", "LLONG_MIN", "DBL_MAX", "EOF", "M_PI"} <= set(values)
    checks = "".join(
        f'if (!({name} == ({text})) || sizeof({name}) != sizeof({text})) puts("{name}");'
        for name, text in values.items()
        if name not in ("NULL", "NAN")
    )
    assert compiled(tmp_path, f"{INCLUDES}int main(void) {{ {checks} }}") == ""


def test_prototypes_agree_with_the_real_headers(tmp_path: Path) -> None:
    """A declaration that contradicts the header's does not compile."""
    macros = ("isascii", "setjmp", "gets")
    lines = [p.text for p in PROTOTYPES.values() if p.name not in macros and not p.name.startswith("__")]
    source = tmp_path / "p.c"
    source.write_text(INCLUDES + "".join(f"#undef {name}\n" for name in PROTOTYPES) + "\n".join(lines))
    found = subprocess.run([GCC, "-w", "-fsyntax-only", source], capture_output=True, text=True, check=False)
    assert found.stderr == ""


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("unsigned", "unsigned int"),
        ("signed", "int"),
        ("short int", "short"),
        ("unsigned short int", "unsigned short"),
        ("long int", "long"),
        ("long long int", "long long"),
        ("unsigned long long int", "unsigned long long"),
        ("signed char", "signed char"),
        ("long double", "long double"),
        ("unsigned __int64", "unsigned long long"),
    ],
)
def test_words_name_a_type_in_any_order(words: str, name: str) -> None:
    for order in permutations(words.split()):
        found = number(" ".join(order))
        assert found is not None
        assert found.name == name


@pytest.mark.parametrize(
    "words", ["", "struct s", "int *", "void", "long float", "FILE", "const char *", "mine"]
)
def test_what_is_no_number(words: str) -> None:
    assert number(words) is None


def test_types_by_name() -> None:
    own = {"mine": Type(LONG, 1, "long")}
    assert named_type("mine", own) == own["mine"]
    assert named_type("uint8_t", own) == Type(CHAR, 0, "uint8_t")
    assert [named_type(words, own).base for words in ("struct s", "FILE", "other", "enum e")] == [
        STRUCT, STRUCT, UNKNOWN, INT_TYPE.base,
    ]  # fmt: skip


def test_types_of_numbers_and_mixtures() -> None:
    words = ["12", "2147483647", "2147483648", "7L", "1e3", "2.5f", "0x1e", "0xffff"]
    expected = [INT_TYPE, INT_TYPE, LONG_TYPE, LONG_TYPE, DOUBLE_TYPE, FLOAT_TYPE, INT_TYPE, INT_TYPE]
    assert [literal_type(word) for word in words] == expected
    assert larger(Type(CHAR), Type(CHAR)) == INT_TYPE
    assert larger(INT_TYPE, LONG_TYPE) == larger(LONG_TYPE, INT_TYPE) == LONG_TYPE
    assert larger(LONG_TYPE, FLOAT_TYPE) == FLOAT_TYPE
    assert larger(Type(CHAR, 1), LONG_TYPE) == Type(CHAR, 1)


def test_what_library_functions_take_and_return() -> None:
    assert PROTOTYPES["sqrtf"].returns == FLOAT_TYPE
    assert PROTOTYPES["strchr"].returns == Type(CHAR, 1, "char")
    assert PROTOTYPES["strlen"].returns.base == LONG
    assert PROTOTYPES["qsort"].parameters == ("void*", "size_t", "size_t", "int(*)")
    assert PROTOTYPES["printf"].parameters == ("const char*", "...")

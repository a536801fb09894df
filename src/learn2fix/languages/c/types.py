"""The types of C: one table of its numbers (names, sizes, limits), and types as coarse as edits need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

# Classes of base types, ordered so that the larger one is the type of a mixed expression.
CHAR, INT, LONG, FLOAT, DOUBLE = "c", "i", "l", "f", "d"
STRUCT, VOID, UNKNOWN = "s", "v", "?"
RANK = {CHAR: 0, INT: 1, UNKNOWN: 1, LONG: 2, FLOAT: 3, DOUBLE: 4}
SCANNED = {CHAR: " %c", INT: "%d", UNKNOWN: "%d", LONG: "%lld", FLOAT: "%f", DOUBLE: "%lf"}
"""The directive of scanf that reads a number of a class."""


@dataclass(frozen=True, slots=True)
class Number:
    """A type of numbers as compilers for 64-bit Linux have it."""

    name: str
    base: str
    bits: int
    signed: bool = True
    suffix: str = ""
    """What its literals end with."""

    @property
    def floating(self) -> bool:
        return self.base in (FLOAT, DOUBLE)

    @property
    def maximum(self) -> int:
        """Of a whole number."""
        return (1 << (self.bits - self.signed)) - 1

    @property
    def minimum(self) -> int:
        return -self.maximum - 1 if self.signed else 0


NUMBERS = (
    Number("_Bool", INT, 1, signed=False),
    Number("char", CHAR, 8),
    Number("signed char", CHAR, 8),
    Number("unsigned char", CHAR, 8, signed=False),
    Number("short", INT, 16),
    Number("unsigned short", INT, 16, signed=False),
    Number("int", INT, 32),
    Number("unsigned int", INT, 32, signed=False, suffix="U"),
    Number("long", LONG, 64, suffix="L"),
    Number("unsigned long", LONG, 64, signed=False, suffix="UL"),
    Number("long long", LONG, 64, suffix="LL"),
    Number("unsigned long long", LONG, 64, signed=False, suffix="ULL"),
    Number("float", FLOAT, 32, suffix="F"),
    Number("double", DOUBLE, 64),
    Number("long double", DOUBLE, 80, suffix="L"),
)
TYPEDEFS = {
    "bool": "_Bool",
    "size_t": "unsigned long",
    "ssize_t": "long",
    "ptrdiff_t": "long",
    "wchar_t": "int",
    "time_t": "long",
    "clock_t": "long",
    "uint": "unsigned int",
    "ulong": "unsigned long",
    "ushort": "unsigned short",
    "__int64": "long long",
    "int8_t": "signed char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "unsigned char",
    "uint16_t": "unsigned short",
    "uint32_t": "unsigned int",
    "uint64_t": "unsigned long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "intmax_t": "long",
    "uintmax_t": "unsigned long",
}
"""Numbers that headers and compilers name."""
WHOLE_WORDS = frozenset(("int", "long", "char", "short", "unsigned", "signed"))
REAL_WORDS = frozenset(("float", "double"))


def _spellings(number: Number) -> Iterator[tuple[str, ...]]:
    words = number.name.split()
    yield tuple(sorted(words))
    if number.base in (INT, LONG) and number.name != "_Bool":
        words = [word for word in words if word != "int"]
        for sign in ([], ["signed"]) if number.signed else ([],):
            for whole in ([], ["int"]):
                yield tuple(sorted([*words, *sign, *whole]))


_BY_WORDS = {spelling: number for number in NUMBERS for spelling in _spellings(number) if spelling}


@cache
def number(words: str) -> Number | None:
    """The type of numbers that words name, in any order; None for anything else."""
    plain = (part for word in words.split() for part in TYPEDEFS.get(word, word).split())
    return _BY_WORDS.get(tuple(sorted(plain)))


@dataclass(frozen=True, slots=True)
class Type:
    base: str
    """One of the classes above."""
    depth: int = 0
    """Pointers and array dimensions together."""
    name: str = ""
    """The type as written, without qualifiers."""

    @property
    def numeric(self) -> bool:
        return self.depth == 0 and self.base in RANK

    @property
    def integral(self) -> bool:
        return self.depth == 0 and self.base in "cil?"

    @property
    def floating(self) -> bool:
        return self.depth == 0 and self.base in "fd"


UNKNOWN_TYPE = Type(UNKNOWN)
INT_TYPE = Type(INT, 0, "int")
LONG_TYPE = Type(LONG, 0, "long long")
FLOAT_TYPE = Type(FLOAT, 0, "float")
DOUBLE_TYPE = Type(DOUBLE, 0, "double")
TEXT_TYPE = Type(CHAR, 1, "char")


def named_type(words: str, typedefs: Mapping[str, Type]) -> Type:
    """The type that words name, where a file has some typedefs of its own."""
    if words in typedefs:
        return typedefs[words]
    found = number(words)
    if found is not None:
        return Type(found.base, 0, words)
    match words.partition(" ")[0]:
        case "void":
            return Type(VOID, 0, words)
        case "struct" | "union" | "FILE":
            return Type(STRUCT, 0, words)
        case "enum":
            return Type(INT, 0, words)
        case _:
            return Type(UNKNOWN, 0, words)


def literal_type(word: str) -> Type:
    """The type of a number as it is written."""
    lowered = word.lower()
    if not lowered.startswith("0x") and any(character in lowered for character in ".e"):
        return FLOAT_TYPE if lowered.endswith("f") else DOUBLE_TYPE
    if "l" in lowered:
        return LONG_TYPE
    digits = lowered.strip("-+ul")
    if digits.isdigit() and int(digits) > _BY_WORDS[("int",)].maximum:
        return LONG_TYPE
    return INT_TYPE


def larger(left: Type, right: Type) -> Type:
    """The type of a mixed expression."""
    if left.depth or right.depth:
        return left if left.depth >= right.depth else right
    if left.base not in RANK or right.base not in RANK:
        return left if right.base not in RANK else right
    chosen = left if RANK[left.base] >= RANK[right.base] else right
    return INT_TYPE if chosen.base == CHAR else chosen

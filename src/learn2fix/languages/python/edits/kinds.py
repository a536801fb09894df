"""What values roughly are, and what names of types, functions and methods say of it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

NUMBER, TRUTH, TEXT, SEQUENCE, MAPPING, CALLABLE, UNKNOWN = "n", "b", "s", "l", "d", "f", "?"
"""As coarse as edits need: a number, a truth value, text, a sequence, a mapping or set, a thing to call."""

ANNOTATIONS = {
    "int": NUMBER,
    "float": NUMBER,
    "complex": NUMBER,
    "Decimal": NUMBER,
    "Fraction": NUMBER,
    "bool": TRUTH,
    "str": TEXT,
    "list": SEQUENCE,
    "List": SEQUENCE,
    "tuple": SEQUENCE,
    "Tuple": SEQUENCE,
    "Sequence": SEQUENCE,
    "dict": MAPPING,
    "Dict": MAPPING,
    "Mapping": MAPPING,
    "set": MAPPING,
    "Set": MAPPING,
    "frozenset": MAPPING,
}
RESULTS = {
    **dict.fromkeys(["len", "abs", "sum", "int", "float", "round", "ord", "pow", "divmod"], NUMBER),
    **dict.fromkeys(
        ["sorted", "list", "range", "tuple", "reversed", "enumerate", "zip", "map", "filter"], SEQUENCE
    ),
    **dict.fromkeys(["str", "repr", "chr", "format", "input", "bin", "hex"], TEXT),
    **dict.fromkeys(["any", "all", "isinstance", "bool", "callable", "hasattr"], TRUTH),
    **dict.fromkeys(["dict", "set", "frozenset", "Counter", "defaultdict", "OrderedDict"], MAPPING),
    **dict.fromkeys(["floor", "ceil", "sqrt", "gcd", "lcm", "hypot", "log", "exp", "isqrt"], NUMBER),
    **dict.fromkeys(["index", "find", "rfind", "count", "bit_length", "toordinal", "weekday"], NUMBER),
    **dict.fromkeys(["lower", "upper", "strip", "lstrip", "rstrip", "replace", "join", "title"], TEXT),
    **dict.fromkeys(["capitalize", "zfill", "ljust", "rjust", "center", "isoformat", "strftime"], TEXT),
    **dict.fromkeys(["split", "rsplit", "splitlines", "keys", "values", "items", "copy"], SEQUENCE),
    **dict.fromkeys(["startswith", "endswith", "isdigit", "isalpha", "isalnum", "isupper", "islower"], TRUTH),
}
NUMERIC_ATTRIBUTES = frozenset({"days", "seconds", "year", "month", "day", "hour", "minute", "real", "imag"})


TEXT_METHODS = frozenset(
    {
        "lower", "upper", "strip", "lstrip", "rstrip", "split", "rsplit", "startswith", "endswith",
        "isdigit", "isalpha", "isalnum", "replace", "title", "find", "rfind", "zfill", "join",
        "capitalize", "splitlines", "isspace", "isupper", "islower", "casefold",
    }
)  # fmt: skip
LIST_METHODS = frozenset(["append", "extend", "insert", "sort", "reverse"])
MAPPING_METHODS = frozenset(["items", "keys", "values", "get", "setdefault", "update"])


def compatible(one: str, other: str) -> bool:
    return one == other or UNKNOWN in (one, other) or {one, other} == {NUMBER, TRUTH}


def kind_of(value: object) -> str:
    match value:
        case bool():
            return TRUTH
        case int() | float() | complex() | Decimal() | Fraction():
            return NUMBER
        case str() | bytes():
            return TEXT
        case list() | tuple():
            return SEQUENCE
        case dict() | set() | frozenset():
            return MAPPING
        case _:
            return UNKNOWN

"""The C library as data: its functions with their types, and the types and macros of its headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from learn2fix.languages.c.types import TYPEDEFS, Type, named_type, number

# Functions of <math.h> that come for double, float and long double, and what they take.
_FLAVOURS = (("", "double"), ("f", "float"), ("l", "long double"))
_ONE = [
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "ceil", "round", "trunc",
    "rint", "nearbyint", "fabs", "tgamma", "lgamma", "erf", "erfc", "logb",
]  # fmt: skip
_TWO = [
    "pow", "atan2", "fmod", "remainder", "hypot", "fmin", "fmax", "fdim", "copysign", "nextafter",
]  # fmt: skip
_ROUNDING = {"lround": "long", "llround": "long long", "lrint": "long", "llrint": "long long", "ilogb": "int"}
_CTYPE = [
    "isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint", "iscntrl",
    "isxdigit", "isgraph", "isblank", "toupper", "tolower", "isascii",
]  # fmt: skip


MATH_FUNCTIONS = frozenset(f"{name}{s}" for name in (*_ONE, *_TWO, *_ROUNDING) for s, _ in _FLAVOURS)
CTYPE_FUNCTIONS = frozenset(_CTYPE)


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function of the library as a header declares it."""

    name: str
    text: str
    returns: Type
    parameters: tuple[str, ...]
    """Types as written; `...` last where there may be any number of arguments."""

    @classmethod
    def parse(cls, text: str) -> Prototype:
        found = re.fullmatch(r"(.*?)(\w+)\((.*)\);", text)
        assert found is not None, text
        result, name, parameters = found.groups()
        kind = named_type(result.replace("*", "").strip(), {})
        # A function that is passed is one parameter, whatever it takes itself.
        plain = re.sub(r"\(\*\)\([^()]*\)", "(*)", parameters)
        return cls(name, text, Type(kind.base, result.count("*"), kind.name), tuple(plain.split(",")))


_TEXTS = (
    *(f"{t} {name}{s}({t});" for name in _ONE for s, t in _FLAVOURS),
    *(f"{t} {name}{s}({t},{t});" for name in _TWO for s, t in _FLAVOURS),
    *(f"{result} {name}{s}({t});" for name, result in _ROUNDING.items() for s, t in _FLAVOURS),
    *(f"int {name}(int);" for name in _CTYPE),
    *files("learn2fix.languages.c").joinpath("prototypes.h").read_text().splitlines()[1:],
)
PROTOTYPES = {prototype.name: prototype for prototype in map(Prototype.parse, _TEXTS)}

PURE = frozenset(
    MATH_FUNCTIONS
    | CTYPE_FUNCTIONS
    | {"abs", "labs", "llabs", "strlen", "strcmp", "strncmp", "memcmp", "atoi", "atol", "atoll", "atof"}
    | {f"__builtin_{name}{s}" for name in ("popcount", "ctz", "clz") for s in ("", "l", "ll")}
    | {"strchr", "strrchr", "strstr", "ldexp", "fma", "scalbn", "strcasecmp", "strncasecmp"}
)
"""Functions that may be called any number of times without anyone noticing."""

TYPES: dict[str, str] = {
    **{name: f"typedef {words} {name};" for name, words in TYPEDEFS.items() if name != "bool"},
    "FILE": "typedef struct _IO_FILE FILE;",
    "va_list": "typedef __builtin_va_list va_list;",
    "tm": "struct tm{int tm_sec,tm_min,tm_hour,tm_mday,tm_mon,tm_year,tm_wday,tm_yday,tm_isdst;"
    "long tm_gmtoff;const char*tm_zone;};",
    "div_t": "typedef struct{int quot,rem;}div_t;",
    "ldiv_t": "typedef struct{long quot,rem;}ldiv_t;",
    "lldiv_t": "typedef struct{long long quot,rem;}lldiv_t;",
    "jmp_buf": "typedef long jmp_buf[32];",
}
"""The definitions of the types that headers offer."""


def _limits(prefix: str, words: str) -> dict[str, str]:
    kind = number(words)
    assert kind is not None
    most = f"{kind.maximum}{kind.suffix}"
    return {f"{prefix}_MAX": most} | ({f"{prefix}_MIN": f"(-{most}-1)"} if kind.signed else {})


_LIMITED = {
    "CHAR": "char", "SCHAR": "signed char", "UCHAR": "unsigned char", "SHRT": "short",
    "USHRT": "unsigned short", "INT": "int", "UINT": "unsigned", "LONG": "long", "ULONG": "unsigned long",
    "LLONG": "long long",
    "ULLONG": "unsigned long long", "LONG_LONG": "long long",
}  # fmt: skip
_LIMITS = {name: text for prefix, words in _LIMITED.items() for name, text in _limits(prefix, words).items()}
_FIXED = [name for name in TYPEDEFS if re.fullmatch(r"u?int(\d+|max|ptr)_t", name)]
_STDINT = dict.fromkeys(_FIXED, "") | {
    name: text for word in _FIXED for name, text in _limits(word.removesuffix("_t").upper(), word).items()
}
_COMMON = {"size_t": "", "NULL": "((void*)0)"}

HEADERS: dict[str, dict[str, str]] = {
    "stdio.h": {
        **_COMMON, "FILE": "", "va_list": "", "ssize_t": "", "EOF": "(-1)", "BUFSIZ": "8192",
        "stdin": "extern FILE*stdin;",
        "stdout": "extern FILE*stdout;", "stderr": "extern FILE*stderr;", "_IOFBF": "0", "_IOLBF": "1",
        "_IONBF": "2", "SEEK_SET": "0", "SEEK_CUR": "1", "SEEK_END": "2",
    },
    "stdlib.h": {
        **_COMMON, "RAND_MAX": "2147483647", "EXIT_SUCCESS": "0", "EXIT_FAILURE": "1", "div_t": "",
        "ldiv_t": "",
        "lldiv_t": "", "wchar_t": "", "uint": "", "ulong": "", "ushort": "",
    },
    "string.h": _COMMON, "strings.h": _COMMON, "memory.h": _COMMON, "ctype.h": {}, "unistd.h": {**_COMMON,
    "ssize_t": ""},
    "math.h": {
        "M_PI": "3.14159265358979323846", "M_E": "2.7182818284590452354", "M_PI_2": "1.57079632679489661923",
        "M_PI_4": "0.78539816339744830962", "M_SQRT2": "1.41421356237309504880",
        "M_LN2": "0.69314718055994530942",
        "M_LN10": "2.30258509299404568402", "M_SQRT1_2": "0.70710678118654752440",
        "HUGE_VAL": "(1e300*1e300)", "INFINITY": "((float)(1e300*1e300))", "NAN": "(-(float)(0.0/0.0))",
    },
    "limits.h": {**_LIMITS, "CHAR_BIT": "8"},
    "stdbool.h": {"bool": "_Bool", "true": "1", "false": "0"},
    "stdint.h": _STDINT,
    "inttypes.h": {
        **_STDINT, "PRId64": '"ld"', "PRIu64": '"lu"', "SCNd64": '"ld"', "SCNu64": '"lu"', "PRId32": '"d"',
        "PRIu32": '"u"',
        "PRIx64": '"lx"',
    },
    "float.h": {"DBL_MAX": "1.7976931348623157e308", "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.220446049250313e-16",
                "FLT_MAX": "3.40282346638528859812e38F", "FLT_MIN": "1.17549435082228750797e-38F",
                "FLT_EPSILON": "1.1920928955078125e-7F"},
    "stddef.h": {**_COMMON, "ptrdiff_t": "", "wchar_t": ""},
    "stdarg.h": {"va_list": ""},
    "time.h": {**_COMMON, "time_t": "", "clock_t": "", "tm": "", "CLOCKS_PER_SEC": "((clock_t)1000000)"},
    "assert.h": {},
    "setjmp.h": {"jmp_buf": ""},
    "malloc.h": _COMMON, "iso646.h": {}, "sys/types.h": {"size_t": "", "ssize_t": "", "time_t": "",
    "uint": "", "ulong": ""},
}  # fmt: skip
"""What each header offers: types, which are empty here and defined above, macros and variables."""

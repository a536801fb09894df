"""The standard library as a few lines of declarations: parsing real headers would cost more than the program.

Only the headers listed here are replaced; a file that includes any other keeps all its #include lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib.resources import files

_FLAVOURS = (("", "double"), ("f", "float"), ("l", "long double"))
_ONE = [
    "sqrt",
    "cbrt",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "floor",
    "ceil",
    "round",
    "trunc",
    "rint",
    "nearbyint",
    "fabs",
    "tgamma",
    "lgamma",
    "erf",
    "erfc",
    "logb",
]
_TWO = ["pow", "atan2", "fmod", "remainder", "hypot", "fmin", "fmax", "fdim", "copysign", "nextafter"]
_ROUNDING = (
    ("lround", "long"),
    ("llround", "long long"),
    ("lrint", "long"),
    ("llrint", "long long"),
    ("ilogb", "int"),
)
_CTYPE = [
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "ispunct",
    "isprint",
    "iscntrl",
    "isxdigit",
    "isgraph",
    "isblank",
    "toupper",
    "tolower",
    "isascii",
]

_OTHERS = files("learn2fix.languages.c.judging").joinpath("prototypes.h").read_text().splitlines()[1:]

PROTOTYPES: dict[str, str] = {
    **{f"{n}{s}": f"{t} {n}{s}({t});" for n in _ONE for s, t in _FLAVOURS},
    **{f"{n}{s}": f"{t} {n}{s}({t},{t});" for n in _TWO for s, t in _FLAVOURS},
    **{f"{n}{s}": f"{r} {n}{s}({t});" for n, r in _ROUNDING for s, t in _FLAVOURS},
    **{n: f"int {n}(int);" for n in _CTYPE},
    **{found.group(1): text for text in _OTHERS if (found := re.search(r"(\w+)\((?!\*)", text)) is not None},
}

PURE = (
    {f"{n}{s}" for n in (*_ONE, *_TWO, *(n for n, _ in _ROUNDING)) for s, _ in _FLAVOURS}
    | set(_CTYPE)
    | {"abs", "labs", "llabs", "strlen", "strcmp", "strncmp", "memcmp", "atoi", "atol", "atoll", "atof"}
    | {f"__builtin_{n}{s}" for n in ("popcount", "ctz", "clz") for s in ("", "l", "ll")}
    | {"strchr", "strrchr", "strstr", "ldexp", "fma", "scalbn", "strcasecmp", "strncasecmp"}
)
"""Functions that may be called any number of times without anyone noticing."""

RETURNS_FLOAT = {f"{n}{s}" for n in (*_ONE, *_TWO) for s, _ in _FLAVOURS} | {"atof", "strtod", "ldexp", "fma"}

TYPES: dict[str, str] = {
    "size_t": "typedef unsigned long size_t;",
    "ssize_t": "typedef long ssize_t;",
    "ptrdiff_t": "typedef long ptrdiff_t;",
    "wchar_t": "typedef int wchar_t;",
    "FILE": "typedef struct _IO_FILE FILE;",
    "va_list": "typedef __builtin_va_list va_list;",
    "time_t": "typedef long time_t;",
    "clock_t": "typedef long clock_t;",
    "tm": "struct tm{int tm_sec,tm_min,tm_hour,tm_mday,tm_mon,tm_year,tm_wday,tm_yday,tm_isdst;"
    "long tm_gmtoff;const char*tm_zone;};",
    "div_t": "typedef struct{int quot,rem;}div_t;",
    "ldiv_t": "typedef struct{long quot,rem;}ldiv_t;",
    "lldiv_t": "typedef struct{long long quot,rem;}lldiv_t;",
    "jmp_buf": "typedef long jmp_buf[32];",
    "uint": "typedef unsigned int uint;",
    "ulong": "typedef unsigned long ulong;",
    "ushort": "typedef unsigned short ushort;",
}
_SIZES = (("8", "char"), ("16", "short"), ("32", "int"), ("64", "long"))
_STDINT = {
    **{f"int{n}_t": f"typedef signed {t} int{n}_t;" for n, t in _SIZES},
    **{f"uint{n}_t": f"typedef unsigned {t} uint{n}_t;" for n, t in _SIZES},
    "intptr_t": "typedef long intptr_t;",
    "uintptr_t": "typedef unsigned long uintptr_t;",
    "intmax_t": "typedef long intmax_t;",
    "uintmax_t": "typedef unsigned long uintmax_t;",
    "INT8_MAX": "127", "INT16_MAX": "32767", "INT32_MAX": "2147483647", "INT64_MAX": "9223372036854775807L",
    "INT8_MIN": "(-128)", "INT16_MIN": "(-32768)", "INT32_MIN": "(-2147483647-1)",
    "INT64_MIN": "(-9223372036854775807L-1)", "UINT8_MAX": "255", "UINT16_MAX": "65535",
    "UINT32_MAX": "4294967295U", "UINT64_MAX": "18446744073709551615UL", "INTMAX_MAX": "9223372036854775807L",
}  # fmt: skip
_NULL = {"NULL": "((void*)0)"}
_COMMON = dict.fromkeys(("size_t",), "") | _NULL

HEADERS: dict[str, dict[str, str]] = {
    "stdio.h": {
        **_COMMON, "FILE": "", "va_list": "", "ssize_t": "", "EOF": "(-1)", "BUFSIZ": "8192",
        "stdin": "extern FILE*stdin;",
        "stdout": "extern FILE*stdout;", "stderr": "extern FILE*stderr;", "_IOFBF": "0", "_IOLBF": "1",
        "_IONBF": "2",
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
    "limits.h": {
        "INT_MAX": "2147483647", "INT_MIN": "(-2147483647-1)", "UINT_MAX": "4294967295U",
        "LONG_MAX": "9223372036854775807L", "LONG_MIN": "(-9223372036854775807L-1)",
        "ULONG_MAX": "18446744073709551615UL", "LLONG_MAX": "9223372036854775807LL",
        "LLONG_MIN": "(-9223372036854775807LL-1)", "ULLONG_MAX": "18446744073709551615ULL",
        "LONG_LONG_MAX": "9223372036854775807LL", "LONG_LONG_MIN": "(-9223372036854775807LL-1)",
        "CHAR_MAX": "127", "CHAR_MIN": "(-128)", "SHRT_MAX": "32767", "SHRT_MIN": "(-32768)",
        "UCHAR_MAX": "255",
        "USHRT_MAX": "65535", "CHAR_BIT": "8", "SCHAR_MAX": "127", "SCHAR_MIN": "(-128)",
    },
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
_WHOLE = {
    "stdarg.h": "#define va_start __builtin_va_start\n#define va_arg __builtin_va_arg\n"
    "#define va_copy __builtin_va_copy\n#define va_end __builtin_va_end\n",
    "assert.h": '#define assert(e) ((e)?(void)0:__assert_fail("","",0,""))\n',
    "iso646.h": "#define and &&\n#define or ||\n#define not !\n#define xor ^\n",
    "stddef.h": "#define offsetof(t,m) ((size_t)&((t*)0)->m)\n",
}
_ALSO = {"assert.h": ("__assert_fail",)}

INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]*)[>\"][^\n]*", re.M)
WORD = re.compile(rb"[A-Za-z_]\w*")
_DEFINITION = re.compile(r"^(typedef|struct|extern)\b")


def included(source: bytes) -> list[str]:
    return [name.decode("utf-8", "replace").strip() for name in INCLUDE.findall(source)]


def replaceable(source: bytes) -> bool:
    """All its headers are ours to replace."""
    return all(name in HEADERS for name in included(source))


def without_includes(source: bytes) -> bytes:
    """Blanks in place of the #include lines, so that positions stay."""
    return INCLUDE.sub(lambda found: b" " * len(found.group()), source)


def words(text: bytes) -> set[str]:
    return {word.decode() for word in set(WORD.findall(text))}


def declarations(headers: Collection[str], used: Collection[str], taken: Collection[str]) -> str:
    """What `used` needs of the headers, and library functions that a compiler knows without a header.

    Names in `taken` are declared by the program itself.
    """
    types: dict[str, str] = {}
    macros: list[str] = []
    functions: list[str] = []
    needed: set[str] = set(used)
    for header in headers:
        needed.update(_ALSO.get(header, ()))
    for name in sorted(needed):
        if name in PROTOTYPES and name not in taken:
            functions.append(PROTOTYPES[name])
    wanted = needed | words(" ".join(functions).encode())
    offered: dict[str, str] = {}
    for header in headers:
        offered |= HEADERS.get(header, {})
    if any("FILE" in text for text in (*functions, *(offered[n] for n in wanted if n in offered))):
        wanted.add("FILE")
    if "CLOCKS_PER_SEC" in wanted:
        wanted.add("clock_t")
    for name in sorted(wanted):
        if name in taken:
            continue
        if name in TYPES and (name in offered or name not in used):
            types[name] = TYPES[name]
        elif offered.get(name):
            if _DEFINITION.match(offered[name]):
                types[name] = offered[name]
            else:
                macros.append(f"#define {name} {offered[name]}\n")
    first = [types.pop("FILE")] if "FILE" in types else []
    whole = [_WHOLE[header] for header in dict.fromkeys(headers) if header in _WHOLE]
    return "".join([*whole, *macros]) + " ".join([*first, *types.values(), *functions]) + "\n"

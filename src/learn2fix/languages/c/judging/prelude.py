"""The standard library as a few lines of declarations: parsing real headers would cost more than the program.

Only the headers listed in the library's table are replaced; a file that includes any other keeps all its
#include lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from learn2fix.languages.c.layout import own_includes
from learn2fix.languages.c.library import HEADERS, PROTOTYPES, TYPES

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
    """The headers that do not belong to the program itself."""
    own = own_includes(source)
    names = (name.decode("utf-8", "surrogateescape").strip() for name in INCLUDE.findall(source))
    return [name for name in names if name not in own]


def replaceable(source: bytes) -> bool:
    """All its headers are ours to replace."""
    return all(name in HEADERS for name in included(source))


def without_includes(source: bytes) -> bytes:
    """Blanks in place of the #include lines of library headers, so that positions stay."""
    own = {name.encode("utf-8", "surrogateescape") for name in own_includes(source)}
    return INCLUDE.sub(
        lambda found: found.group() if found[1].strip() in own else b" " * len(found.group()), source
    )


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
            functions.append(PROTOTYPES[name].text)
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

"""Parts of a program that say nothing to C, and that libtcc does not take or takes long for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from learn2fix.languages.c.syntax import parse


def blanked(source: bytes, parts: Iterable[tuple[int, int]]) -> bytes:
    """The source with blanks for these parts; all else stays where it is."""
    text = bytearray(source)
    for start, end in parts:
        text[start:end] = b" " * (end - start)
    return bytes(text)


def without_parameter_sizes(source: bytes) -> bytes:
    """The source with blanks for the sizes of parameters, which C ignores and libtcc may not know yet."""
    sizes = []
    for node in parse(source).walk():
        if node.type != "array_declarator" or node.of("declarator").type != "identifier":
            continue
        size = node.child("size")
        above = next((each for each in node.above() if not each.type.endswith("_declarator")), None)
        if size is not None and above is not None and above.type == "parameter_declaration":
            sizes.append((size.start, size.end))
    return blanked(source, sizes)


@lru_cache(maxsize=4)
def zeros_of_arrays(source: bytes) -> tuple[tuple[int, int], ...]:
    """Where arrays at the top of the file are said to be zero, which they are anyway.

    libtcc writes all these zeros, which takes long where the array is large.
    """
    found = []
    declarations = (node for node in parse(source).children if node.type == "declaration")
    for node in (part for declaration in declarations for part in declaration.children):
        declarator, value = node.child("declarator"), node.child("value")
        if node.type != "init_declarator" or declarator is None or value is None:
            continue
        arrays = [each for each in declarator.walk() if each.type == "array_declarator"]
        zero = source[value.start : value.end].translate(None, b" \t\r\n") in (b"{0}", b"{}")
        if arrays and zero and all(each.child("size") is not None for each in arrays):
            found.append((declarator.end, value.end))
    return tuple(found)

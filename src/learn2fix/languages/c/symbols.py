"""The functions of a built program, from the symbol table of its binary."""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass

HEADER = struct.Struct("<16x8xQQQ4x2xHHHH2x")
SEGMENT = struct.Struct("<I4x8xQ32x")
SECTION = struct.Struct("<4xI16xQQI12xQ")
SYMBOL = struct.Struct("<IBxHQQ")
LOADED, SYMBOLS, FUNCTION = 1, 2, 2


@dataclass(frozen=True, slots=True)
class Functions:
    """Addresses are counted from the start of the image."""

    starts: tuple[int, ...] = ()
    names: tuple[str, ...] = ()

    def at(self, address: int) -> tuple[str, int]:
        """The function that holds an address, and how far from its start; no name where none is known."""
        found = bisect_right(self.starts, address) - 1
        return (self.names[found], address - self.starts[found]) if found >= 0 else ("", address)


def functions_of(image: bytes) -> Functions:
    """None where this is no 64-bit ELF file, or one without symbols."""
    if image[:6] != b"\x7fELF\x02\x01":
        return Functions()
    try:
        return _functions(image)
    except (struct.error, IndexError, ValueError):
        return Functions()


def _functions(image: bytes) -> Functions:
    _, segments, sections, segment_size, segment_count, size, count = HEADER.unpack_from(image)
    loaded = (SEGMENT.unpack_from(image, segments + i * segment_size) for i in range(segment_count))
    base = min(address for kind, address in loaded if kind == LOADED)
    tables = [SECTION.unpack_from(image, sections + i * size) for i in range(count)]
    found: dict[int, str] = {}
    for kind, offset, length, link, entry in tables:
        if kind != SYMBOLS:
            continue
        names = tables[link][1]
        for at in range(offset, offset + length, entry):
            name, info, section, value, _ = SYMBOL.unpack_from(image, at)
            if info & 15 == FUNCTION and section:
                end = image.index(b"\0", names + name)
                found[value - base] = image[names + name : end].decode("latin-1")
    return Functions(tuple(sorted(found)), tuple(found[start] for start in sorted(found)))

"""Text of unknown origin made safe to show: nothing in it can move the cursor, colour, or reorder."""

from __future__ import annotations

import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi among them), surrogate, private, unassigned; line and paragraph separators."""


def visible(text: str) -> str:
    """Every character that a terminal might obey, or not show, is written out; line ends and tabs stay."""
    return "".join(map(_visible, text))


def on_one_line(text: str) -> str:
    """The same without line ends."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _visible(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in HIDDEN:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        # A byte that is not UTF-8, as `surrogateescape` carries it.
        return f"\\x{code - 0xDC00:02x}"
    if character == "\r":
        return "\\r"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"

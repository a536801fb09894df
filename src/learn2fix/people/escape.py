"""Makes untrusted text safe to show: it can neither control a terminal nor reorder what is read."""

from __future__ import annotations

import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi among them), surrogate, private, unassigned; line and paragraph separators."""


def visible(text: str) -> str:
    """Escapes every character that a terminal might obey or hide; line ends and tabs stay."""
    return "".join(map(_visible, text))


def on_one_line(text: str) -> str:
    """The same, with line ends and tabs escaped as well."""
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

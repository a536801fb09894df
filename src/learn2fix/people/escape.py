"""Makes untrusted text safe to show: it can neither control a terminal nor reorder what is read."""

from __future__ import annotations

import re
import unicodedata

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi among them), surrogate, private, unassigned; line and paragraph separators."""

EASILY_MISSED = re.compile(r"^[ \t]+|[ \t]+$|[ \t]{2,}|\t")
QUOTED = re.compile(r"""(['"])((?:\\.|(?!\1)[^\\\n])*)\1""")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?")


def visible(text: str) -> str:
    """Escapes every character that a terminal might obey or hide; line ends and tabs stay."""
    return "".join(map(_visible, text))


def on_one_line(text: str) -> str:
    """The same, with line ends and tabs escaped as well."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def marked_spaces(text: str, quoted: bool = False) -> str:
    """White space that is easily missed made visible: `·` for a space, `→` for a tab, `↵` for an empty line.

    `quoted`: only inside quotes, where white space around them means nothing. Between numbers it never does.
    """
    if quoted:
        return QUOTED.sub(lambda match: match[1] + _marked(match[2]) + match[1], text)
    words = text.split()
    if words and all(map(NUMBER.fullmatch, words)):
        return text
    return "\n".join(_marked(line) or "↵" for line in text.split("\n"))


def _marked(line: str) -> str:
    return EASILY_MISSED.sub(lambda match: match[0].replace(" ", "·").replace("\t", "→"), line)


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

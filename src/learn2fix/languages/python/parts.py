"""The parts of a function's answer: its value, what is left in arguments and objects, and what it printed.

    returns 70
    self.balance = 70
    prints:
    thank you

A value alone stands alone. sandbox/inside/calling.py writes these answers.
"""

from __future__ import annotations

import re

PART = re.compile(r"(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*) = (?P<value>.*)")
RETURNS = "returns"
PRINTS = "prints"
VALUE = ""
"""The name of a value that stands alone."""
SPLIT = re.compile(r";\s*(?=[A-Za-z_][\w.]* = |prints:)")


def parts_of(text: str, written: bool = False) -> dict[str, str]:
    """Names of the parts with their texts; VALUE alone for an answer without parts.

    `written` by a person: parts may also stand in one line, with semicolons between them.
    """
    if written and "\n" not in text:
        text = "\n".join(SPLIT.split(text))
    found: dict[str, str] = {}
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if line.rstrip() == f"{PRINTS}:" or line.startswith(f"{PRINTS}: "):
            found[PRINTS] = "\n".join([line[len(PRINTS) + 1 :].strip(), *lines[place + 1 :]]).strip()
            return found
        if line.startswith(f"{RETURNS} ") and not found:
            found[RETURNS] = line[len(RETURNS) + 1 :]
        elif part := PART.fullmatch(line):
            found[part["name"]] = part["value"]
        else:
            return {VALUE: text}
    return found or {VALUE: text}


def written_parts(parts: dict[str, str]) -> str:
    """The reverse of `parts_of`."""
    lines = []
    for name, value in parts.items():
        if name in (VALUE, RETURNS):
            lines.append(f"{name} {value}".strip())
        elif name == PRINTS:
            lines.append(f"{PRINTS}:\n{value}")
        else:
            lines.append(f"{name} = {value}")
    return "\n".join(lines)

"""What a C program calls the values that it reads, from its calls of scanf."""

from __future__ import annotations

import re

from learn2fix.languages.names import usable

CALL = re.compile(r"(?<![\w.])scanf\s*\(\s*(\"(?:[^\"\\]|\\.)*\")\s*,([^;{}]*?)\)\s*(?=[;)!=<>,&|])")
PLAIN = re.compile(r"&?\s*([A-Za-z_]\w*)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def scanned(source: str, count: int) -> tuple[str, ...]:
    """The variables that the calls of scanf store to, in the order of the text; () unless just so many."""
    found: list[str] = []
    for call in CALL.finditer(COMMENT.sub(" ", source)):
        for target in call[2].split(","):
            name = PLAIN.fullmatch(target.strip())
            if name is None:
                return ()
            found.append(name[1])
    return usable(found, count)

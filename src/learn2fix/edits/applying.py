"""A diff of ours put into the files that it is about, or taken out of them again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from learn2fix.edits.diff import quoted, split_lines

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def put_in(diff: str, before: bytes) -> bytes | None:
    """The text that comes out when the diff of one file is applied; None when it does not fit."""
    return _changed(diff, before, "-", "+", 1)


def taken_back(diff: str, after: bytes) -> bytes | None:
    """The text that a diff was applied to, given what came out of it; None when it did not come out of it."""
    return _changed(diff, after, "+", "-", 3)


def _changed(diff: str, given: bytes, lost: str, gained: str, group: int) -> bytes | None:
    made: list[str] = []
    lines = split_lines(given)
    position = 0
    body = diff.split("\n")[2:-1]
    for number, line in enumerate(body):
        hunk = HUNK.match(line)
        if hunk is not None:
            start = int(hunk[group]) - (hunk[group + 1] != "0")
            made += lines[position:start]
            position = start
            continue
        if line.startswith("\\"):
            continue
        last = number + 1 < len(body) and body[number + 1].startswith("\\")
        text = line[1:] if last else line[1:] + "\n"
        if line[:1] in (lost, " "):
            if lines[position : position + 1] != [text]:
                return None
            position += 1
        if line[:1] in (gained, " "):
            made.append(text)
    return "".join([*made, *lines[position:]]).encode("utf-8", "surrogateescape")


def by_file(diff: str, paths: Mapping[str, str]) -> dict[str, str]:
    """The diff of each file that is changed; `paths`: file → its path as the diff shows it."""
    shown = {f"--- {quoted('a/' + path)}": file for file, path in paths.items()}
    found: dict[str, list[str]] = {}
    current: list[str] = []
    left = [0, 0]
    for line in diff.split("\n")[:-1]:
        hunk = HUNK.match(line)
        if left == [0, 0] and hunk is not None:
            left = [int(hunk[2] or 1), int(hunk[4] or 1)]
        elif left == [0, 0] and line in shown:
            current = found.setdefault(shown[line], [])
        elif left != [0, 0]:
            left = [left[0] - (line[:1] in "- "), left[1] - (line[:1] in "+ ")]
        current.append(line)
    return {file: "\n".join([*lines, ""]) for file, lines in found.items()}

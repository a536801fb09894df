"""How a patch is shown: a diff that `git apply` accepts, a sentence, a stable id."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from learn2fix.edits.parts import Part, part_at
from learn2fix.model import Candidate, Edit, Location, Patch, digest

NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, before: bytes, after: bytes) -> str:
    """A unified diff from one text to another; bytes that are not UTF-8 survive as surrogate escapes."""
    old, new = split_lines(before), split_lines(after)
    out = [f"--- {quoted('a/' + path)}\n", f"+++ {quoted('b/' + path)}\n"]
    body = list(difflib.unified_diff(old, new, n=3))[2:]
    if not body:
        return ""
    for line in body:
        out.append(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}")
    return "".join(out)


def split_lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def quoted(path: str) -> str:
    """A path as git writes it: names with quotes, backslashes or control characters are quoted like in C."""
    if all(32 <= ord(character) < 127 and character not in '"\\' for character in path):
        return path if " " not in path else path + "\t"
    out = []
    for byte in path.encode("utf-8", "surrogateescape"):
        if chr(byte) in '"\\':
            out.append("\\" + chr(byte))
        elif 32 <= byte < 127:
            out.append(chr(byte))
        else:
            out.append(f"\\{byte:03o}")
    return f'"{"".join(out)}"'


HEAD = re.compile(rb"\b(if|while|for|switch|elif)\s*\Z")
"""What a pair of parentheses belongs to that holds whole expressions; those of a call do not."""
STRING = re.compile(rb"""\"(?:\\.|[^"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*.*?\*/|//[^\n]*""", re.DOTALL)
SPACES = re.compile(rb"\s+")


def widened(source: bytes, edit: Edit) -> tuple[bytes, bytes]:
    """Old and new text of an edit, with the rest of the expression or statement that it is part of."""
    if edit.start == edit.end and (edit.text.strip().endswith((b";", b"}")) or b"\n" in edit.text):
        return b"", b" ".join(edit.text.split())
    start, end = whole(source, edit.start, edit.end)
    old = source[start:end]
    new = source[start : edit.start] + edit.text + source[edit.end : end]
    return _on_one_line(old), _on_one_line(new)


def _on_one_line(text: bytes) -> bytes:
    """With one blank where there are several, but for those in strings: there they may be what is changed."""
    found, end = [], 0
    for match in STRING.finditer(text):
        if match[0][:1] in b"'\"" and b"\n" not in match[0]:
            found += [SPACES.sub(b" ", text[end : match.start()]), match[0]]
            end = match.end()
    return b"".join([*found, SPACES.sub(b" ", text[end:])]).strip()


def whole(source: bytes, start: int, end: int) -> tuple[int, int]:
    """The expression between the parentheses of an `if` and the like, or the statement, around a range."""
    # Brackets and operators in strings and comments do not count.
    plain = STRING.sub(lambda match: b"_" * len(match[0]), source)
    low, high = start, end
    while True:
        # A bracket whose other half lies outside must be met there.
        between = plain[low:high]
        low = _edge(plain, low, _unmatched(between, -1), -1)
        high = _edge(plain, high, _unmatched(between, 1), 1)
        opened, closed = plain[low - 1 : low], plain[high : high + 1]
        inside = bool(opened) and bool(closed) and opened in b"([" and closed in b")]"
        if not inside or HEAD.search(plain, 0, low - 1):
            break
        low, high = low - 1, high + 1
    while low < start and source[low : low + 1].isspace():
        low += 1
    return low, max(end, len(source[:high].rstrip()))


def _unmatched(plain: bytes, side: int) -> int:
    """Number of opening brackets (side 1) or closing ones (-1) without their other half in a text."""
    depth = most = 0
    for sign in plain if side < 0 else reversed(plain):
        depth += (sign in b")]") - (sign in b"([") if side < 0 else (sign in b"([") - (sign in b")]")
        most = max(most, depth)
    return most


def _edge(plain: bytes, position: int, depth: int, step: int) -> int:
    """Where the expression or statement around a position ends, to its left (step -1) or right (1)."""
    entering, leaving = (b"([", b")]") if step > 0 else (b")]", b"([")
    ahead = min(step, 0)
    while 0 <= position + ahead < len(plain):
        sign = plain[position + ahead]
        if sign in entering:
            depth += 1
        elif sign in leaving:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and sign in b";{}\n":
            break
        position += step
    return position


def describe(source: bytes, candidate: Candidate, parts: Sequence[Part] = ()) -> str:
    """What a candidate changes, in a sentence for people: "line 6: `a == b == c` → `a == b && b == c`".

    `parts`: the files that the source is made of, where it is several.
    """
    changes = []
    for group in _by_line(source, candidate.edits):
        first, last = group[0], group[-1]
        inside = b""
        position = first.start
        for edit in group:
            inside += source[position : edit.start] + edit.text
            position = edit.end
        old, new = widened(source, Edit(first.start, last.end, inside))
        part, line, _ = _place(source, _first_change(source, first), parts)
        file = f"{part.path} " if part is not None else ""
        changed = _change(_show(old), _show(new))
        if old == new:
            changed = _moved(_show(old), _indent(source[first.start : last.end]), _indent(inside))
        changes.append(f"{file}line {line}: {changed}")
    return "; ".join(changes)


def _place(source: bytes, offset: int, parts: Sequence[Part]) -> tuple[Part | None, int, int]:
    """File, line and column of an offset."""
    part = part_at(parts, offset)
    first = part.start if part is not None else 0
    line = source.count(b"\n", first, offset) + 1
    return part, line, offset - (source.rfind(b"\n", 0, offset) + 1) + 1


def _indent(lines: bytes) -> int:
    """The blanks before the first line that has more than blanks."""
    line = next((line for line in lines.splitlines() if line.strip()), b"")
    return len(line) - len(line.lstrip())


def _moved(text: str, before: int, after: int) -> str:
    """What is changed where nothing but blanks are."""
    if before == after:
        return f"blanks in `{text}`"
    return f"moves `{text}` {'out of its block' if after < before else 'into the block before it'}"


def _change(old: str, new: str) -> str:
    if not old:
        return f"inserts `{new}`"
    if not new:
        return f"deletes `{old}`"
    return f"`{old}` → `{new}`"


def _first_change(source: bytes, edit: Edit) -> int:
    """The offset of the first byte that an edit changes, white space at its beginning left out."""
    start, text = edit.start, edit.text
    stripped = len(text) - len(text.lstrip())
    if edit.start == edit.end and stripped and b"\n" in text[:stripped]:
        # A new line after a statement: people look for it on the line below.
        following = source.find(b"\n", start)
        return start if following < 0 else following + 1
    return start


def _show(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(text) <= 120 else text[:57] + " … " + text[-57:]


def _by_line(source: bytes, edits: tuple[Edit, ...]) -> list[list[Edit]]:
    """Edits of one line belong together in what is shown."""
    groups: list[list[Edit]] = []
    for edit in sorted(edits):
        if groups and b"\n" not in source[groups[-1][-1].end : edit.start]:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups


def patch_id(source: bytes, candidate: Candidate) -> str:
    """The same for the same source and the same edits, and for no other."""
    parts = [part for e in sorted(candidate.edits) for part in (str(e.start), str(e.end), e.text)]
    return digest(source, *parts)


def tidy(source: bytes, candidate: Candidate) -> Candidate:
    """The same program without the empty lines that deleted statements would leave behind."""
    edits = []
    for edit in candidate.edits:
        start = source.rfind(b"\n", 0, edit.start) + 1
        end = source.find(b"\n", edit.end) + 1
        alone = not edit.text.strip() and source[start : edit.start].strip() == b"" and end > 0
        if alone and edit.end > edit.start and source[edit.end : end].strip() == b"":
            others = [other for other in candidate.edits if other is not edit]
            if not any(
                (other.start < end and start < other.end) or start <= other.start < end for other in others
            ):
                edits.append(Edit(start, end, b""))
                continue
        edits.append(edit)
    return replace(candidate, edits=tuple(edits))


def diff_of(path: str, source: bytes, candidate: Candidate, parts: Sequence[Part] = ()) -> str:
    """The difference that a candidate makes, file by file."""
    if not parts:
        return unified_diff(path, source, candidate.apply(source))
    diffs = []
    for part in parts:
        inside = [edit for edit in candidate.edits if part_at(parts, edit.start) is part]
        moved = tuple(Edit(e.start - part.start, e.end - part.start, e.text) for e in inside)
        before = part.content(source)
        diffs.append(unified_diff(part.path, before, replace(candidate, edits=moved).apply(before)))
    return "".join(diffs)


def patch_of(
    path: str,
    source: bytes,
    candidate: Candidate,
    confidence: float = 0.0,
    evidence: tuple[str, ...] = (),
    parts: Sequence[Part] = (),
) -> Patch:
    """`parts`: the files that the source is made of, where it is several."""
    description = describe(source, candidate, parts)
    candidate = tidy(source, candidate)
    # A header that comes along is not where the bug is.
    changes = [edit for edit in candidate.edits if not edit.text.startswith(b"#include")]
    first = min(changes or candidate.edits)
    part, line, column = _place(source, _first_change(source, first), parts)
    return Patch(
        id=patch_id(source, candidate),
        candidate=candidate,
        location=Location(part.path if part is not None else path, line, column),
        description=description,
        diff=diff_of(path, source, candidate, parts),
        confidence=confidence,
        evidence=evidence,
    )

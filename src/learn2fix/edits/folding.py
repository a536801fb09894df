"""A candidate as a reviewer would write it: no sums that a reader would have to do, spaced like its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from learn2fix.edits.diff import whole
from learn2fix.model import Candidate, Edit

SUM = re.compile(rb"(?<=[\w)\]])(\s*)([+-])(\s*)(0|[1-9]\d*)\s*([+-])\s*(0|[1-9]\d*)(?!\s*[*/%.\[(]|\w)")
NOTHING = re.compile(rb"(?<=[\w)\]])\s*[+-]\s*0(?!\s*[*/%.\[(]|\w)")
COMPARISON = re.compile(rb"(?<![<>=!\-])(?:<=|>=|==|!=|<(?![<=])|>(?![>=]))(?!=)")
UNLIKE = re.compile(rb"<<|>>|[&|^?:=<>!]|\b(?:and|or|not|in|is|if|else|lambda|return)\b")
"""What makes one side of a comparison more than a sum."""
TRAILING = re.compile(rb"(.*[\w)\]])(\s*)([+-])(\s*)(0|[1-9]\d*)", re.DOTALL)
"""A sum that ends in a number."""
LITERAL = re.compile(rb"0|-?[1-9]\d*|'[0-9A-Za-z]'")
ENDS = re.compile(
    rb"&&|\|\||[,;?:{}]|\b(?:and|or|not|if|elif|while|return|else|for)\b|(?<![<>=!+\-*/%&|^])=(?!=)"
)
"""What one side of a comparison ends at."""
NEGATED = re.compile(rb"(?:!|\bnot )\s*\(([^()&|?:,;=<>!]*)(<=|>=|==|!=|<|>)([^()&|?:,;=<>!]*)\)")
JOINED_LEFT = re.compile(rb"(?:\A|[(;]|&&|\|\||\b(?:and|or|if|elif|while|return))\s*\Z")
JOINED_RIGHT = re.compile(rb"\s*(?:\Z|[);:]|&&|\|\||(?:and|or|else)\b)")
"""Around a comparison that needs no parentheses."""
OPPOSITE = {b"<": b">=", b">=": b"<", b">": b"<=", b"<=": b">", b"==": b"!=", b"!=": b"=="}
TIGHT = re.compile(
    rb"(?<=[\w)\]])(?<![\d.]e)(?:[<>=!]=|&&|\|\||[<>+*%])(?=[\w(])|(?<=[\w)\]])-(?=[a-zA-Z_(])"
)
LOOSE = re.compile(rb"(?<=[\w)\]]) (?:[<>=!]=|&&|\|\||[-+*/%<>]) (?=[\w('\"!-])")
TEXTS = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'")


def folded(source: bytes, candidate: Candidate) -> Candidate:
    """The same with `n - 1 + 1`, `x + 1 >= 6` and `!(a < b)` worked out, where the candidate itself wrote one
    half of it, and with blanks around operators as its neighbours have them."""
    edits = []
    for edit in candidate.edits:
        start, end = whole(source, edit.start, edit.end)
        if any(start < other.end and other.start < end for other in candidate.edits if other is not edit):
            return candidate
        before = source[start:end]
        edit = replace(edit, text=_spaced_like(before, edit.text))
        after = source[start : edit.start] + edit.text + source[edit.end : end]
        plain = worked_out(after)
        own = plain != after and worked_out(before) == before
        edits.append(Edit(start, end, plain) if own else edit)
    return replace(candidate, edits=tuple(edits))


def worked_out(text: bytes) -> bytes:
    """With every sum of numbers done that can be done without knowing more."""
    while True:
        shorter = NOTHING.sub(b"", SUM.sub(_sum, text))
        shorter = _compared(NEGATED.sub(_negated, shorter))
        if shorter == text:
            return text
        text = shorter


def _sum(match: re.Match[bytes]) -> bytes:
    before, first, gap, one, second, other = match.groups()
    total = (1 if first == b"+" else -1) * int(one) + (1 if second == b"+" else -1) * int(other)
    return _added(before, gap, total)


def _added(before: bytes, gap: bytes, total: int) -> bytes:
    if total == 0:
        return b""
    return before + (b"+" if total > 0 else b"-") + gap + str(abs(total)).encode()


def _negated(match: re.Match[bytes]) -> bytes:
    left, sign, right = match.groups()
    turned = left + OPPOSITE[sign] + right
    around = match.string[: match.start()], match.string[match.end() :]
    return turned if JOINED_LEFT.search(around[0]) and JOINED_RIGHT.match(around[1]) else b"(" + turned + b")"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: a sum and the number that it ends in."""

    rest: bytes
    before: bytes
    gap: bytes
    number: int
    character: bool = False

    @classmethod
    def read(cls, text: bytes) -> Side | None:
        if LITERAL.fullmatch(text):
            character = text.startswith(b"'")
            return cls(b"", b"", b"", text[1] if character else int(text), character)
        if not text or UNLIKE.search(text):
            return None
        found = TRAILING.fullmatch(text)
        if found is None:
            return cls(text, b" ", b" ", 0)
        rest, before, sign, gap, number = found.groups()
        return cls(rest, before, gap, int(number) * (1 if sign == b"+" else -1))

    def __bytes__(self) -> bytes:
        if self.rest:
            return self.rest + _added(self.before, self.gap, self.number)
        if self.character:
            return b"'" + bytes([self.number]) + b"'"
        return str(self.number).encode()


def _compared(text: bytes) -> bytes:
    """`x + 1 >= '1'` as `x >= '0'`, `i + 1 < n + 1` as `i < n`; `i + 1 < n` stays as it is."""
    plain = TEXTS.sub(lambda match: b"_" * len(match[0]), text)
    for found in COMPARISON.finditer(plain):
        low, high = _start(plain, found.start()), _end(plain, found.end())
        left_text, right_text = text[low : found.start()].rstrip(), text[found.end() : high].lstrip()
        left, right = Side.read(left_text), Side.read(right_text)
        if left is None or right is None or not (left.rest or right.rest):
            continue
        if left.rest and left.number and (right.number or not right.rest):
            moved = (replace(left, number=0), replace(right, number=right.number - left.number))
        elif right.rest and right.number and not left.rest:
            moved = (replace(left, number=left.number - right.number), replace(right, number=0))
        else:
            continue
        if any(side.character and not chr(side.number).isalnum() for side in moved):
            continue
        gap_left = text[low + len(left_text) : found.start()]
        gap_right = text[found.end() : high - len(right_text)]
        sign = text[found.start() : found.end()]
        return text[:low] + bytes(moved[0]) + gap_left + sign + gap_right + bytes(moved[1]) + text[high:]
    return text


def _start(plain: bytes, position: int) -> int:
    """Where the left side of a comparison begins."""
    depth = 0
    for place in range(position - 1, -1, -1):
        sign = plain[place : place + 1]
        depth += (sign in b")]") - (sign in b"([")
        if depth < 0:
            ends = place + 1
            break
    else:
        ends = 0
    for found in ENDS.finditer(plain, ends, position):
        if not _depth(plain[found.end() : position]):
            ends = found.end()
    return ends + len(plain[ends:position]) - len(plain[ends:position].lstrip())


def _end(plain: bytes, position: int) -> int:
    depth, high = 0, len(plain)
    for place in range(position, len(plain)):
        sign = plain[place : place + 1]
        depth += (sign in b"([") - (sign in b")]")
        if depth < 0:
            high = place
            break
    for found in ENDS.finditer(plain, position, high):
        if not _depth(plain[position : found.start()]):
            high = found.start()
            break
    return position + len(plain[position:high].rstrip())


def _depth(text: bytes) -> int:
    return sum((sign in b"([") - (sign in b")]") for sign in (text[i : i + 1] for i in range(len(text))))


def _spaced_like(line: bytes, text: bytes) -> bytes:
    """The text with blanks around its operators if the line has them, without if it has none."""
    plain = TEXTS.sub(lambda match: b"_" * len(match[0]), line)
    tight, loose = bool(TIGHT.search(plain)), bool(LOOSE.search(plain))
    if tight == loose:
        return text

    def respaced(part: bytes) -> bytes:
        if tight:
            return LOOSE.sub(lambda match: match[0].strip(), part)
        return TIGHT.sub(lambda match: b" " + match[0] + b" ", part)

    return _outside_texts(text, respaced)


def _outside_texts(text: bytes, change: Callable[[bytes], bytes]) -> bytes:
    pieces, position = [], 0
    for match in TEXTS.finditer(text):
        pieces += [change(text[position : match.start()]), match[0]]
        position = match.end()
    return b"".join([*pieces, change(text[position:])])

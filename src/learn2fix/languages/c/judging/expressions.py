"""Text of C expressions: whether it may be evaluated on trial, and what class of value it has.

Candidates come by the ten thousand, so the text is looked at token by token and never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from learn2fix.languages.c.types import REAL_WORDS

TOKEN = re.compile(
    rb"""(?P<text>L?"(?:[^"\\\n]|\\.)*"|L?'(?:[^'\\\n]|\\.)*')"""
    rb"""|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"""
    rb"""|(?P<word>[A-Za-z_]\w*)"""
    rb"""|(?P<operator><<=|>>=|\+\+|--|->|==|!=|<=|>=|&&|\|\||<<|>>|[-+*/%&|^]=|[^\s\w])"""
)
TOKENS = re.compile(re.sub(rb"\?P<\w+>", b"?:", TOKEN.pattern))
"""The same, to be had as a list of their texts."""
COMMENT = re.compile(rb"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/|//[^\n]*""", re.S)
SIDE_EFFECTS = frozenset(
    (b"=", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"<<=", b">>=")
)
FORBIDDEN = frozenset((b";", b"{", b"}", b"#", b"\\", b"`", b"@", b"$", b'"', b"'"))
OPEN = {b"(": b")", b"[": b"]"}
CLOSE = frozenset(OPEN.values())
TELLING = SIDE_EFFECTS | FORBIDDEN | CLOSE | {*OPEN, b","}
PLAIN, MALFORMED = (True, False, False, ()), (False, False, False, ())
NOT_CALLS = frozenset((b"sizeof", b"_Alignof"))
FLOAT_WORDS = frozenset(word.encode() for word in REAL_WORDS)
WORDS = re.compile(rb"[A-Za-z_]\w*")
BRACKETS = re.compile(rb"""L?"(?:[^"\\\n]|\\.)*"|L?'(?:[^'\\\n]|\\.)*'|[()]""")
STRINGS = re.compile(rb'\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+')


def one_line(text: bytes) -> bytes:
    """Without comments and line breaks."""
    if b"/*" in text or b"//" in text:
        text = COMMENT.sub(lambda found: found.group(1) or b" ", text)
    if b"\n" in text or b"\r" in text:
        text = text.replace(b"\\\n", b" ").replace(b"\n", b" ").replace(b"\r", b" ")
    return text.strip()


@lru_cache(maxsize=200_000)
def shape(text: bytes) -> tuple[bool, bool, bool, tuple[bytes, ...]]:
    """Is it well formed, has it side effects, has it a comma outside brackets, and what does it call?"""
    tokens = TOKENS.findall(text)
    if TELLING.isdisjoint(tokens):
        return PLAIN
    depth: list[bytes] = []
    effects = comma = False
    calls: list[bytes] = []
    previous = b""
    for token in tokens:
        if token in TELLING:
            if token in OPEN:
                if token == b"(" and WORDS.fullmatch(previous):
                    calls.append(previous)
                depth.append(OPEN[token])
            elif token in CLOSE:
                if not depth or depth.pop() != token:
                    return MALFORMED
            elif token in FORBIDDEN:
                return MALFORMED
            elif token in SIDE_EFFECTS:
                effects = True
            elif not depth:
                comma = True
        previous = token
    return (not depth, effects, comma, tuple(c for c in calls if c not in NOT_CALLS))


def balanced(text: bytes) -> bool:
    return shape(text)[0]


def pure(text: bytes, callable_: Collection[bytes], impure: frozenset[bytes] = frozenset()) -> bool:
    """It is an expression without effects that calls nothing but `callable_`."""
    formed, effects, comma, calls = shape(text)
    if not formed or effects or comma or not text.strip():
        return False
    if calls and not all(call in callable_ for call in calls):
        return False
    return not impure or impure.isdisjoint(WORDS.findall(text))


def value_class(text: bytes, names: Mapping[bytes, str]) -> str:
    """Integer "i", floating "f", pointer "p" or unknown "?": an expression over names of known classes."""
    stripped = text.strip()
    if stripped.startswith(b"&") or STRINGS.fullmatch(stripped):
        return "p"
    floats = unknown = other = False
    for found in TOKEN.finditer(stripped):
        token = found.group()
        if found.lastgroup == "word":
            if token in FLOAT_WORDS:
                floats = other = True
                continue
            known = names.get(token, "?")
            if known == "f":
                floats = True
            elif known != "i":
                unknown = True
        elif found.lastgroup == "number":
            if _is_float(token):
                floats = True
        elif found.lastgroup == "text":
            if token.startswith(b'"'):
                unknown = True
        elif token in (b"?", b"<", b">", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"!", b"[", b"%", b"->"):
            other = True
    if unknown:
        return "?"
    if not floats:
        return "i"
    return "?" if other or b"(" in stripped else "f"


def _is_float(number: bytes) -> bool:
    if number[:2] in (b"0x", b"0X"):
        return b"p" in number.lower()
    return any(mark in number for mark in b".eE")

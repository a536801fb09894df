"""Words that a program looks for: two fixes may differ only where they occur."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from learn2fix.fuzzing.letters import class_of

COMPARED = re.compile(
    r"strn?c?a?s?e?cmp|strstr|strchr|==|!=| in |startswith|endswith|find|count|index|replace"
)
QUOTED = re.compile(r"\"([^\"\\%\n]{1,20})\"|'([^'\\%\n]{2,20})'")
ONE_CHARACTER = re.compile(r"'(?:[^'\\]|\\.)'")
CHARACTER = re.compile(r"(?:[=!]=|case)\s*'(?:([^'\\])|\\(['\"\\]))'")
ORDERED = re.compile(r"[<>]=?\s*'([^'\\])'")
CODE = re.compile(r"\]\s*([<>]=?|[=!]=)\s*(\d{2,3})\b")
"""A character compared by its number, as in `s[i] >= 65`."""
ENTRY = re.compile(r"[{,]\s*(['\"])([^'\"\\])\1\s*:(?:\s*(['\"])([^'\"\\])\3)?")
"""A table that says something of single characters: `{')': '('}`."""
NUMBER = re.compile(r"[=!]=\s*(-?\d{1,6})\b(?!\.)")
"""A whole number that something is equal to, or not."""
PUT_IN = 0.1
"""Chance that a list that changes gets one of them."""
MOST = 12
SPLICED = 0.2
"""Chance that a text that changes gets one of the words."""


def compared_words(source: str) -> tuple[str, ...]:
    """Texts that a line of the source compares with, and characters that it compares with one by one."""
    found: dict[str, None] = {}
    for line in source.splitlines():
        if COMPARED.search(line):
            texts = QUOTED.findall(ONE_CHARACTER.sub("", line))
            found |= dict.fromkeys(text or other for text, other in texts)
        letters = [plain or escaped for plain, escaped in CHARACTER.findall(line)]
        if len(letters) > 1:
            found["".join(letters)] = None
    return tuple(found)[:MOST]


def compared_letters(source: str) -> str:
    """Characters that the source compares with: where one occurs the program does something else.

    Where it asks what is before or behind one of them, also the next ones of its class.
    """
    found = dict.fromkeys(plain or escaped for plain, escaped in CHARACTER.findall(source))
    found |= dict.fromkeys(each for _, key, _, held in ENTRY.findall(source) for each in (key, held) if each)
    codes = [(operator[0] in "<>", chr(int(code))) for operator, code in CODE.findall(source)]
    codes = [(ordered, letter) for ordered, letter in codes if letter.isascii() and letter.isprintable()]
    found |= dict.fromkeys(letter for ordered, letter in codes if not ordered)
    for letter in (*ORDERED.findall(source), *(letter for ordered, letter in codes if ordered)):
        near = (chr(ord(letter) + step) for step in (0, -1, 1))
        found |= dict.fromkeys(each for each in near if each in class_of(letter))
    return "".join(found)[:MOST]


def compared_numbers(source: str) -> tuple[int, ...]:
    """Numbers that the source asks for: a list in which one of them stands is another case."""
    return tuple(dict.fromkeys(int(text) for text in NUMBER.findall(source)))[:MOST]


def with_a_number(value: Any, numbers: Sequence[int], rng: random.Random) -> Any:
    """A list or record with one of these numbers for one of its own, however deep."""
    if isinstance(value, int) and not isinstance(value, bool):
        return rng.choice(numbers)
    if not isinstance(value, list | tuple):
        return value
    places = [place for place, item in enumerate(value) if isinstance(item, int | list | tuple)]
    if not places:
        return value
    place = rng.choice(places)
    new = with_a_number(value[place], numbers, rng)
    return type(value)((*value[:place], new, *value[place + 1 :]))


def spliced(value: Any, words: Sequence[str], rng: random.Random) -> Any:
    """The text with a word in it, or a word for it; of a list or record, one of the texts in it."""
    if isinstance(value, list | tuple):
        places = [place for place, item in enumerate(value) if isinstance(item, str | list | tuple)]
        if not places:
            return value
        place = rng.choice(places)
        return type(value)((*value[:place], spliced(value[place], words, rng), *value[place + 1 :]))
    if not isinstance(value, str):
        return value
    word, place = rng.choice(words), rng.randint(0, len(value))
    match rng.randrange(5):
        case 0:
            return word
        case 1:
            return word + word
        case 2:
            return value[:place] + word + value[place + len(word) :]
        case 3:
            left_out = rng.randrange(len(word))
            return value[:place] + word[:left_out] + word[left_out + 1 :] + value[place:]
        case _:
            return value[:place] + word + value[place:]

"""The words for people that every part of the tool shares."""

from __future__ import annotations

TIME_IS_UP = "the time is up"
"""The reason for no further question that says nothing about the answers."""


def plural(count: int, noun: str) -> str:
    """`1 answer`, `2 answers`, `1,200 fixes`."""
    if count == 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{count:,} {noun}{ending}"


def quoted(text: str) -> str:
    """A text in a sentence: '2 2 1'; one that has quotes of its own is not put into others: `'ab', 3`."""
    simple = repr(text)
    return f"`{text}`" if simple == f'"{text}"' else simple


def shortened(text: str, most: int = 400) -> str:
    """A text for one line of several: of a long one the beginning and the end, and how long it is."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} … {text[-half:]} ({len(text):,} characters)"

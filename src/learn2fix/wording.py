"""The words for people that every part of the tool shares."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """`1 answer`, `2 answers`, `1,200 fixes`."""
    if count == 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{count:,} {noun}{ending}"

"""Classes of characters: what a text of letters, digits or signs usually consists of."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits

CLASSES = {letter: letters for letters in (ascii_lowercase, ascii_uppercase, digits) for letter in letters}


def class_of(letter: str) -> str:
    """All characters of its class; signs and foreign letters are classes of their own."""
    return CLASSES.get(letter, letter)

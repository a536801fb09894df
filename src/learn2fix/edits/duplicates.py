"""Two changes are one when what they give differs only in characters that the language ignores."""

from __future__ import annotations

from collections.abc import Callable

from learn2fix.edits.catalogue import Change, Piece


class Duplicates:
    """Which results were there before; the original counts as one of them."""

    def __init__(self, text: str, squeeze: Callable[[str], str]) -> None:
        """`squeeze` leaves out what does not matter, such as white space outside of quotes."""
        self._squeeze = squeeze
        self._squeezed = squeeze(text)
        self._places = _places(text, self._squeezed)
        self._known: set[Piece | None] = {None}

    def add(self, change: Change) -> bool:
        """False when the result was there before, or is the original."""
        key = self._canonical(change)
        if key in self._known:
            return False
        self._known.add(key)
        return True

    def _canonical(self, change: Change) -> Piece | None:
        """The change as one replacement in squeezed text, as short as it can be."""
        places = self._places
        (start, position, text), *others = change
        first, position, new = places[start], places[position], self._squeeze(text)
        for start, end, text in others:
            new += self._squeezed[position : places[start]] + self._squeeze(text)
            position = places[end]
        return self._trimmed(first, position, new)

    def _trimmed(self, start: int, end: int, new: str) -> Piece | None:
        old = self._squeezed
        index, limit = 0, min(len(new), end - start)
        while index < limit and new[index] == old[start + index]:
            index += 1
        start, new = start + index, new[index:]
        while new and end > start and new[-1] == old[end - 1]:
            end, new = end - 1, new[:-1]
        if start == end:
            if not new:
                return None
            # An insertion of what stands there already: slide it to the right as far as it goes.
            while start < len(old) and old[start] == new[0]:
                new = new[1:] + new[0]
                start, end = start + 1, end + 1
        elif not new:
            while end < len(old) and old[end] == old[start]:
                start, end = start + 1, end + 1
        return (start, end, new)


def _places(text: str, squeezed: str) -> list[int]:
    """For every offset, how many characters of the squeezed text stand before it."""
    places, count = [], 0
    for character in text:
        places.append(count)
        if count < len(squeezed) and squeezed[count] == character:
            count += 1
    return [*places, count]

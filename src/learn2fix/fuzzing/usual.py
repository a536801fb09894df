"""What is usual of one value: magnitudes, lengths, characters, order; and the nearest value that has it.

Each kind of value has a class that says whether another value `holds`, makes one `mended` that does not, is
`widened` step by step, and drops by `allowing` what a value refutes that made sense.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, Protocol

from learn2fix.domain.ranges import ANYTHING, Range, numbers_in
from learn2fix.fuzzing.fitting import fitted, folded, is_number
from learn2fix.fuzzing.letters import class_of
from learn2fix.fuzzing.traits import FIRM, OFTEN, Trait, given, has, traits_of

SHORT = 6
"""Length up to which lists and texts are always usual."""
TIME = re.compile(r"\d+[:./-]\d+([:./-]\d+)?")
"""Times and dates: digits do not move."""
FEW_LETTERS = 3
"""Maximum number of distinct characters of an alphabet that new texts mostly keep to."""


class Usual(Protocol):
    def holds(self, value: Any) -> bool: ...
    def mended(self, value: Any) -> Any:
        """A value of the same type, as near as is cheap to find; nothing is promised."""
        ...

    def widened(self, times: int) -> Usual: ...
    def far(self) -> Usual:
        """The same signs and order, at any magnitude and length."""
        ...

    def allowing(self, value: Any) -> Usual: ...


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number, or anything that has numbers in it."""

    within: Range = ANYTHING

    def holds(self, value: Any) -> bool:
        return self.within.covers(value)

    def mended(self, value: Any) -> Any:
        return folded(value, self.within)

    def widened(self, times: int) -> Numbers:
        return Numbers(widened(self.within, times))

    def far(self) -> Numbers:
        low = self.within.low
        return Numbers(Range(low if low is not None and low >= 0 else None))

    def allowing(self, value: Any) -> Numbers:
        if self.holds(value):
            return self
        found = magnitude(list(numbers_in(value)), zero=True)
        return Numbers(Range(_end(min, self.within.low, found.low), _end(max, self.within.high, found.high)))


@dataclass(frozen=True, slots=True)
class Text:
    letters: frozenset[str] = frozenset()
    """Characters that were seen, or others of their classes too; none: any."""
    lengths: Range = ANYTHING
    pattern: str = ""
    """A text like all that are known, character by character of the same class; empty: any."""
    words: frozenset[str] = frozenset()
    """All texts that there are, where the same ones came again and again; none: any."""
    parts: Range = ANYTHING
    """Number of words that blanks part it into."""

    def holds(self, value: Any) -> bool:
        if not isinstance(value, str):
            return True
        if self.words:
            return value in self.words
        if self.pattern:
            return _classes(value) == _classes(self.pattern)
        return (
            self.lengths.holds(len(value))
            and (not self.letters or self.letters.issuperset(value))
            and (self.parts == ANYTHING or self.parts.holds(len(value.split())))
        )

    def mended(self, value: Any) -> Any:
        if not isinstance(value, str) or self.holds(value):
            return value
        if self.words:
            return sorted(self.words)[sum(map(ord, value)) % len(self.words)]
        if self.pattern:
            padded = value + self.pattern[len(value) :]
            return "".join(map(_like, padded, self.pattern))
        if self.letters:
            choice = sorted(self.letters)
            value = "".join(c if c in self.letters else choice[ord(c) % len(choice)] for c in value)
        return fitted(value, self.lengths) if value or not self.letters else min(self.letters)

    def widened(self, times: int) -> Text:
        if not times:
            return self
        return Text(_whole_classes(self.letters), longer(self.lengths, times))

    def far(self) -> Text:
        return replace(self, lengths=Range(self.lengths.low))

    def allowing(self, value: Any) -> Text:
        if not isinstance(value, str) or self.holds(value):
            return self
        letters = self.letters | _whole_classes(value) if self.letters else self.letters
        parts = _including(self.parts, len(value.split()))
        return Text(letters, _including(self.lengths, len(value)), parts=parts)


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    lengths: Range = ANYTHING
    item: Usual = Numbers()
    traits: frozenset[Trait] = frozenset()
    sample: tuple[Any, ...] = ()
    """An item, where any is known: what an empty list is filled with that must not be empty."""

    def holds(self, value: Any) -> bool:
        if not isinstance(value, list):
            return True
        return (
            self.lengths.holds(len(value))
            and all(map(self.item.holds, value))
            and all(has(trait, value) for trait in self.traits)
        )

    def mended(self, value: Any) -> Any:
        if not isinstance(value, list) or self.holds(value):
            return value
        value = fitted([self.item.mended(each) for each in value] or list(self.sample[:1]), self.lengths)
        # What is distinct before it is sorted is distinct afterwards.
        for trait in Trait:
            if trait in self.traits and not has(trait, value):
                value = given(trait, value, self.item.holds)
        return value

    def widened(self, times: int) -> Items:
        if not times:
            return self
        return Items(longer(self.lengths, times), self.item.widened(times), self.traits & FIRM, self.sample)

    def far(self) -> Items:
        return replace(self, lengths=Range(self.lengths.low), item=self.item.far())

    def allowing(self, value: Any) -> Items:
        if not isinstance(value, list):
            return self
        item = self.item
        for each in value:
            item = item.allowing(each)
        kept = frozenset(trait for trait in self.traits if has(trait, value))
        return Items(_including(self.lengths, len(value)), item, kept, self.sample)


@dataclass(frozen=True, slots=True)
class Record:
    """A tuple whose places have their own meaning."""

    fields: tuple[Usual, ...]
    ordered: tuple[int, ...] = ()
    """Places whose number is at most the next one, as in intervals."""

    def holds(self, value: Any) -> bool:
        if not self._fits(value):
            return True
        return all(f.holds(v) for f, v in zip(self.fields, value, strict=True)) and self._in_order(value)

    def mended(self, value: Any) -> Any:
        if not self._fits(value):
            return value
        new = [field.mended(each) for field, each in zip(self.fields, value, strict=True)]
        for place in self.ordered:
            new[place : place + 2] = sorted(new[place : place + 2])
        return tuple(new)

    def widened(self, times: int) -> Record:
        ordered = () if times else self.ordered
        return Record(tuple(field.widened(times) for field in self.fields), ordered)

    def far(self) -> Record:
        return Record(tuple(field.far() for field in self.fields), self.ordered)

    def allowing(self, value: Any) -> Record:
        if not self._fits(value):
            return self
        fields = tuple(f.allowing(v) for f, v in zip(self.fields, value, strict=True))
        return Record(fields, self.ordered if self._in_order(value) else ())

    def _in_order(self, value: tuple[Any, ...]) -> bool:
        return all(value[place] <= value[place + 1] for place in self.ordered)

    def _fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and len(value) == len(self.fields)


# From known values.


def usual(
    values: Sequence[Any], against: Sequence[Any] = (), *, inside: bool = False, letters: str = ""
) -> Usual:
    """What these values have in common, above all where others do not have it that made no sense.

    `inside`: they are items of lists, where zero is usual too. `letters` are usual in texts anyway.
    """
    values = [value for value in values if value is not None]
    types = {type(value) for value in values}
    against = [value for value in against if type(value) in types]
    if types == {str}:
        return _text(values, inside, letters)
    if types == {list}:
        items, others = (list(chain.from_iterable(lists)) for lists in (values, against))
        item = usual(items, others, inside=True, letters=letters)
        return Items(_lengths(values, inside), item, traits_of(values, against), tuple(items[:1]))
    if types == {tuple} and len({len(value) for value in (*values, *against)}) == 1:
        columns = list(zip(*values, strict=True))
        others = list(zip(*against, strict=True)) or [()] * len(columns)
        fields = (
            usual(column, other, letters=letters) for column, other in zip(columns, others, strict=True)
        )
        return Record(tuple(fields), tuple(_ordered(columns, others)))
    zero = inside or bool(types - {int, float, Fraction})
    return Numbers(magnitude(list(numbers_in(values)), zero=zero and 0 not in numbers_in(list(against))))


def _ordered(columns: Sequence[Sequence[Any]], against: Sequence[Sequence[Any]]) -> Iterator[int]:
    for place, (one, other) in enumerate(pairwise(columns)):
        if not all(map(is_number, (*one, *other))) or not all(map(operator.le, one, other)):
            continue
        if len(one) >= OFTEN or not all(map(operator.le, against[place], against[place + 1])):
            yield place


def magnitude(numbers: Sequence[int | Fraction], *, zero: bool) -> Range:
    """As many digits as the largest, and no sign that never occurred.

    Zero is usual when it is known, or when numbers below it are; else only where `zero` says so.
    """
    if not numbers:
        return ANYTHING
    least, largest = min(numbers), max(numbers)
    reach = 10 ** len(str(int(max(-least, largest))))
    if least > 0:
        return Range(1 if not zero and all(isinstance(number, int) for number in numbers) else 0, reach)
    return Range(0 if least == 0 else -reach, reach if least == 0 or largest > 0 else 0)


def _lengths(values: Sequence[Any], inside: bool) -> Range:
    found = {len(value) for value in values}
    # Rows are of one length because they are rows; another input may have others.
    if len(found) == 1 and max(found) > 1 and len(values) >= OFTEN and not inside:
        return Range(max(found), max(found))
    return Range(min([1, *found]), max([SHORT, *(2 * length for length in found)]))


def _text(values: Sequence[str], inside: bool, more: str) -> Text:
    seen = Counter(letter for value in values for letter in value)
    # One letter repeated is a corner case, not an alphabet.
    few = 1 < len(seen) <= FEW_LETTERS and sum(seen.values()) >= OFTEN * len(seen)
    letters = (frozenset(seen) if few else _whole_classes(seen)) | frozenset(more)
    timed = all(map(TIME.fullmatch, values)) and len({_classes(value) for value in values}) == 1
    # Rows of a table have one length for another reason.
    keywords = len(values) > OFTEN and 2 * len(set(values)) <= len(values) and len(set(map(len, values))) > 1
    counts = {len(value.split()) for value in values}
    same = len(counts) == 1 and len(values) >= OFTEN
    return Text(
        letters,
        _lengths(values, inside),
        values[0] if timed else "",
        frozenset(values) if keywords else frozenset(),
        Range(min(counts), max(counts)) if same else Range(min(1, *counts)),
    )


# Parts.


def widened(within: Range, times: int) -> Range:
    """Numbers multiplied by ten this many times, with the same sign."""
    low, high = within.low, within.high
    return Range(
        low * 10**times if low is not None and low < 0 else low,
        high * 10**times if high is not None and high > 0 else high,
    )


def longer(lengths: Range, times: int) -> Range:
    """Lengths doubled this many times, from 0 on."""
    return Range(0, None if lengths.high is None else lengths.high * 2**times)


def _including(lengths: Range, length: int) -> Range:
    if lengths.holds(length):
        return lengths
    return Range(_end(min, lengths.low, length), _end(max, lengths.high, length))


def _end(
    outer: Callable[..., int | Fraction], one: int | Fraction | None, other: int | Fraction | None
) -> int | Fraction | None:
    return None if one is None or other is None else outer(one, other)


def _whole_classes(letters: Iterable[str]) -> frozenset[str]:
    return frozenset(other for letter in set(letters) for other in class_of(letter))


def _classes(text: str) -> tuple[str, ...]:
    return tuple(map(class_of, text))


def _like(letter: str, model: str) -> str:
    letters = class_of(model)
    return letter if letter in letters else letters[ord(letter) % len(letters)]

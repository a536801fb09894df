"""Inputs of a known form: text to nested values and back, with counts that are always true.

A number that only says how many of something follow is no value of its own: it is read, and written again
from the length of what it counts. Lists that share a count are fitted to the first of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from learn2fix.domain.forms import (
    Atom,
    Count,
    Field,
    Form,
    Group,
    Item,
    Span,
    UntilEnd,
    UntilLineEnd,
    UntilMark,
    fields_of,
)
from learn2fix.domain.inputs import Domain, FoundForm, Origin
from learn2fix.domain.numbers import format_number, parse_number
from learn2fix.domain.ranges import ANYTHING
from learn2fix.domain.shapes import Form as Type
from learn2fix.domain.shapes import Shape
from learn2fix.errors import UsageError
from learn2fix.model import Kind, Variable

MOST_FIELDS = 20_000
"""Maximum number of fields that are read or written: a count may be any number."""
NUMBERS = {
    Atom.INT: re.compile(r"[-+]?[0-9]+"),
    Atom.REAL: re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"),
}
WORD = re.compile(r"\S+")
BLANK = re.compile(r"\s*")
SPACES = re.compile(r"[ \t\r]*")


Path = tuple[int, ...]
"""Which item of a form, by its place among the items of each group around it."""


class FormMismatch(UsageError):
    """The text has another form."""

    def __init__(self, problem: str, field: Field | None = None, word: str = "") -> None:
        super().__init__(f"the input does not have the form that it should: {problem}", "say it with --form")
        self.problem, self.field, self.word = problem, field, word


@dataclass(slots=True)
class _Reading:
    """Reads one text by a form."""

    text: str
    at: int = 0
    spans: list[Span] = field(default_factory=list)
    gaps: dict[Path, Counter[str]] = field(default_factory=dict)
    """For each item: what stood before it."""

    def items(
        self, items: Sequence[Item], known: dict[str, int], path: Path = (), opens: Path | None = None
    ) -> list[Any]:
        """A raw value for each item, hidden ones too; `known` are the numbers that counts are made of.

        `opens` is the outermost item that begins with the first of these.
        """
        known = dict(known)
        values: list[Any] = []
        for number, item in enumerate(items):
            here = (*path, number)
            begins = opens if opens is not None and number == 0 else here
            if isinstance(item, Group):
                values.append(self.group(item, known, here, begins))
                known[f"len({item.name})"] = len(values[-1])
                continue
            end = self.spans[-1].end if self.spans else 0
            value = self.field(item)
            values.append(value)
            self.gaps.setdefault(begins, Counter())[self.text[end : self.spans[-1].start]] += 1
            if item.atom is Atom.INT:
                known[item.name] = value
            elif isinstance(value, str):
                known[f"len({item.name})"] = len(value)
        return values

    def group(self, group: Group, known: dict[str, int], path: Path, begins: Path) -> list[list[Any]]:
        turns: list[list[Any]] = []
        more = self._more(group, known)
        while more(len(turns)):
            if len(self.spans) > MOST_FIELDS:
                raise FormMismatch(f"more than {MOST_FIELDS:,} values")
            turns.append(self.items(group.items, known, path, None if turns else begins))
        return turns

    def _more(self, group: Group, known: Mapping[str, int]) -> Callable[[int], bool]:
        match group.times:
            case Count() as count:
                wanted = count.value(known)
                return lambda turns: turns < wanted
            case UntilEnd():
                return lambda turns: bool(self.text[self.at :].strip())
            case UntilLineEnd():
                return lambda turns: not self._line_ends()
            case UntilMark(mark):
                first = next(fields_of(group.items))
                return lambda turns: not self._mark(mark, first)

    def _line_ends(self) -> bool:
        after = SPACES.match(self.text, self.at)
        at = after.end() if after else self.at
        return at >= len(self.text) or self.text[at] == "\n"

    def _mark(self, mark: str, first: Field) -> bool:
        at = self.at
        spans = []
        for word in mark.split():
            found = WORD.search(self.text, at)
            if found is None:
                raise FormMismatch(f"no {mark!r} at the end")
            if found.group() != word:
                return False
            at = found.end()
            spans.append(Span(first, found.start(), at))
        self.spans += spans
        self.at = at
        return True

    def field(self, item: Field) -> Any:
        if item.atom is Atom.LINE:
            return self._line(item)
        self.at = BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
        literal = item.before.strip()
        if literal and self.text.startswith(literal, self.at):
            self.at = BLANK.match(self.text, self.at + len(literal)).end()  # type: ignore[union-attr]
        if self.at >= len(self.text):
            raise FormMismatch(f"{item.name} is missing", item)
        if item.atom is Atom.CHAR:
            return self._take(item, self.at + 1)
        if item.atom is Atom.WORD:
            found = WORD.match(self.text, self.at)
            return self._take(item, found.end() if found else self.at)
        found = NUMBERS[item.atom].match(self.text, self.at)
        number = parse_number(found.group()) if found else None
        if found is None or number is None:
            word = WORD.match(self.text, self.at)
            text = word.group() if word else ""
            raise FormMismatch(f"{item.name} is not a number: {text[:20]!r}", item, text)
        self._take(item, found.end())
        return number

    def _line(self, item: Field) -> str:
        # The rest of a line that was read up to its last field is no line of its own.
        if "\n" in item.before and self.spans and self.text.startswith("\n", self.at):
            self.at += 1
        end = self.text.find("\n", self.at)
        value = self._take(item, len(self.text) if end < 0 else end)
        if end < 0 and not value:
            raise FormMismatch(f"{item.name} is missing", item)
        return value

    def last_word(self) -> str:
        """The whole of the word that the last field is a part of: 2 of 2.5, say."""
        start = self.spans[-1].start if self.spans else 0
        found = WORD.match(self.text, start)
        return found.group() if found else ""

    def _take(self, item: Field, end: int) -> str:
        self.spans.append(Span(item, self.at, end))
        value, self.at = self.text[self.at : end], end
        return value


@dataclass(frozen=True)
class FormLayout:
    """The layout of a domain whose inputs have a form."""

    form: Form

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Numbers that are counts only: what they count determines them."""
        return frozenset(_determined(self.form.items))

    def spans(self, text: str) -> list[Span]:
        """Where each field stands in the text. UsageError when it has another form."""
        return self._read(text)[1].spans

    def split(self, text: str) -> tuple[Any, ...]:
        return tuple(self._visible(self.form.items, self._read(text)[0]))

    def spaced_like(self, texts: Sequence[str]) -> FormLayout:
        """The same form with the white space that these inputs have."""
        gaps: dict[Path, Counter[str]] = {}
        for text in texts:
            for path, found in self._read(text)[1].gaps.items():
                gaps.setdefault(path, Counter()).update(found)
        items = _spaced(self.form.items, (), {path: gap.most_common(1)[0][0] for path, gap in gaps.items()})
        last = texts[0][self.spans(texts[0])[-1].end :]
        return FormLayout(Form(items, last if not last.strip() else self.form.after))

    def _read(self, text: str) -> tuple[list[Any], _Reading]:
        reading = _Reading(text)
        values = reading.items(self.form.items, {})
        if rest := text[reading.at :].strip():
            last = reading.spans[-1].field if reading.spans else None
            raise FormMismatch(f"{rest[:20]!r} is left over", last, reading.last_word())
        return values, reading

    def _visible(self, items: Sequence[Item], values: Sequence[Any]) -> list[Any]:
        """What is left of raw values when hidden counts are dropped and turns of one value unpacked."""
        seen: list[Any] = []
        for item, value in zip(items, values, strict=True):
            if isinstance(item, Group):
                turns = [self._visible(item.items, turn) for turn in value]
                if _is_text(item):
                    seen.append("".join(turn[0] for turn in turns))
                else:
                    seen.append([turn[0] if len(turn) == 1 else tuple(turn) for turn in turns])
            elif item.name not in self.hidden:
                seen.append(value)
        return seen

    def join(self, values: Sequence[Any]) -> str:
        writing = _Writing(self.hidden)
        writing.items(self.form.items, list(values), {}, None)
        return "".join(writing.parts) + self.form.after

    def domain(self, origin: Origin = Origin.GIVEN) -> Domain:
        """Named, typed values of this form."""
        shown = [item for item in self.form.items if isinstance(item, Group) or item.name not in self.hidden]
        return Domain(
            tuple(Variable(self._name(item), _kind(item)) for item in shown),
            self,
            (ANYTHING,) * len(shown),
            shapes=tuple(self._shape(item) for item in shown),
            form=FoundForm(str(self.form), origin),
        )

    def _name(self, item: Item) -> str:
        if isinstance(item, Field):
            return item.name
        names = [self._name(each) for each in item.items]
        return "_".join(name for name in names if name not in self.hidden)

    def _shape(self, item: Item) -> Shape:
        if isinstance(item, Field):
            return Shape({Atom.INT: Type.INT, Atom.REAL: Type.FLOAT}.get(item.atom, Type.TEXT))
        if _is_text(item):
            return Shape(Type.TEXT)
        inner = [self._shape(each) for each in item.items if each.name not in self.hidden]
        return Shape(Type.LIST, (inner[0] if len(inner) == 1 else Shape(Type.TUPLE, tuple(inner)),))


def _spaced(items: Sequence[Item], path: Path, gaps: Mapping[Path, str]) -> tuple[Item, ...]:
    spaced: list[Item] = []
    for number, item in enumerate(items):
        here = (*path, number)
        if isinstance(item, Group):
            item = replace(item, items=_spaced(item.items, here, gaps))
        spaced.append(replace(item, before=gaps.get(here, item.before)))
    return tuple(spaced)


def _is_text(group: Group) -> bool:
    """Characters that stand side by side are one text."""
    only = group.items[0]
    return len(group.items) == 1 and isinstance(only, Field) and only.atom is Atom.CHAR and not only.before


def _kind(item: Item) -> Kind:
    if isinstance(item, Group):
        return Kind.TEXT if _is_text(item) else Kind.ANY
    return {Atom.INT: Kind.INT, Atom.REAL: Kind.REAL}.get(item.atom, Kind.TEXT)


def _determined(items: Sequence[Item]) -> set[str]:
    """Names of this level, and of levels below, that the length of something determines."""
    own = {item.name for item in items if isinstance(item, Field) and item.atom is Atom.INT}
    found = {name for name in (determining(item) for item in items) if name in own}
    for item in items:
        if isinstance(item, Group):
            found |= _determined(item.items)
            found |= {name for name in _inner_names(item) if name in own}
    return found


def determining(item: Item) -> str | None:
    """The number that the length of this item determines."""
    count = item.length if isinstance(item, Field) else item.times
    return count.solvable if isinstance(count, Count) else None


def _inner_names(group: Group) -> set[str]:
    """Numbers that the lengths of a turn's items determine: the width of a table, say."""
    found = set()
    for item in group.items:
        if (name := determining(item)) is not None:
            found.add(name)
        if isinstance(item, Group):
            found |= _inner_names(item)
    # A group may have no turns at all because of such a number, and then nothing tells what it was.
    needed = group.times.names if isinstance(group.times, Count) else frozenset()
    return found - (needed - {determining(group)})


@dataclass(slots=True)
class _Writing:
    hidden: frozenset[str]
    parts: list[str] = field(default_factory=list)
    written: int = 0

    def items(
        self, items: Sequence[Item], values: list[Any], known: dict[str, int], before: str | None
    ) -> None:
        """Writes visible values; `before` replaces what stands before the first item."""
        known = dict(known)
        queue = list(values)
        given: list[Any] = []
        for item in items:
            is_hidden = isinstance(item, Field) and item.name in self.hidden
            given.append(None if is_hidden else queue.pop(0) if queue else None)
        for item, value in zip(items, given, strict=True):
            self._lengths(item, value, known)
        for item in items:
            # Where nothing is there that could determine a count, it is as in the example.
            if isinstance(item, Field) and item.name in self.hidden:
                known.setdefault(item.name, _example_count(item))
        for item, value in zip(items, given, strict=True):
            gap = item.before if before is None else before
            before = None
            if isinstance(item, Group):
                self.group(item, _list(value), known, gap)
                continue
            self._field(item, known.get(item.name, 0) if item.name in self.hidden else value, known, gap)
            if item.name not in self.hidden and item.atom is Atom.INT:
                known[item.name] = value if isinstance(value, int) else 0

    def _lengths(self, item: Item, value: Any, known: dict[str, int]) -> None:
        """What the length of a value says about numbers that are not known yet."""
        count = item.length if isinstance(item, Field) else item.times
        if isinstance(item, Field) and not isinstance(value, str):
            if item.atom is Atom.INT and item.name not in self.hidden and isinstance(value, int):
                known.setdefault(item.name, value)
            return
        listed = value if isinstance(value, str) else _list(value)
        known[f"len({item.name})"] = len(listed)
        if isinstance(count, Count) and count.solvable in self.hidden:
            name, number = count.solved(len(listed)) or ("", 0)
            known.setdefault(name, max(number, 0))
        if isinstance(item, Group):
            # A table without rows is as wide as one with a row of one; rows that are not written say nothing.
            unwritten = isinstance(count, Count) and count.names <= known.keys() and count.value(known) <= 0
            first = listed[0] if listed and not unwritten else None
            inner = [
                each for each in item.items if not (isinstance(each, Field) and each.name in self.hidden)
            ]
            row = [first] if len(inner) == 1 else list(first) if isinstance(first, tuple) else []
            below: dict[str, int] = {}
            for each, part in zip(inner, row, strict=False):
                if not isinstance(each, Field) or each.length is not None:
                    self._lengths(each, part if part is not None else "a", below)
            own = {each.name for each in item.items if isinstance(each, Field)}
            for name, number in below.items():
                if name not in own:
                    known.setdefault(name, number)

    def group(self, group: Group, turns: list[Any], known: dict[str, int], gap: str) -> None:
        if isinstance(group.times, Count):
            turns = _fitted(turns, group.times.value(known), lambda: _default(group, self.hidden))
        elif isinstance(group.times, UntilMark):
            turns = [turn for turn in turns if _first_word(turn) != group.times.mark.split()[0]]
        one = sum(not (isinstance(i, Field) and i.name in self.hidden) for i in group.items) == 1
        for number, turn in enumerate(turns):
            if self.written > MOST_FIELDS:
                return
            row = [turn] if one else list(turn) if isinstance(turn, tuple | list) else [turn]
            self.items(group.items, row, known, gap if number == 0 else None)
        if isinstance(group.times, UntilMark):
            self.parts.append((group.items[0].before if turns else gap) + group.times.mark)

    def _field(self, item: Field, value: Any, known: Mapping[str, int], gap: str) -> None:
        self.written += 1
        if item.atom.number:
            word = format_number(value) if isinstance(value, int | Fraction) else str(value)
            if item.digits is not None:
                word = word.zfill(item.digits)
        else:
            word = str(value if value is not None else item.example)
            if item.length is not None:
                wanted = item.length.value(known)
                word = "".join(_fitted(list(word), wanted, lambda: item.example[:1] or "a"))
            if item.atom is Atom.LINE:
                word = word.replace("\n", " ")
        self.parts.append(gap + word)


def _example_count(item: Field) -> int:
    number = parse_number(item.example)
    return number if isinstance(number, int) else 0


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | str) else []


def _fitted(values: list[Any], count: int, default: Callable[[], Any]) -> list[Any]:
    """Exactly `count` values: the first ones, or all of them repeated."""
    count = min(count, MOST_FIELDS)
    if len(values) >= count:
        return values[:count]
    if not values:
        values = [default()]
    return [values[number % len(values)] for number in range(count)]


def _default(group: Group, hidden: frozenset[str]) -> Any:
    """A turn made of the fields' examples."""
    row: list[Any] = []
    for item in group.items:
        if isinstance(item, Group):
            row.append("" if _is_text(item) else [_default(item, hidden)])
        elif item.name not in hidden:
            number = parse_number(item.example) if item.atom.number else None
            row.append(item.example if number is None else number)
    return row[0] if len(row) == 1 else tuple(row)


def _first_word(turn: Any) -> str:
    while isinstance(turn, tuple | list) and turn:
        turn = turn[0]
    return format_number(turn) if isinstance(turn, int | Fraction) else str(turn)

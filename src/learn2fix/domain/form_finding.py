"""From records of what a program read to the form of its input.

The order in which places of the program read tells what repeats: a place that reads again begins a loop, and
what is read between two of its turns is the loop's body. How often a loop turns is then explained by the
numbers that were read before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from learn2fix.domain.form_counts import Turns, explain, length_count
from learn2fix.domain.form_structure import Loop, Node, Place, places, structure
from learn2fix.domain.form_units import FROM_LINE, plain
from learn2fix.domain.forms import Atom, Count, Field, Form, Group, Item
from learn2fix.domain.numbers import parse_number
from learn2fix.domain.reading import Read, ReadKind, Trace

BLANK = re.compile(r"\s")


@dataclass(slots=True)
class _Walk:
    """Follows one trace along the structure."""

    trace: Trace
    reads: Sequence[Read]
    names: Mapping[str, str]
    trial: bool
    seen: dict[tuple[int, ...], list[Turns]]
    lengths: dict[str, list[tuple[int, Mapping[str, int]]]]
    """For each place that reads texts: their lengths, with the numbers known there."""
    at: int = 0

    def text(self, read: Read) -> str:
        return self.trace.text[read.start : read.end]

    def nodes(self, nodes: Sequence[Node], path: tuple[int, ...], known: dict[str, int]) -> None:
        known = dict(known)
        for number, node in enumerate(nodes):
            here = (*path, number)
            if isinstance(node, Loop):
                count = self._loop(node, here, known)
                known[f"#{self.names.get(node.first, '')}"] = count
            elif self.at < len(self.reads) and self.reads[self.at].place == node.place:
                read = self.reads[self.at]
                self.at += 1
                word = self.text(read)
                value = parse_number(word) if read.kind is ReadKind.INTEGER else None
                name = self.names[read.place]
                if isinstance(value, int):
                    known[name] = value
                elif read.kind in (ReadKind.WORD, ReadKind.LINE):
                    self.lengths.setdefault(read.place, []).append((len(word), dict(known)))
                    known[f"len({name})"] = len(word)

    def _loop(self, loop: Loop, path: tuple[int, ...], known: dict[str, int]) -> int:
        count, begins, mark = 0, self.at, ""
        last = begins
        while self.at < len(self.reads) and self.reads[self.at].place == loop.first:
            following = self.reads[self.at + loop.mark : self.at + loop.mark + 1]
            if loop.mark and (not following or following[0].place not in places(loop.body)):
                marks = self.reads[self.at : self.at + loop.mark]
                mark = " ".join(map(self.text, marks))
                self.at += loop.mark
                break
            last = self.at
            self.nodes(loop.body, path, known)
            count += 1
        went_on = self.at < len(self.reads)
        failed = [read for read in self.trace.reads if not read.found]
        rest = self.trace.text[self.reads[self.at - 1].end :] if self.at else ""
        if self.trial and loop.first.endswith(FROM_LINE):
            return count
        self.seen.setdefault(path, []).append(
            Turns(
                count,
                dict(known),
                complete=went_on or not rest.strip(),
                left=not went_on and bool(rest.strip()) and not self.trial,
                at_end=not went_on and bool(failed) and failed[-1].place == loop.first,
                mark=mark,
                last=" ".join(map(self.text, self.reads[last : self.at])) if count > 1 else "",
                line="\n" not in self.trace.text[self.reads[begins].start : self.reads[self.at - 1].end]
                and rest.lstrip(" \t\r")[:1] in ("", "\n")
                if count
                else True,
                trial=self.trial,
            )
        )
        return count


def find_forms(known: Sequence[Trace], trials: Sequence[Trace] = ()) -> Iterator[Form]:
    """Forms that may explain the known traces, the likeliest first. Trials show how often loops turn."""
    both = plain([*known, *trials], len(known))
    known, trials = both[: len(known)], both[len(known) :]
    whole = [_found(trace) for trace in known]
    if not any(whole):
        return
    seen = {read.place for reads in whole for read in reads}
    # A loop that did not turn, or only once, shows in a trial.
    further = [reads for reads in map(_found, trials) if seen <= {read.place for read in reads}]
    # What was joined from characters is joined wrongly where a trial shifts it.
    shifted = any(place.endswith(FROM_LINE) for place in seen)
    for others in [[], further] if shifted or not further else [further, []]:
        for marks in (False, True):
            if form := _form(known, whole, trials, others, marks):
                yield form


def _form(
    known: Sequence[Trace],
    whole: Sequence[Sequence[Read]],
    trials: Sequence[Trace],
    others: Sequence[Sequence[Read]],
    marks: bool,
) -> Form | None:
    shape = structure([[read.place for read in reads] for reads in (*whole, *others)], marks)
    names = _names(shape, [*whole, *others])
    seen: dict[tuple[int, ...], list[Turns]] = {}
    lengths: dict[str, list[tuple[int, Mapping[str, int]]]] = {}
    for trace, reads in zip(known, whole, strict=True):
        walk = _Walk(trace, reads, names, False, seen, lengths)
        walk.nodes(shape, (), {})
        if walk.at < len(reads):
            return None
    for trace in trials:
        _Walk(trace, _found(trace), names, True, seen, {}).nodes(shape, (), {})
    builder = _Builder(known, trials, names, seen, lengths)
    items = builder.items(shape, ())
    if items is None:
        return None
    return Form((replace(items[0], before=""), *items[1:]))


def _found(trace: Trace) -> list[Read]:
    return [read for read in trace.reads if read.found]


def _names(shape: Sequence[Node], whole: Sequence[Sequence[Read]]) -> dict[str, str]:
    """A name of its own for each place, the program's where it has one."""
    given: dict[str, str] = {}
    for reads in whole:
        for read in reads:
            given.setdefault(read.place, read.name if read.name.isidentifier() else "")
    taken: set[str] = set()
    names: dict[str, str] = {}
    for number, place in enumerate(places(shape), 1):
        base = given.get(place) or f"i{number}"
        name, again = base, 2
        while name in taken:
            name, again = f"{base}{again}", again + 1
        taken.add(name)
        names[place] = name
    return names


class _Builder:
    def __init__(
        self,
        known: Sequence[Trace],
        trials: Sequence[Trace],
        names: Mapping[str, str],
        seen: Mapping[tuple[int, ...], Sequence[Turns]],
        lengths: Mapping[str, Sequence[tuple[int, Mapping[str, int]]]],
    ) -> None:
        self._names, self._seen, self._lengths = names, seen, lengths
        self._texts: dict[str, list[str]] = {}
        self._kinds: dict[str, set[ReadKind]] = {}
        self._gaps: dict[str, set[str]] = {}
        """What stands before each place."""
        self._note(known)
        self._note(trials, frozenset(self._texts))

    def _note(self, traces: Sequence[Trace], noted: frozenset[str] = frozenset()) -> None:
        for trace in traces:
            end = 0
            for read in _found(trace):
                if read.place in noted:
                    continue
                self._texts.setdefault(read.place, []).append(trace.text[read.start : read.end])
                self._kinds.setdefault(read.place, set()).add(read.kind)
                self._gaps.setdefault(read.place, set()).add(trace.text[end : read.start])
                end = read.end

    def items(self, nodes: Sequence[Node], path: tuple[int, ...]) -> tuple[Item, ...] | None:
        found: list[Item] = []
        for number, node in enumerate(nodes):
            item = self._item(node, (*path, number))
            if item is None:
                return None
            found.append(item)
        return tuple(found)

    def _item(self, node: Node, path: tuple[int, ...]) -> Item | None:
        if isinstance(node, Place):
            return self._field(node.place)
        times = explain(self._seen.get(path, ()))
        items = self.items(node.body, path)
        if times is None or items is None:
            return None
        return _table(Group(items, times), list(self._names.values()))

    def _field(self, place: str) -> Field:
        texts, kinds = self._texts[place], self._kinds[place]
        atom = _atom(kinds, texts)
        literal = {gap for gap in self._gaps[place] if gap.strip()}
        digits = {len(text) for text in texts if text.lstrip("+-").startswith("0") and len(text) > 1}
        return Field(
            self._names[place],
            atom,
            literal.pop() if len(literal) == 1 else "\n" if atom is Atom.LINE else " ",
            max(digits) if digits and atom is Atom.INT else None,
            length_count(self._lengths.get(place, ())) if not any(map(BLANK.search, texts)) else None,
            example=texts[0] or ("1" if atom.number else "a"),
        )


def _table(group: Group, names: Sequence[str]) -> Group:
    """Rows and columns, where a single field repeats as often as the product of two numbers says."""
    only, count = group.items[0], group.times
    if len(group.items) != 1 or not isinstance(only, Field) or not isinstance(count, Count):
        return group
    if len(count.terms) != 1 or len(count.terms[0][1]) != 2 or count.terms[0][0] != 1:
        return group
    rows, columns = sorted(count.terms[0][1], key=names.index)
    return Group((Group((only,), Count.of({(columns,): 1})),), Count.of({(rows,): 1}))


def _atom(kinds: set[ReadKind], texts: Sequence[str]) -> Atom:
    if kinds <= {ReadKind.INTEGER}:
        return Atom.INT
    if kinds <= {ReadKind.INTEGER, ReadKind.REAL}:
        return Atom.REAL
    if kinds <= {ReadKind.CHARACTER}:
        return Atom.CHAR if all(len(text) <= 1 for text in texts) else Atom.WORD
    if kinds <= {ReadKind.WORD}:
        return Atom.WORD
    # A line without blanks is as good as a word, only that it may be empty.
    return Atom.LINE

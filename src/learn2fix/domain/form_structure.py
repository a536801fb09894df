"""Which of the places that read are in loops, from the order in which they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """One thing that is read each time."""

    place: str


@dataclass(frozen=True, slots=True)
class Loop:
    body: tuple[Node, ...]
    mark: int = 0
    """Number of reads of a last turn that only says that there are no more."""

    @property
    def first(self) -> str:
        first = self.body[0]
        return first.place if isinstance(first, Place) else first.first


Node = Place | Loop


def structure(sequences: Iterable[Sequence[str]], marks: bool = False) -> tuple[Node, ...]:
    """Which places are read once and which in loops, from the places in the order of reading.

    `marks`: where the last turn of a loop reads less than others do, it is a mark that ends the loop.
    """
    left = [list(each) for each in sequences if each]
    nodes: list[Node] = []
    while left:
        head = _head(left)
        if all(each.count(head) <= 1 for each in left):
            everywhere = all(each[0] == head for each in left)
            nodes.append(Place(head) if everywhere else Loop((Place(head),)))
            left = [each[1:] if each[0] == head else each for each in left]
        else:
            body = {head} | {place for each in left for place in _between(each, head)}
            taken = [_prefix(each, body) if each[0] == head else 0 for each in left]
            runs = [_turns(each[:size], head) for each, size in zip(left, taken, strict=True)]
            mark = _mark(runs) if marks else 0
            turns = (turn for run in runs for turn in (run[:-1] if mark else run))
            nodes.append(Loop(structure(turns, marks), mark))
            left = [each[size:] for each, size in zip(left, taken, strict=True)]
        left = [each for each in left if each]
    return tuple(nodes)


def _head(sequences: Sequence[Sequence[str]]) -> str:
    """The place that comes first; where sequences begin differently, the one that others follow."""
    firsts = Counter(each[0] for each in sequences)
    if len(firsts) == 1:
        return next(iter(firsts))

    def followed(place: str) -> tuple[int, int]:
        before = sum(
            each.index(place) < each.index(other)
            for each in sequences
            for other in firsts
            if other != place and place in each and other in each
        )
        return before, firsts[place]

    return max(firsts, key=followed)


def _between(sequence: Sequence[str], head: str) -> Iterator[str]:
    places = [index for index, place in enumerate(sequence) if place == head]
    if len(places) > 1:
        yield from sequence[places[0] : places[-1]]


def _prefix(sequence: Sequence[str], body: set[str]) -> int:
    return next((index for index, place in enumerate(sequence) if place not in body), len(sequence))


def _mark(runs: Sequence[Sequence[Sequence[str]]]) -> int:
    """The length of the last turn where it is the same for all, and less than any other turn has."""
    last = {tuple(run[-1]) for run in runs if run}
    others = [set(turn) for run in runs for turn in run[:-1]]
    if len(last) != 1 or not others or not all(set(*last) < each for each in others):
        return 0
    return len(last.pop())


def _turns(sequence: Sequence[str], head: str) -> list[list[str]]:
    turns: list[list[str]] = []
    for place in sequence:
        if place == head:
            turns.append([])
        turns[-1].append(place)
    return turns


def places(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Place):
            yield node.place
        else:
            yield from places(node.body)

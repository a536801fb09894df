"""The records of a program that tells what it reads, as lines on what was its standard error.

F NAME              a source, numbered in this order; 0 is standard input, which has no name
P …                 a place, numbered in this order: what follows differs between languages
PLACE START END     a read at a place, in bytes; a fourth word: what was asked for was not there
U                   the last character was taken back
O NAME, V NAME      a file that was opened for reading, an environment variable that was asked for
C                   it reads without end, and was stopped
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, repeat

from learn2fix.domain.reading import Read, ReadKind, Trace
from learn2fix.model import Ending, Outcome
from learn2fix.sandbox import Limits, Worker

LIMITS = Limits(seconds=0.5)
SLOW = 3.0
"""Seconds for a program that takes longer than that and yet ends."""
KINDS = {
    "i": ReadKind.INTEGER,
    "r": ReadKind.REAL,
    "w": ReadKind.WORD,
    "c": ReadKind.CHARACTER,
    "l": ReadKind.LINE,
    "b": ReadKind.BYTES,
}

Site = Callable[[str, list[str]], Read]
"""What the reads of a place have in common, from what follows its `P` and the names of the sources."""


@dataclass(slots=True)
class Records:
    """What was recorded, line by line."""

    site: Site
    reads: list[Read] = field(default_factory=list)
    opened: dict[str, None] = field(default_factory=dict)
    environment: dict[str, None] = field(default_factory=dict)
    cut: bool = False
    _files: list[str] = field(default_factory=list)
    _sites: list[Read] = field(default_factory=list)

    def take(self, line: str) -> None:
        tag, _, rest = line.partition(" ")
        match tag:
            case "":
                pass
            case "F":
                self._files.append(rest)
            case "P":
                self._sites.append(self.site(rest, self._files))
            case "U":
                if self.reads and self.reads[-1].kind is ReadKind.CHARACTER:
                    self.reads.pop()
            case "O":
                self.opened[rest] = None
            case "V":
                self.environment[rest] = None
            case "C":
                self.cut = True
            case _:
                start, end, *missing = rest.split(" ")
                site = self._sites[int(tag)]
                self.reads.append(replace(site, start=int(start), end=int(end), found=not missing))


class Recording:
    """Runs a program that tells what it reads, under a short limit: many inputs may keep it from ending."""

    def __init__(
        self, start: Callable[[Limits], Worker], limits: Limits, words: tuple[str, ...] = ()
    ) -> None:
        """`words`: arguments of every run."""
        self._start, self._limits, self._words = start, limits, words
        self._worker = start(limits)
        self._patient = False

    def run(self, inputs: Sequence[bytes]) -> list[Outcome]:
        outcomes = list(self._worker.run_many(inputs, repeat(self._words)))
        late = [i for i, outcome in enumerate(outcomes) if outcome.ending is Ending.TIMEOUT]
        if not late or self._patient:
            return outcomes
        self._patient = True
        slow = self._start(replace(self._limits, seconds=SLOW))
        if slow.run(inputs[late[0]], self._words).ending is Ending.TIMEOUT:
            slow.close()
            return outcomes
        self._worker.close()
        self._worker = slow
        again = slow.run_many((inputs[i] for i in late), repeat(self._words))
        for i, outcome in zip(late, again, strict=True):
            outcomes[i] = outcome
        return outcomes

    def close(self) -> None:
        self._worker.close()


def recorded(data: bytes, outcome: Outcome, site: Site) -> Trace:
    """What a program read of `data`, by the records that it left."""
    records = Records(site)
    for line in outcome.stderr.decode("latin-1").split("\n"):
        try:
            records.take(line)
        except (ValueError, IndexError, KeyError):  # cut in the middle, or not written by us
            records.cut = True
    text = data.decode("utf-8", "surrogateescape")
    cut = records.cut or outcome.ending is Ending.FLOOD
    reads = records.reads if text.isascii() else in_characters(records.reads, text)
    return Trace(
        text,
        tuple(reads),
        ended=outcome.completed and not cut,
        hung=outcome.ending is Ending.TIMEOUT,
        cut=cut,
        opened=tuple(records.opened),
        environment=tuple(records.environment),
    )


def in_characters(reads: list[Read], text: str) -> list[Read]:
    """Reads whose offsets count characters instead of bytes; a part of a character begins where it does."""
    ends = list(accumulate(len(c.encode("utf-8", "surrogateescape")) for c in text))
    return [
        read
        if read.file
        else replace(read, start=bisect_right(ends, read.start), end=bisect_right(ends, read.end))
        for read in reads
    ]

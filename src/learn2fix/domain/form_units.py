"""What a program read in the largest units that make sense.

Lines of numbers become numbers, characters up to a line's end a line; what only skips white space is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from learn2fix.domain.numbers import parse_number
from learn2fix.domain.reading import Read, ReadKind, Trace

FROM_LINE = "/"
"""Ends the place of numbers that were split off a line: how many there are is not up to the program."""
TOKEN = re.compile(r"\S+")


def plain(traces: Sequence[Trace], known: int) -> list[Trace]:
    """The same reads in larger units, which are told from the first `known` traces."""
    traces = [_joined_lines(trace) for trace in traces]
    texts: dict[str, list[str]] = {}
    kinds: dict[str, ReadKind] = {}
    for trace in traces[:known]:
        for read in trace.reads:
            if read.found:
                texts.setdefault(read.place, []).append(trace.text[read.start : read.end])
                kinds[read.place] = read.kind
    blank = {
        place
        for place, found in texts.items()
        if kinds[place] in (ReadKind.CHARACTER, ReadKind.LINE) and not any(text.strip() for text in found)
    }
    numeric = {
        place
        for place, found in texts.items()
        if kinds[place] in (ReadKind.LINE, ReadKind.BYTES)
        and all(parse_number(word) is not None for text in found for word in text.split())
    }
    return [
        replace(trace, reads=tuple(_units(trace, numeric)))
        for trace in (
            replace(trace, reads=tuple(read for read in trace.reads if read.place not in blank))
            for trace in traces
        )
    ]


def _joined_lines(trace: Trace) -> Trace:
    """Characters that one place reads up to the end of a line are one line."""
    joined: list[Read] = []
    run: list[Read] = []

    def flush() -> None:
        text = trace.text[run[0].start : run[-1].end] if run else ""
        if len(run) > 1 and text.endswith("\n") and "\n" not in text[:-1]:
            joined.append(replace(run[0], kind=ReadKind.LINE, end=run[-1].end - 1))
        else:
            joined.extend(run)
        run.clear()

    for read in trace.reads:
        character = read.kind is ReadKind.CHARACTER and read.found and read.end - read.start == 1
        if run and (not character or read.place != run[0].place):
            flush()
        if character:
            run.append(read)
            if trace.text[read.start : read.end] == "\n":
                flush()
        else:
            joined.append(read)
    flush()
    return replace(trace, reads=tuple(joined))


def _units(trace: Trace, numeric: set[str]) -> Iterator[Read]:
    for read in trace.reads:
        if read.place not in numeric or not read.found:
            yield read
            continue
        names = [name.strip() for name in read.name.split(",")]
        words = list(TOKEN.finditer(trace.text, read.start, read.end))
        for number, word in enumerate(words):
            real = not isinstance(parse_number(word.group()), int)
            apart = len(names) == len(words) and len(words) > 1
            yield replace(
                read,
                place=f"{read.place}/{number}" if apart else f"{read.place}{FROM_LINE}",
                name=names[number] if apart else read.name,
                kind=ReadKind.REAL if real else ReadKind.INTEGER,
                start=word.start(),
                end=word.end(),
            )

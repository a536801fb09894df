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
"""Ends the place of what was made of lines and characters: how often it reads is not up to the program."""
TOKEN = re.compile(r"\S+")


def plain(traces: Sequence[Trace], known: int) -> list[Trace]:
    """The same reads in larger units, which are told from the first `known` traces."""
    traces = _without_separators(traces, known)
    pieces = [list(_pieces(trace)) for trace in traces]
    starts = {
        piece[0].place
        for trace, own in zip(traces[:known], pieces, strict=False)
        for number, piece in enumerate(own)
        if _is_line(trace.text[piece[0].start : _line_end(trace, own, number)])
    }
    traces = [
        replace(trace, reads=tuple(_joined(trace, own, starts)))
        for trace, own in zip(traces, pieces, strict=True)
    ]
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
            replace(
                trace,
                reads=tuple(r for r in trace.reads if r.place not in blank and not _rest_of_line(trace, r)),
            )
            for trace in traces
        )
    ]


def _without_separators(traces: Sequence[Trace], known: int) -> list[Trace]:
    """Without the places that read single characters, and only white space: `getchar()` behind a number."""
    found: dict[str, bool] = {}
    for trace in traces[:known]:
        for read in trace.reads:
            if read.kind is ReadKind.CHARACTER and read.found:
                blank = not trace.text[read.start : read.end].strip()
                found[read.place] = blank and found.get(read.place, True)
    separators = {place for place, blank in found.items() if blank}
    return [
        replace(trace, reads=tuple(read for read in trace.reads if read.place not in separators))
        for trace in traces
    ]


def _pieces(trace: Trace) -> Iterator[list[Read]]:
    """Characters that are read one after the other, up to a line's end; other reads are alone."""
    piece: list[Read] = []
    for read in trace.reads:
        character = read.kind is ReadKind.CHARACTER and read.found and not read.skips
        ended = piece and trace.text[piece[-1].end - 1 : piece[-1].end] == "\n"
        if piece and (ended or not character or read.start != piece[-1].end):
            yield piece
            piece = []
        if character:
            piece.append(read)
        else:
            yield [read]
    if piece:
        yield piece


def _line_end(trace: Trace, pieces: Sequence[Sequence[Read]], number: int) -> int:
    """Where the line of a piece ends; where the piece begins, if it is no line by itself."""
    first, last = pieces[number][0], pieces[number][-1]
    if first.kind is not ReadKind.CHARACTER or not first.found:
        return first.start
    end = trace.text.find("\n", first.start)
    end = len(trace.text) if end < 0 else end
    # Of a line that was left early, the rest belongs to it, unless something else reads it.
    following = next((read for later in pieces[number + 1 :] for read in later), None)
    return first.start if following is not None and last.end <= following.start < end else end


def _is_line(text: str) -> bool:
    """Whether it is more than a single character, or a number."""
    return len(text) > 1 or parse_number(text) is not None


def _joined(trace: Trace, pieces: Sequence[Sequence[Read]], starts: set[str]) -> Iterator[Read]:
    """Pieces that begin where lines begin are lines."""
    for number, piece in enumerate(pieces):
        first = piece[0]
        end = _line_end(trace, pieces, number)
        if first.place in starts and end >= piece[-1].end - 1 and first.kind is ReadKind.CHARACTER:
            yield replace(first, place=first.place + FROM_LINE, kind=ReadKind.LINE, end=end)
        else:
            # A scan up to the end of the line reads a line, too.
            yield from (replace(r, kind=ReadKind.LINE) if r.until == "\n" else r for r in piece)


def _rest_of_line(trace: Trace, read: Read) -> bool:
    """Whether a line is only what a number or word before it left: the line's end."""
    begins = read.start == 0 or trace.text[read.start - 1] == "\n"
    return read.kind is ReadKind.LINE and not begins and not trace.text[read.start : read.end].strip()


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

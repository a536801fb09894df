"""Text woven into source: before and after ranges of it, with candidates' edits applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from learn2fix.model import Edit


@dataclass(frozen=True, slots=True)
class Wrap:
    """`before` and `after` around bytes [start, end). Ranges nest or are disjoint; of equal ranges the
    first given is outermost; an empty range is an insertion, outside all that begins or ends there."""

    start: int
    end: int
    before: bytes
    after: bytes = b""


def weave(source: bytes, wraps: Sequence[Wrap], edits: Iterable[Edit] = (), *, nested: bool = False) -> bytes:
    """The source with the edits applied and, around what they leave whole, the wraps.

    `nested` says that every edit lies inside or outside each wrap, and inside where both begin.
    """
    changes = sorted(edits)
    events: list[tuple[int, int, int, int, int, bytes]] = []
    for order, wrap in enumerate(wraps):
        if not nested and any(_breaks(edit, wrap) for edit in changes):
            continue
        if wrap.start == wrap.end:
            events.append((wrap.start, 1, 0, order, wrap.start, wrap.before))
            continue
        events.append((wrap.start, 3, -wrap.end, order, wrap.start, wrap.before))
        events.append((wrap.end, 0, -wrap.start, -order, wrap.end, wrap.after))
    for order, edit in enumerate(changes):
        # What is replaced at the beginning of a range lies inside of it, what is inserted there before it.
        rank = 4 if nested or edit.start < edit.end else 2
        events.append((edit.start, rank, 0, order, edit.end, edit.text))
    events.sort()
    pieces, last = [], 0
    for position, _, _, _, resume, text in events:
        pieces += [source[last:position], text]
        last = resume
    return b"".join([*pieces, source[last:]])


def _breaks(edit: Edit, wrap: Wrap) -> bool:
    """The edit takes away what the wrap stands around, or one of its ends."""
    if edit.start == edit.end:
        return False
    if wrap.start == wrap.end:
        return edit.start < wrap.start < edit.end
    inside = wrap.start <= edit.start and edit.end <= wrap.end
    if inside:
        return (edit.start, edit.end) == (wrap.start, wrap.end)
    return edit.start < wrap.end and wrap.start < edit.end

"""What says how often a group repeats: a constant, numbers read before, a mark, or the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from learn2fix.domain.forms import Count, Repetition, UntilEnd, UntilLineEnd, UntilMark, triangle

MOST_COUNTS = 12
"""Maximum number of variables that counts are tried over."""
ENOUGH = 0.6
"""Share of the trial inputs that a count must explain; a program may do anything on a strange input."""

EARLY = 0.7
"""How well a count explains a loop that may have been left early, beside one that turned just as often."""


SHORTEST = 2
"""Characters of a text whose length may be told by a number."""


@dataclass(frozen=True, slots=True)
class Turns:
    """One execution of a loop: how often it turned, and the numbers known when it began."""

    count: int
    known: Mapping[str, int]
    complete: bool
    """Whether the loop surely came to its end: the program read on behind it, or all of the input."""
    left: bool
    """Whether the program stopped in the loop, with more of the input to read."""
    at_end: bool
    """Whether a read failed at the end of the input there."""
    mark: str
    """The text of a last turn that only says that there are no more."""
    last: str
    """The text of the last turn, which may be a mark too."""
    line: bool
    """Whether a line ends behind the last turn, and none within."""
    trial: bool = False


def explain(turns: Sequence[Turns]) -> Repetition | None:
    """What says how often a loop turns: true for all known inputs, and for most trial inputs."""
    given = [each for each in turns if not each.trial]
    trials = [each for each in turns if each.trial]
    if not given:
        return None
    if given[0].mark:
        return UntilMark(given[0].mark) if len({each.mark for each in given}) == 1 else None
    best: tuple[float, Count] | None = None
    for count in _counts(given, bool(trials)):
        if not all(_fits(count, each) for each in given):
            continue
        share = sum(_fits(count, each) for each in trials) / len(trials) if trials else 1.0
        if best is None or share > best[0] + 1e-9:
            best = (share, count)
    at_end = any(each.at_end for each in given) and all(each.at_end or not each.count for each in given)
    exceeded = any(each.count > given[0].count for each in trials)
    if best is not None and not best[1].names and exceeded and not at_end:
        # A constant that other inputs exceed: what stands in the last turn may have ended the loop.
        if len({each.last for each in given}) == 1 and given[0].last:
            return UntilMark(given[0].last)
    elif best is not None and best[0] >= ENOUGH:
        return best[1]
    if at_end:
        return UntilEnd()
    if all(each.line for each in given):
        return UntilLineEnd()
    return best[1] if best is not None else None


def _fits(count: Count, turns: Turns) -> float:
    """1 when the loop turned as often as the count says, less when it may have stopped early, else 0."""
    try:
        expected = count.value(turns.known)
    except KeyError:
        return 0.0
    if expected == turns.count:
        return 0.0 if turns.left else 1.0
    return EARLY if expected > turns.count and not turns.complete else 0.0


def _counts(turns: Sequence[Turns], tried: bool) -> Iterator[Count]:
    """Counts to try, the simplest first; without trials only those that are no coincidence."""
    names = [name for name in turns[0].known if all(name in each.known for each in turns)]
    # The numbers read last are the likeliest.
    names = [name for name in reversed(names) if not name.startswith(("#", "len("))][:MOST_COUNTS]
    constant = Count.of({(): max(each.count for each in turns)})
    yield from (Count.of({(name,): 1}) for name in names)
    if tried:
        yield from (Count.of({(name,): 1, (): plus}) for plus in (-1, 1) for name in names)
    yield from (Count.of({pair: 1}) for pair in combinations(names, 2))
    yield constant
    if not tried:
        return
    linear = [(times, plus) for times in (1, 2, 3, 4) for plus in (0, -1, 1, -2, 2, -3, 3)]
    for times, plus in sorted(linear, key=lambda each: each[0] - 1 + abs(each[1])):
        yield from (Count.of({(name,): times, (): plus}) for name in names)
    for one, other in combinations(names, 2):
        yield Count.of({(one,): 1, (other,): 1})
        yield Count.of({(one,): 1, (other,): -1})
        yield Count.of({(other,): 1, (one,): -1})
    for name in names:
        yield Count.of({(name, name): 1})
        yield triangle(name)
        yield Count.of({(name, name): Fraction(1, 2), (name,): Fraction(1, 2)})


def length_count(seen: Sequence[tuple[int, Mapping[str, int]]]) -> Count | None:
    """The number that every text is as long as; a single character proves nothing."""
    if not seen or max(length for length, _ in seen) < SHORTEST:
        return None
    names = [name for name in reversed(list(seen[0][1])) if not name.startswith(("#", "len("))]
    for name in names:
        if all(known.get(name) == length for length, known in seen):
            return Count.of({(name,): 1})
    return None

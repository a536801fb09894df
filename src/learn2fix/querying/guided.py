"""The question that tells the candidate fixes apart, and among equals the one that is easiest to answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from learn2fix.model import Ending, Input, Observation, Response
from learn2fix.oracles.patch_committee import chance_of_bug, entropy

NEAR_EQUAL = 0.85
"""Share of the best question's worth from which questions compete by how easy they are."""
EASY = 12.0
"""Effort that every question may take: see `effort`."""
BEARABLE = 2.0
"""How much harder than the failing input a question may be, as long as an easier one is worth something …"""
WORTH_IT = 0.5
"""… namely this share of the best question's worth."""
WORTHLESS = 0.1
"""Bits below which a question is not worth a person's time: only far-fetched fixes would say otherwise."""

MEANT = (Ending.EXITED, Ending.RAISED)
"""Endings that somebody may want."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """An input one could ask about."""

    observation: Observation
    expected: Mapping[Response, float]
    """What the surviving patches expect here, with the weight behind each."""
    sense: float = 1.0
    """The chance that the input makes sense to a person."""
    normal: Response | None = None
    """What the program answers there, in the form that is compared; None: as it is."""

    @property
    def shown(self) -> Response:
        return self.normal if self.normal is not None else self.observation.outcome.response


@dataclass(frozen=True, slots=True)
class Chosen:
    """A question worth asking."""

    prospect: Prospect
    gain: float
    """Bits that the answer is expected to bring."""


def choose(
    prospects: Sequence[Prospect], known: Sequence[Input], *, outputs: bool, offered: int | None = None
) -> Chosen | None:
    """The best question, None when no answer could separate the survivors.

    `outputs`: the person also says what is right, so an answer separates all predicted outputs. `offered`:
    only by choosing from so many of them; the others are not told apart.
    """
    valued = [value(prospect, outputs=outputs, offered=offered) for prospect in prospects]
    best = max((chosen.gain for chosen in valued), default=0.0)
    if best <= WORTHLESS:
        return None
    bearable = [chosen for chosen in valued if _bearable(chosen.prospect.observation.input, known)]
    easier = max((chosen.gain for chosen in bearable), default=0.0)
    if easier > max(WORTHLESS, WORTH_IT * best):
        valued, best = bearable, easier
    close = [chosen for chosen in valued if chosen.gain >= NEAR_EQUAL * best]
    return min(
        close,
        key=lambda chosen: (
            effort(chosen.prospect.observation, known),
            chosen.prospect.observation.input.text,
        ),
    )


def value(prospect: Prospect, *, outputs: bool, offered: int | None = None) -> Chosen:
    bug = chance_of_bug(prospect.expected, prospect.shown)
    shares: Iterable[float] = (bug, 1 - bug)
    if outputs and offered is None:
        shares = prospect.expected.values()
    elif outputs and offered is not None:
        listed = [prospect.expected[each] for each in rivals(prospect.expected, prospect.shown)]
        listed = listed[: offered - 1]
        shares = (*listed, bug - sum(listed), 1 - bug)
    return Chosen(prospect, prospect.sense * entropy(shares))


def rivals(expected: Mapping[Response, float], shown: Response) -> list[Response]:
    """What may be right instead of what the program does, the likeliest first. That it should crash or never
    end is nobody's wish."""
    found = [each for each in expected if each != shown and each.ending in MEANT]
    return sorted(found, key=lambda response: (-expected[response], response))


def effort(observation: Observation, known: Sequence[Input]) -> float:
    """How hard the question is to answer: large numbers, far from every known input, long output."""
    values = observation.input.values
    size = sum(_size(value) for value in values)
    distance = min((_differences(values, other.values) for other in known), default=0)
    return size + 2.0 * distance + 0.1 * len(str(observation.outcome.response))


def _bearable(given: Input, known: Sequence[Input]) -> bool:
    """Whether lists and texts are not much longer than those that a person came with."""
    sizes = [sum(map(_length, each.values)) for each in (given, *known)]
    return sizes[0] <= max(EASY, BEARABLE * max(sizes[1:], default=0.0))


def _length(value: object) -> float:
    return 0.0 if isinstance(value, int | Fraction) else _size(value)


def _size(value: object) -> float:
    if isinstance(value, int | Fraction):
        magnitude = min(abs(Fraction(value)), Fraction(10**300))
        return math.log10(magnitude + 1) * 2 + (1 if value < 0 else 0)
    return 0.3 * len(repr(value))


def _differences(left: Sequence[object], right: Sequence[object]) -> int:
    return sum(a != b for a, b in zip(left, right, strict=False))

"""Which question tells most: pure functions of the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.guided.state import State
from learn2fix.model import Ending, Label, Observation, Outcome, Response, Verdict
from learn2fix.oracles.protocol import Oracle
from learn2fix.querying.guided import BEARABLE, EASY, Chosen, Prospect, choose, effort, rivals, value
from learn2fix.querying.spread import distances

MOST_CHOICES = 4
"""Number of responses that a person who may also type another one chooses from, at most …"""
MOST_TO_RECOGNISE = 8
"""… and one who may not."""
FAR_ENOUGH = 0.6
"""Share of the largest distance at which an input is far enough for a confirmation."""
HARD = 40.0
"""Effort that no question takes although the failing input does: see `effort`."""
READABLE = 1_000
"""Number of characters of what is printed that nobody is spared, even if the failing input prints less."""
SENSIBLE = 0.3
"""Chance of making sense from which on an input may be asked about when no fix is left."""


def best_question(state: State) -> Chosen | None:
    """The question that is expected to tell the survivors apart best; None when none would."""
    return easiest(state, prospects(state))


def easiest(state: State, among: Sequence[Prospect]) -> Chosen | None:
    """Of those that tell about as much as the best."""
    return choose(among, state.known_inputs, outputs=state.outputs, offered=state.offered)


def worth(state: State, asked: Prospect) -> Chosen:
    return value(asked, outputs=state.outputs, offered=state.offered)


def prospects(state: State) -> list[Prospect]:
    asked = {label.observation.input.text for label in state.labels}
    fresh = (each for each in state.pool if each.input.text not in asked)
    inputs = [*unexplained(state), *still_unexplained(state), *readable(state, fresh)]
    return [prospect(state, each) for each in inputs]


def readable(state: State, observations: Iterable[Observation]) -> list[Observation]:
    """Those of which a person can read what is printed; all of them where there is no such."""
    found = list(observations)
    reported = max((len(str(label.observation.outcome.response)) for label in state.known), default=0)
    most = max(READABLE, BEARABLE * reported)
    return [each for each in found if len(str(each.outcome.response)) <= most] or found


def prospect(state: State, observation: Observation) -> Prospect:
    expected, shown = state.votes(observation.input), state.shown(observation)
    chance = sense(state, observation) * _answerable(state, expected, shown)
    return Prospect(observation, state.separable(expected, shown), chance, shown)


def unexplained(state: State) -> list[Observation]:
    """Failing inputs of which only the wrong output is known: what should be printed is worth asking."""
    if not state.outputs or state.deferred:
        return []
    asked = {label.observation.input.text for label in state.asked}
    return [
        label.observation
        for label in state.known
        if label.answer.verdict is Verdict.BUG
        and label.answer.expected is None
        and label.observation.input.text not in asked
    ]


def still_unexplained(state: State) -> list[Observation]:
    """Reported inputs where none of what was offered is right, to be offered the rest: who only recognises
    what is right has worked it out already. Not a third time."""
    if state.offered is None:
        return []
    return [
        label.observation
        for label in state.asked
        if label.answer.expected is None
        and 0 < len(label.answer.rejected) <= state.offered
        and label.observation.input in state.known_inputs
    ]


def with_choices(state: State, ask: Ask) -> Ask:
    """The question with what the likeliest fixes answer there and what the program does, in an order that
    does not tell them apart. Who only gives verdicts is offered nothing."""
    if not state.outputs:
        return ask
    given, shown = ask.observation.input, state.shown(ask.observation)
    reported = any(given == known for known in state.known_inputs)
    # A fix that fails is not what anybody means, unless somebody has said so of some input.
    expected = {
        each: share
        for each, share in state.votes(given).items()
        if each.ending is not Ending.RAISED or state.raising
    }
    most = MOST_CHOICES if state.offered is None else state.offered
    choices = rivals(expected, shown)[:most]
    if choices and not reported:
        choices = [*choices[: most - 1], ask.observation.outcome.response]
    return replace(ask, choices=tuple(sorted(choices, key=_plainly)), reported=reported)


def _plainly(response: Response) -> tuple[bool, bool, float, Response]:
    """Responses in an order that anybody expects: numbers by size, then texts, then what is no output."""
    try:
        return not response.completed, False, float(response.text), response
    except ValueError:
        return not response.completed, True, 0.0, response


def _answerable(state: State, expected: Mapping[Response, float], shown: Response) -> float:
    """The chance that what the likely fixes answer there can be told right or wrong.

    Who works so long that it was cut says nothing of what is right. Where a likely fix crashes, it may be the
    right one and the input senseless, the more so the more inputs were said to make no sense.
    """
    cut = sum(share for response, share in expected.items() if response.ending is Ending.TIMEOUT)
    if shown.ending is Ending.TIMEOUT:
        return 1.0
    if not shown.completed:
        return 1.0 - cut
    endings = {Ending.EXITED, Ending.TIMEOUT} | ({Ending.RAISED} if state.raising else set())
    broken = sum(share for response, share in expected.items() if response.ending not in endings)
    senseless = sum(label.answer.verdict is Verdict.INVALID for label in state.asked)
    return 1.0 - cut - broken * (1.0 - 0.5 ** (1 + senseless))


def sense(state: State, observation: Observation) -> float:
    """The chance that an input makes sense, guessed from what is known of the others."""
    outcome, given = observation.outcome, observation.input
    if not state.allowed(given):
        return 0.0
    chance = 1.0 if outcome.answered else 0.3
    if (outcome.ending is Ending.RAISED and state.raising) or _like_the_bug(state, outcome):
        chance = 1.0
    if given.text in state.undefined:
        chance *= 0.2
    if not state.fits(given):
        chance *= 0.1
    if not state.usual(given):
        chance *= 0.5
    senseless = [label.observation for label in state.asked if label.answer.verdict is Verdict.INVALID]
    if senseless:
        point = state.domain.point
        sensible = [
            label.observation for label in state.labels if label.answer.verdict is not Verdict.INVALID
        ]
        # All distances at once, so that they have one scale.
        gaps = distances([point(each) for each in (*senseless, *sensible)], [point(observation)])
        bad, good = min(gaps[: len(senseless)]), min(gaps[len(senseless) :])
        if bad <= good:
            # The more made no sense, the nearer to what does.
            chance *= 0.3 * (bad / good if good else 1.0) ** (len(senseless) - 1)
    return chance


def _like_the_bug(state: State, outcome: Outcome) -> bool:
    """Whether a failing input crashes, hangs or prints nothing just so: then others that do so make sense."""
    bugs = (label.observation.outcome for label in state.labels if label.answer.verdict is Verdict.BUG)
    return any(bug.ending is outcome.ending and not bug.answered for bug in bugs)


def farthest(state: State, candidates: Sequence[Prospect], *, large: bool = False) -> Observation:
    """What is least like anything answered so far: there an overfitted fix would show.

    Long lists and texts are far from everything, and hard to judge; those not harder than the failing input
    will do if `large`, else the easiest that is far enough.
    """
    gaps = _gaps(state, [each.observation for each in candidates])
    efforts = [effort(each.observation, ()) for each in candidates]
    best = max(range(len(candidates)), key=lambda i: (gaps[i], -i))
    if not state.domain.numeric:
        usual = max(EASY, min(HARD, max(effort(label.observation, ()) for label in state.known)))
        every = range(len(candidates))
        fitting = [i for i in every if efforts[i] <= usual] if large else []
        if fitting:
            best = max(fitting, key=lambda i: (gaps[i], -i))
        else:
            bearable = [i for i in every if efforts[i] <= BEARABLE * usual] or every
            best = max(bearable, key=lambda i: (gaps[i], -i))
            far = [i for i in bearable if gaps[i] >= FAR_ENOUGH * gaps[best]]
            best = min(far, key=lambda i: (efforts[i], i))
    return candidates[best].observation


def question_without_fixes(state: State, oracle: Oracle) -> Ask | Stop:
    """No candidate agrees with every answer: ask what teaches a condition over the inputs most."""
    asked = {label.observation.input.text for label in state.labels}
    candidates = [
        each for each in state.pool if each.input.text not in asked and sense(state, each) >= SENSIBLE
    ]
    if not candidates:
        return Stop("there are no further inputs near the failing ones")
    gaps = _gaps(state, candidates)
    chances = [oracle.chance(state.domain.point(each)) for each in candidates]
    scores = [(1.05 - abs(2 * chance - 1)) * gap for chance, gap in zip(chances, gaps, strict=True)]
    best = max(range(len(candidates)), key=lambda i: (scores[i], -i))
    return Ask(candidates[best], "no fix agrees with every answer; this one tells most about the bug")


def _gaps(state: State, observations: Sequence[Observation]) -> list[float]:
    """How far each is from everything that was answered."""
    point = state.domain.point
    answered: Sequence[Label] = state.labels
    return distances([point(each) for each in observations], [point(a.observation) for a in answered])

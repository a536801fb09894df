"""When nothing separates the survivors, a few questions confirm the best one where it was not tested yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from learn2fix.conversation.protocol import Ask, Stop
from learn2fix.guided.changes import of_a_new_kind
from learn2fix.guided.choosing import farthest, prospects, still_unexplained
from learn2fix.guided.state import State
from learn2fix.guided.tuning import Tuning
from learn2fix.model import Ending, Observation, Response, Verdict
from learn2fix.querying.guided import Prospect, effort

NO_NUMBER = re.compile(r"-?\b(nan|inf|infinity)\b", re.IGNORECASE)
CHANGES = "the fix changes the result here; is it right?"
LIKE_IT = 0.8
"""Share of the inputs that must end in an answer before one that does not looks wrong by itself."""
RARE = 0.05
"""Share of the inputs on which the fix changes the answer from which on a new way of that is asked about."""
CONTESTED = 0.7
"""Share of the most that an input is contested from which on others do as well."""
NOTHING: Mapping[str, float] = MappingProxyType({})
MAKES_SENSE = 0.5
"""Chance of making sense that an input for a confirmation needs."""


def confirmed(state: State, tuning: Tuning, *, doubtful: bool = False) -> bool:
    """Whether enough predictions in a row have held."""
    return state.streak >= (tuning.trusted_at_last if doubtful else tuning.trusted)


def bugs_predicted(state: State) -> int:
    """Since a prediction last failed: what was foreseen before that was foreseen by a fix that is refuted."""
    return sum(each.bug for each in state.held)


def confirmation(
    state: State,
    tuning: Tuning,
    far: Sequence[Prospect] = (),
    contested: Mapping[str, float] = NOTHING,
    *,
    doubtful: bool = False,
) -> Ask | Stop:
    """A question that the best fix must pass, or that it has passed enough of them.

    `far`: inputs of another magnitude where the fix changes what is printed. `contested`: for the text of
    some inputs, the share of refuted fixes that answer otherwise than the best one. `doubtful`: there is
    reason to ask more than usual.
    """
    left = f"of the {state.survivors} possible fixes that are left"
    apart = "no generated input tells the likely ones apart"
    done = Stop(f"{left}, {apart}" if state.survivors > 1 else "one possible fix is left")
    candidates = [p for p in prospects(state) if p.sense >= MAKES_SENSE and p.expected]
    for unexplained in still_unexplained(state):
        # Nothing tells more of a fix than whether it is right where the bug was reported.
        if state.votes(unexplained.input):
            return Ask(unexplained, CHANGES)
    telling = [p for p in candidates if state.chance(p.observation) >= 0.5]
    if not confirmed(state, tuning, doubtful=doubtful):
        more = tuning.trusted_at_last - tuning.trusted if doubtful else 0
        bugs = bugs_predicted(state)
        fines = state.streak - bugs
        quiet = [p for p in candidates if state.chance(p.observation) < 0.5]
        quiet_due = quiet and fines < tuning.fines_confirmed + more
        if telling and (bugs < tuning.bugs_confirmed + more or not quiet_due):
            # The smallest of the far ones: somebody has to work it out.
            known = bugs > 0 and not _new_statements(state, telling)
            smallest = sorted(far, key=lambda p: effort(p.observation, ()))[:1] if known else []
            chosen = smallest or _elsewhere(state, _otherwise(state, telling) or telling, Verdict.BUG)
            return Ask(farthest(state, _most_contested(chosen, contested), large=bugs > 0), CHANGES)
        if quiet_due:
            chosen = _most_contested(_elsewhere(state, quiet, Verdict.OK), contested)
            return Ask(farthest(state, chosen), "the fix changes nothing here; is that right?")
    # Where it does to an answer what it was not seen to do, such as making a number smaller, the fix may
    # break what was right.
    otherwise = _otherwise(state, telling)
    if otherwise and _unsure(state) <= 1 and state.streak < tuning.trusted_everywhere:
        return Ask(farthest(state, _elsewhere(state, otherwise, Verdict.BUG)), CHANGES)
    # Where the program goes another way than on the bugs that were seen, the fix may be none.
    new = _elsewhere(state, telling, Verdict.BUG)
    known = new is telling or (not _new_statements(state, telling) and _bug_paths(state) > 1)
    if known or _unsure(state) > 1 or state.streak >= tuning.trusted_everywhere:
        return done
    return Ask(farthest(state, new, large=True), CHANGES)


def _most_contested(candidates: Sequence[Prospect], contested: Mapping[str, float]) -> Sequence[Prospect]:
    """Those where fixes that are nearly right go wrong most: there another wrong one shows, too."""
    shares = [contested.get(each.observation.input.text, 0.0) for each in candidates]
    least = CONTESTED * max(shares, default=0.0)
    return [each for each, share in zip(candidates, shares, strict=True) if share >= least]


def _otherwise(state: State, telling: Sequence[Prospect]) -> list[Prospect]:
    """Those on which the fix changes the answer in a way that nothing was said about, unless rare."""
    new = {each.input.text for each in of_a_new_kind(state, [each.observation for each in telling])}
    found = [each for each in telling if each.observation.input.text in new]
    return found if len(found) >= RARE * len(telling) else []


def _bug_paths(state: State) -> int:
    """Number of different ways that the program goes on inputs with a bug."""
    bugs = [label.observation.input.text for label in state.labels if label.answer.verdict is Verdict.BUG]
    return len({state.paths.get(text) for text in bugs})


def _unsure(state: State) -> int:
    return sum(label.answer.verdict is Verdict.UNSURE for label in state.asked)


def _elsewhere(state: State, candidates: Sequence[Prospect], verdict: Verdict) -> Sequence[Prospect]:
    """Those on which the program does something that no answer like the expected one is about, if any: those
    that execute most statements of which nothing is known, else those on which it goes another way."""
    counts = [len(state.new_statements(each.observation.input, verdict)) for each in candidates]
    if most := max(counts, default=0):
        return [each for each, count in zip(candidates, counts, strict=True) if count == most]
    new = [each for each in candidates if state.on_new_path(each.observation.input, verdict)]
    return new or candidates


def _new_statements(state: State, telling: Sequence[Prospect]) -> bool:
    return any(state.new_statements(each.observation.input, Verdict.BUG) for each in telling)


def looks_wrong(state: State) -> list[Observation]:
    """Inputs on which the best fix prints nothing, crashes, hangs or prints no number where nearly all others
    print a value, the easiest first: programs have more than one bug, and all fixes may share the second."""
    if not state.behaviours:
        return []
    best, asked = state.behaviours[0].best, {label.observation.input.text for label in state.labels}
    answers = {each.input.text: state.printed.answer(each.input.text, best) for each in state.pool}
    known = [answer for answer in answers.values() if answer is not None]
    fine = sum(not _odd(state, answer) for answer in known)
    if not known or fine < LIKE_IT * len(known):
        return []
    found = [
        each
        for each in state.pool
        if (answer := answers[each.input.text]) is not None
        and _odd(state, answer)
        and each.input.text not in asked | state.undefined
        and state.allowed(each.input)
        and state.usual(each.input)
        and state.fits(each.input)
    ]
    return sorted(found, key=lambda each: effort(each, state.known_inputs))


def _odd(state: State, answer: Response) -> bool:
    if answer.ending is Ending.RAISED:
        return not state.raising
    return not answer.completed or not answer.text or bool(NO_NUMBER.fullmatch(answer.text))

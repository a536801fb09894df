"""What tells the fixes apart: side by side on one input, and which answer ruled out those that fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from learn2fix.conversation.result import Column, Decided, SideBySide
from learn2fix.domain import Domain
from learn2fix.domain.describing import described, joined
from learn2fix.edits.diff import describe
from learn2fix.edits.folding import folded
from learn2fix.errors import BuildError
from learn2fix.guided.state import State
from learn2fix.languages.protocol import Repairable
from learn2fix.languages.watching import Held, by_name
from learn2fix.model import Input, Observation, Patch, Response
from learn2fix.oracles.patch_committee import Behaviour
from learn2fix.querying.guided import effort
from learn2fix.repair.offering import shown_parts
from learn2fix.repair.space import Space

MOST_VARIABLES = 12


def side_by_side(
    state: State, repairable: Repairable, offered: Sequence[tuple[Patch, Behaviour]]
) -> SideBySide | None:
    """The program and the patches on the easiest input on which most of the patches give something else;
    None where fewer than two are offered, or nothing tells them apart."""
    found = _telling(state, [behaviour for _, behaviour in offered]) if len(offered) > 1 else None
    if found is None:
        return None
    given = found.input
    runs = [(found.outcome.response, repairable.held(given))]
    for patch, _ in offered:
        run = _run(repairable, patch, given)
        if run is None:
            return None
        runs.append(run)
    columns = by_name(held for _, held in runs)
    names = list(dict.fromkeys(name for column in columns for name in column))
    differ = [name for name in names if len({column.get(name) for column in columns}) > 1][:MOST_VARIABLES]
    heads = ["", *(patch.id for patch, _ in offered)]
    return SideBySide(
        given,
        tuple(
            Column(head, str(response), tuple((name, column.get(name, "")) for name in differ))
            for head, (response, _), column in zip(heads, runs, columns, strict=True)
        ),
    )


def _telling(state: State, behaviours: Sequence[Behaviour]) -> Observation | None:
    def answers(each: Observation) -> list[Response | None]:
        return [state.printed.answer(each.input.text, behaviour.best) for behaviour in behaviours]

    known = [(each, found) for each in state.pool if None not in (found := answers(each))]
    # The first two are the ones to choose between, if not all can be told apart at once.
    apart = [(each, (len(set(found)), found[0] != found[1])) for each, found in known if len(set(found)) > 1]
    if not apart:
        return None
    most = max(told for _, told in apart)
    return easiest(state, [each for each, told in apart if told == most])


def easiest(state: State, observations: Sequence[Observation]) -> Observation:
    """The one that a person has least work with."""
    return min(observations, key=lambda each: effort(each, state.known_inputs))


def _run(repairable: Repairable, patch: Patch, given: Input) -> tuple[Response, Held] | None:
    try:
        patched = repairable.patched(patch.candidate.apply(repairable.text))
    except BuildError:
        return None
    try:
        return patched.run([given])[0].response, patched.held(given)
    finally:
        patched.close()


def decided(state: State, space: Space, repairable: Repairable, domain: Domain) -> tuple[Decided, ...]:
    """For each answer how many fixes it ruled out that had agreed with everything before, the likeliest of
    them by what it changes. What the report itself rules out is no news."""
    asked = {label.observation.input.text for label in state.asked}
    fell = Counter(met for met in space.fallen.values() if met)
    found = []
    for met, requirement in enumerate(space.requirements):
        if not fell[met] or requirement.input.text not in asked:
            continue
        best = min(
            (number for number, place in space.fallen.items() if place == met),
            key=lambda number: (space.costs[number], number),
        )
        candidate = folded(repairable.text, space.candidates[best])
        likeliest = describe(repairable.text, candidate, shown_parts(repairable))
        named = described(domain, requirement.input)
        found.append(
            Decided(requirement.input, fell[met], likeliest, named and joined(named, requirement.input))
        )
    return tuple(found)

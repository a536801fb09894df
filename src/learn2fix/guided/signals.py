"""What a session knows of how likely its best fix is to be right."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from learn2fix.guided.far_fetched import expected_text, own_numbers, removes_block
from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.silenced import executed_lines
from learn2fix.guided.state import State
from learn2fix.model import Verdict
from learn2fix.oracles.patch_committee import Behaviour

EARNED = 3
"""Number of bugs that a fix with numbers of the failing input has to foresee."""
FAR_FETCHED = 4.0


@dataclass(frozen=True, slots=True)
class Signals:
    """Numbers that are known when a patch is offered; `confidence` weighs them."""

    weight: float
    """Share of the vote of the patch's behaviour."""
    majority: float
    """The same, as far as it is short of a half: 1 from there on."""
    cost: float
    """How far-fetched the edit is (docs/edits.md), up to FAR_FETCHED: beyond that nothing was measured."""
    foreseen_bugs: int
    """Answers "bug" in which what is right had been foreseen."""
    foreseen_fines: int
    unconfirmed: float
    """1 when no answer was foreseen, a half after one, a third after two, …"""
    unsettled: float
    """The same, for the share of the vote that others have."""
    surprises: int
    """Answers that had been foreseen otherwise."""
    held: int
    """Answers in a row, up to the last, that had been foreseen: by fixes that agree with all of them."""
    unanswered: int
    """Inputs that made no sense, or of which nobody was sure."""
    fixes: float
    """Logarithm of the number of fixes that behave so."""
    changed: float
    """Share of the generated inputs on which the patch changes what is printed."""
    right_answers: int
    """Different right answers among the labels."""
    few_answers: float
    """1 when all of them are the same, a half with two, …: where a program says only yes or no, a wrong fix
    is often right by chance."""
    cut_short: int
    """Whether the questions ended before there was nothing left to ask."""
    switched_off: int
    """Whether lines are no longer executed on any input."""
    unexecuted: float
    """Share of the lines that no generated input executes, with the patch or without; 0 for a function, which
    has a part of its file."""
    structured: int
    """Whether inputs are more than numbers."""
    removes_block: int = 0
    """Whether the patch takes a loop or a block out."""
    own_numbers: int = 0
    """Whether it brings in a number of the failing input that the program does not have, and has not earned
    it by foreseeing other bugs."""
    expected_text: int = 0
    """Whether it writes what was expected of the failing input as a text, and foresaw no other bug."""

    def named(self) -> Mapping[str, float]:
        return {name: float(value) for name, value in asdict(self).items()}


def signals(state: State, behaviour: Behaviour, hypotheses: Hypotheses) -> Signals:
    printed, best = state.printed, behaviour.best
    known = [each for each in state.expectations if each is not None]
    changed = [printed.answer(each.input.text, best) not in (None, state.shown(each)) for each in state.pool]
    right = {
        str(label.answer.expected)
        if label.answer.verdict is Verdict.BUG
        else str(label.observation.outcome.response)
        for label in state.labels
        if label.answer.verdict in (Verdict.BUG, Verdict.OK)
    }
    inputs = [label.observation.input for label in state.labels]
    inputs += [each.input for each in state.pool]
    executed = executed_lines(
        hypotheses.repairable,
        hypotheses.evaluator,
        hypotheses.space.candidates[best],
        inputs,
        hypotheses.problem.clock,
    )
    foreseen = sum(each.right for each in known)
    foreseen_bugs = sum(each.right and each.bug for each in known)
    patch, source = hypotheses.space.candidates[best], hypotheses.repairable.text
    failing = [label for label in state.known if label.answer.verdict is Verdict.BUG]
    return Signals(
        weight=behaviour.weight,
        majority=min(1.0, 2 * behaviour.weight),
        cost=min(FAR_FETCHED, hypotheses.space.costs[best]),
        foreseen_bugs=foreseen_bugs,
        foreseen_fines=sum(each.right and not each.bug for each in known),
        unconfirmed=1 / (1 + foreseen),
        unsettled=(1 - behaviour.weight) / (1 + foreseen),
        surprises=sum(not each.right for each in known),
        held=state.streak,
        unanswered=len(state.expectations) - len(known),
        fixes=math.log(len(behaviour.members)),
        changed=sum(changed) / max(1, len(changed)),
        right_answers=len(right),
        few_answers=1 / max(1, len(right)),
        cut_short=hypotheses.problem.options.asks and not state.settled,
        switched_off=bool(executed.silenced),
        # What else stands in the file of a function says nothing.
        unexecuted=(
            0.0 if hypotheses.repairable.function else hypotheses.inputs.unreached_but(executed.reached)
        ),
        structured=not state.domain.numeric,
        removes_block=removes_block(source, patch),
        own_numbers=foreseen_bugs < EARNED
        and own_numbers(
            source,
            patch,
            [label.observation.input for label in failing],
            [label.answer.expected for label in state.labels if label.answer.expected],
        ),
        expected_text=foreseen_bugs < 1
        and expected_text(
            source, patch, [label.answer.expected for label in state.labels if label.answer.expected]
        ),
    )

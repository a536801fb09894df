"""Inputs made on purpose to tell apart the best fixes, where no generated input does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from learn2fix.guided.hypotheses import Hypotheses
from learn2fix.guided.inputs import NEVER_ENDS
from learn2fix.model import Observation

FAR_STEP = 20
"""Number of inputs of other magnitudes that are made at a time."""


class Duels:
    """Each set of rivals is compared once."""

    def __init__(self, hypotheses: Hypotheses, late: Callable[[], bool]) -> None:
        self._hypotheses, self._late = hypotheses, late
        self._compared: set[frozenset[int]] = set()

    def part(self) -> bool:
        """Whether an input was found, and kept, on which fixes differ that nothing told apart before."""
        hypotheses, tuning = self._hypotheses, self._hypotheses.tuning
        behaviours = hypotheses.committee.behaviours
        alike = [each.members[: tuning.rivals] for each in behaviours[:1]]
        alike += [each.members[: tuning.rivals_of_others] for each in behaviours[1:4]]
        rivals = [member for members in alike for member in members]
        if len(rivals) < 2 or frozenset(rivals) in self._compared:
            return False
        self._compared.add(frozenset(rivals))
        printed, inputs = hypotheses.committee.printed, hypotheses.inputs
        for made in self._made(alike):
            hypotheses.committee.print(made, rivals)
            inputs.heavy(
                each for each in made if printed.answers(each.input.text, rivals) == {NEVER_ENDS.response}
            )
            texts = ((each, each.input.text) for each in made)
            split = [e for e, text in texts if any(len(printed.answers(text, m)) > 1 for m in alike)]
            if split:
                inputs.keep(split)
                return True
        return False

    def _made(self, alike: Sequence[Sequence[int]]) -> Iterator[Sequence[Observation]]:
        """Corners, one value off a known bug, other magnitudes, at last what is solved for."""
        inputs, tuning = self._hypotheses.inputs, self._hypotheses.tuning
        yield inputs.corners()
        inputs.changed_singly(tuning.duel // 2)
        compared = {each.input.text for each in inputs.pool}
        yield [each for each in inputs.singles if each.input.text not in compared]
        for _ in range(0, tuning.duel, FAR_STEP):
            if inputs.weary or self._late():
                break
            yield inputs.distant(FAR_STEP)
        for members in alike if tuning.duel else ():
            yield inputs.solved([self._hypotheses.space.candidates[each] for each in members])

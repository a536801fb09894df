"""One program that holds many candidates: who uses which alternative, its text and its tables."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence

from learn2fix.languages.c.judging import prelude
from learn2fix.languages.c.judging.placing import Placing
from learn2fix.languages.c.judging.rendering import Rendering
from learn2fix.languages.c.judging.sites import Sites
from learn2fix.languages.c.judging.spots import Spot, Spots, Use
from learn2fix.languages.c.judging.weave import Wrap
from learn2fix.model import Candidate


class Meta:
    """The candidates of a file that fit into one program. Those that do not are in `alone`."""

    def __init__(self, sites: Sites, steps: Sequence[Wrap]) -> None:
        spots = Spots()
        self.spots: list[Spot] = spots.every
        self.uses: list[tuple[Use, ...]] = []
        self.identifiers: list[int] = []
        self.alone: list[int] = []
        self._sites = sites
        self._steps = steps
        self._placing = Placing(sites, spots)
        self._words: tuple[int, frozenset[str]] | None = None

    def add(self, identifier: int, candidate: Candidate) -> None:
        uses = self._placing.place(candidate)
        if uses is None:
            self.alone.append(identifier)
        else:
            self.uses.append(uses)
            self.identifiers.append(identifier)

    def text(self, body: bytes, only: Collection[Use] | None = None) -> bytes:
        """The meta-program around this body, without declarations before it; `only` these alternatives."""
        return Rendering(self._sites, self.spots, only).text(body, self._steps)

    def tables(self) -> bytes:
        """Sites, candidates and who uses what, as the engine reads them."""
        first = array("I", [0])
        pairs = array("I")
        for uses in self.uses:
            for use in uses:
                pairs.extend(use)
            first.append(len(pairs) // 2)
        head = array("I", [len(self.spots), len(self.uses), len(pairs) // 2])
        sizes = array("I", [len(spot.alternatives) for spot in self.spots])
        return head.tobytes() + sizes.tobytes() + first.tobytes() + pairs.tobytes()

    def words(self) -> frozenset[str]:
        """Every word of the alternatives."""
        count = sum(len(spot.alternatives) for spot in self.spots)
        if self._words is None or self._words[0] != count:
            text = b" ".join(text for spot in self.spots for text in spot.alternatives)
            self._words = (count, frozenset(prelude.words(text)))
        return self._words[1]

    def drop(self, spot: int, alternative: int) -> None:
        """An alternative (or with 0 the whole site) that does not compile here: its candidates are alone."""
        if alternative:
            self.spots[spot].dropped.add(alternative)
        else:
            self.spots[spot].broken = True

    def settle(self) -> None:
        """Move candidates whose alternatives were dropped to `alone`."""
        uses, identifiers = [], []
        for use, identifier in zip(self.uses, self.identifiers, strict=True):
            if any(self.spots[s].broken or a in self.spots[s].dropped for s, a in use):
                self.alone.append(identifier)
            else:
                uses.append(use)
                identifiers.append(identifier)
        self.uses, self.identifiers = uses, identifiers

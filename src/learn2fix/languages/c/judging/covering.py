"""The unpatched program with its lines counted."""

from __future__ import annotations

import math
from collections.abc import Callable

from learn2fix.languages.c.judging.engine import Engine, EngineError, Run
from learn2fix.languages.c.judging.instrument import per_line
from learn2fix.languages.c.judging.loading import NO_CANDIDATES, Loaded


class Covering(Loaded):
    """Raises EngineError where the text does not compile."""

    def __init__(
        self, make: Callable[[], Engine], text: bytes, spoken: list[list[int]], options: bytes
    ) -> None:
        """`spoken`: the lines that each counter of the text speaks for."""

        def load(engine: Engine, left: float) -> str:
            return engine.load(NO_CANDIDATES, text, options, len(spoken), left)

        super().__init__(make, load)
        self._spoken = spoken
        if trouble := load(self.engine, math.inf):
            self.engine.close()
            raise EngineError(trouble)

    def lines(self, run: Run) -> dict[int, int]:
        """Line → how often a run executed it."""
        counts = [a + b for a, b in zip(run.earlier, run.later, strict=True)]
        return per_line(counts or [0] * len(self._spoken), self._spoken)

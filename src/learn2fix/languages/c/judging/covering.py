"""The unpatched program with its statements counted."""

from __future__ import annotations

from collections.abc import Callable

from learn2fix.languages.c.judging.engine import Engine, EngineError, Run
from learn2fix.languages.c.judging.instrument import per_line
from learn2fix.languages.c.judging.loading import Plain


class Covering(Plain):
    """Raises EngineError where the text does not compile."""

    def __init__(
        self, make: Callable[[], Engine], text: bytes, spoken: list[list[int]], options: bytes
    ) -> None:
        """`spoken`: the lines that each counter of the text speaks for."""

        super().__init__(make, text, len(spoken), options)
        self._spoken = spoken
        if trouble := self.load():
            raise EngineError(trouble)

    def counts(self, run: Run) -> list[int]:
        """How often a run executed each statement."""
        return [a + b for a, b in zip(run.earlier, run.later, strict=True)] or [0] * len(self._spoken)

    def lines(self, counts: list[int]) -> dict[int, int]:
        """Line → executions, from those of the statements."""
        return per_line(counts, self._spoken)

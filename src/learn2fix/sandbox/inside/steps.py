"""Runs inside the sandbox: what counts the steps of a run, and ends it when they are used up."""

from __future__ import annotations

import marshal
import sys
from itertools import chain, islice, repeat, takewhile
from operator import length_hint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class Exhausted(BaseException):
    """The step budget is used up. Not an Exception, so that few programs catch it by chance."""


class Boom:
    """An iterator that raises for ever."""

    def __iter__(self) -> Boom:
        return self

    def __next__(self) -> None:
        raise Exhausted


class Whiles:
    """Counts the rounds of `while` loops, and ends one that does the same for ever.

    Ever more rarely the state at the head of a loop is compared with what it was at the look before. When it
    is the same, and no other step was taken in between (no function entered, no `for` begun another round,
    whose place nobody can see), the program will never do anything else. Only plain data is compared: where
    anything else is in reach the loop is left to run out of steps.
    """

    FIRST = 120
    """Rounds before the first look. Before each of the others there are as many as before all the earlier
    ones. A loop that swings between 2, 3, 4, 5 … states is in the same again."""

    def __init__(self, space: dict[str, Any], name: str, steps: int, others: Any, look: bool) -> None:
        """`name`: of the function that counts a round. It comes into `space` after all that is ours there."""
        self._space, self._name, self._steps, self._others, self._look = space, name, steps, others, look
        self._begun = self.FIRST
        self._current = repeat(None, self.FIRST)
        self._last: Any = None
        self.ended = False
        space[name] = chain.from_iterable(self._rounds()).__next__

    def taken(self) -> int:
        return self._begun - length_hint(self._current)

    def _rounds(self) -> Iterator[Iterator[None]]:
        yield self._current
        while self._begun < self._steps:
            state = self._state(sys._getframe().f_back) if self._look else None
            self._current = repeat(None, min(self._begun, self._steps - self._begun))
            self._begun += length_hint(self._current)
            if state is not None and state == self._last:
                break
            self._last = state
            yield self._current
        self.ended = True
        yield Boom()

    def _state(self, frame: Any) -> Any:
        if frame is None or frame.f_code.co_flags & 0x20:  # a generator: who takes from it is not seen
            return None
        try:
            names = takewhile(self._name.__ne__, reversed(self._space))
            known = {
                name: self._space[name]
                for name in names
                if type(self._space[name]) not in UNCHANGING and not name.startswith("__")
            }
            data = marshal.dumps((frame.f_locals, known))
        except ValueError:
            return None
        return frame.f_code, id(frame), frame.f_lasti, length_hint(self._others), data


UNCHANGING = frozenset({type(length_hint), type(sys), type, type(lambda: None)})
"""Functions, modules and classes among a module's names; all else must be data."""
SEQUENCES = frozenset({str, bytes, list, tuple})


class Sizes:
    """Does what can make values large, and takes the steps that this is worth from those that are left."""

    SMALL = 4096
    """Bits of numbers that cost nothing extra."""
    LIMIT = 1 << SMALL

    def __init__(self) -> None:
        self.begin(repeat(None, 0))

    def begin(self, left: Any) -> None:
        self._left, self.ended = left, False

    def multiply(self, a: Any, b: Any) -> Any:
        if type(a) in SEQUENCES or type(b) in SEQUENCES:
            return a * self.weigh(0, a, b)
        product = a * b
        if type(product) is int and not -self.LIMIT < product < self.LIMIT:
            self.weigh(0, a, b)
        return product

    def power(self, a: Any, b: Any) -> Any:
        return a ** self.weigh(1, a, b)

    def shift(self, a: Any, b: Any) -> Any:
        return a << self.weigh(2, a, b)

    def weigh(self, kind: int, a: Any, b: Any) -> Any:
        """Pay for `a * b`, `a ** b` or `a << b`; the second operand."""
        if type(a) is int and type(b) is int:
            size = a.bit_length()
            if kind == 0:
                self._pay(size + b.bit_length(), size * b.bit_length())
            elif kind == 1 and b > 0:
                self._pay((size - 1) * b, ((size - 1) * b) ** 2)
            elif kind == 2:
                self._pay(size + b, 0)
        elif kind == 0 and type(b) is int and type(a) in SEQUENCES:
            self._pay(len(a) * b, 0, False)
        elif kind == 0 and type(a) is int and type(b) in SEQUENCES:
            self._pay(len(b) * a, 0, False)
        return b

    def _pay(self, length: int, work: int, number: bool = True) -> None:
        if length > self.SMALL:
            steps = (length >> 12) + (work >> 20)
            if steps >= length_hint(self._left):
                self.ended = number
                raise Exhausted if number else MemoryError
            next(islice(self._left, steps, steps), None)

"""An endless stream of new inputs near the failing ones, until the neighbourhood has no more of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol

from learn2fix.domain.ranges import Range
from learn2fix.domain.shapes import ANYTHING, Shape
from learn2fix.errors import UsageError
from learn2fix.fuzzing.contract import Contract, infer
from learn2fix.fuzzing.corpus import Corpus
from learn2fix.fuzzing.mutations import PAPER, Operator, mutate, mutate_within
from learn2fix.fuzzing.relations import changed_together
from learn2fix.fuzzing.shrinking import cut, long, size, smaller
from learn2fix.fuzzing.singly import singly
from learn2fix.fuzzing.words import PUT_IN, SPLICED, spliced, with_a_number
from learn2fix.model import Input, Kind, Variable

ATTEMPTS = 2_000
"""Number of failed attempts in a row after which the neighbourhood counts as exhausted."""
RETRIES = 8
"""Maximum number of mutations drawn for a position while they leave its range; then the position is kept."""
STACKED = 0.3
"""Chance that another mutation follows at the same position."""
SMALLER = 0.3
"""Chance that an input of more than numbers starts from a smaller one: a person has to answer for it."""
MOSTLY = 0.9
"""The same where lists and texts are too long to be read."""
PICKED = 0.5
"""Chance that an input starts from one on which the program did something new, once there are any."""
LEAK = 0.05
"""Chance that an input in an avoided area is tried all the same: the area may have been learned wrongly."""


class Space(Protocol):
    """What fuzzing needs to know of a domain."""

    @property
    def variables(self) -> tuple[Variable, ...]: ...
    @property
    def ranges(self) -> Sequence[Range]: ...
    def parse(self, text: str) -> Input: ...
    def render(self, values: Sequence[Any]) -> Input: ...
    def inside(self, values: Sequence[Any]) -> bool: ...


class Fuzzer:
    """Yields inputs that are new by their text, lie inside the ranges and keep the length of their seed."""

    def __init__(
        self,
        space: Space,
        seeds: Sequence[Input],
        rng: random.Random,
        *,
        operators: Sequence[Operator] = PAPER,
        contract: Contract | None = None,
        known: Sequence[Input] = (),
        seen: Iterable[str] = (),
        keep: float = 0.5,
        together: float = 0.0,
        widenings: int = 0,
        again: bool = False,
        first: float = 0.0,
        numbers: Callable[[tuple[Any, ...], random.Random], tuple[Any, ...]] | None = None,
        words: Sequence[str] = (),
        letters: str = "",
        asked: Sequence[int] = (),
        corpus: Corpus | None = None,
        related: float = 0.0,
    ) -> None:
        """`known` are the inputs that the contract was read off, if not the seeds; `seen` are texts never to
        be yielded; `keep` is the chance that a position stays as it is.

        `together` is the chance that positions with equal values are changed alike. When nothing usual is
        left, the contract is widened tenfold, up to `widenings` times, before any input is allowed. With
        `again`, an input may be yielded again until it is excluded; `first` is the chance that the first
        seed is taken, whatever the others are. `numbers` changes inputs of nothing but numbers in place of
        the operators. `words` and `letters` get into texts now and then, and the letters are usual there;
        numbers that are `asked` for get into lists. Inputs of the `corpus` are starts like the seeds.
        `related` is the chance that several values change as one.
        """
        if not seeds:
            raise ValueError("fuzzing needs at least one seed")
        self._space = space
        self._rng = rng
        self._operators = tuple(operators)
        self._words = (*words, *letters)
        self._letters = letters
        self._numbers_asked = tuple(asked)
        self._corpus = corpus
        self._keep, self._related = keep, related
        self._together = together
        self._again, self._first, self._numbers = again, first, numbers
        self._plain = all(v.kind in (Kind.INT, Kind.REAL, Kind.BOOL) for v in space.variables)
        """Whether there is nothing but numbers, as in the paper."""
        self._fixed = frozenset() if self._plain else frozenset(_fixed(space, seeds[0]))
        """Positions of lists whose length belongs to the form."""
        self._seeds: list[Input] = []
        self._seen = set(seen)
        self.contract = contract
        self._known = [each.values for each in known or seeds]
        self._sensible: list[tuple[Any, ...]] = []
        self._senseless: list[tuple[Any, ...]] = []
        self._widenings = widenings
        self._stage = 0
        """Number of times that the contract was widened because nothing new was left within it."""
        self._avoid: Callable[[tuple[Any, ...]], bool] | None = None
        for seed in seeds:
            self.add_seed(seed)

    @property
    def usual_left(self) -> bool:
        """Whether there may be usual inputs that were not seen."""
        return self.contract is None or self._stage == 0

    @property
    def seeds(self) -> tuple[Input, ...]:
        return tuple(self._seeds)

    def add_seed(self, seed: Input) -> None:
        """A further failing input to start from; it is known already, so it is never yielded."""
        if all(seed.text != other.text for other in self._seeds):
            self._seeds.append(seed)
            self._stage = 0
        self._seen.add(seed.text)
        if not self._plain:
            self._seen.add(self._space.render(seed.values).text)
        self.allow(seed)

    def allow(self, given: Input) -> None:
        """This input made sense: what is usual must not exclude it, or others for the same reason."""
        self._sensible.append(given.values)
        self._agree()

    def refuse(self, given: Input) -> None:
        """This one did not: what all known inputs have in common and it has not is usual from now on."""
        self._senseless.append(given.values)
        self._agree()

    def _agree(self) -> None:
        if self.contract is None or self._plain:
            return
        if self._senseless:
            self.contract = infer(self._known, self._senseless, self._letters)
        for values in self._sensible:
            self.contract = self.contract.allowing(values)

    def exclude(self, given: Input) -> None:
        """Never to be yielded from now on."""
        self._seen.add(given.text)

    def avoid(self, area: Callable[[tuple[Any, ...]], bool] | None) -> None:
        """Inputs in this area make no sense to a person; they become rare."""
        self._avoid = area

    def forget(self, inputs: Iterable[Input]) -> None:
        """These were made but not used: they may come again."""
        texts = {new.text for new in inputs}
        if texts & self._seen:
            self._seen -= texts
            self._stage = 0

    def __iter__(self) -> Fuzzer:
        return self

    def __next__(self) -> Input:
        new = self._new(self._seen)
        if new is None:
            raise StopIteration
        if not self._again:
            self._seen.add(new.text)
        return new

    def unusual(self, count: int) -> list[Input]:
        """Up to `count` new inputs, whatever is usual: of other signs, lengths and letters too."""
        made: dict[str, Input] = {}
        for _ in range(count):
            new = self._attempt(self._seen | made.keys(), Contract(), self._rng)
            if new is not None:
                made[new.text] = new
        return list(made.values())

    def take(self, count: int) -> list[Input]:
        """Up to `count` new inputs; fewer when the neighbourhood is exhausted."""
        taken: list[Input] = []
        while len(taken) < count and (new := next(self, None)) is not None:
            taken.append(new)
        return taken

    def singly(self, given: Input) -> Iterator[Input]:
        """Inputs that differ from this one in a single value and are as usual as others; they stay
        available. Where there is nothing but numbers, chance finds these soon."""
        for values in () if self._plain else singly(given.values):
            if not self._space.inside(values):
                continue
            try:
                made = self._space.parse(self._space.render(values).text)
            except UsageError:
                continue
            if self.contract is None or self.contract.holds(made.values):
                yield made

    def sample(self, count: int, rng: random.Random) -> list[Input]:
        """Neighbours that differ from each other and from the seeds, and stay available."""
        texts = {seed.text for seed in self._seeds}
        taken: list[Input] = []
        while len(taken) < count and (new := self._new(texts, rng)) is not None:
            texts.add(new.text)
            taken.append(new)
        return taken

    def near(self, given: Input, count: int, rng: random.Random) -> list[Input]:
        """Inputs made from this one, other than it and what is excluded; they may repeat each other."""
        seen = self._seen | {given.text}
        made = (self._attempt(seen, Contract(), rng, (given,)) for _ in range(count))
        return [new for new in made if new is not None]

    def smaller(self, given: Input) -> Iterator[Input]:
        """Smaller inputs of the same form, and as usual as this one; bold ones first. Numbers stay."""
        if self._plain:
            return
        contract = Contract() if self.contract is None else self.contract.allowing(given.values)
        whole, texts = size(given.values), {given.text}
        for values in smaller(given.values):
            if any(len(values[place]) != len(given.values[place]) for place in self._fixed):
                continue
            text = self._space.render(contract.mended(values)).text
            if text in texts:
                continue
            texts.add(text)
            try:
                new = self._space.parse(text)
            except UsageError:
                continue
            if size(new.values) < whole and self._space.inside(new.values) and contract.holds(new.values):
                yield new

    def _new(self, seen: set[str], rng: random.Random | None = None) -> Input | None:
        rng = rng or self._rng
        # What is unusual comes only when the usual is exhausted: one strange input in twenty is enough to
        # attract every question that looks for something far away.
        if self.contract is not None:
            for stage in range(self._stage, self._widenings + 1):
                new = self._attempt(seen, self.contract.widened(stage), rng)
                if new is not None:
                    return new
                if seen is self._seen:
                    self._stage = stage + 1
        return self._attempt(seen, Contract(), rng)

    def _attempt(
        self, seen: set[str], contract: Contract, rng: random.Random, seeds: Sequence[Input] = ()
    ) -> Input | None:
        for _ in range(ATTEMPTS):
            values = (rng.choice(seeds) if seeds else self._seed(rng)).values
            if not self._plain and rng.random() < (MOSTLY if long(values) else SMALLER):
                smaller = cut(values, rng)
                values = tuple(values[i] if i in self._fixed else new for i, new in enumerate(smaller))
            if self._related and rng.random() < self._related:
                values = contract.mended(self._in_relation(values, contract, rng))
            else:
                values = contract.mended(self._mutant(values, contract, rng))
            if not self._space.inside(values):
                continue
            text = self._space.render(values).text
            if text in seen:
                continue
            # Last, because it takes longest: a neighbourhood is exhausted after thousands of attempts.
            if self._avoid is not None and rng.random() >= LEAK and self._avoid(values):
                continue
            try:
                # Read back, so that what is learned on is what the program reads; a blank put into a word
                # makes two words, and is no input of this shape.
                made = self._space.parse(text)
            except UsageError:
                continue
            if self._plain or contract.holds(made.values):
                return made
        return None

    def _seed(self, rng: random.Random) -> Input:
        if self._corpus is not None and rng.random() < PICKED and (picked := self._corpus.pick(rng)):
            return picked
        return self._seeds[0] if self._first and rng.random() < self._first else rng.choice(self._seeds)

    def _mutant(self, values: tuple[Any, ...], contract: Contract, rng: random.Random) -> tuple[Any, ...]:
        if self._numbers is not None and self._plain:
            return self._numbers(values, rng)
        changed = list(values)
        ranges, usual = self._space.ranges, contract.bounds
        variables = self._space.variables
        shapes: Sequence[Shape] = getattr(self._space, "shapes", ())
        alike = self._together > 0 and rng.random() < self._together
        for place, value in enumerate(values):
            first = values.index(value) if alike else place
            if first < place and type(values[first]) is type(value):
                changed[place] = changed[first]
                continue
            if rng.random() < self._keep:
                continue
            if type(value) is int and place < len(variables) and variables[place].kind is Kind.REAL:
                value = Fraction(value)
            others = [other for index, other in enumerate(values) if index != place]
            shape = shapes[place] if place < len(shapes) else ANYTHING
            for _ in range(RETRIES):
                if self._words and isinstance(value, str | list | tuple) and rng.random() < SPLICED:
                    new = spliced(value, self._words, rng)
                elif self._numbers_asked and isinstance(value, list | tuple) and rng.random() < PUT_IN:
                    new = with_a_number(value, self._numbers_asked, rng)
                elif place in self._fixed:
                    new = mutate_within(value, rng, shape)
                else:
                    new = self._changed(value, others, rng, shape)
                if contract.values:
                    new = contract.values[place].mended(new)
                if (place >= len(ranges) or ranges[place].covers(new)) and (
                    place >= len(usual) or usual[place].covers(new)
                ):
                    changed[place] = new
                    break
        return tuple(changed)

    def _in_relation(
        self, values: tuple[Any, ...], contract: Contract, rng: random.Random
    ) -> tuple[Any, ...]:
        """Several values changed as one; those that leave their range stay as they were."""
        new = changed_together(values, rng)
        ranges, usual = self._space.ranges, contract.bounds
        return tuple(
            value
            if (place >= len(ranges) or ranges[place].covers(value))
            and (place >= len(usual) or usual[place].covers(value))
            else values[place]
            for place, value in enumerate(new)
        )

    def _changed(self, value: Any, others: Sequence[Any], rng: random.Random, shape: Shape) -> Any:
        while True:
            value = mutate(value, rng.choice(self._operators), others, rng, shape)
            if rng.random() >= STACKED:
                return value


def _fixed(space: Space, seed: Input) -> Iterator[int]:
    """Positions of lists that are as long as before when a shorter one is written."""
    for place, value in enumerate(seed.values):
        if not isinstance(value, list) or len(value) < 2:
            continue
        try:
            text = space.render((*seed.values[:place], value[:-1], *seed.values[place + 1 :])).text
            if len(space.parse(text).values[place]) == len(value):
                yield place
        except UsageError:
            continue

"""The words of a command after its program: values of the input go to their {places}, the rest to stdin."""

from __future__ import annotations

import re
from collections.abc import Sequence

from learn2fix.domain import Domain, words_domain
from learn2fix.errors import UsageError
from learn2fix.languages.evaluator import Fed
from learn2fix.languages.input_form import as_stdin
from learn2fix.model import Input
from learn2fix.wording import plural

PLACE = re.compile(r"\{([A-Za-z_][A-Za-z_0-9]*)\}")


class Arguments:
    """`{a} {b}`, `-n {count}`, or fixed words alone."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.words = tuple(words)
        self.places = tuple(dict.fromkeys(PLACE.findall(" ".join(words))))

    @property
    def fixed(self) -> tuple[str, ...]:
        """The words where they are the same for every input."""
        return () if self.places else self.words

    def domain(self, examples: Sequence[str]) -> Domain:
        """Of an input whose first values go to the places."""
        texts = [self._plain(text) for text in examples]
        count = len(texts[0].split())
        if count < len(self.places):
            raise UsageError(
                f"the input gives {plural(count, 'value')} for {', '.join(self.places)}",
                'write it as --failing "3 4" or "a=3, b=4"',
            )
        names = [*self.places, *(f"i{i}" for i in range(len(self.places) + 1, count + 1))]
        return words_domain(texts, names)

    def feed(self, given: Input) -> Fed:
        if not self.places:
            return Fed(as_stdin(given.text), self.words)
        count = len(self.places)
        words = given.text.split(None, count)
        # Whether a candidate compiles is seen with an empty input.
        values = dict(zip(self.places, words[:count] + [""] * count, strict=False))
        filled = tuple(PLACE.sub(lambda match: values[match[1]], word) for word in self.words)
        return Fed(as_stdin(words[count]) if len(words) > count else b"", filled)

    def _plain(self, text: str) -> str:
        """`a=3, b=4` in the order of the places; other texts as they are."""
        pairs = dict(re.findall(r"([A-Za-z_]\w*)\s*=\s*([^\s,]+)", text))
        if not pairs:
            return text
        if set(pairs) != set(self.places):
            wanted = ", ".join(self.places) or "no named inputs"
            raise UsageError(f"the input names {', '.join(pairs)}; the command has {wanted}")
        return " ".join(pairs[name] for name in self.places)

"""Finds the form of a program's input by watching it read, and proves it by prediction."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from learn2fix.domain.form_finding import find_forms
from learn2fix.domain.form_layout import FormLayout
from learn2fix.domain.form_units import plain
from learn2fix.domain.numbers import parse_number
from learn2fix.domain.reading import ReadKind, Trace
from learn2fix.errors import UsageError
from learn2fix.fuzzing import EXTENDED, Fuzzer

Record = Callable[[Sequence[str]], Sequence[Trace]]

MOST_TRIALS = 24
PADDING = "\n" + "1\n" * 60
"""Enough to read for a count that was raised."""
PREDICTIONS = 8
PROVED = 0.75
"""Share of new inputs that must be read just as the form predicts."""


@dataclass(frozen=True, slots=True)
class FoundForm:
    layout: FormLayout
    proved: bool
    """Whether the program read new inputs of this form as predicted."""


def watch(record: Record, examples: Sequence[str]) -> FoundForm | None:
    """The form in which the program reads; None where its reading shows none that fits the examples."""
    known = list(record(examples))
    if not known or not any(read.found for read in known[0].reads):
        return None
    trials = list(record(list(_trials(known[0]))))
    unproved: FoundForm | None = None
    for form in find_forms(known, trials):
        try:
            layout = FormLayout(form).spaced_like(examples)
        except UsageError:
            continue
        if _predicts(layout, examples, known, record):
            return FoundForm(layout, True)
        unproved = unproved or FoundForm(layout, False)
    return unproved


def _trials(trace: Trace) -> Iterator[str]:
    """The same input with one number changed and more to read: what depends on that number shows."""
    seen: set[str] = set()
    (trace,) = plain([trace], 1)
    made = 0
    for read in trace.reads:
        number = parse_number(trace.text[read.start : read.end])
        if not read.found or read.kind is not ReadKind.INTEGER or not isinstance(number, int):
            continue
        if read.place in seen or not 0 <= number <= 1000:
            continue
        seen.add(read.place)
        for other in dict.fromkeys((number + 1, max(number - 1, 1), number + 3)):
            if other != number:
                yield trace.text[: read.start] + str(other) + trace.text[read.end :] + PADDING
                made += 1
        if made >= MOST_TRIALS:
            return


def _predicts(layout: FormLayout, examples: Sequence[str], known: Sequence[Trace], record: Record) -> bool:
    domain = layout.domain()
    fuzzer = Fuzzer(domain, [domain.parse(text) for text in examples], random.Random(0), operators=EXTENDED)
    texts = [given.text for given in fuzzer.take(PREDICTIONS)]
    traces = plain([*known, *record(texts)], len(known))
    right = [_as_predicted(layout, trace) for trace in traces]
    new = right[len(known) :]
    return all(right[: len(known)]) and sum(new) >= PROVED * len(new)


def _as_predicted(layout: FormLayout, trace: Trace) -> bool:
    """Whether the program read the fields one after the other; it may stop before the last."""
    spans = [(span.start, span.end) for span in layout.spans(trace.text)]  # ours: it has the form
    reads = [(read.start, read.end) for read in trace.reads if read.found]
    return reads == spans[: len(reads)] and (len(reads) == len(spans) or trace.ended)

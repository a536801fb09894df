"""Finds the form of a program's input by watching it read, and proves it by prediction."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from learn2fix.domain.form_finding import find_forms
from learn2fix.domain.form_guessing import guess
from learn2fix.domain.form_layout import FormLayout, FormMismatch
from learn2fix.domain.form_units import plain
from learn2fix.domain.forms import Atom, Form, Group, read_form
from learn2fix.domain.inputs import Domain, Origin, words_domain
from learn2fix.domain.numbers import parse_number
from learn2fix.domain.reading import Read, ReadKind, Trace
from learn2fix.errors import UsageError
from learn2fix.fuzzing import EXTENDED, Fuzzer

Record = Callable[[Sequence[str]], Sequence[Trace]]

MOST_TRIALS = 24
LARGEST_COUNT = 1000
BATCH = 4
MOST_HUNG = 3
"""Number of runs that do not end after which no more are made."""
PADDING = 60
"""Lines that are enough to read for a count that was raised."""
PREDICTIONS = 8
PROVED = 0.75
"""Share of new inputs that must be read just as the form predicts."""


def as_stdin(text: str) -> bytes:
    """A text as a program reads it: the last line ends too."""
    return (text if text.endswith("\n") else text + "\n").encode("utf-8", "surrogateescape")


def recording(record: Callable[[Sequence[bytes]], Sequence[Trace]], file: str = "") -> Record:
    """What a program reads from standard input, or from a file, for texts as people write them."""

    def texts(inputs: Sequence[str]) -> list[Trace]:
        traces = record([as_stdin(text) for text in inputs])
        return [replace(trace, reads=tuple(r for r in trace.reads if reads_of(r, file))) for trace in traces]

    return texts


def reads_of(read: Read, file: str) -> bool:
    """Whether it is that file that is read; empty for standard input."""
    return read.file.removeprefix("./") == file


def refuse_form(form: str | None, name: str) -> None:
    if form is not None:
        raise UsageError(f"{name} is called with arguments: they have no form", "leave --form out")


@dataclass(frozen=True, slots=True)
class Watched:
    layout: FormLayout
    origin: Origin
    """Whether the program read new inputs of this form as predicted."""


def watch(record: Record, examples: Sequence[str]) -> Watched | None:
    """The form in which the program reads; None where its reading shows none that fits the examples."""
    known = list(record(examples))
    if not known or not any(read.found for read in known[0].reads) or any(map(_all_at_once, known)):
        return None
    trials = list(_recorded(record, _trials(known[0])))
    unproved: Watched | None = None
    for form in find_forms(known, trials):
        try:
            layout = FormLayout(form).spaced_like(examples)
        except UsageError:
            continue
        if _predicts(layout, examples, known, record):
            return Watched(layout, Origin.PROVED)
        unproved = unproved or Watched(layout, Origin.FOUND)
    return unproved


def _all_at_once(trace: Trace) -> bool:
    """Whether the program takes the input as it comes, whatever its form, and looks at it later."""
    return any(
        read.kind is ReadKind.BYTES
        and read.end == len(trace.text)
        and (read.width is None or read.width > read.end - read.start)
        for read in trace.reads
    )


def batched(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    left = iter(texts)
    while batch := list(islice(left, size)):
        yield batch


def _recorded(record: Record, texts: Iterable[str]) -> Iterator[Trace]:
    """A few at a time: of a program that never ends, few runs have to do."""
    hung = 0
    for batch in batched(texts, BATCH):
        for trace in record(batch):
            hung += trace.hung
            yield trace
        if hung >= MOST_HUNG:
            return


def _trials(trace: Trace) -> Iterator[str]:
    """The same input with one number changed and more to read: what depends on that number shows, and what
    goes on to the end."""
    padding = _padding(trace)
    found = [read.place for read in trace.reads if read.found]
    if found.count(found[-1]) > 1:
        yield trace.text + padding
    (trace,) = plain([trace], 1)
    first: dict[str, Read] = {}
    last: dict[str, Read] = {}
    for read in trace.reads:
        if read.found and read.kind is ReadKind.INTEGER:
            first.setdefault(read.place, read)
            last[read.place] = read
    changes = [(read, plus) for read in first.values() for plus in (1, -1, 3)]
    # What ends a list of any length stands at its end.
    changes += [(read, 1) for place, read in last.items() if read is not first[place]]
    for read, plus in changes[:MOST_TRIALS]:
        number = parse_number(trace.text[read.start : read.end])
        if isinstance(number, int) and 0 <= number <= LARGEST_COUNT and number + plus > 0:
            yield trace.text[: read.start] + str(number + plus) + trace.text[read.end :] + padding


def _padding(trace: Trace) -> str:
    """A program that reads lines is given another one like the last."""
    last = [read for read in trace.reads if read.found][-1]
    line = trace.text[last.start : last.end] if last.kind is ReadKind.LINE else ""
    lines = f"{line if line.strip() else 1}\n" * PADDING
    return lines if trace.text.endswith("\n") else "\n" + lines


def _predicts(layout: FormLayout, examples: Sequence[str], known: Sequence[Trace], record: Record) -> bool:
    domain = layout.domain()
    fuzzer = Fuzzer(domain, [domain.parse(text) for text in examples], random.Random(0), operators=EXTENDED)
    new = _recorded(record, (given.text for given in fuzzer.take(PREDICTIONS)))
    traces = plain([*known, *new], len(known))
    runs_out = any(not read.found for trace in known for read in trace.reads)
    right = [_as_predicted(layout, trace, runs_out) for trace in traces]
    predicted = right[len(known) :]
    return all(right[: len(known)]) and sum(predicted) >= PROVED * len(predicted)


def _as_predicted(layout: FormLayout, trace: Trace, runs_out: bool) -> bool:
    """Whether the program read the fields one after the other; it may stop before the last.

    `runs_out`: it may try to read more than there is, as it always does.
    """
    if not runs_out and not all(read.found for read in trace.reads):
        return False
    spans = [(span.start, span.end) for span in layout.spans(trace.text)]  # ours: it has the form
    reads = [(read.start, read.end) for read in trace.reads if read.found]
    return reads == spans[: len(reads)] and (len(reads) == len(spans) or trace.ended)


def input_domain(
    examples: Sequence[str], record: Record | None, form: str | None, names: Sequence[str] = ()
) -> Domain:
    """The inputs of a program that reads text: by the form that the user gave, that was found, or guessed.

    `record` watches the program read; `names` are for the words of an input without any form.
    """
    if not examples[0].strip():
        raise UsageError("the failing input is empty", 'give what the program reads, as in --failing "2 2 2"')
    if form is not None:
        return fitted(read_form(form), examples).domain()
    found = watch(record, examples) if record is not None else None
    if found is not None and _plain_numbers(found.layout, examples):
        expanded = tuple(span.field.name for span in found.layout.spans(examples[0]))
        return words_domain(examples, _numbered(expanded), origin=found.origin)
    if found is not None and found.origin is Origin.PROVED:
        return found.layout.domain(found.origin)
    guessed = guess(examples)
    if guessed is not None and any(isinstance(item, Group) for item in guessed.form.items):
        return guessed.domain(Origin.GUESSED)
    return words_domain(examples, names) if found is None else found.layout.domain(found.origin)


def _plain_numbers(layout: FormLayout, examples: Sequence[str]) -> bool:
    """Whether an input is a constant number of numbers with white space between them, as in the paper."""
    if layout.form.constant is None or not all(field.atom.number for field in layout.form.fields):
        return False
    words = [text.split() for text in examples]
    return all(len(row) == layout.form.constant for row in words) and all(
        parse_number(word) is not None for row in words for word in row
    )


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Names of their own for the elements of a list: a1, a2, a3."""
    again = {name for name in names if names.count(name) > 1}
    numbers = Counter[str]()
    result = []
    for name in names:
        numbers[name] += 1
        result.append(f"{name}{numbers[name]}" if name in again else name)
    return (
        tuple(result) if len(set(result)) == len(result) else tuple(f"i{i + 1}" for i in range(len(result)))
    )


def fitted(form: Form, examples: Sequence[str]) -> FormLayout:
    """A form as somebody wrote it; where an example has no whole number, a field is of another type."""
    while True:
        try:
            return FormLayout(form).spaced_like(examples)
        except FormMismatch as problem:
            changed = form
            if problem.field is not None and problem.field.atom is Atom.INT and problem.word:
                real = parse_number(problem.word) is not None
                changed = form.with_atom(problem.field.name, Atom.REAL if real else Atom.WORD)
            if changed == form:
                raise
            form = changed

"""The inputs of a program: what is between the numbers stays as it was, and what is written back is exact."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import zip_longest
from typing import Any, Protocol

from learn2fix.domain.forms import Field, Span
from learn2fix.domain.numbers import format_number, parse_number
from learn2fix.domain.outputs import output_values, output_variables
from learn2fix.domain.ranges import ANYTHING, Range
from learn2fix.domain.shapes import Shape, both, seen
from learn2fix.domain.where import Where, parse_where
from learn2fix.errors import UsageError
from learn2fix.model import Input, Kind, Observation, Outcome, Point, Scalar, Variable
from learn2fix.wording import plural


class Layout(Protocol):
    """How values stand in the text that a program reads."""

    def split(self, text: str) -> tuple[Any, ...]:
        """The values in the text. UsageError when it has another shape."""

    def join(self, values: Sequence[Any]) -> str:
        """The text with these values; `split` gives them back."""


class Types(Protocol):
    """What the declared types of the arguments of a call allow."""

    def hold(self, values: Sequence[Any]) -> bool: ...


class Lens(Protocol):
    """What learners see of inputs that are no numbers: named features of them, in a fixed order."""

    @property
    def variables(self) -> tuple[Variable, ...]: ...

    def values(self, given: Sequence[Any]) -> tuple[Scalar, ...]:
        """One value a variable; never raises."""
        ...


class Origin(StrEnum):
    """How the form of an input is known."""

    GIVEN = "given"
    PROVED = "found, and proved on new inputs"
    FOUND = "found, but not proved: the program reads some new inputs otherwise"
    GUESSED = "guessed from the input"
    WORDS = "taken as words: how it is read could not be found"


@dataclass(frozen=True, slots=True)
class FoundForm:
    """The form of a program's inputs, in the notation of docs/forms.md."""

    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Domain:
    """The inputs of one program, named and typed, and (once it has run) its outputs."""

    variables: tuple[Variable, ...]
    layout: Layout
    ranges: tuple[Range, ...] = ()
    output_variables: tuple[Variable, ...] = field(default=(Variable("output", Kind.TEXT),))
    lens: Lens | None = None
    shapes: tuple[Shape, ...] = ()
    """Of the arguments of a call, in order: what values they take."""
    lengths: tuple[Range, ...] = ()
    """Of lists and texts, as far as the user or the program's arrays limit them; missing ones are open."""
    form: FoundForm | None = None
    """Of text that a program reads."""
    where: tuple[Where, ...] = ()
    """What the user says of inputs that make sense."""
    types: Types | None = None

    @property
    def seen_variables(self) -> tuple[Variable, ...]:
        """The inputs as learners see them."""
        return self.variables if self.lens is None else self.lens.variables

    @property
    def all_variables(self) -> tuple[Variable, ...]:
        return self.seen_variables + self.output_variables

    @property
    def numeric(self) -> bool:
        """Whether every input is a number, as in the paper."""
        return all(variable.kind in (Kind.INT, Kind.REAL, Kind.BOOL) for variable in self.variables)

    def parse(self, text: str) -> Input:
        return Input(text, self.layout.split(text))

    def render(self, values: Sequence[Any]) -> Input:
        return Input(self.layout.join(values), tuple(values))

    def inside(self, values: Sequence[Any]) -> bool:
        """Whether each value is of its type, and each number, however deep, and each length in its range."""
        lengths = [pair for pair in zip(self.lengths, values, strict=False) if pair[0] != ANYTHING]
        return (
            all(within.covers(value) for within, value in zip(self.ranges, values, strict=False))
            and all(within.holds(len(value)) for within, value in lengths)
            and all(each.holds(values) for each in self.where)
            and (self.types is None or self.types.hold(values))
        )

    def point(self, observation: Observation) -> Point:
        """What a learner sees of an observation: the inputs, then the output."""
        given = observation.input.values
        seen = tuple(map(scalar, given)) if self.lens is None else self.lens.values(given)
        return seen + output_values(observation.outcome, self.output_variables)

    def with_output(self, outcome: Outcome) -> Domain:
        """The same inputs; the output variables read off an outcome of the program."""
        taken = frozenset(variable.name for variable in self.variables)
        return replace(self, output_variables=output_variables(outcome, taken))

    def with_lens(self, lens: Lens) -> Domain:
        return replace(self, lens=lens)

    def with_ranges(self, ranges: tuple[Range, ...], lengths: tuple[Range, ...] = ()) -> Domain:
        """`lengths`: of lists and texts; those that are left open stay as they are."""
        kept = zip_longest(lengths, self.lengths, fillvalue=ANYTHING)
        lengths = tuple([old if new == ANYTHING else new for new, old in kept])
        return replace(self, ranges=ranges, lengths=lengths)

    def with_where(self, texts: Sequence[str]) -> Domain:
        names = [variable.name for variable in self.variables]
        return replace(self, where=tuple(parse_where(text, names) for text in texts))


def spans(domain: Domain, text: str) -> list[Span]:
    """Where each field of an input stands in its text; nothing for the arguments of a call."""
    find = getattr(domain.layout, "spans", None)
    return [] if find is None else list(find(text))


def scalar(value: Any) -> Scalar:
    """A value as learners take it: exact numbers stay, a float becomes the decimal it shows, others text."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | Fraction | str):
        return value
    if isinstance(value, float):
        number = parse_number(repr(value))
        return repr(value) if number is None else number
    return repr(value)


# Words: what a program reads from stdin, numbers and words with white space between them.


@dataclass(frozen=True, slots=True)
class Words:
    """The tokens of an example text and the white space around them; spelling stays until a value changes."""

    gaps: tuple[str, ...]
    tokens: tuple[str, ...]
    kinds: tuple[Kind, ...]
    names: tuple[str, ...]

    def split(self, text: str) -> tuple[Any, ...]:
        tokens = text.split()
        if len(tokens) != len(self.tokens):
            raise UsageError(
                f"the input {shorten(text)!r} has {plural(len(tokens), 'value')}, not {len(self.tokens)}",
                f"give {', '.join(self.names)}, as in {shorten(self.join_tokens(self.tokens))!r}",
            )
        return tuple(
            read_word(token, kind, name)
            for token, kind, name in zip(tokens, self.kinds, self.names, strict=True)
        )

    def join(self, values: Sequence[Any]) -> str:
        return self.join_tokens(
            [
                token if _value(token, kind) == value else write_word(value)
                for token, kind, value in zip(self.tokens, self.kinds, values, strict=True)
            ]
        )

    def spans(self, text: str) -> list[Span]:
        """Where each value stands in the text."""
        words = re.finditer(r"\S+", text)
        return [Span(Field(n), w.start(), w.end()) for n, w in zip(self.names, words, strict=False)]

    def join_tokens(self, tokens: Sequence[str]) -> str:
        return "".join([*(g + t for g, t in zip(self.gaps, tokens, strict=False)), self.gaps[-1]])


def words_domain(examples: Sequence[str], names: Sequence[str] = (), origin: Origin = Origin.WORDS) -> Domain:
    """The domain of a program that reads words; the first example gives the layout, all give the types."""
    first = examples[0]
    tokens = first.split()
    if not tokens:
        raise UsageError("the failing input is empty", 'give what the program reads, as in --failing "2 2 2"')
    rows = [text.split() for text in examples if len(text.split()) == len(tokens)]
    names = tuple(names) or tuple(f"i{i}" for i in range(1, len(tokens) + 1))
    if len(names) != len(tokens):
        raise UsageError(
            f"the input {shorten(first)!r} has {plural(len(tokens), 'value')}, not {len(names)}",
            f"give {', '.join(names)}",
        )
    found = tuple(_kind(column) for column in zip(*rows, strict=True))
    layout = Words(tuple(re.split(r"\S+", first)), tuple(tokens), found, names)
    domain = Domain(
        tuple(Variable(name, kind) for name, kind in zip(names, found, strict=True)),
        layout,
        (ANYTHING,) * len(names),
        form=FoundForm(", ".join(names), origin),
    )
    for text in examples:
        domain.parse(text)
    return domain


def read_word(token: str, kind: Kind, name: str) -> Any:
    if kind is Kind.TEXT:
        return token
    number = parse_number(token)
    if kind is Kind.REAL and number is not None:
        return number
    if kind is Kind.BOOL and number in (0, 1):
        return bool(number)
    if kind is Kind.INT and isinstance(number, int):
        return number
    wanted = {Kind.INT: "a whole number", Kind.REAL: "a number", Kind.BOOL: "0 or 1"}[kind]
    raise UsageError(f"{name} must be {wanted}, not {shorten(token)!r}")


def write_word(value: Any) -> str:
    return format_number(value) if isinstance(value, int | Fraction) else str(value)


def _value(token: str, kind: Kind) -> Any:
    return token if kind is Kind.TEXT else parse_number(token)


def _kind(column: Sequence[str]) -> Kind:
    numbers = [parse_number(token) for token in column]
    if any(number is None for number in numbers):
        return Kind.TEXT
    return Kind.INT if all(isinstance(number, int) for number in numbers) else Kind.REAL


# Calls: what stands between the parentheses of a call, as Python literals.


@dataclass(frozen=True, slots=True)
class Call:
    """Arguments by position, then by keyword, as the example wrote them."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    positional: int
    """Number of values that stand by position; the others are written name=value."""
    parameters: tuple[str, ...] = ()
    words: bool = False
    """Values may also be separated by blanks, as a C programmer writes them."""

    def split(self, text: str) -> tuple[Any, ...]:
        given = read_call(as_call(text) if self.words else text, self.parameters or self.names)
        if set(given) != set(self.names):
            raise UsageError(
                f"the call ({shorten(text)}) gives {', '.join(given) or 'nothing'}",
                f"give {', '.join(self.names)}",
            )
        return tuple(
            typed(given[name], kind, name) for name, kind in zip(self.names, self.kinds, strict=True)
        )

    def join(self, values: Sequence[Any]) -> str:
        parts = [literal(value, kind) for value, kind in zip(values, self.kinds, strict=True)]
        named = [f"{name}={part}" for name, part in zip(self.names, parts, strict=True)]
        return ", ".join(parts[: self.positional] + named[self.positional :])


def as_call(text: str) -> str:
    """`2 2 2` is taken for `2, 2, 2`."""
    return ", ".join(text.split()) if "," not in text and "=" not in text else text


def read_call(text: str, parameters: Sequence[str]) -> dict[str, Any]:
    """Argument name to literal value; arguments beyond the parameters are an error."""
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(
            f"cannot read {shorten(text)!r} as the arguments of a call",
            'write Python literals, as in "[3, 1, 2], 3" or "price=100, qty=3"',
        ) from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise UsageError(f"cannot read {shorten(text)!r} as the arguments of one call")
    if len(call.args) > len(parameters):
        raise UsageError(
            f"the call ({shorten(text)}) has {plural(len(call.args), 'value')} for {', '.join(parameters)}"
        )
    given: dict[str, Any] = {}
    pairs = [*zip(parameters, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
    for name, node in pairs:
        if name is None or name in given or name not in parameters:
            raise UsageError(
                f"no parameter {name} to give a value", f"the parameters are {', '.join(parameters)}"
            )
        try:
            given[name] = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            raise UsageError(f"{name} is not a plain value in ({shorten(text)})") from None
    return given


def typed(value: Any, kind: Kind, name: str) -> Any:
    """The literal as the domain holds it: numbers exact, everything else as Python reads it."""
    boolean = isinstance(value, bool)
    match kind:
        case Kind.REAL if isinstance(value, int | float) and not boolean:
            number = parse_number(repr(value))
            if number is not None:
                return number
        case Kind.INT if isinstance(value, int) and not boolean:
            return value
        case Kind.BOOL if isinstance(value, int) and value in (0, 1):
            return bool(value)
        case Kind.TEXT if isinstance(value, str):
            return value
        case Kind.ANY:
            return value
    wanted = {Kind.INT: "a whole number", Kind.REAL: "a number", Kind.BOOL: "True or False"}.get(
        kind, "a text"
    )
    raise UsageError(f"{name} must be {wanted}, not {shorten(repr(value))}")


def literal(value: Any, kind: Kind) -> str:
    if kind is Kind.REAL and isinstance(value, int | Fraction):
        text = format_number(value)
        return text if "." in text else text + ".0"
    return repr(value)


def call_domain(
    examples: Sequence[str],
    parameters: Sequence[str],
    kinds: Mapping[str, Kind] | None = None,
    words: bool = False,
    shapes: Mapping[str, Shape] | None = None,
) -> Domain:
    """The domain of a function: the first call says which parameters are given, all say their types."""
    known = kinds or {}
    noted = shapes or {}
    if words:
        examples = [as_call(text) for text in examples]
    calls = [read_call(text, parameters) for text in examples]
    names = tuple(name for name in parameters if name in calls[0])
    if not names:
        raise UsageError("the failing call has no arguments", 'give them, as in --failing "price=100, qty=3"')
    found = tuple(known.get(name) or value_kind([c[name] for c in calls if name in c]) for name in names)
    forms = []
    for name in names:
        given = seen([c[name] for c in calls if name in c])
        forms.append(both(noted[name], given) if name in noted else given)
    # Where None is a value too, a number is not always one.
    found = tuple(Kind.ANY if form.optional else kind for form, kind in zip(forms, found, strict=True))
    body = ast.parse(f"f({examples[0]}\n)", mode="eval").body
    positional = len(body.args) if isinstance(body, ast.Call) else 0
    domain = Domain(
        tuple(Variable(name, kind) for name, kind in zip(names, found, strict=True)),
        Call(names, found, positional, tuple(parameters), words),
        (ANYTHING,) * len(names),
        shapes=tuple(forms),
    )
    for text in examples:
        domain.parse(text)
    return domain


def value_kind(values: Sequence[Any]) -> Kind:
    types = {type(value) for value in values}
    if types == {bool}:
        return Kind.BOOL
    if types == {int}:
        return Kind.INT
    if types <= {int, float}:
        return Kind.REAL if all(parse_number(repr(value)) is not None for value in values) else Kind.ANY
    return Kind.TEXT if types == {str} else Kind.ANY


def shorten(text: str) -> str:
    """As much of a text as fits into an error message."""
    return text if len(text) <= 60 else text[:59] + "…"

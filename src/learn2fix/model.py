"""The frozen nouns that every other module speaks: inputs, outcomes, questions, answers, patches."""

from __future__ import annotations

import hashlib
import operator
import re
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

Scalar = int | Fraction | str
"""What a learner sees of one variable: an exact number, or text where the program printed no number."""

Point = tuple[Scalar, ...]
"""One value for each variable, in the order of the variables: the inputs, then the output(s)."""


class Kind(StrEnum):
    """The type of an input or output."""

    INT = "int"
    REAL = "real"
    BOOL = "bool"
    TEXT = "text"
    ANY = "any"
    """Lists, tuples, dicts and optional values of a Python call."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A named, typed place in a Point."""

    name: str
    kind: Kind = Kind.INT


@dataclass(frozen=True, slots=True)
class Input:
    """What a program is given. Two inputs are the same when their text is."""

    text: str
    """Exactly what the program reads, or what stands between the parentheses of the call."""
    values: tuple[Any, ...] = field(compare=False, default=())


class Ending(StrEnum):
    """How an execution ended. Each is data; none is an exception and none is folded into another."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    FLOOD = "flood"
    NOT_COMPILED = "not_compiled"
    NOT_STARTED = "not_started"


WORDS = {
    Ending.SIGNALLED: "crash: ",
    Ending.RAISED: "raises ",
    Ending.TIMEOUT: "no answer in time",
    Ending.MEMORY: "out of memory",
    Ending.FLOOD: "endless output",
    Ending.NOT_COMPILED: "does not compile",
    Ending.NOT_STARTED: "did not start",
}

STATUS = re.compile(r"⟨exit status ([0-9]{1,3})⟩\s*\Z")
STDERR = re.compile(r"⟨standard error: ([^⟨⟩]*)⟩\s*\Z")


@dataclass(frozen=True, slots=True, order=True)
class Response:
    """What a program answered, as it is compared: how it ended, and what it printed or raised."""

    ending: Ending
    text: str = ""
    """The canonical output, the exception of RAISED ("ValueError: too small"), the signal of SIGNALLED."""
    status: int | None = None
    """The exit status of EXITED where it counts; None where it does not, or where nobody said it."""
    stderr: str | None = None
    """Standard error in canonical form, likewise."""
    written: bool = field(default=False, compare=False)
    """By a person, who may have rounded a number."""

    def __str__(self) -> str:
        """As people read and write it: the output itself, or in ⟨…⟩ how it ended otherwise."""
        if not self.completed:
            return f"⟨{WORDS[self.ending]}{self.text}⟩"
        status = None if self.status is None else f"⟨exit status {self.status}⟩"
        stderr = None if self.stderr is None else f"⟨standard error: {self.stderr}⟩"
        return "\n".join(filter(None, (self.text, status, stderr)))

    @classmethod
    def read(cls, words: str, layout: bool = False) -> Response:
        """What a person wrote, or what was stored: the reverse of `str`. `layout`: see `Counted`."""
        stripped = words.strip()
        if stripped.startswith("⟨") and stripped.endswith("⟩"):
            inner = stripped[1:-1]
            for ending, said in WORDS.items():
                if inner == said or (said.endswith(" ") and inner.startswith(said)):
                    return cls(ending, inner.removeprefix(said))
        printed, status, stderr = words, None, None
        if match := STDERR.search(printed):
            printed, stderr = printed[: match.start()], canonical(match[1])
        if match := STATUS.search(printed):
            printed, status = printed[: match.start()], int(match[1])
        return cls(Ending.EXITED, canonical(printed, layout), status, stderr, written=True)

    @property
    def completed(self) -> bool:
        return self.ending is Ending.EXITED

    @property
    def exception(self) -> tuple[str, str | None] | None:
        """The name and the message of the exception that it ended in."""
        if self.ending is not Ending.RAISED:
            return None
        name, colon, message = self.text.partition(": ")
        return name, message if colon else None


Same = Callable[[Response, Response], bool]
"""Whether the second is what somebody meant who expected the first."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What of an execution is compared beside its output."""

    status: bool = False
    stderr: bool = False
    layout: bool = False
    """Whether indentation and blank lines count: pictures are made of them."""

    def __str__(self) -> str:
        output = "output with its indentation" if self.layout else "output"
        named = {output: True, "exit status": self.status, "standard error": self.stderr}
        *most, last = (name for name, counts in named.items() if counts)
        return f"{', '.join(most)} and {last}" if most else last


OUTPUT_ONLY = Counted()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one execution did."""

    ending: Ending
    output: bytes = b""
    """Bounded, byte for byte what was printed (or the repr of what a Python function returned)."""
    status: int = 0
    """Exit status when EXITED, signal number when SIGNALLED."""
    detail: str = ""
    """The exception of RAISED, the compiler's words of NOT_COMPILED, why of NOT_STARTED."""
    stderr: bytes = field(default=b"", compare=False)
    seconds: float = field(default=0.0, compare=False)
    counted: Counted = field(default=OUTPUT_ONLY, compare=False)

    @property
    def response(self) -> Response:
        match self.ending:
            case Ending.EXITED:
                status = self.status if self.counted.status else None
                stderr = canonical(self.stderr) if self.counted.stderr else None
                return Response(self.ending, canonical(self.output, self.counted.layout), status, stderr)
            case Ending.SIGNALLED:
                return Response(self.ending, signal_name(self.status))
            case Ending.RAISED:
                return Response(self.ending, self.detail)
            case _:
                return Response(self.ending)

    @property
    def completed(self) -> bool:
        return self.ending is Ending.EXITED

    @property
    def answered(self) -> bool:
        """Whether it ended by itself and printed something, or its exit status is an answer."""
        return self.completed and (self.counted.status or bool(self.response.text))


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def canonical(output: bytes | str, layout: bool = False) -> str:
    """Output as it is compared: blank lines and white space around each line do not count, all else does.

    With `layout` they do, but for white space at the end of a line and blank lines at the end, which nobody
    sees.
    """
    text = output.decode("utf-8", "surrogateescape") if isinstance(output, bytes) else output
    if layout:
        return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True)
class Observation:
    """A test of the paper: an input and what the program did with it."""

    input: Input
    outcome: Outcome


class Verdict(StrEnum):
    """What a person says of an observation."""

    BUG = "bug"
    OK = "ok"
    UNSURE = "unsure"
    INVALID = "invalid"
    """This input makes no sense."""


BUG_FROM = 0.5
"""Chance from which on an input counts as one that shows the bug."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer, always about what the program really printed."""

    verdict: Verdict
    expected: str | None = None
    """What it should print, when the person said so."""
    rejected: tuple[str, ...] = ()
    """Further responses that are wrong: the person was offered them and chose none."""


class Control(StrEnum):
    """What a person may say instead of an answer."""

    FINISH = "finish"
    UNDO = "undo"


Reply = Answer | Control


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask a person."""

    number: int
    """Counted from 1; the failing input that the person brought is not a question."""
    remaining: int
    """How many may still be asked after this one."""
    observation: Observation
    choices: tuple[Response, ...] = ()
    """Responses that may be right here, in an order that does not say which is likely; empty: none known."""
    reported: bool = False
    """Whether the person brought this input: it fails, and the question is only what is right."""
    why: str = ""
    """Why this input is worth asking about, in a sentence."""
    again: Answer | None = None
    """What was said of this input before, which does not fit the other answers; None: not asked yet."""
    least: int = 0
    """How many must still be asked after this one before a fix can be believed; fewer are asked only where
    nothing is left to ask."""


@dataclass(frozen=True, slots=True)
class Label:
    """An observation with the person's answer."""

    observation: Observation
    answer: Answer


def once_each(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Each input once: what was later said about a failing input tells what is right there."""
    found: dict[str, Label] = {}
    for label in labels:
        text = label.observation.input.text
        found[text] = merged(found[text], label) if text in found else label
    return tuple(found.values())


def merged(before: Label, label: Label) -> Label:
    """What was said of one input, then and now: the later counts, unless it tells less of the same bug."""
    then, now = before.answer, label.answer
    bug = then.verdict is Verdict.BUG and now.verdict in (Verdict.BUG, Verdict.UNSURE)
    if not bug or now.expected is not None:
        return label
    if then.expected is not None:
        return label if now.verdict is Verdict.UNSURE else before
    wrong = dict.fromkeys((*then.rejected, *now.rejected))
    return replace(before, answer=replace(then, rejected=tuple(wrong)))


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a patch must do on one input."""

    input: Input
    expected: Response | None = None
    """None when only wrong responses are known."""
    forbidden: frozenset[Response] = frozenset()
    """Responses that are wrong, whatever is right."""

    def met_by(self, response: Response, same: Same = operator.eq) -> bool:
        if response in self.forbidden:
            return False
        return self.expected is None or same(self.expected, response)

    @classmethod
    def from_label(cls, label: Label) -> Requirement | None:
        """None when the answer demands nothing (unsure without a rejected output, invalid)."""
        shown, answer = label.observation.outcome.response, label.answer
        layout = label.observation.outcome.counted.layout
        if answer.verdict is Verdict.INVALID:
            return None
        if answer.verdict is Verdict.OK:
            return cls(label.observation.input, expected=shown)
        if answer.expected is not None:
            # Somebody who called 3.0 a bug and wants 3 means it: the output shown is never the right one.
            wrong = frozenset({shown}) if answer.verdict is Verdict.BUG else frozenset()
            return cls(label.observation.input, Response.read(answer.expected, layout), wrong)
        forbidden = {Response.read(text, layout) for text in answer.rejected}
        if answer.verdict is Verdict.BUG:
            forbidden.add(shown)
        return cls(label.observation.input, forbidden=frozenset(forbidden)) if forbidden else None


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled point, as learners see it."""

    point: Point
    failing: bool


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace bytes [start, end) of the original source by text."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible patch: disjoint edits on the original bytes, in order."""

    edits: tuple[Edit, ...]
    kind: str
    """The family of the edit ("relational", "constant", …), for ranking and for statistics."""
    cost: float
    """Smaller is more plausible; a sum of kind, size and suspicion."""

    def apply(self, source: bytes) -> bytes:
        return apply_edits(source, self.edits)


def apply_edits(source: bytes, edits: tuple[Edit, ...]) -> bytes:
    pieces, position = [], 0
    for edit in sorted(edits):
        if edit.start < position:
            raise ValueError("edits overlap")
        pieces += [source[position : edit.start], edit.text]
        position = edit.end
    return b"".join([*pieces, source[position:]])


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source file, for people: 1-based line and column."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Patch:
    """A candidate that satisfies every requirement and was checked with the user's own compiler."""

    id: str
    candidate: Candidate
    location: Location
    description: str
    """What changed, in a sentence: "line 6: `a == b == c` → `a == b && b == c`"."""
    diff: str
    """A unified diff that `git apply` accepts."""
    confidence: float = 0.0
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounds:
    """What predictions rest on, so that they can be made later without the conversation."""

    labels: tuple[Label, ...]
    fixes: tuple[tuple[Candidate, float], ...]
    """Those that agree with every answer, one a behaviour, each with its share of the vote."""
    trust: float
    """How much they are believed beside the labels."""


def digest(*parts: bytes | str, length: int = 12) -> str:
    """A stable identifier of content."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()[:length]

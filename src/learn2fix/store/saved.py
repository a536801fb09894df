"""A session as read from its entries: immutable values."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from learn2fix import __version__
from learn2fix.errors import StoreError
from learn2fix.model import Answer, Control, Grounds, Label, Patch, Question, Reply, once_each
from learn2fix.store.codec import (
    Json,
    grounds_from_json,
    label_from_json,
    label_to_json,
    patch_from_json,
    question_from_json,
    reply_from_json,
)
from learn2fix.store.entry import SCHEMA_VERSION, Entry, EntryKind, newer

Exchange = tuple[Question, Reply]
"""A question and what the person said to it."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One of several people's replies to a question; the one that counts is in the exchanges."""

    question: Question
    reply: Reply
    who: str


@dataclass(frozen=True, slots=True)
class Record:
    """What a session is about, fixed when it begins."""

    program: tuple[str, ...]
    """The program as given on the command line, relative to `directory`."""
    directory: str
    seed: int
    source_digest: str
    """Digest of the source, to detect changes; "" if there is no source."""
    failing: tuple[Label, ...]
    """The failing inputs given by the user, with the program's outcomes."""
    tests: tuple[Label, ...] = ()
    """Further tests with known outputs given by the user, labelled."""
    source: str = ""
    """The file that a patch changes, relative to `directory`; "" when there is none."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Every further option as JSON, so that `resume` repeats the run."""
    tool: str = __version__
    files: tuple[tuple[str, str], ...] = ()
    """Of a program in several files all of them, relative to `directory`, each with its digest."""

    @property
    def sources(self) -> dict[str, str]:
        """Every file that a patch may change, with its digest when the session began."""
        return dict(self.files) or ({self.source: self.source_digest} if self.source else {})

    @property
    def title(self) -> str:
        return self.program[0] if len(self.program) == 1 else shlex.join(self.program)

    def to_json(self) -> Json:
        return {
            "program": list(self.program),
            "directory": self.directory,
            "seed": self.seed,
            "source_digest": self.source_digest,
            "failing": [label_to_json(label) for label in self.failing],
            "tests": [label_to_json(label) for label in self.tests],
            "source": self.source,
            "files": [list(file) for file in self.files],
            "options": dict(self.options),
            "tool": self.tool,
            "schema": SCHEMA_VERSION,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        return cls(
            program=tuple(data["program"]),
            directory=data["directory"],
            seed=data["seed"],
            source_digest=data["source_digest"],
            failing=tuple(label_from_json(label) for label in data["failing"]),
            tests=tuple(label_from_json(label) for label in data.get("tests", ())),
            source=data.get("source", ""),
            files=tuple((name, known) for name, known in data.get("files", ())),
            options=data["options"],
            tool=data["tool"],
        )


@dataclass(frozen=True, slots=True)
class Saved:
    """A session as it stands."""

    id: str
    record: Record
    created: str
    """Wall clock, for people."""
    exchanges: tuple[Exchange, ...] = ()
    """The valid replies in order, without those taken back."""
    pending: Question | None = None
    """The open question, if any."""
    result: Json | None = None
    """The result document, if the session has ended since the last reply."""
    patches: tuple[Patch, ...] = ()
    """The patches of the result, best first."""
    grounds: Grounds | None = None
    """What predictions of the result rest on, if they can be made without the conversation."""
    opinions: tuple[Opinion, ...] = ()
    """All answers to the questions of `exchanges` whose authors are known."""
    damage: str = ""
    """What was wrong with the files and what was lost; "" if they are intact."""

    @property
    def labels(self) -> tuple[Label, ...]:
        """The user's labelled inputs, then every answer, in order; each input once."""
        answered = (
            Label(question.observation, reply)
            for question, reply in self.exchanges
            if isinstance(reply, Answer)
        )
        return once_each((*self.record.failing, *self.record.tests, *answered))

    @property
    def finished(self) -> bool:
        """Whether the person ended the questions."""
        return any(reply is Control.FINISH for _, reply in self.exchanges)

    @property
    def status(self) -> str:
        """The status of the result document, or "open"."""
        return str(self.result["status"]) if self.result is not None else "open"


def fold(id: str, entries: Sequence[Entry], damage: str = "") -> Saved:
    """Folds the entries into a session."""
    if not entries or entries[0].kind is not EntryKind.SESSION:
        raise StoreError(f"session {id} cannot be read: {damage or 'it has no beginning'}")
    if entries[0].data.get("schema", SCHEMA_VERSION) > SCHEMA_VERSION:
        raise newer()
    try:
        return _fold(id, entries, damage)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        # The checksums are right, so it is what was written, by a tool with other words.
        raise newer() from error


def _fold(id: str, entries: Sequence[Entry], damage: str) -> Saved:
    record = Record.from_json(entries[0].data)
    exchanges: list[Exchange] = []
    pending: Question | None = None
    result: Json | None = None
    patches: tuple[Patch, ...] = ()
    grounds: Grounds | None = None
    opinions: list[Opinion] = []
    for entry in entries[1:]:
        data = entry.data
        match entry.kind:
            case EntryKind.OPTIONS:
                record = replace(
                    record, options={**record.options, **data}, seed=data.get("seed", record.seed)
                )
            case EntryKind.ASKED:
                pending = question_from_json(data["question"])
            case EntryKind.REPLY:
                pending = None
                exchanges.append((question_from_json(data["question"]), reply_from_json(data["reply"])))
                if data.get("who"):
                    opinions.append(Opinion(*exchanges[-1], data["who"]))
                result, patches, grounds = None, (), None
            case EntryKind.UNDO:
                if exchanges:
                    taken = exchanges.pop()[0]
                    opinions = [each for each in opinions if each.question != taken]
                    pending = taken
                result, patches, grounds = None, (), None
            case EntryKind.OPINION:
                question = question_from_json(data["question"])
                opinions.append(Opinion(question, reply_from_json(data["reply"]), data["who"]))
            case EntryKind.REVISED:
                place = data["position"]
                exchanges[place] = (exchanges[place][0], reply_from_json(data["reply"]))
                result, patches, grounds = None, (), None
            case EntryKind.RESULT:
                result = data["document"]
                patches = tuple(patch_from_json(patch) for patch in data["patches"])
                grounds = grounds_from_json(data["grounds"]) if data.get("grounds") else None
            case _:
                pass
    return Saved(
        id,
        record,
        entries[0].at,
        tuple(exchanges),
        pending,
        result,
        patches,
        grounds,
        tuple(opinions),
        damage,
    )

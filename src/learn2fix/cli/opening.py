"""Opens sessions, new and stored."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from learn2fix.errors import UsageError
from learn2fix.events import Event
from learn2fix.model import digest
from learn2fix.session import Options, Session
from learn2fix.store import OpenSession, Record, Saved, Store


@dataclass(frozen=True, slots=True)
class Answerer:
    """Who answers: a golden program, a file, or otherwise the person at the terminal."""

    golden: str | None = None
    answers: str | None = None

    @property
    def is_interactive(self) -> bool:
        """Whether a person is waiting for the next question."""
        return self.golden is None and self.answers is None


# Stored options


def options_to_json(options: Options, answerer: Answerer) -> dict[str, Any]:
    return dataclasses.asdict(options) | {"golden": answerer.golden}


def options_from_json(stored: Mapping[str, Any]) -> Options:
    known = {field.name for field in dataclasses.fields(Options)}
    return Options(**{name: _frozen(value) for name, value in stored.items() if name in known})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def named(words: Sequence[str]) -> str | Sequence[str]:
    """One word names a program (`triangle.c:classify`), several are a command."""
    return words[0] if len(words) == 1 else tuple(words)


NAMED = re.compile(r"(.*?)(:[A-Za-z_][\w.]*)?", re.DOTALL)
"""A program, with or without the name of one of its functions."""


def anchored(golden: str | None, program: str = "") -> str | None:
    """The golden program with an absolute path, so that it is found from any directory.

    A file of source alone answers for a function of `program` by its function of that name.
    """
    if not golden:
        return None
    path, function = NAMED.fullmatch(golden).groups()  # type: ignore[union-attr]
    if not os.path.exists(path):
        return golden
    asked = NAMED.fullmatch(program).group(2)  # type: ignore[union-attr]
    if asked and path.endswith((".c", ".py")) and not os.path.isdir(path):
        function = function or asked
    return os.path.abspath(path) + (function or "")


# Sessions, new and stored


class Listening(Protocol):
    """Receives events and messages for the user."""

    def __call__(self, event: Event) -> None: ...
    def say(self, text: str) -> None: ...


def create(
    store: Store,
    program: Sequence[str],
    failing: Sequence[str],
    options: Options,
    answerer: Answerer,
    watcher: Listening,
    check: Callable[[Session], None] = lambda session: None,
) -> tuple[Session, OpenSession]:
    """Builds and checks the program first, so that one that cannot run leaves no session behind.

    `check` may refuse it too.
    """
    session = Session.create(named(program), failing, options, emit=watcher)
    try:
        check(session)
        source = session.subject.source
        record = Record(
            program=tuple(program),
            directory=os.getcwd(),
            seed=options.seed,
            source_digest=session.source_digest,
            # `known` holds the failing inputs first, then the tests.
            failing=session.known[: len(session.failing)],
            tests=session.known[len(session.failing) :],
            source=str(source) if source is not None else "",
            files=session.files,
            options=options_to_json(options, answerer),
        )
        held = store.create(record)
        session.id = held.id
        return session, held
    except BaseException:
        session.close()
        raise


def reopen(
    saved: Saved,
    watcher: Listening,
    *,
    anyway: bool = False,
    **changes: Any,
) -> Session:
    """Reopens a stored session's program with its options; refused when the source has changed."""
    record = saved.record
    enter(record)
    options = dataclasses.replace(options_from_json(record.options), **changes)
    failing = [label.observation.input.text for label in record.failing]
    if different := changed_sources(record):
        changed = f"{' and '.join(different)} {has(different)} changed since session {saved.id} began"
        if not anyway:
            raise UsageError(changed, "--anyway goes on with the answers that still fit")
        watcher.say(f"{changed}; answers about outputs that it no longer prints are asked again.")
    return Session.create(named(record.program), failing, options, emit=watcher, id=saved.id)


def changed_sources(record: Record) -> list[str]:
    """Files that have changed since the session began; call it from the session's directory."""
    return [name for name, known in record.sources.items() if digest(read_file(name)) != known]


def has(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def read_file(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from None


def enter(record: Record) -> None:
    """Changes to the directory in which the session began: its program is named relative to that."""
    try:
        os.chdir(record.directory)
    except OSError as error:
        raise UsageError(f"cannot go to {record.directory}: {error.strerror}") from None

"""`--failing-command`: a command that fails because of the bug says on which input it shows."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase

from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.c.command_runs import Run, Watched, Wish, passed
from learn2fix.languages.c.project import Project
from learn2fix.model import Ending
from learn2fix.sandbox import Sandbox
from learn2fix.wording import plural

CANNOT_RUN = (126, 127)
"""What a shell says of a command that is missing."""
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)")


@dataclass(frozen=True, slots=True)
class Begun:
    """What a failing command provides to start a session."""

    words: tuple[str, ...]
    """The arguments of the program, {a} for values of the input."""
    failing: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]
    """Runs of the command for which a file says what is right."""
    files: tuple[tuple[str, str], ...]
    form: str | None
    """Which of the files is the input."""
    checks: bool
    """A patch must make the command pass."""
    note: str


@dataclass(frozen=True, slots=True)
class _Given:
    """What one run was given, as a session writes it."""

    words: tuple[str, ...]
    text: str
    files: tuple[tuple[str, str], ...] = ()
    form: str | None = None


def begin_from(command: str, folder: Path, build: str | None, run: str | None) -> Begun:
    """Builds the project in a copy and watches the command there."""
    with Sandbox() as sandbox:
        project = Project(folder, build, sandbox)
        project.open(run)
        watched = Watched(project, command)
        outcome = watched.run()
        if outcome.ending is Ending.EXITED and outcome.status in CANNOT_RUN:
            said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
            raise NotFailing(f"`{command}` cannot be run: {' '.join(said)}", "give a command that fails")
        if passed(outcome):
            raise NotFailing(
                f"`{command}` passes in a copy of {project.folder.name}", "give a command that fails"
            )
        runs = watched.runs()
        if not runs:
            return _from_names(command, watched, project)
        wishes = watched.wishes(runs)
        wrong, explained = _wrong(wishes), False
        # A command that ends with the first failure goes on where that one is right.
        while wrong and not explained:
            explained = passed(watched.run(wrong))
            further = [run for run in watched.runs() if run not in runs]
            if not further:
                break
            runs += further
            # Once it passes, what differs from a file is nothing that it minds.
            wishes += [wish for wish in watched.wishes(further) if wish.kept or not explained]
            wrong = _wrong(wishes)
        if explained:
            note = f"`{command}` fails for {len(wrong)} of {plural(len(runs), 'run')} of the program"
            return _begun(project, wrong[0].run, wishes, True, note)
        note = f"`{command}` runs the program {plural(len(runs), 'time')}"
        if len(runs) > 1:
            note += "; the last run is taken for the failing one (--failing says otherwise)"
        if wrong:
            note += "; what it compares with could not be found, so it does not judge patches"
        return _begun(project, runs[-1], [], not wrong, note)


def _wrong(wishes: Sequence[Wish]) -> list[Wish]:
    return [wish for wish in wishes if not wish.kept]


def _begun(project: Project, run: Run, wishes: Sequence[Wish], checks: bool, note: str) -> Begun:
    first = _given(project, run)
    alike = [
        (given.text, wish)
        for wish in wishes
        if (given := _given(project, wish.run)).words == first.words and given.form == first.form
    ]
    tests = tuple((text, wish.output.decode("utf-8", "surrogateescape")) for text, wish in alike)
    failing = dict.fromkeys(text for text, wish in alike if not wish.kept)
    return Begun(first.words, tuple(failing) or (first.text,), tests, first.files, first.form, checks, note)


def _given(project: Project, run: Run) -> _Given:
    """Files named in the arguments are the input where there is no other; else numbers in them are."""
    stdin = run.stdin.decode("utf-8", "surrogateescape")
    words, files = list(run.words), dict[str, str]()
    for number, word in enumerate(run.words):
        place = os.path.normpath(os.path.join(run.folder, word))
        content = None if os.path.isabs(place) else project.workshop.content(place)
        if content is not None:
            words[number] = os.path.basename(place)
            files[words[number]] = content.decode("utf-8", "surrogateescape")
    if stdin.strip():
        return _Given(tuple(words), stdin, tuple(files.items()))
    for name, content_ in files.items():
        return _Given(tuple(words), content_, tuple(files.items()), f"{name}:")
    values = [word for word in run.words if NUMBER.fullmatch(word)]
    values = values or [word for word in run.words if not word.startswith("-")]
    if not values or len(values) > len(ascii_lowercase):
        raise UsageError(
            f"the command runs {project.target.name} without an input that can be varied",
            'say what it is given: --failing "…"',
        )
    names = iter(ascii_lowercase)
    places = tuple(f"{{{next(names)}}}" if word in values else word for word in run.words)
    return _Given(places, " ".join(word for word in run.words if word in values))


def _from_names(command: str, watched: Watched, project: Project) -> Begun:
    """Nobody was seen to run the program: the first file that the command names is its input."""
    found = watched.named_inputs()
    if not found:
        raise UsageError(
            f"`{command}` was not seen to run {project.target.name}, and names no file",
            "say on what it goes wrong: --failing @FILE",
        )
    note = f"`{command}` was not seen to run {project.target.name}: {found[0].name} is taken for its input"
    text = found[0].read_bytes().decode("utf-8", "surrogateescape")
    return Begun((), (text,), (), (), None, True, note)

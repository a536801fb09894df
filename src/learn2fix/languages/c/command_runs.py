"""What a command of the user's does with a program: it is run in a copy of the project, its runs are watched.

`make check` fails, and nobody says on which input. In the place of the executable stands a script that notes
the words and the standard input of each run, and what the executable printed. A run can also be answered by
us: where the command then passes, that run is what it fails for, and the answer is right.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from learn2fix.languages.c.project import Project
from learn2fix.languages.project_copy import OURS
from learn2fix.model import Ending, Outcome

RUNS, ANSWERS, REAL = f"{OURS}/runs", f"{OURS}/answers", f"{OURS}/real"
MOST_RUNS = 200
"""Runs of the program that are looked at; a test suite has its failing one among the first."""
LARGEST = 1 << 20
"""Bytes of a file that may hold what a program is to print."""
WATCH = """#!/bin/sh
run={runs}/$$
printf '%s\\0' "$PWD" "$@" > "$run.words"
cat > "$run.in"
for known in {answers}/*.out; do
    known="${{known%.out}}"
    if cmp -s "$run.words" "$known.words" && cmp -s "$run.in" "$known.in"; then
        cat "$known.out"
        exit 0
    fi
done
{real} "$@" < "$run.in" > "$run.out"
status=$?
echo $status > "$run.status"
cat "$run.out"
exit $status
"""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the program that the command started."""

    folder: str
    """Where it was started, as seen from the top of the project."""
    words: tuple[str, ...]
    stdin: bytes
    output: bytes
    status: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What a run should print, as a file of the project has it."""

    run: Run
    output: bytes

    @property
    def kept(self) -> bool:
        return self.run.output.split() == self.output.split()


class Watched:
    """A command of the user's in the copy of a project that was built and opened."""

    def __init__(self, project: Project, command: str) -> None:
        self._project, self._command = project, command
        workshop = project.workshop
        self._target = project.target.relative_to(project.copy)
        real = workshop.content(self._target) or b""
        workshop.put(Path(REAL), real, executable=True)
        for folder in (RUNS, ANSWERS):
            workshop.put(Path(folder, "none"), b"")
        names = {name: shlex.quote(str(project.copy / path)) for name, path in _PLACES.items()}
        self._script = WATCH.format(**names).encode()

    def run(self, answers: Sequence[Wish] = ()) -> Outcome:
        """Runs the command; these runs of the program print what they should."""
        workshop, copy = self._project.workshop, self._project.copy
        for folder in (RUNS, ANSWERS):
            for path in sorted((copy / folder).iterdir()):
                if path.name != "none":
                    path.unlink()
        for number, wish in enumerate(answers):
            where = os.path.normpath(copy / wish.run.folder)
            words = b"".join(os.fsencode(word) + b"\0" for word in (where, *wish.run.words))
            for ending, content in (("words", words), ("in", wish.run.stdin), ("out", wish.output)):
                workshop.put(Path(ANSWERS, f"{number}.{ending}"), content)
        # Newer than all that it is made of, so it is not made anew.
        workshop.put(self._target, self._script, executable=True)
        return self._project.run(self._command)

    def runs(self) -> list[Run]:
        """Those of the last time, in order, none twice."""
        copy, workshop = self._project.copy, self._project.workshop
        found: dict[Run, None] = {}
        started = sorted((copy / RUNS).glob("*.words"), key=lambda path: path.lstat().st_mtime_ns)
        for path in started[:MOST_RUNS]:
            place = path.relative_to(copy)
            parts = [
                workshop.content(place.with_suffix(f".{end}")) for end in ("words", "in", "out", "status")
            ]
            if any(part is None for part in parts):
                continue  # answered by us, or stopped in the middle
            words, stdin, output, status = (part or b"" for part in parts)
            folder, *rest = os.fsdecode(words).split("\0")[:-1]
            found[Run(os.path.relpath(folder, copy), tuple(rest), stdin, output, int(status))] = None
        return list(found)

    def wishes(self, runs: Sequence[Run]) -> list[Wish]:
        """What the project's files say that these runs should print."""
        files = _texts(self._project.folder)
        found = []
        for run in runs:
            inputs = [name for name, content in files.items() if run.stdin and content == run.stdin]
            inputs += [os.path.normpath(os.path.join(run.folder, word)) for word in run.words]
            beside = [name for given in inputs for name in files if _belong_together(given, name)]
            named = [name for name in self._named() if name in files and name not in inputs]
            for name in dict.fromkeys((*beside, *named)):
                found.append(Wish(run, files[name]))
                break
        return found

    def _named(self) -> list[str]:
        """Files that the command names."""
        words = shlex.split(self._command.replace("<", " < ").replace(">", " > "), comments=True)
        return [os.path.normpath(word) for word in words]

    def named_inputs(self) -> list[Path]:
        """Texts among the files that the command names: where no run was seen, one of them is the input."""
        files = _texts(self._project.folder)
        return [self._project.folder / name for name in self._named() if name in files]


_PLACES: Mapping[str, str] = {"runs": RUNS, "answers": ANSWERS, "real": REAL}
CODE = frozenset((".c", ".h", ".sh", ".py", ".o", ".a", ".mk", ".cmake"))


def _texts(folder: Path) -> dict[str, bytes]:
    """Files of a project that are no code, by their names as seen from its top."""
    found: dict[str, bytes] = {}
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if path.suffix in CODE or os.access(path, os.X_OK) or path.is_symlink() or not path.is_file():
                continue
            if path.stat().st_size <= LARGEST:
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def _belong_together(given: str, name: str) -> bool:
    """`tests/a.in` and `tests/a.out`, `input-3` and `output-3`, `tests/in/a` and `tests/out/a`."""
    if given == name:
        return False
    one, other = Path(given), Path(name)
    if one.parent == other.parent and one.suffix and one.stem == other.stem:
        return True
    changed = {given.replace("input", word) for word in ("output", "expected")}
    changed |= {f"/{given}".replace("/in/", f"/{word}/")[1:] for word in ("out", "expected")}
    return name in changed - {given}


def passed(outcome: Outcome) -> bool:
    return outcome.ending is Ending.EXITED and outcome.status == 0

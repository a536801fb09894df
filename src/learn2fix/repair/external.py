"""Another repair tool as a command: it finds source and tests in a folder, and leaves patches there.

The folder holds

    program.c (or .py)      the source to repair, as the user has it
    tests/1.in, 1.out       an input and the output it must have
    tests/2.in, 2.not-1     an input and an output it must not have
    patches/                empty; every file that the tool leaves here is a whole patched source

`{folder}` in the command is replaced by its path; without it the path is appended. The command is the
user's own tool and runs with the user's rights and a time limit. What it leaves is built and checked like
any candidate.
"""

from __future__ import annotations

import difflib
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from learn2fix.edits.minimise import split
from learn2fix.errors import UsageError
from learn2fix.model import Candidate, Edit, Requirement

MOST_PATCHES = 1_000
LARGEST_PATCH = 4 << 20


def patches_of(
    command: str, source: bytes, suffix: str, requirements: Sequence[Requirement], seconds: float
) -> list[Candidate]:
    """The tool's patches as candidates, in the order of their file names."""
    with tempfile.TemporaryDirectory(prefix="learn2fix-repair-") as made:
        folder = Path(made)
        write_problem(folder, source, suffix, requirements)
        run_tool(command, folder, seconds)
        return read_patches(folder, source)


def write_problem(folder: Path, source: bytes, suffix: str, requirements: Sequence[Requirement]) -> None:
    (folder / f"program{suffix}").write_bytes(source)
    (folder / "patches").mkdir()
    tests = folder / "tests"
    tests.mkdir()
    for number, requirement in enumerate(requirements, 1):
        text = requirement.input.text
        (tests / f"{number}.in").write_text(
            text if text.endswith("\n") else text + "\n", errors="surrogateescape"
        )
        if requirement.expected is not None:
            (tests / f"{number}.out").write_text(f"{requirement.expected}\n", errors="surrogateescape")
        for which, wrong in enumerate(sorted(requirement.forbidden), 1):
            (tests / f"{number}.not-{which}").write_text(f"{wrong}\n", errors="surrogateescape")


def run_tool(command: str, folder: Path, seconds: float) -> None:
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise UsageError(f"cannot read the repair command: {problem}") from None
    argv = [word.replace("{folder}", str(folder)) for word in words]
    if argv == words:
        argv.append(str(folder))
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=max(seconds, 1.0),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return  # what it left so far may still repair the program
    except OSError as problem:
        raise UsageError(f"cannot run {argv[0]}: {problem.strerror}") from None
    if done.returncode != 0 and not any((folder / "patches").iterdir()):
        words_of_tool = done.stderr.decode("utf-8", "replace").strip().splitlines()
        last = f": {words_of_tool[-1][:200]}" if words_of_tool else ""
        raise UsageError(f"the repair command ended with status {done.returncode}{last}")


def read_patches(folder: Path, source: bytes) -> list[Candidate]:
    candidates: list[Candidate] = []
    for path in sorted((folder / "patches").iterdir())[:MOST_PATCHES]:
        # A link could lead anywhere; a patch is a plain file.
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_PATCH:
            continue
        patched = path.read_bytes()
        if patched != source:
            whole = Candidate(difference(source, patched), "external", float(len(candidates) + 1))
            candidates.append(split(source, whole))
    return candidates


def difference(before: bytes, after: bytes) -> tuple[Edit, ...]:
    """Edits by lines that turn one text into the other."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Edit(starts[a], starts[b], b"".join(new[c:d])) for kind, a, b, c, d in blocks if kind != "equal"
    )

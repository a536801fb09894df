"""Decides which Codeflaws subjects qualify, first by their files, then by running them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from learn2fix.errors import BuildError, UsageError
from learn2fix.experiments.codeflaws import (
    CFLAGS,
    Qualification,
    Rule,
    broken_by_text,
    first_failing,
    read_codeflaws,
)
from learn2fix.experiments.subjects import FolderSubject, Source
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Subject
from learn2fix.model import Outcome
from learn2fix.sandbox import Sandbox


def qualify(folder: Path, cflags: Sequence[str] = CFLAGS) -> Qualification:
    """The subject with its failing input, or the first rule that it breaks.

    Of several flags those are taken under which the subject fails first.
    """
    name = folder.name
    try:
        subject = read_codeflaws(folder)
    except UsageError as problem:
        return Qualification(name, broken=Rule.READABLE, detail=problem.message)
    broken = broken_by_text(subject)
    if broken is not None:
        return Qualification(name, broken=broken)
    for flags in cflags:
        built = replace(subject, cflags=flags)
        try:
            outcomes = run_training(built)
        except BuildError as problem:
            return Qualification(name, broken=Rule.BUILDS, detail=problem.message)
        failing, broken = first_failing(built.training, outcomes)
        if failing is not None:
            return Qualification(name, built.failing_on(failing.input))
    return Qualification(name, broken=broken)


def run_training(subject: FolderSubject) -> list[Outcome]:
    """What the buggy program does on the training tests. The golden program is only built."""
    with TemporaryDirectory(prefix="learn2fix-qualify-") as folder, Sandbox() as sandbox:

        def opened(source: Source) -> Subject:
            path = Path(folder) / source.name
            path.write_bytes(source.content)
            return open_subject(str(path), sandbox, build=subject.build, cflags=subject.cflags)

        opened(subject.golden).close()
        with closing(opened(subject.buggy)) as program:
            domain = program.domain([subject.training[0].input])
            return program.run([domain.parse(test.input) for test in subject.training])


def qualify_all(
    folders: Sequence[Path],
    jobs: int,
    cflags: Sequence[str] = CFLAGS,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> list[Qualification]:
    """Results in the order of the folders."""
    found = []
    with ThreadPoolExecutor(jobs) as pool:
        for done, each in enumerate(pool.map(lambda folder: qualify(folder, cflags), folders), 1):
            found.append(each)
            watch(done, len(folders))
    return found

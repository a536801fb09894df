"""A small job for tests of plans and engines: what it does is said by the subject's name."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from learn2fix.experiments.plan import Job
from learn2fix.experiments.rows import Row
from learn2fix.experiments.subjects import FolderSubject, Source


def make_subject(name: str) -> FolderSubject:
    return FolderSubject(name, Source("b.c", b"int main(){}"), Source("g.c", b"int main(){}"), ("1",))


def work(job: Job, subject: FolderSubject) -> Iterator[Row]:
    kind = subject.name.split("-")[0]
    print("words that are not rows")
    for labels in job.labels:
        if labels > 10:
            if kind == "crash":
                os.abort()
            if kind == "raise":
                raise RuntimeError("this job raises")
            if kind == "silent":
                return
            if kind == "hang":
                # The process below must be gone too when the job is ended.
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                Path(os.environ["LEARN2FIX_TEST_FOLDER"], f"{subject.name}.pid").write_text(str(child.pid))
                Path(tempfile.mkdtemp(), "left").write_text("over")
                time.sleep(600)
        if kind == "slow":
            folder = Path(os.environ["LEARN2FIX_TEST_FOLDER"])
            with open(folder / f"{job.id}.started", "a") as file:
                file.write(f"{labels}\n")
            time.sleep(0.4)
        yield replace(job.row(labels, "learned"), generated=job.seed % 1000 + labels, questions=labels)


def gone(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True

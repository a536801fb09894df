"""A person at a real terminal, for tests: starts a command and types."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

PROMPT, LINE = "\n> ", "next) "


def environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {
        **known,
        "PYTHONPATH": path,
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
        "LEARN2FIX_HOME": str(home),
        "COLUMNS": "100",
    }


class AtTerminal:
    def __init__(self, child: pexpect.spawn[str], log: io.StringIO) -> None:
        self.child, self._log = child, log

    def type(self, text: str, prompt: str = PROMPT) -> None:
        """Waits for a prompt, then types."""
        self.child.expect_exact(prompt)
        self.child.send(text)

    def ended(self) -> int | None:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus

    @property
    def seen(self) -> str:
        return self._log.getvalue().replace("\r\n", "\n")


@contextmanager
def at_terminal(folder: Path, *words: str, **variables: str) -> Iterator[AtTerminal]:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "learn2fix", *words],
        env={**environment(folder / "home"), **variables},
        cwd=str(folder),
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 200),
    )
    child.delaybeforesend = None
    child.logfile_read = log = io.StringIO()
    try:
        yield AtTerminal(child, log)
    finally:
        child.close(force=True)

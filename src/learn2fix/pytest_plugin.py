"""`pytest --learn2fix` offers to begin with a failing test, `--learn2fix-check` runs what was answered.

Nothing of learn2fix is imported before one of them is asked for and a test has failed.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

COMMAND = pytest.StashKey[list[str]]()
"""What is offered at the end of the run."""
ANSWERED = "_learn2fix.py"
"""How the names of files end that answers were exported to."""


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("learn2fix", "repair what a failing test shows")
    group.addoption(
        "--learn2fix", action="store_true", help="after a red run, offer to begin with the first failing test"
    )
    group.addoption(
        "--learn2fix-check",
        action="store_true",
        help="run only the tests that answers of learn2fix sessions were exported to",
    )


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if not config.getoption("--learn2fix-check"):
        return
    ours = [item for item in items if item.path.name.endswith(ANSWERED)]
    config.hook.pytest_deselected(items=[item for item in items if item not in ours])
    items[:] = ours


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    ran = terminalreporter.stats.get("passed") or terminalreporter.stats.get("failed")
    if config.getoption("--learn2fix-check") and not ran:
        terminalreporter.write_line(
            f"no file test_…{ANSWERED}: `learn2fix export SESSION --to pytest DIR` writes one"
        )
    if not config.getoption("--learn2fix") or hasattr(config, "workerinput"):
        return
    failed = [report.nodeid for report in terminalreporter.stats.get("failed", [])]
    if failed:
        terminalreporter.section("learn2fix")
        command, reasons = offered([_from_here(config, nodeid) for nodeid in failed])
        if not command:
            terminalreporter.write_line(reasons[0])
            return
        terminalreporter.write_line(shlex.join(command))
        config.stash[COMMAND] = command


def pytest_unconfigure(config: Any) -> None:
    """When pytest is done with the terminal, a person may begin at once."""
    command = config.stash.get(COMMAND, None) if config.getoption("--learn2fix", default=False) else None
    capture = config.pluginmanager.getplugin("capturemanager")
    if command and capture is not None:
        # Its end comes after this; until then nothing can be read or seen.
        capture.suspend_global_capture(in_=True)
    if command and sys.stdin.isatty() and sys.stdout.isatty():
        answer = input("Begin with it now? [y/N] ")
        if answer.strip().lower() in ("y", "yes"):
            subprocess.run([sys.executable, "-m", *command], check=False)


def offered(tests: Sequence[str]) -> tuple[list[str], list[str]]:
    """The command for the first of the tests that can be read, else for the first that can be run to record
    its call; or why there is none."""
    from learn2fix.errors import UsageError
    from learn2fix.languages.python.pytest_tests import Unreadable, read_test

    reasons, recorded = [], ""
    for test in tests:
        try:
            read_test(test)
        except UsageError as problem:
            reasons.append(str(problem))
            recorded = recorded or (test if isinstance(problem, Unreadable) else "")
            continue
        return ["learn2fix", "fix", "--test", test], reasons
    return ["learn2fix", "fix", "--test", recorded] if recorded else [], reasons


def _from_here(config: Any, nodeid: str) -> str:
    """A test as one would type it in the folder in which pytest was started."""
    file, colons, rest = nodeid.partition("::")
    path = os.path.relpath(Path(config.rootpath) / file, config.invocation_params.dir)
    return path + colons + rest

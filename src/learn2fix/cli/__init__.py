"""The command line: words become calls, errors become one line and an exit code.

One module a group of commands; `app.COMMANDS` names them, and each is imported when it is used. To add a
command: a module with a click command, and a line in that table.
"""

from __future__ import annotations

import sys

RUNNING = frozenset("fix learn repair resume answer serve form predict demo bench doctor".split())
"""Commands that run programs, and so have files in the temporary directory."""


def main() -> None:
    from learn2fix.cli.app import prepare, run

    prepare()
    if not any(word in RUNNING for word in sys.argv[1:3]):
        sys.exit(run(sys.argv[1:]))

    from learn2fix.cli.watchdog import Watchdog, end_now
    from learn2fix.sandbox.folders import keep_together

    keep_together()
    code = run(sys.argv[1:])
    if Watchdog.ended_late:
        end_now(code)
    sys.exit(code)

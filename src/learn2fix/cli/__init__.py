"""The command line: words become calls, errors become one line and an exit code.

One module a group of commands; `app.COMMANDS` names them, and each is imported when it is used. To add a
command: a module with a click command, and a line in that table.
"""

from __future__ import annotations

import sys


def main() -> None:
    from learn2fix.cli.app import prepare, run
    from learn2fix.cli.watchdog import Watchdog, end_now

    prepare()
    code = run(sys.argv[1:])
    if Watchdog.ended_late:
        end_now(code)
    sys.exit(code)

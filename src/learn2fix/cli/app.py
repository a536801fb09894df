"""The table of commands, and the translation of errors into exit codes."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

import click

from learn2fix import __version__
from learn2fix.cli.settings import settings_for
from learn2fix.errors import BuildError, Interrupted, Learn2FixError

COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Find and fix a bug": {
        "demo": ("demo", "Watch a small bug being found and fixed."),
        "fix": ("fix", "Ask about a bug, learn when it shows, repair the program."),
        "learn": ("fix", "Ask about a bug and learn when it shows."),
        "repair": ("repair", "Repair from answers or from tests that exist already."),
        "serve": ("serve", "Serve a web page for the person who reported the bug."),
        "form": ("form", "Show how a program reads its input, as found."),
        "predict": ("predict", "Say for inputs whether the bug shows: bug, ok or unsure."),
    },
    "Sessions": {
        "sessions": ("sessions", "List all sessions, or delete some."),
        "show": ("sessions", "Show a session or a patch."),
        "resume": ("fix", "Go on with a session where it stopped."),
        "pending": ("answering", "Print the open question of a session."),
        "answer": ("answering", "Answer the open question of a session."),
        "undo": ("sessions", "Take back the newest answer of a session."),
        "apply": ("apply", "Write a patch into the program's source."),
        "export": ("export", "Write tests, the condition or patches to files."),
    },
    "Experiments": {
        "bench": ("bench", "Run the experiments of the paper on many programs."),
        "report": ("experiments", "Make tables, tests of significance and plots of results."),
    },
    "This machine": {
        "doctor": ("doctor", "Say what is installed and which isolation holds."),
        "completion": ("completion", "Print the completion script of a shell."),
    },
}
"""Section → command → its module and one-line help, so that `--help` imports no module."""

EXIT_CODES = """\b
Exit codes:
  0  patch found (fix, repair), condition learned (learn), done (others)
  1  none found
  2  wrong usage, or something that cannot be read
  3  the failing input does not fail, or cannot be run
  4  stopped before the end; `learn2fix resume` goes on
  5  the program does not repeat itself
  70 a fault of learn2fix; 130 interrupted by Ctrl-C, can be resumed
"""


class Commands(click.Group):
    """Imports a command only when it is called, to keep `--help` and completion fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for section in COMMANDS.values():
            if cmd_name in section:
                module = importlib.import_module(f"learn2fix.cli.{section[cmd_name][0]}")
                command = getattr(module, cmd_name)
                assert isinstance(command, click.Command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, help) for name, (_, help) in section.items()])


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="learn2fix")
@click.option(
    "--debug", is_flag=True, envvar="LEARN2FIX_DEBUG", help="Show a traceback for faults of learn2fix."
)
@click.pass_context
def app(ctx: click.Context, debug: bool) -> None:
    """Ask a person a few questions about a bug, learn when it shows, and repair the program.

    \b
    learn2fix demo
    learn2fix fix triangle.c --failing "2 2 2"
    learn2fix fix shop.py:discount --failing "price=100, qty=3"
    learn2fix learn --failing "3 4" -- ./tool {a} {b}

    Defaults of options may stand in `[tool.learn2fix]` of the nearest pyproject.toml.
    """
    ctx.default_map = settings_for(os.getcwd(), ctx.invoked_subcommand, _announce)


def _announce(line: str) -> None:
    from learn2fix.people.escape import on_one_line, visible

    click.echo(on_one_line(visible(line)), err=True)


def prepare() -> None:
    """Prepare the standard streams and signal handlers of the process."""
    for fd in range(3):
        # If a standard stream is closed, the next file opened would take its descriptor.
        try:
            os.fstat(fd)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
    for stream in (sys.stdout, sys.stderr):
        # Characters that the encoding lacks are escaped instead of ending the command.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)


def run(words: Sequence[str]) -> int:
    """Run a command line and return its exit code."""
    debug = "--debug" in words[:1] or bool(os.environ.get("LEARN2FIX_DEBUG"))
    try:
        try:
            code = app.main(list(words), prog_name="learn2fix", standalone_mode=False)
            return code if isinstance(code, int) else 0
        except click.exceptions.Exit as stop:
            return stop.exit_code
        except click.ClickException as error:
            error.show()
            return 2
        except Learn2FixError as error:
            _tell(error)
            return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        _say("\nInterrupted.")
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe; nothing may be flushed into it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except RecursionError:
        if debug:
            raise
        _say("learn2fix: the program nests too deep for this Python (split its longest expression or block)")
        return 2
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EDQUOT):
            _say(f"learn2fix: cannot write: {fault.strerror}")
            return 2
        if debug:
            raise
        _say(
            f"learn2fix: this is a fault of learn2fix, please report it: {type(fault).__name__}: {fault} "
            "(learn2fix --debug … shows where)"
        )
        return 70


def _stop(number: int, frame: FrameType | None) -> None:
    raise Interrupted(f"stopped by {signal.Signals(number).name}")


def _tell(error: Learn2FixError) -> None:
    from learn2fix.people.escape import on_one_line, visible

    _say(f"learn2fix: {on_one_line(str(error))}")
    if isinstance(error, BuildError) and error.diagnostics:
        _say(visible(error.diagnostics).rstrip())


def _say(text: str) -> None:
    with suppress(OSError):  # the terminal may be gone
        click.echo(text, err=True)

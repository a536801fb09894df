"""Every error that a user can meet, and the exit code each ends the command with.

Learn2FixError
├── UsageError            2   wrong usage, unreadable input or source
│   └── BuildError        2   the program does not compile; carries the compiler's words
│       └── BuildFailed   3   the user's own build command fails
├── NotFailing            3   the failing input does not fail, or cannot be run
│   ├── LayoutDecides         … but for indentation and blank lines, which did not count
│   └── MemoryDecides         … with what fresh memory held in this session
├── Interrupted           4   stopped before the end; can be resumed
├── NotDeterministic      5   the program does not repeat itself
├── IsolationError        2   less isolation than --require-isolation asks for
└── StoreError            2   a session is missing, damaged, locked, or could not be saved

An error says in one line what happened and, where there is something to do, what to type next.
"""

from __future__ import annotations


class Learn2FixError(Exception):
    """Something the user can act on: one line, and a hint at what to type next."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(Learn2FixError):
    """Wrong usage, or an input or source that cannot be read."""


class BuildError(UsageError):
    """The program does not compile."""

    def __init__(self, message: str, diagnostics: str = "", hint: str = "") -> None:
        super().__init__(message, hint)
        self.diagnostics = diagnostics


class BuildFailed(BuildError):
    """The build of a project fails, or makes nothing that can be run."""

    exit_code = 3


class NotFailing(Learn2FixError):
    """The failing input does not fail, or cannot be run."""

    exit_code = 3


class LayoutDecides(NotFailing):
    """The failing input goes wrong in nothing but indentation and blank lines, which did not count."""


class MemoryDecides(NotFailing):
    """What it prints for the failing input is right with what fresh memory held; `right` is that."""

    def __init__(self, message: str, right: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.right = right


class Interrupted(Learn2FixError):
    """Stopped before the end; the session can be resumed."""

    exit_code = 4


class NotDeterministic(Learn2FixError):
    """The program does not print the same thing twice."""

    exit_code = 5


class IsolationError(Learn2FixError):
    """The machine offers less isolation than was asked for."""


class StoreError(Learn2FixError):
    """A session is missing, damaged, in use, or could not be saved."""

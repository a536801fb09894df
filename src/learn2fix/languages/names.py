"""Names for the values that a program reads: used in conditions, ranges and on the reporter's page."""

from __future__ import annotations

from collections.abc import Sequence

from learn2fix.errors import UsageError

TAKEN = frozenset({"output", "and", "or", "not", "true", "false", "min", "max", "abs"})
"""Words that mean something else in a condition."""


def usable(names: Sequence[str], count: int) -> tuple[str, ...]:
    """The names if their number fits, and they are distinct and free for use in a condition; else ()."""
    if len(names) != count or len(set(names)) != count or TAKEN & {name.lower() for name in names}:
        return ()
    return tuple(names)


def missing_arguments(
    function: str, missing: Sequence[str], parameters: Sequence[str], text: str
) -> UsageError:
    """A call that leaves out what has no default is a slip of the pen, not the bug."""
    example = ", ".join(f"{name}=…" for name in parameters)
    return UsageError(
        f"{function} takes {', '.join(parameters)}; the input {text!r} has no {' and no '.join(missing)}",
        f'write it as --failing "{example}"',
    )

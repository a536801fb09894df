"""The layers of isolation by name, and what each combination asks of the runner."""

from __future__ import annotations

import os

LANDLOCK, SECCOMP, NAMESPACES, USERNS, NETNS = 1, 2, 4, 8, 16
ALLOW_CHMOD, KEEP_READ, BIG_MAP_KILLS, ALLOW_MEMFD, FORK_SERVER = 32, 64, 128, 512, 1024

LIMITS = "limits"
"""What holds everywhere: resource limits, own session, cleared environment, scratch folder, and an
unprivileged uid when we are root."""

NAMES = ("bubblewrap", "namespaces", "landlock", "seccomp")
"""Strongest first; an isolation is some of these joined by `+`, or LIMITS."""

PREFERRED = (
    frozenset({"namespaces", "landlock", "seccomp"}),
    frozenset({"bubblewrap", "namespaces", "landlock", "seccomp"}),
    frozenset({"bubblewrap", "namespaces", "seccomp"}),
    frozenset({"landlock", "seccomp"}),
    frozenset({"namespaces", "seccomp"}),
    frozenset({"landlock"}),
    frozenset({"seccomp"}),
)
"""What is tried in this order; the first that stops every attack is the default, else the one that stops
most. Bubblewrap hides even the names of files but triples the time of a start, so it comes into play
where Landlock is missing, or when it is asked for by name."""


def parse(isolation: str) -> frozenset[str]:
    """The layers of an isolation, as a set; ValueError for a name that does not exist."""
    names = frozenset(part for part in isolation.split("+") if part and part != LIMITS)
    if unknown := names - set(NAMES):
        raise ValueError(
            f"no such layer: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}, {LIMITS}"
        )
    return names


def join(names: frozenset[str]) -> str:
    return "+".join(name for name in NAMES if name in names) or LIMITS


def meets(isolation: str, required: str) -> bool:
    """Does an isolation hold everything that `required` names?"""
    return parse(required) <= parse(isolation)


def confines_reading(names: frozenset[str]) -> bool:
    """Does a layer name the files that can be read, whoever asks?"""
    return bool(names & {"landlock", "bubblewrap"})


def flags(names: frozenset[str]) -> int:
    """What the runner is told. Not root: namespaces need a user namespace first."""
    bits = LANDLOCK * ("landlock" in names) | SECCOMP * ("seccomp" in names)
    if "namespaces" in names:
        bits |= NAMESPACES | (USERNS if os.geteuid() else 0)
        # A network namespace is slow to make and slower to take down; bubblewrap brings its own, and with
        # seccomp there are no sockets to begin with.
        if not names & {"bubblewrap", "seccomp"}:
            bits |= NETNS
    return bits

"""What each language finds on this machine, for `learn2fix doctor`: tried, not guessed."""

from __future__ import annotations

from collections.abc import Iterator

from learn2fix.languages.c.judging.engine import engine_object, engine_program


def diagnosis() -> Iterator[tuple[str, str, str]]:
    """A name, what was found ("" when nothing was), and what is lost without it."""
    yield "C search", _c_search(), "candidates are built one by one: C programs need gcc, cc or clang"


def _c_search() -> str:
    """How candidates for C programs are compiled."""
    if engine_program() is not None:
        return "candidates are compiled in memory by libtcc"
    if engine_object() is not None:
        return "candidates are compiled by your compiler; libtcc is faster (Debian: libtcc-dev)"
    return ""

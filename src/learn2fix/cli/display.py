"""Results as text, rendered from the same document that `--json` prints."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from learn2fix.people.escape import on_one_line, visible
from learn2fix.wording import plural

MAX_PATCHES = 3
"""Maximum number of patches shown in full; the others get one line each."""
USELESS = 0.9
"""An upper bound this large or larger is not worth showing."""


def result_lines(document: Mapping[str, Any], colour: bool = False) -> Iterator[str]:
    def bold(text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if colour else text

    oracle = document.get("oracle") or {}
    if sentence := oracle.get("sentence") or (oracle.get("text") and f"The bug shows when: {oracle['text']}"):
        head, colon, rest = visible(sentence).partition(": ")
        yield bold(head + colon) + rest if colon else head
    # Where there is no condition, there is nothing that could be wrong.
    if (risk := oracle.get("risk")) and oracle.get("text"):
        bound = f"at most {percent(risk['upper95'])} (95 % sure)"
        if risk["upper95"] >= USELESS:
            bound = "a guess that so few answers cannot prove"
        estimate = percent(risk["estimate"])
        yield f"Chance that a prediction is wrong on inputs like those generated: {estimate}, {bound}"
    if where := document.get("where"):
        yield f"Asked only where: {visible(where)}"
    patches = document.get("patches") or []
    for patch in patches[:MAX_PATCHES]:
        yield ""
        confidence = f", confidence {patch['confidence']:.0%}" if patch.get("confidence") else ""
        yield bold(f"Patch {patch['rank']} ({patch['id']}{confidence})") + (
            f": {visible(patch['description'])}" if patch.get("description") else ""
        )
        yield from (paint(line, colour) for line in visible(patch["diff"]).rstrip("\n").split("\n"))
        yield from (f"  {visible(fact)}" for fact in patch.get("evidence") or [])
    for patch in patches[MAX_PATCHES:]:
        yield f"Patch {patch['rank']} ({patch['id']}): {visible(patch.get('description') or '')}"
    if doubts := document.get("doubts"):
        yield ""
        yield bold("In doubt:")
        yield from (f"  {visible(doubt)}" for doubt in doubts)
    yield ""
    yield summary(document)


def percent(share: float) -> str:
    """Never 0 %: nobody can know that."""
    return f"{share:.0%}" if share >= 0.01 else "less than 1%"


def summary(document: Mapping[str, Any]) -> str:
    """One line with the outcome and the effort."""
    effort = document.get("effort") or {}
    seconds = effort.get("seconds") or {}
    outcome = {
        "repaired": "Repaired",
        "learned": "Learned",
        "no_patch": "No patch found",
        "undecided": "Undecided: no patch is likely enough to be called the repair",
        "stopped": "Stopped before the end",
    }.get(document["status"], document["status"])
    done = [plural(document.get("questions", 0), "question")]
    if effort.get("generated"):
        done.append(f"{plural(effort['generated'], 'input')} generated")
    if effort.get("candidates"):
        done.append(f"{plural(effort['candidates'], 'candidate patch')} tried")
    spent = sum(seconds.values())
    return f"{outcome}: {', '.join(done)}{f', {spent:.1f} s' if spent else ''}."


def label_line(label: Mapping[str, Any]) -> str:
    """One answer on one line."""
    expected = f", should be {label['expected']}" if label.get("expected") is not None else ""
    rejected = f", not {' or '.join(label['rejected'])}" if label.get("rejected") else ""
    printed = label["output"] or "(nothing)"
    return on_one_line(f"{label['input'].strip()} -> {printed}: {label['verdict']}{expected}{rejected}")


def paint(line: str, colour: bool) -> str:
    if colour and line.startswith("+") and not line.startswith("+++"):
        return f"\x1b[32m{line}\x1b[0m"
    if colour and line.startswith("-") and not line.startswith("---"):
        return f"\x1b[31m{line}\x1b[0m"
    return line


def print_diff(diff: str) -> None:
    """Escaped on a terminal; byte for byte into a pipe, for `git apply`."""
    click.echo(visible(diff) if sys.stdout.isatty() else diff.encode("utf-8", "surrogateescape"), nl=False)


def table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Left-aligned columns; the last one is not padded."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

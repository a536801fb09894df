"""Results as text, rendered from the same document that `--json` prints."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from learn2fix.people.escape import marked_spaces, on_one_line, visible
from learn2fix.wording import plural, quoted, shortened

MAX_PATCHES = 3
"""Maximum number of patches shown in full; the others get one line each."""
MAX_CELL = 24
"""Maximum number of characters of a value in a table."""
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
        share = patch.get("confidence") or 0.0
        # What was not likely enough by a hair must not look as if it were.
        share = math.floor(100 * share) / 100 if document.get("status") == "undecided" else share
        confidence = f", confidence {share:.0%}" if patch.get("confidence") else ""
        yield bold(f"Patch {patch['rank']} ({patch['id']}{confidence})") + (
            f": {visible(patch['description'])}" if patch.get("description") else ""
        )
        yield from (paint(line, colour) for line in visible(patch["diff"]).rstrip("\n").split("\n"))
        yield from (f"  {visible(fact)}" for fact in patch.get("evidence") or [])
    for patch in patches[MAX_PATCHES:]:
        yield f"Patch {patch['rank']} ({patch['id']}): {visible(patch.get('description') or '')}"
    yield from side_by_side_lines(document, bold)
    yield from decided_lines(document, bold)
    if doubts := document.get("doubts"):
        yield ""
        yield bold("In doubt:")
        yield from (f"  {visible(doubt)}" for doubt in doubts)
    yield ""
    yield summary(document)


def side_by_side_lines(document: Mapping[str, Any], bold: Callable[[str], str]) -> Iterator[str]:
    """The versions of the program on one input, a column each."""
    beside = document.get("side_by_side")
    if not beside:
        return
    ranks = {patch["id"]: patch["rank"] for patch in document["patches"]}
    columns = beside["columns"]
    heads = ["now" if each["patch"] is None else f"patch {ranks[each['patch']]}" for each in columns]
    rows: list[tuple[str, ...]] = [("", *heads), ("gives", *(_cell(each["gives"]) for each in columns))]
    for name in columns[0]["variables"]:
        rows.append((name, *(_cell(each["variables"][name]) for each in columns)))
    yield ""
    given = on_one_line(beside["input"].removesuffix("\n"))
    yield bold(f"Side by side, on {quoted(given)}, with what differs in variables at the end:")
    yield from (f"  {line}" for line in table(rows))


def _cell(text: str) -> str:
    line = on_one_line(text) or "-"
    return line if len(line) <= MAX_CELL else line[: MAX_CELL - 1] + "…"


def decided_lines(document: Mapping[str, Any], bold: Callable[[str], str]) -> Iterator[str]:
    """Which answer ruled out what."""
    if not document.get("decided"):
        return
    labels = {label["input"]: label for label in document["labels"]}
    yield ""
    yield bold("What the answers ruled out:")
    for each in document["decided"]:
        named = each.get("described", "")
        label = labels.get(each["input"])
        answer = label_line(label, named) if label else named or each["input"].strip()
        many, such = plural(each["ruled_out"], "fix"), visible(each["such_as"])
        yield f"  {answer} ({many}, {'such as ' if each['ruled_out'] > 1 else ''}{such})"


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


def label_line(label: Mapping[str, Any], described: str = "") -> str:
    """One answer on one line; `described`: its input by its values."""
    expected = f", should be {shortened(label['expected'])}" if label.get("expected") is not None else ""
    rejected = f", not {' or '.join(map(shortened, label['rejected']))}" if label.get("rejected") else ""
    printed = shortened(label["output"]) or "(nothing)"
    given = marked_spaces(label["input"].removesuffix("\n")) if label["input"].strip() else "(nothing)"
    given = shortened(described or given)
    return on_one_line(f"{given} -> {printed}: {label['verdict']}{expected}{rejected}")


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

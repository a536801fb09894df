"""Fits the costs of edit operators (src/learn2fix/edits/priors.toml) on subjects whose cure is known.

    python -m benchmarks ablation FOLDER SUBJECTS cures.csv         which operators cure which subject
    python tools/fit_priors.py cures.csv [--language c] [--write]   fits on one half, checks on the other

A subject belongs to the half to fit on when the last digit of the CRC of its problem's name is even, so that
versions of one problem are never in both halves. The cost of an operator is the negative logarithm of how
often one of its candidates is right, smoothed towards the cost that it has now.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from learn2fix.edits.priors import priors
from learn2fix.experiments.cures import Cure, read_cures

PRIORS = Path(__file__).parent.parent / "src" / "learn2fix" / "edits" / "priors.toml"
STRENGTH = 3.0
"""How many subjects the present cost of an operator counts as."""
SHARPNESS = 2.5
"""A cost of one unit more makes a fix e to this power less likely (oracles.patch_committee)."""
LOWEST, HIGHEST = 0.3, 4.5


def problem(subject: str) -> str:
    """`1-A` of `1-A-bug-123-456`."""
    return subject.partition("-bug-")[0]


def to_fit(subject: str) -> bool:
    return zlib.crc32(problem(subject).encode()) % 2 == 0


def fitted(rows: Sequence[Cure], present: Mapping[str, float]) -> dict[str, float]:
    """Operator → cost. Each cured subject gives one vote, shared by the operators that cure it."""
    by_subject: dict[str, list[Cure]] = defaultdict(list)
    for row in rows:
        by_subject[row.subject].append(row)
    votes: dict[str, float] = defaultdict(float)
    made: dict[str, float] = defaultdict(float)
    for subject in by_subject.values():
        right = [row for row in subject if row.right]
        for row in subject:
            made[row.operator] += row.candidates
        for row in right:
            votes[row.operator] += 1 / len(right)
    total = max(1, len(by_subject))
    found = {}
    for name, cost in present.items():
        candidates = made[name] / total
        if not candidates:
            found[name] = cost
            continue
        # What the present cost says of how often a subject is cured by this operator.
        expected = min(1.0, candidates * math.exp(-SHARPNESS * cost))
        rate = (votes[name] + STRENGTH * expected) / (total + STRENGTH)
        found[name] = min(HIGHEST, max(LOWEST, -math.log(max(rate / candidates, 1e-9)) / SHARPNESS))
    # Only differences between costs matter: the middle stays where it was.
    shift = statistics.median(present[name] - found[name] for name in present)
    return {name: round(min(HIGHEST, max(LOWEST, cost + shift)), 2) for name, cost in found.items()}


def ranks(rows: Sequence[Cure], costs: Mapping[str, float]) -> list[float]:
    """For each cured subject about how many candidates come before the first right one."""
    by_subject: dict[str, list[Cure]] = defaultdict(list)
    for row in rows:
        by_subject[row.subject].append(row)
    found = []
    for subject in by_subject.values():
        right = [row for row in subject if row.right]
        if not right:
            continue
        best = min(costs.get(row.operator, HIGHEST) for row in right)
        before = sum(row.candidates for row in subject if costs.get(row.operator, HIGHEST) < best)
        first = min((row for row in right if costs.get(row.operator, HIGHEST) == best), key=lambda r: r.rank)
        found.append(before + first.candidates / (first.right + 1))
    return found


def write(language: str, costs: Mapping[str, float]) -> None:
    text = PRIORS.read_text("utf-8")
    head, mark, rest = text.partition(f"[{language}.operators]\n")
    table, blank, tail = rest.partition("\n\n")
    for name, cost in costs.items():
        table = re.sub(rf'^("?{re.escape(name)}"?) = \S+', rf"\g<1> = {cost}", table, flags=re.M)
    PRIORS.write_text(head + mark + table + blank + tail, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cures", nargs="+", type=Path)
    parser.add_argument("--language", default="c")
    parser.add_argument("--write", action="store_true", help="write the costs into priors.toml")
    arguments = parser.parse_args()
    rows = []
    for path in arguments.cures:
        with path.open(newline="") as file:
            rows += read_cures(file)
    present = dict(priors(arguments.language).operators)
    learn, check = (
        [row for row in rows if to_fit(row.subject)],
        [row for row in rows if not to_fit(row.subject)],
    )
    costs = fitted(learn, present)
    for half, name in ((learn, "fitted on"), (check, "checked on")):
        before, after = ranks(half, present), ranks(half, costs)
        subjects = len({row.subject for row in half})
        if before:
            geometric = [
                math.exp(statistics.fmean(math.log(rank + 1) for rank in each)) for each in (before, after)
            ]
            print(
                f"{name} {subjects} subjects, {len(before)} with a right single edit: candidates before it, "
                f"geometric mean {geometric[0]:.0f} before, {geometric[1]:.0f} after; "
                f"median {statistics.median(before):.0f}, {statistics.median(after):.0f}"
            )
    if arguments.write:
        write(arguments.language, costs)


if __name__ == "__main__":
    main()

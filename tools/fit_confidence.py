"""Fits the weights of guided/confidence.toml on measured sessions, and says how well the claims hold.

    learn2fix bench codeflaws FOLDER --all --subjects LIST --out kinds.csv
    learn2fix bench seeded tests/zoo --out seeded.csv
    python tools/fit_confidence.py kinds.csv seeded.csv … --recent new.csv … [--write] [--plot FILE.svg]

The weights are fitted on all rows. The tool gets better while rows stay as they were, so the claims as a
whole are then moved to where the rows of `--recent` have them: by a shift and a scale of the logit. It is
checked on the half of the recent problems that nothing was fitted on: how far, on average, the claimed
chance is from the share that is right (expected calibration error), and how many of the patches above
80 % are right. `--write` then fits on both halves.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from learn2fix.experiments.calibration import BINS, bins, calibration_error  # noqa: E402
from learn2fix.experiments.rows import KindRow, SeededRow, read_rows  # noqa: E402
from learn2fix.guided.confidence import Model, model  # noqa: E402
from learn2fix.guided.signals import FAR_FETCHED  # noqa: E402

WEIGHTS = ROOT / "src" / "learn2fix" / "guided" / "confidence.toml"
GUESS = {
    "majority": 3.0,
    "unconfirmed": -3.0,
    "unsettled": -5.0,
    "few_answers": -2.5,
    "cut_short": -0.9,
    "cost": -0.5,
    "surprises": -0.1,
    "changed": 0.7,
    "switched_off": -1.2,
    "unexecuted": -4.5,
    "removes_block": -0.5,
    "own_numbers": -1.5,
    "expected_text": -1.5,
}
"""The signals that are weighed, with what is thought of them where nothing was measured."""
LATER = ("removes_block", "own_numbers", "expected_text")
"""Signals that older rows do not have: these say nothing of them."""
GUESSED_BIAS = 2.0
STRENGTH = 4.0
"""How strongly weights are drawn to the guess; fewer sessions in doubt, more of the guess."""
ROUNDS = 30
CONFIDENT = 0.8

Case = tuple[str, dict[str, float], bool]
"""Subject, signals, whether the patch is right."""


def read_cases(paths: Sequence[Path]) -> list[Case]:
    found = []
    for path in paths:
        for row in read_rows(path, KindRow, SeededRow):
            if isinstance(row, KindRow) and row.signals:
                right = 0 < row.heldout_as_golden == row.heldout_answered
                if isinstance(row, SeededRow):
                    right = bool(row.right)
                signals = json.loads(row.signals)
                # Rows from before these were signals have what they are made of.
                signals.setdefault("unsettled", (1 - signals["weight"]) * signals["unconfirmed"])
                signals.setdefault("few_answers", 1 / max(1.0, signals["right_answers"]))
                signals.setdefault("cut_short", float(row.questions >= row.labels))
                signals["cost"] = min(FAR_FETCHED, signals["cost"])
                for name in LATER:
                    signals.setdefault(name, 0.0)
                found.append((row.subject, signals, right))
    return found


def to_fit(subject: str) -> bool:
    """By the problem's name, so that versions of one problem are never in both halves. Not the last bit, by
    which tools/fit_priors.py parts them: recent rows are of one of its halves."""
    return zlib.crc32(subject.partition("-bug-")[0].partition("~")[0].encode()) // 2 % 2 == 0


def fitted(cases: Sequence[Case]) -> Model:
    """The likeliest weights, by Newton's method, given the guess."""
    points = np.array([[1.0, *(signals[name] for name in GUESS)] for _, signals, _ in cases])
    weights = newton(points, cases, np.array([GUESSED_BIAS, *GUESS.values()]), STRENGTH)
    return Model(float(weights[0]), dict(zip(GUESS, map(float, weights[1:]), strict=True)))


def newton(points: Any, cases: Sequence[Case], guess: Any, strength: float) -> Any:
    """Weights of a logistic model, drawn to the guess."""
    right = np.array([float(each) for *_, each in cases])
    weights = guess.copy()
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-points @ weights))
        slope = points.T @ (right - chances) - strength * (weights - guess)
        curve = (points.T * (chances * (1 - chances))) @ points + strength * np.eye(len(guess))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def moved(model: Model, cases: Sequence[Case]) -> Model:
    """The same order of claims, where these cases have them: the likeliest shift and scale of the logit."""
    logits = np.array([model.logit(signals) for _, signals, _ in cases])
    points = np.stack([np.ones_like(logits), logits], axis=1)
    shift, scale = newton(points, cases, np.array([0.0, 1.0]), 0.01)
    weights = {name: scale * weight for name, weight in model.weights.items()}
    return Model(float(shift + scale * model.bias), weights)


def report(name: str, model: Model, cases: Sequence[Case]) -> str:
    chances = [model.chance(signals) for _, signals, _ in cases]
    right = [each for *_, each in cases]
    called = [each for chance, each in zip(chances, right, strict=True) if chance >= CONFIDENT]
    kept = sum(called) / max(1, sum(right))
    return (
        f"{name}: {len(cases)} patches, {sum(right)} right; calibration error "
        f"{calibration_error(chances, right):.3f}; {len(called)} at {CONFIDENT:.0%} or more, "
        f"{sum(called)} of them right; {kept:.0%} of the right ones are called the repair"
    )


def plot(models: Mapping[str, Model], cases: Sequence[Case], path: Path) -> None:
    """Reliability of each model on the same cases; the diagonal is a claim that holds."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "calibration"
    from matplotlib import pyplot

    right = [each for *_, each in cases]
    figure, axes = pyplot.subplots(figsize=(5, 4.5))
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    for name, weights in models.items():
        chances = [weights.chance(signals) for _, signals, _ in cases]
        found = bins(chances, right)
        error = calibration_error(chances, right)
        label = f"{name}: expected calibration error {error:.3f}"
        axes.plot([claim for claim, *_ in found], [truth for _, truth, _ in found], marker="o", label=label)
    axes.set(
        xlabel="confidence of the first patch",
        ylabel="share that is right",
        title=f"{len(cases)} sessions in {BINS} bins of equal size",
        xlim=(0, 1),
        ylim=(0, 1.02),
    )
    axes.legend(loc="lower right", fontsize="small")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def text_of(model: Model) -> str:
    head = WEIGHTS.read_text().split("bias =")[0]
    lines = "".join(f"{name} = {weight:.3f}\n" for name, weight in model.weights.items())
    return f"{head}bias = {model.bias:.3f}\n\n[weights]\n{lines}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="+", type=Path)
    parser.add_argument("--recent", nargs="+", type=Path, required=True, help="rows of the tool as it is now")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--before", type=Path, help="other weights to compare with, as confidence.toml")
    options = parser.parse_args()
    recent = read_cases(options.recent)
    cases = read_cases(options.rows) + recent
    fit, check = [c for c in cases if to_fit(c[0])], [c for c in recent if not to_fit(c[0])]
    half = moved(fitted(fit), [c for c in recent if to_fit(c[0])])
    print(report("fitted on", half, fit))
    print(report("checked on", half, check))
    if options.before:
        old = Model.read(options.before.read_text())
        print(report("weights before, on the same", old, check))
    print(report("weights now, on all", model(), cases))
    if options.plot:
        shown = {"before": old} if options.before else {}
        plot({**shown, "fitted on the other half": half}, check, options.plot)
    if options.write:
        WEIGHTS.write_text(text_of(moved(fitted(cases), recent)))


if __name__ == "__main__":
    main()

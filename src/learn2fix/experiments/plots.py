"""Box plots and bars as in the paper, distinguished by hatching so that they work without colour."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from learn2fix.errors import UsageError

HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++", "oo", "**")
SHADES = ("white", "0.92", "0.80", "0.97")

KINDS_A_ROW = 4
"""Of the legend."""
LEFT, RIGHT, TOP, BOTTOM, BETWEEN, PANEL_HEIGHT, LEGEND_ROW = 0.45, 0.1, 0.35, 0.6, 0.5, 2.8, 0.3
"""Inches."""


@dataclass(frozen=True, slots=True)
class Box:
    """One box: the kind says its hatch, the label stands below it."""

    kind: str
    label: str
    values: tuple[float, ...]


class Scale(StrEnum):
    SHARE = "from 0 to 1"
    COUNT = "a number, from 0"
    BAR = "one share a bar, from 0 to 1"


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    boxes: tuple[Box, ...]
    scale: Scale = Scale.SHARE
    below: str = "labels"
    """What the words below the boxes are."""


def drawing_of(panels: Sequence[Panel]) -> str:
    """Panels side by side, as the text of an SVG."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError:
        raise UsageError("plots need matplotlib", "pip install 'learn2fix[experiments]'") from None

    shown = [replace(panel, boxes=tuple(box for box in panel.boxes if box.values)) for panel in panels]
    kinds = list(dict.fromkeys(box.kind for panel in shown for box in panel.boxes))
    # Wide enough for the labels, and no wider: a page scales a wide drawing down until it cannot be read.
    widths = [max(2.2, _width_of_a_box(panel) * len(panel.boxes) + 0.2) for panel in shown]
    legend_rows = -(-len(kinds) // KINDS_A_ROW)
    width = LEFT + RIGHT + sum(widths) + BETWEEN * (len(shown) - 1)
    height = BOTTOM + LEGEND_ROW * legend_rows + PANEL_HEIGHT + TOP
    settings: Any = {"svg.hashsalt": "learn2fix", "font.size": 10, "hatch.linewidth": 0.6}
    with matplotlib.rc_context(settings):
        # Placed by arithmetic: an automatic layout differs in the last digits from one drawing to the next.
        drawing: Any = Figure(figsize=(width, height))
        FigureCanvasSVG(drawing)
        grid = drawing.add_gridspec(
            1,
            len(shown),
            width_ratios=widths,
            left=LEFT / width,
            right=1 - RIGHT / width,
            bottom=(BOTTOM + LEGEND_ROW * legend_rows) / height,
            top=1 - TOP / height,
            wspace=BETWEEN * len(shown) / sum(widths),
        )
        for number, panel in enumerate(shown):
            axes, boxes = drawing.add_subplot(grid[number]), panel.boxes
            axes.set_title(_title(panel), fontsize=11)
            if panel.scale is Scale.COUNT:
                axes.set_ylim(0, 1.05 * max([1.0, *(value for box in boxes for value in box.values)]))
            else:
                axes.set_ylim(-0.03, 1.03)
            axes.set_xlabel(panel.below)
            axes.grid(axis="y", color="0.85", linewidth=0.6)
            axes.set_axisbelow(True)
            if not boxes:
                axes.text(0.5, 0.5, "no values", ha="center", transform=axes.transAxes)
                axes.set_xticks([])
                continue
            if panel.scale is Scale.BAR:
                bars = axes.bar(range(len(boxes)), [box.values[0] for box in boxes], width=0.6)
                axes.set_xticks(range(len(boxes)), [box.label for box in boxes])
                for patch, box in zip(bars, boxes, strict=True):
                    patch.set(**_style(kinds.index(box.kind)))
                continue
            drawn = axes.boxplot(
                [box.values for box in boxes],
                tick_labels=[box.label for box in boxes],
                patch_artist=True,
                showmeans=True,
                widths=0.6,
                medianprops={"color": "black", "linewidth": 2.2},
                meanprops={
                    "marker": "D",
                    "markerfacecolor": "white",
                    "markeredgecolor": "black",
                    "markersize": 5,
                },
                flierprops={
                    "marker": "o",
                    "markersize": 3,
                    "markerfacecolor": "none",
                    "markeredgewidth": 0.6,
                },
            )
            for patch, box in zip(drawn["boxes"], boxes, strict=True):
                patch.set(**_style(kinds.index(box.kind)))
        drawing.legend(
            handles=[Patch(label=kind, **_style(kinds.index(kind))) for kind in kinds],
            loc="lower center",
            ncols=max(1, min(KINDS_A_ROW, len(kinds))),
            frameon=False,
            handlelength=2.6,
            handleheight=1.4,
        )
        written = io.StringIO()
        drawing.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def _width_of_a_box(panel: Panel) -> float:
    """Inches: enough for the words below."""
    return max(0.36, *(0.085 * len(box.label) for box in panel.boxes), 0.0)


def _title(panel: Panel) -> str:
    counts = sorted({len(box.values) for box in panel.boxes})
    if panel.scale is Scale.BAR or not counts:
        return panel.title
    return f"{panel.title} (n = {'–'.join(map(str, counts[:1] + counts[1:][-1:]))})"


def _style(index: int) -> dict[str, Any]:
    return {
        "facecolor": SHADES[index % len(SHADES)],
        "edgecolor": "black",
        "hatch": HATCHES[index % len(HATCHES)],
    }


def inline(svg: str, alternative: str) -> str:
    """An image that needs no file beside the page; as an image, names inside it cannot clash with others."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(alternative, quote=True)}" src="data:image/svg+xml;base64,{data}">'

"""Box plots as in the paper, distinguished by hatching so that they work without colour."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from learn2fix.errors import UsageError

HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++", "oo", "**")
SHADES = ("white", "0.92", "0.80", "0.97")


@dataclass(frozen=True, slots=True)
class Box:
    """One box: the kind says its hatch, the label stands below it."""

    kind: str
    label: str
    values: tuple[float, ...]


def box_plot(panels: Sequence[tuple[str, Sequence[Box]]], kinds: Sequence[str]) -> str:
    """Panels side by side, the same scale from 0 to 1, as the text of an SVG."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError:
        raise UsageError("plots need matplotlib", "pip install 'learn2fix[experiments]'") from None

    shown = [(title, [box for box in boxes if box.values]) for title, boxes in panels]
    # Wide enough for the labels, and no wider: a page scales a wide drawing down until it cannot be read.
    most = max((len(boxes) for _, boxes in shown), default=1)
    settings: Any = {"svg.hashsalt": "learn2fix", "font.size": 10, "hatch.linewidth": 0.6}
    with matplotlib.rc_context(settings):
        drawing: Any = Figure(figsize=(max(2.6, 0.36 * most + 0.6) * len(shown), 3.9), layout="constrained")
        FigureCanvasSVG(drawing)
        for number, (title, boxes) in enumerate(shown, 1):
            axes = drawing.add_subplot(1, len(shown), number)
            counts = sorted({len(box.values) for box in boxes})
            axes.set_title(f"{title} (n = {'–'.join(map(str, counts[:1] + counts[1:][-1:]))})", fontsize=11)
            axes.set_ylim(-0.03, 1.03)
            axes.grid(axis="y", color="0.85", linewidth=0.6)
            axes.set_axisbelow(True)
            if not boxes:
                axes.text(0.5, 0.5, "no values", ha="center", transform=axes.transAxes)
                axes.set_xticks([])
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
            axes.set_xlabel("labels")
        present = [kind for kind in kinds if any(box.kind == kind for _, boxes in shown for box in boxes)]
        drawing.legend(
            handles=[Patch(label=kind, **_style(kinds.index(kind))) for kind in present],
            loc="outside lower center",
            ncols=max(1, min(4, len(present))),
            frameon=False,
            handlelength=2.6,
            handleheight=1.4,
        )
        written = io.StringIO()
        drawing.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


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

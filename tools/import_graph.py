"""The import graph as it is, package by package: what ARCHITECTURE.md shows beside its drawing.

python tools/import_graph.py [--write]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import grimp

DOCUMENT = Path(__file__).parent.parent / "ARCHITECTURE.md"
BEGIN, END = "<!-- import graph: made by tools/import_graph.py -->\n", "<!-- end of import graph -->\n"
BASE = ("errors", "model", "events")
"""Nearly everything imports these; they are left out of the rows."""


def packages() -> dict[str, set[str]]:
    """Package → the packages that it imports."""
    graph = grimp.build_graph("learn2fix")
    found: dict[str, set[str]] = defaultdict(set)
    for module in graph.modules:
        upper = _package(module)
        if upper is None:
            continue
        found[upper]
        for imported in graph.find_modules_directly_imported_by(module):
            lower = _package(imported)
            if lower is not None and lower != upper:
                found[upper].add(lower)
    return found


def _package(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def table() -> str:
    found = packages()
    height: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in height:
            height[name] = 1 + max((level(lower) for lower in found[name]), default=-1)
        return height[name]

    rows = ["| package | imports (beside `model`, `errors`, `events`) |", "|---|---|"]
    for name in sorted(found, key=lambda name: (-level(name), name)):
        if name in (*BASE, "__main__"):
            continue
        lower = sorted(found[name] - set(BASE), key=lambda other: (-level(other), other))
        rows.append(f"| `{name}` | {', '.join(lower) or 'nothing'} |")
    return "\n".join(rows) + "\n"


def document() -> str:
    """ARCHITECTURE.md with the graph as it is now."""
    text = DOCUMENT.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n" + table() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    if "--write" in sys.argv:
        DOCUMENT.write_text(document(), "utf-8")
    else:
        print(table(), end="")

"""Runs every benchmark, or the one that is named, with its arguments: `python -m benchmarks smt_lra`."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def run(wanted: list[str]) -> None:
    for found in sorted(pkgutil.iter_modules(benchmarks.__path__), key=lambda module: module.name):
        if found.name.startswith("_") or (wanted and found.name != wanted[0]):
            continue
        main = getattr(importlib.import_module(f"benchmarks.{found.name}"), "main", None)
        if main is not None:
            print(f"\n== {found.name}", flush=True)
            main()


if __name__ == "__main__":
    run(sys.argv[1:])

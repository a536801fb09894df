"""What each edit operator is good for: on how many subjects it alone is the cure, and what it costs.

`python -m benchmarks ablation FOLDER SUBJECTS CURES.csv` measures the Codeflaws subjects of a list (rows are
appended, and subjects that have rows are not measured again), then prints the table; with CURES.csv alone it
only prints. Without arguments it measures the zoo.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from learn2fix.errors import Learn2FixError
from learn2fix.experiments.codeflaws import find_codeflaws, read_names
from learn2fix.experiments.cures import Cure, cures_of, read_cures, write_cures
from learn2fix.experiments.folder import find_folders, read_folder
from learn2fix.experiments.kinds import InputKind
from learn2fix.experiments.qualify import qualify

ZOO = Path(__file__).parent.parent / "tests" / "zoo"


def main() -> None:
    match sys.argv[2:]:
        case [folder, subjects, table]:
            measure(Path(folder), read_names(Path(subjects)), Path(table))
            rows = _read(Path(table))
        case [table]:
            rows = _read(Path(table))
        case _:
            rows = [row for folder in find_folders(ZOO) for row in cures_of(read_folder(folder))]
    print(ablation(rows))


def measure(folder: Path, names: Sequence[str], table: Path) -> None:
    done = {row.subject for row in _read(table)} if table.exists() else set()
    missing = [path for path in find_codeflaws(folder, names) if path.name not in done]
    with ProcessPoolExecutor(2) as pool, table.open("a", newline="") as file:
        if not done:
            write_cures((), file)
        for path, rows in zip(missing, pool.map(_measured, missing), strict=True):
            print(path.name, sum(row.right for row in rows), flush=True)
            write_cures(rows, file, header=False)
            file.flush()


def _measured(path: Path) -> list[Cure]:
    try:
        subject = qualify(path, kinds=frozenset(InputKind)).subject
        return cures_of(subject) if subject is not None else []
    except Learn2FixError as problem:
        print(f"{path.name}: {problem}", file=sys.stderr)
        return []


def _read(table: Path) -> list[Cure]:
    with table.open(newline="") as file:
        return list(read_cures(file))


def ablation(rows: Iterable[Cure]) -> str:
    """A row for each operator: subjects it alone cures, subjects it cures, candidates a subject."""
    by_subject: dict[str, list[Cure]] = defaultdict(list)
    for row in rows:
        by_subject[row.subject].append(row)
    alone: dict[str, int] = defaultdict(int)
    cured: dict[str, int] = defaultdict(int)
    made: dict[str, int] = defaultdict(int)
    for subject in by_subject.values():
        right = [row.operator for row in subject if row.right]
        for row in subject:
            made[row.operator] += row.candidates
        for name in right:
            cured[name] += 1
            alone[name] += len(right) == 1
    reached = sum(any(row.right for row in subject) for subject in by_subject.values())
    lines = [
        f"{len(by_subject)} subjects, a right single edit for {reached}",
        f"{'operator':44} {'alone':>5} {'cures':>5} {'candidates a subject':>20}",
    ]
    for name in sorted(made, key=lambda name: (-alone[name], -cured[name], made[name], name)):
        lines.append(f"{name:44} {alone[name]:5} {cured[name]:5} {made[name] / len(by_subject):20.1f}")
    return "\n".join(lines)

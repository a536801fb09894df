"""Every C project of tests/projects with its bug: is it repaired right, in what time, with how many answers.

The golden project answers. Right: the first patch is called the repair, applies to the user's tree, and built
by the project's own build prints what the golden one prints on the failing input and all held-out ones. With
names, `python -m benchmarks projects payroll`, only these. Rows go to results/projects.csv, and with
`make tables` into the documents.

Seconds are those of computing, by the command and all processes below it: on an idle machine nobody waits
longer, and other work on the machine does not count. So the session itself gets more than that on the clock.
"""

from __future__ import annotations

import csv
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PROJECTS = ROOT / "tests" / "projects"
ROWS = ROOT / "results" / "projects.csv"
SECONDS, ANSWERS = 120, 10
ON_THE_CLOCK = 1800
LARGE = 200
"""Lines from which on a project counts for the bar; smaller ones are for tests."""


@dataclass(frozen=True, slots=True)
class Row:
    """One project."""

    project: str
    build: str
    files: int
    headers: int
    lines: int
    changed: str
    status: str
    right: bool
    answers: int
    cpu_seconds: float


def main() -> None:
    wanted = sys.argv[2:]
    for path in sorted(PROJECTS.glob("*/project.toml")):
        if not wanted or path.parent.name in wanted:
            row = measured(path.parent)
            write([*(each for each in read() if each.project != row.project), row])
            print(row, flush=True)


def read() -> list[Row]:
    if not ROWS.exists():
        return []
    kinds: dict[str, Any] = {"int": int, "float": float, "bool": lambda text: text == "True", "str": str}
    with ROWS.open(newline="") as file:
        return [
            Row(**{field.name: kinds[str(field.type)](row[field.name]) for field in fields(Row)})
            for row in csv.DictReader(file)
        ]


def write(rows: Iterable[Row]) -> None:
    with ROWS.open("w", newline="") as file:
        written = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        written.writeheader()
        written.writerows(asdict(row) for row in sorted(rows, key=lambda row: row.project))


def table() -> str:
    """The large ones, as results/README.md shows them."""
    rows = [row for row in read() if row.lines >= LARGE]
    done = [row for row in rows if row.right and row.cpu_seconds <= SECONDS and row.answers <= ANSWERS]
    lines = ["| project | build | C files | headers | lines | patched file | right | answers | CPU seconds |"]
    lines.append("|---" * 9 + "|")
    for row in rows:
        right = "yes" if row.right else f"no ({row.status.replace('_', ' ')})"
        lines.append(
            f"| {row.project} | {row.build} | {row.files} | {row.headers} | {row.lines} | {row.changed} "
            f"| {right} | {row.answers} | {row.cpu_seconds:.0f} |"
        )
    summary = f"{len(done)} of {len(rows)} are right within {SECONDS} s and {ANSWERS} answers."
    return "\n".join([*lines, "", summary, ""])


def measured(project: Path) -> Row:
    about = tomllib.loads((project / "project.toml").read_text())
    sources = [path for path in (project / "golden").rglob("*.[ch]") if path.is_file()]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        work, golden = folder / "work", folder / "golden"
        for copy in (work, golden):
            shutil.copytree(project / "golden", copy)
        changed = work / about["file"]
        changed.write_text(changed.read_text().replace(about["old"], about["new"]))
        answers = built(golden, about)
        words = [*about["words"], "--failing", about["failing"], "--golden", str(answers), "--seed", "1"]
        words += ["--labels", str(ANSWERS), "--timeout", str(ON_THE_CLOCK), "--json"]
        process = subprocess.Popen(
            [sys.executable, "-m", "learn2fix", "fix", *words],
            cwd=work,
            env=os.environ | {"LEARN2FIX_HOME": str(folder / "home")},
            stdout=(folder / "result").open("wb"),
            stderr=subprocess.DEVNULL,
        )
        used = os.wait4(process.pid, 0)[2]
        said = (folder / "result").read_bytes()
        result: dict[str, Any] = json.loads(said) if said else {}
        diff = result["patches"][0]["diff"] if result.get("patches") else ""
        right = result.get("status") == "repaired" and is_right(work, diff, answers, about)
        return Row(
            project.name,
            build_of(about, project / "golden"),
            sum(path.suffix == ".c" for path in sources),
            sum(path.suffix == ".h" for path in sources),
            sum(path.read_bytes().count(b"\n") for path in sources),
            diff.partition("\n")[0].removeprefix("--- a/"),
            result.get("status", "refused"),
            right,
            result.get("questions", 0),
            round(used.ru_utime + used.ru_stime, 1),
        )


def build_of(about: dict[str, Any], golden: Path) -> str:
    names = {"CMakeLists.txt": "CMake", "Makefile": "make", "compile_commands.json": "compile_commands"}
    found = [words for name, words in names.items() if (golden / name).exists()]
    library = any("STATIC" in text or "$(AR)" in text or "\tar " in text for text in build_files(golden))
    return (found[0] if found else "none") + (", static library" if library else "")


def build_files(golden: Path) -> list[str]:
    return [path.read_text() for name in ("CMakeLists.txt", "Makefile") if (path := golden / name).exists()]


def built(folder: Path, about: dict[str, Any]) -> Path:
    """The program of a project, built as its authors would."""
    program: str = about["program"]
    subprocess.run(shlex.split(about["make"]), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder / program


def is_right(work: Path, diff: str, answers: Path, about: dict[str, Any]) -> bool:
    subprocess.run(["git", "apply", "-"], cwd=work, input=diff.encode(), check=True)
    patched = built(work, about)
    return all(
        printed(patched, text) == printed(answers, text) for text in (about["failing"], *about["held_out"])
    )


def printed(program: Path, text: str) -> tuple[int, bytes]:
    done = subprocess.run([program], input=text.encode(), stdout=subprocess.PIPE, timeout=10, check=False)
    return done.returncode, done.stdout


if __name__ == "__main__":
    main()

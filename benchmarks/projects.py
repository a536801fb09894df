"""Every C project of tests/projects with its bug: is it repaired right, in what time, with how many answers.

The golden project answers. Right: the first patch is called the repair, applies to the user's tree, and built
by the project's own build prints what the golden one prints on the failing input and all held-out ones. With
a name, `python -m benchmarks projects payroll`, only that one.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECTS = Path(__file__).parent.parent / "tests" / "projects"
SECONDS, ANSWERS = 120, 10
LARGE = 200
"""Lines from which on a project counts for the bar; smaller ones are for tests."""
HEAD = "| project | build | C files | headers | lines | patched file | right | answers | seconds |"


@dataclass(frozen=True, slots=True)
class Row:
    """One project."""

    name: str
    build: str
    files: int
    headers: int
    lines: int
    changed: str
    right: bool
    answers: int
    seconds: float

    def __str__(self) -> str:
        right = "yes" if self.right else "no"
        return (
            f"| {self.name} | {self.build} | {self.files} | {self.headers} | {self.lines} | {self.changed} "
            f"| {right} | {self.answers} | {self.seconds:.0f} |"
        )


def main() -> None:
    wanted = sys.argv[2:]
    found = []
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|---|")
    for path in sorted(PROJECTS.glob("*/project.toml")):
        if not wanted or path.parent.name in wanted:
            found.append(measured(path.parent))
            print(found[-1], flush=True)
    large = [row for row in found if row.lines >= LARGE]
    in_time = [row for row in large if row.right and row.seconds <= SECONDS and row.answers <= ANSWERS]
    print(f"\n{len(in_time)} of {len(large)} of at least {LARGE} lines are repaired right in {SECONDS} s")


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
        words += ["--labels", str(ANSWERS), "--timeout", str(SECONDS), "--json"]
        home = {"LEARN2FIX_HOME": str(folder / "home")}
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "learn2fix", "fix", *words],
            cwd=work,
            env=os.environ | home,
            capture_output=True,
            check=False,
        )
        seconds = time.monotonic() - begun
        result: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
        diff = result["patches"][0]["diff"] if result.get("patches") else ""
        right = result.get("status") == "repaired" and is_right(work, diff, answers, about)
        return Row(
            project.name,
            build_of(about, project / "golden"),
            sum(path.suffix == ".c" for path in sources),
            sum(path.suffix == ".h" for path in sources),
            sum(path.read_bytes().count(b"\n") for path in sources),
            diff.partition("\n")[0].removeprefix("--- a/"),
            right,
            result.get("questions", 0),
            seconds,
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

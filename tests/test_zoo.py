"""The zoo tells the truth: buggy and golden program differ on the inputs called failing, and on no others."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from learn2fix.model import canonical

ZOO = Path(__file__).parent / "zoo"
C_SUBJECTS = sorted(path.parent for path in ZOO.glob("*/buggy.c"))


def run(binary: Path, text: str) -> str:
    done = subprocess.run([binary], input=text.encode(), capture_output=True, timeout=10, check=False)
    return canonical(done.stdout) if done.returncode >= 0 else f"signal {-done.returncode}"


@pytest.mark.parametrize("folder", C_SUBJECTS, ids=lambda path: path.name)
def test_a_subject_of_the_zoo(folder: Path, tmp_path: Path) -> None:
    about = tomllib.loads((folder / "subject.toml").read_text())
    binaries = {}
    for which in ("buggy", "golden"):
        binaries[which] = tmp_path / which
        subprocess.run(
            ["gcc", "-O1", "-std=gnu11", "-w", folder / about[which], "-o", binaries[which], "-lm"],
            check=True,
        )
    assert about["failing"]
    for text in about["failing"]:
        assert run(binaries["buggy"], text) != run(binaries["golden"], text), text
    for text in about.get("passing", ()):
        assert run(binaries["buggy"], text) == run(binaries["golden"], text), text

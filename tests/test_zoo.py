"""The zoo tells the truth: buggy and golden program differ on the inputs called failing, and on no others."""

from __future__ import annotations

import subprocess
import threading
import tomllib
from pathlib import Path

import pytest

from learn2fix.model import canonical

ZOO = Path(__file__).parent / "zoo"
C_SUBJECTS = sorted(path.parent for path in ZOO.glob("*/buggy.c"))


def run(binary: Path, text: str) -> str:
    with subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(text.encode())
        process.stdin.close()
        watch = threading.Timer(5, process.kill)
        watch.start()
        output = process.stdout.read(1 << 20)
        if len(output) == 1 << 20:
            process.kill()
    watch.cancel()
    return canonical(output) if process.returncode >= 0 else f"signal {-process.returncode}"


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

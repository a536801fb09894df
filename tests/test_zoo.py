"""The zoo tells the truth: buggy and golden program differ on the inputs called failing, and on no others."""

from __future__ import annotations

import re
import subprocess
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest

from learn2fix.model import canonical

ZOO = Path(__file__).parent / "zoo"
C_SUBJECTS = sorted(path.parent for path in ZOO.glob("*/buggy.c"))


def run(binary: Path, text: str, about: dict[str, Any]) -> str:
    """In a folder of its own: the input may be a file there, or values in its arguments."""
    folder = binary.parent / f"{binary.name}-runs"
    folder.mkdir(exist_ok=True)
    words: list[str] = about.get("arguments", [])
    if words:
        places = re.findall(r"\{(\w+)\}", " ".join(words))
        values = dict(zip(places, text.split(), strict=True))
        words, text = [word.format(**values) for word in words], ""
    if "input_file" in about:
        (folder / about["input_file"]).write_text(text + "\n")
        text = ""
    command = [binary, *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder) as process:
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
        assert run(binaries["buggy"], text, about) != run(binaries["golden"], text, about), text
    for text in about.get("passing", ()):
        assert run(binaries["buggy"], text, about) == run(binaries["golden"], text, about), text

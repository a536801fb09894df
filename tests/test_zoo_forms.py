"""Programs of the zoo that read lists, words, grids and lines: asked about in their form, and repaired."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from learn2fix.cli.app import app
from learn2fix.model import canonical

ZOO = Path(__file__).parent / "zoo"
FRESH = {
    "list_maximum": ["4\n-9 -3 -3 -12\n", "1\n5\n", "5\n1 2 3 4 5\n"],
    "lists_cases": ["3\n1\n7\n2\n3 4\n5\n5 4 3 2 1\n", "1\n6\n-4 -3 -2 0 1 1\n"],
    "word_vowels": ["queue\n", "rhythm\n", "onomatopoeia\n"],
    "grid_full_rows": ["3 2\n#.\n##\n.#\n", "1 5\n####.\n", "4 1\n#\n#\n.\n#\n"],
    "line_words": ["  a  b   c\n", "one\n", "to be  or not\n"],
}


def built(source: Path, binary: Path) -> Path:
    subprocess.run(["gcc", "-O1", "-std=gnu11", "-w", source, "-o", binary, "-lm"], check=True)
    return binary


def printed(binary: Path, text: str) -> str:
    done = subprocess.run([binary], input=text.encode(), capture_output=True, timeout=5, check=False)
    return canonical(done.stdout)


@pytest.mark.parametrize("name", FRESH)
def test_ten_answers_repair_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    program = tmp_path / f"{name}.c"
    program.write_bytes((ZOO / name / "buggy.c").read_bytes())
    golden = ZOO / name / "golden.c"
    failing = tomllib.loads((ZOO / name / "subject.toml").read_text())["failing"][0]
    words = ["fix", str(program), "--failing", failing, "--golden", str(golden), "--seed", "1", "--json"]
    result = CliRunner().invoke(app, words, standalone_mode=False)
    document = json.loads(result.stdout)
    assert document["status"] == "repaired"
    assert document["questions"] <= 10
    applied = CliRunner().invoke(app, ["apply", document["session"]], standalone_mode=False)
    assert applied.exception is None
    right, mended = built(golden, tmp_path / "golden"), built(program, tmp_path / "mended")
    for text in (failing, *FRESH[name]):
        assert printed(mended, text) == printed(right, text), text

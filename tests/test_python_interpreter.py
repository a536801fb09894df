"""The user's own interpreter runs the user's program."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.at_terminal import environment

from learn2fix.languages.evaluator import Evaluator
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Edit, Input, Requirement, Response
from learn2fix.sandbox import Sandbox

SOURCE = b"""from prices import UNIT

def cost(n):
    total = 0
    while n > 1:
        total += UNIT
        n -= 1
    return f"{total} cents"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with a package of its own, and without ours."""
    folder = tmp_path_factory.mktemp("project")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / ".venv")], check=True)
    (packages,) = folder.glob(".venv/lib/python*/site-packages")
    (packages / "prices.py").write_text("UNIT = 30\n")
    (folder / "shop.py").write_bytes(SOURCE)
    return folder


def fixed_by(evaluator: Evaluator, source: bytes) -> tuple[int, ...]:
    at = source.index(b"> 1")
    evaluator.add(
        [Candidate((Edit(at, at + 3, text),), "comparison", 1.0) for text in (b"> 0", b"> 2", b">= 1")]
    )
    return evaluator.judge([Requirement(Input("3"), Response.read("'90 cents'"))]).survivors


def test_a_package_of_the_environment_is_found(project: Path) -> None:
    with Sandbox() as sandbox:
        python = str(project / ".venv/bin/python")
        subject = PythonSubject(project / "shop.py", "cost", sandbox, python=python)
        evaluator = subject.evaluator(time.monotonic)
        patched = subject.patched(SOURCE.replace(b"> 1", b"> 0"))
        assert [str(o.response) for o in subject.run([Input("3")])] == ["'60 cents'"]
        assert [str(o.response) for o in patched.run([Input("3")])] == ["'90 cents'"]
        assert fixed_by(evaluator, SOURCE) == (0, 2)
        evaluator.close()
        patched.close()
        subject.close()


def test_what_another_version_runs_is_compiled_there(tmp_path: Path) -> None:
    source = SOURCE.replace(b"from prices import UNIT", b"UNIT = 30")
    path = tmp_path / "shop.py"
    path.write_bytes(source)
    with Sandbox() as sandbox:
        found = []
        for elsewhere in (False, True):
            evaluator = PythonEvaluator(path, "cost", sandbox, elsewhere=elsewhere)
            found.append(fixed_by(evaluator, source))
            evaluator.close()
    assert found == [(0, 2), (0, 2)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shop.py:cost", "--python", "no/such/python"], "there is no interpreter no/such/python"),
        (["shop.py:cost", "--python", "true"], "is no Python interpreter that works"),
        (["shop.c", "--python", "python3"], "shop.c is no Python program"),
    ],
)
def test_what_is_no_interpreter_is_refused(words: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_bytes(SOURCE)
    (tmp_path / "shop.c").write_text("int main(void) { return 0; }\n")
    assert shutil.which("true")
    done = subprocess.run(
        [sys.executable, "-m", "learn2fix", "fix", *words, "--failing", "3", "--expected", "1"],
        env=environment(tmp_path / "home"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr

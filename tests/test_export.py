"""Exported files do what they are for: pytest runs them, GenProg's script judges, XML parses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.export import (
    Case,
    Files,
    Program,
    genprog_files,
    json_files,
    junit_files,
    patch_files,
    pytest_files,
    smtlib_files,
)
from learn2fix.languages.protocol import RunKind, RunRecipe
from learn2fix.model import Answer, Counted, Ending, Input, Label, Observation, Outcome, Verdict

ZOO = Path(__file__).parent / "zoo/triangle"
BUILD = ("cc", "-O1", "-std=gnu11", "{source}", "-o", "{output}", "-lm")
DISCOUNT = RunRecipe(RunKind.FUNCTION, "discount")
BUILT = RunRecipe(RunKind.BUILT, build=BUILD)
C = Program(BUILT, "triangle.c", "../buggy.c")

SHOP = """\
def discount(price, qty=1):
    if qty == 0:
        raise ValueError("nothing bought")
    return price * qty * (0.9 if qty > 3 else 1)
"""


def case(
    text: str, printed: str, verdict: Verdict, expected: str | None = None, rejected: tuple[str, ...] = ()
) -> Case:
    outcome = Outcome(Ending.EXITED, printed.encode("utf-8", "surrogateescape"))
    return Case(Label(Observation(Input(text), outcome), Answer(verdict, expected, rejected)), f"{text}\n")


TRIANGLES = [
    case("2 2 2", "2", Verdict.BUG, "1"),
    case("3 4 5", "3", Verdict.OK),
    case("5 5 5", "2", Verdict.BUG),
    case("7 7 7", "2", Verdict.UNSURE, rejected=("4",)),
    case("9 9 9", "2", Verdict.UNSURE),
    case("0 0 0", "4", Verdict.INVALID),
]


def write(folder: Path, files: Files) -> list[str]:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return sorted(files)


def outcomes(folder: Path, program: Path | None = None) -> dict[str, str]:
    """Test → PASSED or FAILED."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    if program is not None:
        env["LEARN2FIX_PROGRAM"] = str(program)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(folder),
            str(folder),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        cwd=folder,
    )
    lines = [line for line in done.stdout.splitlines() if "::" in line and "%" in line]
    found = {line.split("::", 1)[1].rsplit(" ", 2)[0].strip(): line for line in lines}
    assert found, done.stdout + done.stderr
    return {
        name.rsplit(" ", 1)[0].strip(): "PASSED" if "PASSED" in line else "FAILED"
        for name, line in found.items()
    }


def test_pytest_is_red_on_the_bug_and_green_on_the_repaired_c_program(tmp_path: Path) -> None:
    shutil.copy(ZOO / "buggy.c", tmp_path / "buggy.c")
    (name,) = write(tmp_path / "tests", pytest_files("triangle-1", C, TRIANGLES))
    assert name == "test_triangle_c_learn2fix.py"
    on_bug = outcomes(tmp_path / "tests")
    assert on_bug == {
        "test_prints[2 2 2]": "FAILED",
        "test_prints[3 4 5]": "PASSED",
        "test_prints_something_else[5 5 5]": "FAILED",
        "test_prints_something_else[7 7 7]": "PASSED",
    }
    repaired = outcomes(tmp_path / "tests", ZOO / "golden.c")
    assert set(repaired.values()) == {"PASSED"}
    assert len(repaired) == 4


def test_pytest_of_a_python_function(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SHOP)
    program = Program(DISCOUNT, "shop.py:discount", "../shop.py")
    cases = [
        case("price=100, qty=3", "300", Verdict.BUG, "270.0"),
        case("10, 5", "45.0", Verdict.OK),
        case("'ab', qty=2", "'abab'", Verdict.OK),
        Case(
            Label(
                Observation(Input("1, 0"), Outcome(Ending.RAISED, detail="ValueError: nothing bought")),
                Answer(Verdict.OK),
            ),
            "1, 0",
        ),
    ]
    write(tmp_path / "tests", pytest_files("shop-1", program, cases))
    assert list(outcomes(tmp_path / "tests").values()) == ["FAILED", "PASSED", "PASSED", "PASSED"]
    (tmp_path / "fixed.py").write_text(SHOP.replace("qty > 3", "qty >= 3"))
    assert set(outcomes(tmp_path / "tests", tmp_path / "fixed.py").values()) == {"PASSED"}


def test_pytest_of_a_script_and_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text("print(int(input()) * 2)\n")
    script = Program(RunRecipe(RunKind.SCRIPT), "double.py", "../double.py")
    doubled = [case("2", "4", Verdict.OK), case("3", "6", Verdict.BUG, "9")]
    write(tmp_path / "tests", pytest_files("double-1", script, doubled))
    assert outcomes(tmp_path / "tests") == {"test_prints[2]": "PASSED", "test_prints[3]": "FAILED"}
    tool = tmp_path / "tool"
    tool.write_text('#!/bin/sh\nread rest\necho "$1-$2 $rest"\n')
    tool.chmod(0o755)
    command = Program(RunRecipe(RunKind.COMMAND, command=str(tool)), "tool {b} x{a}")
    cases = [replace(case("1 2 3 4", "2-x1 3 4", Verdict.OK), stdin="3 4\n", arguments=("2", "x1"))]
    write(tmp_path / "more", pytest_files("tool-1", command, cases))
    assert outcomes(tmp_path / "more") == {"test_prints[1 2 3 4]": "PASSED"}


HALF = """#include <stdio.h>
int main(void) {
    double n;
    scanf("%lf", &n);
    printf("half of %.0f: %.4f\\n", n, n / DIVISOR);
    if (n < 0) fputs("negative\\n", stderr);
    return n < 0 ? STATUS : 0;
}
"""


@pytest.mark.parametrize(("expected", "passes"), [("  half\n\nof", True), ("half\n\nof", False)])
def test_pytest_compares_indentation_where_it_counts(tmp_path: Path, expected: str, passes: bool) -> None:
    (tmp_path / "half.c").write_text('#include <stdio.h>\nint main(void) { puts("  half \\n\\nof"); }\n')
    shown = Outcome(Ending.EXITED, b"half\nof", counted=Counted(layout=True))
    cases = [Case(Label(Observation(Input("3"), shown), Answer(Verdict.BUG, expected)), "3\n")]
    write(tmp_path / "tests", pytest_files("half-1", Program(BUILT, "half.c", "../half.c"), cases))
    assert outcomes(tmp_path / "tests") == {"test_prints[3]": "PASSED" if passes else "FAILED"}


@pytest.mark.parametrize(
    ("tolerance", "expected", "passes"),
    [(None, "half of 3: 1.5", True), (None, "half of 3: 1.50", True), (None, "half of 3: 1.6", False),
     (0, "half of 3: 1.5", False), (0.1, "half of 3: 1.55", True)],
)  # fmt: skip
def test_pytest_compares_numbers_with_a_fraction_by_value(
    tmp_path: Path, tolerance: float | None, expected: str, passes: bool
) -> None:
    (tmp_path / "half.c").write_text(HALF.replace("DIVISOR", "2").replace("STATUS", "0"))
    program = Program(BUILT, "half.c", "../half.c", tolerance=tolerance)
    cases = [case("3", "half of 3: 1.0000", Verdict.BUG, expected)]
    write(tmp_path / "tests", pytest_files("half-1", program, cases))
    assert outcomes(tmp_path / "tests") == {"test_prints[3]": "PASSED" if passes else "FAILED"}


def test_pytest_compares_what_counts(tmp_path: Path) -> None:
    (tmp_path / "half.c").write_text(HALF.replace("DIVISOR", "2").replace("STATUS", "1"))
    counted = Counted(status=True, stderr=True)
    output = "half of -2: -1.0000"
    shown = Outcome(Ending.EXITED, output.encode(), 0, stderr=b"negative", counted=counted)
    rights = [
        f"{output}\n⟨exit status 1⟩\n⟨standard error: negative⟩",
        f"{output}\n⟨exit status 1⟩",
        "half of -2: -1",
        f"{output}\n⟨exit status 2⟩",
        f"{output}\n⟨standard error: ⟩",
    ]
    cases = [
        Case(Label(Observation(Input(f"-2{' ' * i}"), shown), Answer(Verdict.BUG, right)), "-2\n")
        for i, right in enumerate(rights)
    ]
    write(tmp_path / "tests", pytest_files("half-1", Program(BUILT, "half.c", "../half.c"), cases))
    assert list(outcomes(tmp_path / "tests").values()) == ["PASSED"] * 3 + ["FAILED"] * 2


@given(
    st.lists(st.tuples(st.text(), st.binary(), st.sampled_from(Verdict), st.none() | st.text()), max_size=5),
    st.text(),
)
def test_any_text_makes_valid_files(rows: list[tuple[str, bytes, Verdict, str | None]], name: str) -> None:
    """Quotes, newlines, NUL, binary: in inputs, outputs and names they stay data."""
    cases = [
        case(text, printed.decode("utf-8", "surrogateescape"), verdict, expected)
        for text, printed, verdict, expected in rows
    ]
    program = Program(BUILT, name, f"../{name}")
    try:
        for content in pytest_files("s-1", program, cases).values():
            compile(content, "test", "exec")
    except UsageError:
        assert all(one.requirement is None for one in cases)
    suite = ElementTree.fromstring(junit_files("s-1", program, cases)["junit.xml"])
    assert len(suite.findall("testcase")) == len(cases)


def test_an_input_that_is_no_call_is_refused() -> None:
    program = Program(DISCOUNT, "shop.py:discount", "shop.py")
    for text in ("1) + evil(", "1, ("):
        with pytest.raises(UsageError, match="not a call"):
            pytest_files("shop-1", program, [case(text, "1", Verdict.OK)])


def test_junit() -> None:
    suite = ElementTree.fromstring(junit_files("triangle-1", C, TRIANGLES)["junit.xml"])
    assert suite.attrib == {
        "name": "learn2fix triangle-1",
        "tests": "6",
        "failures": "2",
        "errors": "0",
        "skipped": "3",
    }
    first = suite.find("testcase/failure")
    assert first is not None
    assert first.attrib["message"] == "printed 2, should print 1"


def test_genprog(tmp_path: Path) -> None:
    names = write(tmp_path, genprog_files("triangle-1", C, TRIANGLES))
    assert names == ["input-neg1", "input-pos1", "output-neg1", "output-pos1", "test-genprog.sh"]
    assert (tmp_path / "input-neg1").read_text() == "2 2 2\n"
    assert (tmp_path / "output-neg1").read_text() == "1\n"

    def judge(source: str) -> list[int]:
        subprocess.run(["cc", str(ZOO / source), "-o", str(tmp_path / "buggy")], check=True)
        script = ["bash", "test-genprog.sh"]
        return [
            subprocess.run([*script, test], cwd=tmp_path, capture_output=True, check=False).returncode
            for test in ("p1", "n1", "n2")
        ]

    assert judge("buggy.c") == [0, 1, 2]
    assert judge("golden.c") == [0, 0, 2]


def test_what_there_is_nothing_of_is_said() -> None:
    only_unsure = [case("1", "1", Verdict.UNSURE)]
    for make in (pytest_files, genprog_files):
        with pytest.raises(UsageError):
            make("s-1", C, only_unsure)
    with pytest.raises(UsageError, match="no condition"):
        smtlib_files("s-1", {"oracle": None})
    with pytest.raises(UsageError, match="no patch"):
        patch_files("s-1", [])


def test_documents() -> None:
    document = {"oracle": {"smtlib": "(assert true)"}}
    assert smtlib_files("s-1", document) == {"condition.smt2": b"(assert true)\n"}
    assert json.loads(json_files(document)["result.json"]) == document

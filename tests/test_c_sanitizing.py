"""What sanitizers report on the failing input is told in plain words, and the place suspected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from learn2fix.languages.c.sanitizing import Report, reports
from learn2fix.languages.opening import open_subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.sandbox import Sandbox

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"
READ = 'int main(void) {\n    int n, t[5] = {1};\n    if (scanf("%d", &n) != 1) return 1;\n'


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.mark.parametrize(
    ("line", "given_input", "words"),
    [
        ("int x = t[n];", "7", "index 7 is outside of an array of 5 items (tool.c line 6)."),
        ("int x = 100000 * n;", "100000", "100000 * 100000 is too large for int (tool.c line 6)."),
        ("int *p = malloc(12); int x = p[n];", "3", "main reads outside of an array (tool.c line 6)."),
        (
            "int *p = malloc(12); p[n] = 1; int x = 1;",
            "3",
            "main writes outside of an array (tool.c line 6).",
        ),
        (
            "int *p = malloc(12); free(p); int x = p[n];",
            "0",
            "main uses memory that was freed (tool.c line 6).",
        ),
        ("int x = 5 / n;", "0", "divides by zero (tool.c line 6)."),
        ("int *p = n ? t : 0; int x = *p;", "0", "follows a null pointer (tool.c line 6)."),
    ],
)
def test_a_report_names_the_line(
    tmp_path: Path, sandbox: Sandbox, line: str, given_input: str, words: str
) -> None:
    (tmp_path / "tool.c").write_text(
        HEAD + READ + f'    {line}\n    printf("%d\\n", x > 0);\n    return 0;\n}}\n'
    )
    subject = open_subject(str(tmp_path / "tool.c"), sandbox)
    prove_repeatable(subject, [subject.domain([given_input]).parse(given_input)])
    told = [note for note in subject.notes if note.startswith("On the")]
    assert told[:1] == [f"On the failing input: {words}"]
    assert subject.repairable is not None
    assert 6 in subject.repairable.suspects
    subject.close()


def test_a_line_of_another_file_is_found_in_the_text(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "get.h").write_text("int get(const int *t, int n);\n")
    (tmp_path / "get.c").write_text(
        '#include "get.h"\n\nint get(const int *t, int n) {\n    return t[n];\n}\n'
    )
    (tmp_path / "main.c").write_text(
        '#include "get.h"\n' + HEAD + READ + '    printf("%d\\n", get(t, n) > 0);\n    return 0;\n}\n'
    )
    subject = open_subject(str(tmp_path / "main.c"), sandbox)
    prove_repeatable(subject, [subject.domain(["5"]).parse("5")])
    assert "On the failing input: get reads outside of an array (get.c line 4)." in subject.notes
    repairable = subject.repairable
    assert repairable is not None
    (line,) = repairable.suspects
    assert repairable.text.split(b"\n")[line - 1] == b"    return t[n];"
    subject.close()


def test_a_program_that_goes_right_is_not_suspected(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "tool.c").write_text(HEAD + READ + '    printf("%d\\n", n);\n    return t[0] - 1;\n}\n')
    subject = open_subject(str(tmp_path / "tool.c"), sandbox)
    prove_repeatable(subject, [subject.domain(["5"]).parse("5")])
    assert list(subject.notes) == []
    subject.close()


@pytest.mark.parametrize(
    "text", ["", "==1==ERROR: AddressSanitizer: SEGV", "x: runtime error: y", "#0 0x1 in f"]
)
def test_what_names_no_line_reports_nothing(text: str) -> None:
    assert reports(text) == []


def test_a_place_is_told_once() -> None:
    said = "a.c:3:1: runtime error: division by zero\na.c:3:9: runtime error: division by zero\n"
    assert reports(said) == [Report("a.c", 3, "divides by zero")]

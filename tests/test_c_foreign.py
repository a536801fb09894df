"""A unit that the engine does not take falls back alone: it is compiled by the user's compiler, and told."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from learn2fix.cli.app import run
from learn2fix.languages.c.judging.engine import engine_program
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.layout import SourceFile as File
from learn2fix.languages.c.layout import holding, joined, translation_unit
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Repairable
from learn2fix.model import Candidate, Edit, Input
from learn2fix.sandbox import Sandbox

MAIN = """#include <stdio.h>
int rank(int a, int b);
int strange(int a);
int main(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    printf("%d %d\\n", rank(a, b), strange(a));
    return 0;
}
"""
RANK = "int rank(int a, int b) { return a >= b ? a : b; }\n"
STRANGE = """#include <stdio.h>
static int calls = 1;
int strange(int a)
{
    __int128 wide = (__int128)a * a;
    printf("%d\\n", calls++);
    return (int)wide + 1;
}
"""

needs_engine = pytest.mark.skipif(engine_program() is None, reason="libtcc is not installed")


def opened(folder: Path, sandbox: Sandbox, **files: str) -> Repairable:
    for name, text in files.items():
        (folder / f"{name}.c").write_text(text)
    subject = open_subject(str(folder / "main.c"), sandbox).repairable
    assert subject is not None
    return subject


@needs_engine
def test_the_other_files_are_judged_fast(tmp_path: Path) -> None:
    with Sandbox() as sandbox:
        subject = opened(tmp_path, sandbox, main=MAIN, rank=RANK, strange=STRANGE)
        evaluator = subject.evaluator(time.monotonic)
        assert isinstance(evaluator, CEvaluator)
        assert evaluator.fast
        assert [note.split(" (")[0] for note in subject.notes] == [
            "strange.c is compiled by your compiler alone"
        ]
        assert "__int128" in subject.notes[0]
        inputs = [Input("3 4"), Input("70000 2")]
        expected = [outcome.response for outcome in subject.run(inputs)]
        assert [str(each) for each in expected] == ["1\n4 10", "1\n70000 605032705"]
        assert evaluator.original(inputs) == expected
        at = subject.text.index(b">=")
        first = evaluator.add([Candidate((Edit(at, at + 2, b"<"),), "test", 1.0)]).start
        assert [str(next(iter(by))) for by in evaluator.outputs(inputs, [first])] == [
            "1\n3 10",
            "1\n2 605032705",
        ]
        evaluator.close()
        subject.close()


@needs_engine
def test_where_all_are_strange_the_users_compiler_does_it_and_it_is_told(tmp_path: Path) -> None:
    with Sandbox() as sandbox:
        main = MAIN.replace("int a, b;", "int a, b; __int128 c = 0; (void)c;")
        rank = "int rank(int a, int b) { __int128 c = a; return (int)c + b; }\n"
        subject = opened(tmp_path, sandbox, main=main, rank=rank, strange=STRANGE)
        evaluator = subject.evaluator(time.monotonic)
        assert isinstance(evaluator, CEvaluator)
        assert not evaluator.fast
        assert "main.c: your compiler builds candidates, slowly" in subject.notes[-1]
        evaluator.close()
        subject.close()


def test_the_file_of_a_line_is_found() -> None:
    text = joined([File("a.h", b"int a;\n", False), File("b.c", b"int b;\nint c;\n", True)])
    assert [holding(text, line) for line in range(1, 8)] == [None, "a.h", None, "b.c", "b.c", None, None]
    assert translation_unit(text, "b.c").endswith(b"int b;\nint c;\n")


@needs_engine
def test_doctor_names_the_unit_and_the_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"main": MAIN, "rank": RANK, "strange": STRANGE}.items():
        (tmp_path / f"{name}.c").write_text(text)
    assert run(["doctor", str(tmp_path / "main.c"), "--json"]) == 0
    (told,) = [each["found"] for each in json.loads(capsys.readouterr().out) if each["what"] == "search"]
    assert told.startswith("strange.c is compiled by your compiler alone ('__int128'")
    (tmp_path / "strange.c").write_text("int strange(int a) { return a; }\n")
    assert run(["doctor", str(tmp_path / "main.c")]) == 0
    out = capsys.readouterr().out
    assert "judged many at a time" in out
    assert "isolation" not in out
    assert run(["doctor", "--build", "make"]) == 2


@needs_engine
@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
@pytest.mark.parametrize(
    ("strange", "said"),
    [
        ('extern "C" int strange(int a) { return 2 * a; }', ""),
        (
            "#include <iostream>\n#include <string>\nstatic std::string mark(1, 'x');\n"
            'extern "C" int strange(int a) { std::cout << mark << "\\n"; return 2 * a; }',
            "x\n",
        ),
        (
            '#include <cstdlib>\nextern "C" int strange(int a) { if (a > 5) std::exit(0); return 2 * a; }',
            "",
        ),
    ],
    ids=["alone", "library and set-up", "exit"],
)
def test_c_plus_plus_beside_it_is_linked_as_the_build_made_it(
    tmp_path: Path, strange: str, said: str
) -> None:
    files = {"main.c": MAIN, "rank.c": RANK, "strange.cc": strange + "\n"}
    files["Makefile"] = "tool: main.o rank.o strange.o\n\tg++ -o $@ $^\n"
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with Sandbox() as sandbox:
        subject = open_subject(str(tmp_path), sandbox).repairable
        assert subject is not None
        domain = subject.domain(["3 4"])
        evaluator = subject.evaluator(time.monotonic)
        assert isinstance(evaluator, CEvaluator)
        assert evaluator.fast, evaluator.slow_because
        assert subject.notes[0] == "strange.o: linked as the build made it, not changed."
        inputs = [domain.parse("3 4"), domain.parse("9 2")]
        expected = [outcome.response for outcome in subject.run(inputs)]
        assert evaluator.original(inputs) == expected
        assert str(expected[0]) == f"{said}4 6"
        at = subject.text.index(b">=")
        first = evaluator.add([Candidate((Edit(at, at + 2, b"<"),), "test", 1.0)]).start
        assert [str(next(iter(by))) for by in evaluator.outputs(inputs[:1], [first])] == [f"{said}3 6"]
        evaluator.close()
        subject.close()

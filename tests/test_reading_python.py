"""What a Python script reads is recorded as it happens, and the script does what it always did."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.reading import ReadKind, Trace
from learn2fix.languages.python.reading import PythonReader
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Input
from learn2fix.sandbox import Limits, Sandbox

ZOO = Path(__file__).parent / "zoo"
Record = Callable[[str, str], Trace]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture
def record(tmp_path: Path, sandbox: Sandbox) -> Iterator[Record]:
    readers = []
    (tmp_path / "helper.py").write_text("def number():\n    return int(input())\n")

    def run(text: str, given: str) -> Trace:
        path = tmp_path / "script.py"
        path.write_text(text)
        readers.append(PythonReader(path, text.encode(), sandbox, Limits(seconds=0.5)))
        [trace] = readers[-1].record([given.encode()])
        return trace

    yield run
    for reader in readers:
        reader.close()


def taken(trace: Trace) -> list[str]:
    return [trace.text[read.start : read.end] for read in trace.reads if read.found]


def names(trace: Trace) -> list[str]:
    return [read.name for read in trace.reads if read.found]


def places(trace: Trace) -> int:
    return len({read.place for read in trace.reads})


def test_a_count_and_a_list(record: Record) -> None:
    trace = record(
        "n = int(input())\na = []\nfor i in range(n):\n    a.append(int(input()))\n", "2\n 5\n-6\n"
    )
    assert taken(trace) == ["2", " 5", "-6"]
    assert names(trace) == ["n", "a", "a"]
    assert places(trace) == 2
    assert trace.ended
    assert all(read.kind is ReadKind.LINE and not read.skips for read in trace.reads)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("a = input(); b = input()", ["x y", ""]),
        ("a = sys.stdin.readline(); a = sys.stdin.readline()", ["x y", ""]),
        ("a = sys.stdin.readlines()", ["x y", "", "z"]),
        ("a = list(sys.stdin)", ["x y", "", "z"]),
        ("for a in sys.stdin: pass", ["x y", "", "z"]),
        ("for a in fileinput.input(): pass", ["x y", "", "z"]),
        ("a = sys.stdin.buffer.readline()", ["x y"]),
        ("a = sys.stdin.readline(2)", ["x "]),
        ("a = open(0).readline()", ["x y"]),
        ("with open(0) as f: a = f.readlines()", ["x y", "", "z"]),
        ("input = sys.stdin.readline\na = input()", ["x y"]),
        ("while (a := sys.stdin.readline()): pass", ["x y", "", "z"]),
    ],
)
def test_every_way_to_read_lines(record: Record, script: str, expected: list[str]) -> None:
    trace = record(f"import fileinput, sys\n{script}\n", "x y\n\nz")
    assert taken(trace) == expected
    assert {read.kind for read in trace.reads} == {ReadKind.LINE}
    assert set(names(trace)) <= {"a", "b"}
    assert trace.ended


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("a = sys.stdin.read()", ["x y\n\nz"]),
        ("a = sys.stdin.read(2); a = sys.stdin.read(9)", ["x ", "y\n\nz"]),
        ("a = sys.stdin.buffer.read().split()", ["x y\n\nz"]),
        ("a = open(0, 'rb').read()", ["x y\n\nz"]),
        ("a = os.read(0, 3)", ["x y"]),
    ],
)
def test_every_way_to_read_bytes(record: Record, script: str, expected: list[str]) -> None:
    trace = record(f"import os, sys\n{script}\n", "x y\n\nz")
    assert taken(trace) == expected
    assert {read.kind for read in trace.reads} == {ReadKind.BYTES}
    assert set(names(trace)) == {"a"}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("n = int(input())", "n"),
        ("a, b = map(int, input().split())", "a, b"),
        ("n, *rest = input().split()", "n, *rest"),
        ("[a, b] = input().split()", "a, b"),
        ("total: int = int(input())", "total"),
        ("d = [0]; d[0] = input()", "d"),
        ("import os; os.word = input()", "word"),
        ("a = [input() for _ in range(1)]", "a"),
        ("s = set(); s.add(input())", "s"),
        ("def f():\n    return input()\nx = f()", "x"),
        ("def f():\n    line = input()\n    return line\nx = f()", "line"),
        ("if (x := input()): pass", "x"),
        ("for a in input().split(): pass", "a"),
        ("from helper import number\nk = number()", "k"),
        ("for i in range(int(input())): pass", ""),
        ("print(input())", ""),
        ("print(\n    input()\n)", ""),
    ],
)
def test_the_variable_that_takes_it(record: Record, line: str, name: str) -> None:
    assert names(record(line, "1 2\n" if "," in line else "1\n")) == [name]


def test_a_function_that_reads_is_another_place_for_each_call(record: Record) -> None:
    script = "from helper import number\nn, m = number(), number()\nwhile n:\n    number()\n    n -= 1\n"
    trace = record(script, "2\n5\n6\n7\n")
    assert taken(trace) == ["2", "5", "6", "7"]
    assert places(trace) == 3


def test_recursion_adds_no_places(record: Record) -> None:
    script = "def tree():\n    if input() == '1':\n        tree()\n        tree()\ntree()\n"
    trace = record(script, "1\n1\n0\n0\n0\n")
    assert len(taken(trace)) == 5
    assert places(trace) == 1


def test_what_is_not_there_is_not_found(record: Record) -> None:
    trace = record("a = input()\nb = input()\n", "1\n")
    assert [(read.start, read.end, read.found) for read in trace.reads] == [(0, 1, True), (2, 2, False)]
    assert not trace.ended


def test_a_script_that_fails_or_never_ends_keeps_what_was_read_before(record: Record) -> None:
    for rest in ("1 / 0", "while True: pass"):
        trace = record(f"a = input()\n{rest}\n", "1\n2\n")
        assert taken(trace) == ["1"]
        assert not trace.ended
        assert not trace.cut


def test_a_script_that_reads_without_end_is_stopped(record: Record) -> None:
    trace = record("import sys\nwhile sys.stdin.readline() != 'end': pass\n", "1\n2\n")
    assert taken(trace) == ["1", "2"]
    assert not trace.ended
    assert trace.cut


def test_what_the_script_writes_to_stderr_is_no_record(record: Record) -> None:
    trace = record(
        "import os, sys\nprint('0 0 9', file=sys.stderr)\nos.write(2, b'C\\n')\na = input()\n", "1\n"
    )
    assert taken(trace) == ["1"]
    assert not trace.cut


@pytest.mark.parametrize(
    "head",
    [
        '"""Words."""\nfrom __future__ import annotations\n',
        "# -*- coding: latin-1 -*-\n",
        "#!/usr/bin/env python\n@staticmethod\ndef f(): pass\n",
        "if True:\n    pass\n",
    ],
)
def test_the_recorder_comes_before_the_first_statement(record: Record, head: str) -> None:
    assert taken(record(f"{head}a = input()\nprint(a)\n", "1\n")) == ["1"]


def test_a_script_without_a_line_for_the_recorder_has_no_traces(tmp_path: Path, sandbox: Sandbox) -> None:
    for text in ('"""Words."""; a = input()\n', "a = input(\n", ""):
        assert PythonReader(tmp_path / "script.py", text.encode(), sandbox).record([b"1\n"]) == []


def test_characters_and_line_ends(record: Record) -> None:
    trace = record("a = input()\nb = input()\nc = input()\nprint(len(a), repr(b), c)\n", "ñandú\r\nb\nc\n")
    assert taken(trace) == ["ñandú\r", "b", "c"]


def test_what_was_not_given_is_named(record: Record) -> None:
    script = """
        import os, sys
        if len(sys.argv) > 1 or os.environ.get("LIMIT") or os.getenv("HOME"): os.environ["PATH"]
        with open("kept.txt", "w") as file: file.write("1")
        open("kept.txt").close()
        open("data.txt")
    """
    trace = record("\n".join(line.strip() for line in script.split("\n")), "")
    assert trace.opened == ("kept.txt", "data.txt")
    assert set(trace.environment) == {"LIMIT", "HOME", "PATH"}
    assert trace.arguments
    assert not record("n = input()", "1").arguments


SCRIPT = """
import sys
steps = input()
for step in steps:
    if step == "i": print(repr(input()))
    if step == "r": print(repr(sys.stdin.readline()))
    if step == "n": print(repr(next(sys.stdin)))
    if step == "3": print(repr(sys.stdin.read(3)))
    if step == "b": print(repr(sys.stdin.read()))
"""


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox
) -> Iterator[tuple[PythonSubject, PythonReader]]:
    path = tmp_path_factory.mktemp("scripts") / "script.py"
    path.write_text(SCRIPT)
    subject, reader = PythonSubject(path, None, sandbox), PythonReader(path, SCRIPT.encode(), sandbox)
    yield subject, reader
    reader.close()
    subject.close()


@given(st.lists(st.tuples(st.sampled_from("irn"), st.text("ab 1é\t", max_size=5)), max_size=8))
def test_the_reads_are_what_was_printed(
    both: tuple[PythonSubject, PythonReader], items: list[tuple[str, str]]
) -> None:
    printed = ["".join(step for step, _ in items), *(line for _, line in items)]
    [trace] = both[1].record([("\n".join(printed) + "\n").encode()])
    assert taken(trace) == printed
    assert trace.ended


@given(st.text("irn3b", max_size=8), st.text("ab 1é\r\n", max_size=30))
def test_reading_returns_what_it_always_does(
    both: tuple[PythonSubject, PythonReader], steps: str, text: str
) -> None:
    subject, reader = both
    given = Input(f"{steps}\n{text}")
    [(outcome, trace)] = reader.run([subject.feed(given).data])
    assert outcome.response == subject.run([given])[0].response
    assert all(first.end <= second.start for first, second in pairwise(trace.reads))


SCRIPTS = [path for path in sorted(ZOO.glob("py_*/subject.toml")) if "function =" not in path.read_text()]


@pytest.mark.parametrize("subject", SCRIPTS, ids=lambda path: path.parent.name)
def test_a_recorded_script_prints_what_it_always_prints(subject: Path, sandbox: Sandbox) -> None:
    about = tomllib.loads(subject.read_text())
    path = subject.parent / about["buggy"]
    plain = PythonSubject(path, None, sandbox)
    reader = PythonReader(path, plain.text, sandbox)
    inputs = [Input(text) for text in (*about["failing"], *about.get("passing", ()))]
    recorded = reader.run([plain.feed(one).data for one in inputs])
    for expected, (outcome, trace) in zip(plain.run(inputs), recorded, strict=True):
        assert outcome.response == expected.response
        assert taken(trace)
    reader.close()
    plain.close()

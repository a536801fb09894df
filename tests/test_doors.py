"""Arguments, files and the environment: what a program lacks is said at once, and with it it is repaired."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.cli.app import run
from learn2fix.cli.opening import options_from_json
from learn2fix.errors import UsageError
from learn2fix.languages.arguments import Arguments
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.evaluator import Fed
from learn2fix.languages.opening import open_subject
from learn2fix.languages.surroundings import surroundings
from learn2fix.model import Candidate, Edit, Input
from learn2fix.sandbox import Limits, Program, Sandbox, Surroundings
from learn2fix.store import Store

ZOO = Path(__file__).parent / "zoo"

RATE = """\
#include <stdio.h>
#include <stdlib.h>

/* Reads a price; prints it with the tax that the environment names, in percent. */
int main(void) {
    int price, tax = atoi(getenv("TAX"));
    scanf("%d", &price);
    printf("%d\\n", price + price * tax / 10);
    return 0;
}
"""

SCRIPT = """\
import sys

first, second = int(sys.argv[1]), int(sys.argv[2])
print(first if first < second else second)
"""

COUNT = """\
\"\"\"Prints how many lines of words.txt are longer than three characters.\"\"\"

with open("words.txt") as file:
    words = file.read().split()
print(sum(1 for word in words if len(word) >= 3))
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LEARN2FIX_DEBUG", raising=False)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@dataclass(frozen=True)
class Case:
    """A program, what it is told of without a door, and the door."""

    suffix: str
    buggy: str
    golden: str
    bare: str
    """An input without the door."""
    told: str
    door: tuple[str, ...]
    arguments: tuple[str, ...] = ()


def zoo(name: str, told: str, *door: str) -> Case:
    about = tomllib.loads((ZOO / name / "subject.toml").read_text())
    buggy, golden = ((ZOO / name / about[which]).read_text() for which in ("buggy", "golden"))
    return Case(".c", buggy, golden, about["failing"][0], told, door, tuple(about.get("arguments", ())))


TAKES = 'takes arguments (learn2fix fix --failing "3 4" -- buggy{} {{a}} {{b}})'
CASES = {
    "argv": zoo("argv_larger", TAKES.format(".c"), "--failing", "3 4"),
    "option": zoo("argv_share", TAKES.format(".c"), "--failing", "3 12"),
    "file": zoo("file_sales", "opens sales.txt (give it with --file sales.txt=@FILE)",
                "--file", "sales.txt=@data"),
    "freopen": zoo("file_scores", "reads input.txt instead of standard input, and there is no such file",
                   "--file", "input.txt=@data", "--form", "input.txt: n, score[n]"),
    "getenv": Case(".c", RATE, RATE.replace("/ 10", "/ 100"), "200",
                   "asks for the environment variable TAX: --env TAX=VALUE sets it.",
                   ("--failing", "200", "--env", "TAX=20")),
    "script": Case(".py", SCRIPT, SCRIPT.replace("<", ">"), "3 4", TAKES.format(".py"),
                   ("--failing", "3 4"), ("{a}", "{b}")),
    "script's file": Case(".py", COUNT, COUNT.replace(">= 3", "> 3"), "one three",
                          "opens words.txt (give it with --file words.txt=@FILE)",
                          ("--file", "words.txt=@data")),
}  # fmt: skip


LEFT_OVER = """#include <stdio.h>
int main(void) {
    int a, b;
    freopen("in.txt", "r", stdin);
    scanf("%d %d", &a, &b);
    printf("%d\\n", a + b);
    return 0;
}
"""


def test_a_file_read_instead_of_standard_input_may_be_the_bug(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (work / "sum.c").write_text(LEFT_OVER)
    (work / "right.c").write_text(LEFT_OVER.replace('    freopen("in.txt", "r", stdin);\n', ""))
    assert run(["fix", "sum.c", "--failing", "3 4", "--golden", "right.c", "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert "taken for the bug (--file in.txt=@FILE gives it one)" in err
    assert '-    freopen("in.txt", "r", stdin);' in out


def written(case: Case, work: Path) -> tuple[str, str]:
    for name, text in (("buggy", case.buggy), ("golden", case.golden)):
        (work / f"{name}{case.suffix}").write_text(text)
    (work / "data").write_text(case.bare + "\n")
    return f"buggy{case.suffix}", f"golden{case.suffix}"


@pytest.mark.parametrize("name", CASES)
def test_a_program_that_lacks_something_is_told_what_to_type(
    name: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    buggy, golden = written(case, work)
    code = run(["fix", buggy, "--failing", case.bare, "--golden", golden, "--labels", "0", "--timeout", "5"])
    said = capsys.readouterr().err
    assert f"{buggy} {case.told}" in said
    if name not in ("getenv", "freopen"):  # only a note: a program may well do without
        assert code == 2
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize("name", CASES)
def test_through_the_door_it_is_repaired_resumed_and_exported(
    name: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    buggy, golden = written(case, work)
    document = repaired(case, buggy, golden, capsys)
    session = document["session"]
    (work / "data").unlink()  # what was given is kept with the session
    if name in ("argv", "file", "getenv"):
        record = Store(Path(os.environ["LEARN2FIX_HOME"])).load(session).record
        options = options_from_json(record.options)
        around, _ = surroundings(options.files, options.variables, options.form)
        assert record.program == (buggy, *case.arguments)
        assert around.environment == ({"TAX": "20"} if name == "getenv" else {})
        assert around.input_file == ("sales.txt" if name == "file" else "")
        assert run(["resume", session, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["labels"] == document["labels"]
    assert run(["export", session, "--to", "pytest", "tests"]) == 0
    assert outcome_of_tests(work, buggy) == 1
    assert outcome_of_tests(work, golden) == 0
    assert run(["apply", session]) == 0
    assert outcome_of_tests(work, buggy) == 0


def repaired(case: Case, buggy: str, golden: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    words = ["fix", *case.door, "--golden", golden, "--seed", "1", "--labels", "6", "--json"]
    assert run([*words, "--", buggy, *case.arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def outcome_of_tests(work: Path, program: str) -> int:
    environment = {**os.environ, "LEARN2FIX_PROGRAM": str(work / program)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(work / "tests")]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--file", "../x=@data"], "is no name for a file"),
        (["--file", "/etc/passwd=@data"], "is no name for a file"),
        (["--file", "x"], "has no value"),
        (["--file", "x=@nowhere"], "cannot read"),
        (["--env", "A B=1"], "is no name for an environment variable"),
        (["--env", "LD_PRELOAD=x.so"], "is no name for an environment variable"),
        (["--form", "data.txt: n, a[n]"], "give it with --file data.txt=@FILE"),
    ],
)
def test_what_cannot_be_given(
    words: list[str], told: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(CASES["argv"], work)
    assert run(["fix", "buggy.c", "--failing", "1 2", *words]) == 2
    assert told in capsys.readouterr().err


def test_one_thing_is_varied_at_a_time(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(CASES["argv"], work)
    words = ["--file", "x.txt=@data", "--form", "x.txt: n", "--failing", "1 2"]
    assert run(["fix", *words, "--", "buggy.c", "{a}"]) == 2
    assert "both in the arguments and in x.txt" in capsys.readouterr().err


@given(st.lists(st.from_regex(r"[!-z~]{1,8}", fullmatch=True), min_size=2, max_size=5))
def test_values_go_to_their_places_and_the_rest_to_stdin(values: list[str]) -> None:
    values = [value.replace("=", "+") for value in values]
    arguments = Arguments(["-x", "{b}", "--a={a}", "{a}{b}"])
    assert arguments.places == ("b", "a")
    domain = arguments.domain([" ".join(values)])
    fed = arguments.feed(domain.parse(" ".join(values)))
    assert fed.arguments == ("-x", values[0], f"--a={values[1]}", values[1] + values[0])
    assert fed.data.split() == [value.encode() for value in values[2:]]


FILES = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    char line[100], *mode = getenv("MODE");
    FILE *in = fopen("in.txt", "r"), *out;
    int sum = 0, x;
    for (int i = 1; i < argc; i++)
        printf("%s;", argv[i]);
    while (in && fscanf(in, "%d", &x) == 1)
        sum += x;
    if (in) {
        rewind(in);
        printf("first %s", fgets(line, 100, in));
        fseek(in, 0, SEEK_END);
        printf("%ld bytes\\n", ftell(in));
        fclose(in);
    }
    out = fopen("out.txt", "w");
    fprintf(out, "%d", sum);
    fclose(out);
    out = fopen("out.txt", "a+");
    fputs("1", out);
    rewind(out);
    fscanf(out, "%d", &sum);
    fclose(out);
    printf("%d %s %d\\n", sum, mode ? mode : "none", fopen("missing.txt", "r") != NULL);
    if (freopen("other.txt", "r", stdin) && scanf("%d", &x) == 1)
        printf("%d %d\\n", x, 1);
    return 0;
}
"""

EVALUATORS: dict[str, Callable[..., CEvaluator | RebuildEvaluator]] = {
    "in memory": CEvaluator,
    "linked": lambda source, **given: CEvaluator(source, linked=True, **given),
    "rebuilt": RebuildEvaluator,
}


@pytest.mark.parametrize("kind", EVALUATORS)
def test_candidates_find_what_the_program_finds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "files.c"
    path.write_text(FILES)
    around = Surroundings((("other.txt", b"77\0\n"),), (("MODE", "fast"),), "in.txt")
    inputs = [Input(text) for text in ("3 4\n5\n", "1\n", "x\n")]
    words = (str(path), "-n", "a b", "")
    with Sandbox() as sandbox, closing(open_subject(words, sandbox, around=around)) as subject:
        real = [outcome.response for outcome in subject.run(inputs)]
        assert "-n;a b;;first 3 4" in str(real[0])
        with closing(EVALUATORS[kind](FILES.encode(), feed=subject.feed, around=around)) as evaluator:
            assert evaluator.original(inputs) == real
            # Candidates that part in the middle of a file each go on reading it where they are.
            at = FILES.encode().index(b"sum += x")
            texts = (b"sum -= x", b"sum += x * x", b"sum += 2 * x")
            candidates = [Candidate((Edit(at, at + 8, text),), "test", 1.0) for text in texts]
            rows = evaluator.outputs(inputs, evaluator.add(candidates))
            for number, candidate in enumerate(candidates):
                assert subject.repairable is not None
                patched = candidate.apply(FILES.encode())
                with closing(subject.repairable.patched(patched)) as alone:
                    for row, outcome in zip(rows, alone.run(inputs), strict=True):
                        assert number in row[outcome.response]


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_files_reach_a_program_byte_by_byte(sandbox: Sandbox, fixed: bytes, varied: bytes) -> None:
    around = Surroundings((("fixed", fixed),), input_file="varied")
    program = Program(("/bin/cat",), around=around)
    outcome = sandbox.run(program, varied, ("fixed", "varied", "-"))
    assert outcome.output == fixed + varied


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return Sandbox(Limits(seconds=5.0))


def test_every_run_finds_its_files_as_they_were_given(tmp_path: Path) -> None:
    """Whatever the run before did to them."""
    tool = tmp_path / "tool"
    tool.write_text('#!/bin/sh\ncat data\nrm -f data other\nmkdir data\nln -s /etc/passwd "$1"\n')
    tool.chmod(0o755)
    around = Surroundings((("data", b"as given\n"),), input_file="other")
    with Sandbox() as box, box.start(Program((str(tool),), (tool,), around=around)) as worker:
        outcomes = list(worker.run_many([b"1"] * 3, [("other",)] * 3))
    assert [outcome.output for outcome in outcomes] == [b"as given\n"] * 3


def test_arguments_of_a_function_are_refused(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int a) { return a; }\n")
    with Sandbox() as box, pytest.raises(UsageError, match="is a function"):
        open_subject([f"{tmp_path / 'f.c'}:f", "{a}"], box)


def test_an_empty_input_has_empty_places() -> None:
    """Whether a candidate compiles is tried with it."""
    assert Arguments(["{a}", "-b"]).feed(Input("")) == Fed(b"", ("", "-b"))

"""`learn`, `fix` and `demo` word for word: what a person at a terminal sees, and what a pipe gets.

Transcripts lie in tests/transcripts, that of the demo in README.md; after an intended change,
LEARN2FIX_RECORD=1 writes them anew and the difference is to be read. Only what belongs to the machine is left
out: the seconds, and the isolation.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pexpect
import pytest
from tests.at_terminal import environment

from learn2fix.store import Store

HERE = Path(__file__).parent
RECORDED = HERE / "transcripts"
CHOICE = ["--strategy", "paper", "--learner", "smt", "--labels", "9", "--seed", "3"]
PROGRAMS = {
    "c": ("triangle/buggy.c", "triangle.c", "2 2 2"),
    "python": ("py_triangle/buggy.py", "triangle.py:classify", "2, 2, 2"),
}


def right(values: list[int]) -> int:
    """What a triangle is: the reporter knows."""
    if min(values) <= 0 or 2 * max(values) >= sum(values):
        return 4
    return len(set(values))


def same_everywhere(text: str) -> str:
    text = text.replace("\r\n", "\n")
    return re.sub(
        r"\d+\.\d s\.", "0.0 s.", re.sub(r"isolation \S+\.$", "isolation …", text, flags=re.MULTILINE)
    )


def check(name: str, text: str) -> None:
    path = RECORDED / f"{name}.txt"
    if os.environ.get("LEARN2FIX_RECORD"):
        path.write_text(text)
    assert text == path.read_text()


@pytest.fixture(params=PROGRAMS)
def work(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, list[str]]:
    source, program, failing = PROGRAMS[request.param]
    (tmp_path / program.partition(":")[0]).write_bytes((HERE / "zoo" / source).read_bytes())
    return request.param, tmp_path, ["learn", program, "--failing", failing, *CHOICE]


def numbers(line: str) -> list[int]:
    return [int(word) for word in re.findall(r"-?\d+", line.replace("*", ""))]


def test_a_person_at_a_terminal(work: tuple[str, Path, list[str]]) -> None:
    name, folder, words = work
    child = pexpect.spawn(
        sys.executable,
        ["-m", "learn2fix", *words],
        env=environment(folder / "home"),
        cwd=str(folder),
        encoding="utf-8",
        timeout=60,
        dimensions=(40, 200),
    )
    child.delaybeforesend = None
    child.logfile_read = log = io.StringIO()
    asked = r"  input +(?P<input>[^\r]*)\r\n  failing[^\r]*\r\n  (prints|returns) +(?P<prints>\S+)\r\n.*?\n> "
    explained = False
    while child.expect([asked, pexpect.EOF]) == 0:
        given, printed = child.match["input"], child.match["prints"]
        if not explained:
            explained = True
            for key in "?s":  # what a careful person does first
                child.send(key)
                child.expect_exact("\n> ")
        answer = right(numbers(given))
        if int(printed) == answer:
            child.send("n")
        else:
            child.send("y")
            child.expect_exact("next) ")
            child.send(f"{answer}\n")
    child.close()
    assert child.exitstatus == 0
    check(f"terminal-{name}", same_everywhere(log.getvalue()))


def test_a_pipe(work: tuple[str, Path, list[str]]) -> None:
    name, folder, words = work
    # The terminal's transcript says what is asked; here the same answers come as lines.
    recorded = (RECORDED / f"terminal-{name}.txt").read_text()
    asked = re.findall(r"  input +(.*)\n.*\n  (?:prints|returns) +(.*)\n", recorded)
    lines = []
    for given, printed in asked:
        answer = right(numbers(given))
        lines.append("n" if int(printed) == answer else f"y {answer}")
    done = subprocess.run(
        [sys.executable, "-m", "learn2fix", *words],
        env=environment(folder / "home"),
        cwd=folder,
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "\x1b" not in done.stderr + done.stdout
    check(f"pipe-{name}", same_everywhere(f"{done.stderr}--- stdout\n{done.stdout}"))


FIXED = {
    "c": ("leap_year", "buggy.c", "golden.c"),
    "python": ("py_discount", "buggy.py:discount", "golden.py:discount"),
    "list": ("list_maximum", "buggy.c", "golden.c"),
    "word": ("password", "buggy.c", "golden.c"),
    "grid": ("grid_neighbours", "buggy.c", "golden.c"),
    "argv": ("argv_larger", "buggy.c {a} {b}", "golden.c {a} {b}"),
}


@pytest.mark.parametrize("kind", FIXED)
def test_a_fix_with_a_golden_program(kind: str, tmp_path: Path) -> None:
    name, program, golden = FIXED[kind]
    folder = shutil.copytree(HERE / "zoo" / name, tmp_path / name)
    failing = tomllib.loads((folder / "subject.toml").read_text())["failing"][0]
    words = ["--failing", failing, "--golden", golden, "--seed", "1", "--", *program.split()]
    check(f"fix-{kind}", same_everywhere(printed(folder, "fix", *words)))


def test_a_session_by_commands(tmp_path: Path) -> None:
    """As from mail or CI: nobody sits at a terminal, every answer is a command that was printed."""
    folder = shutil.copytree(HERE / "zoo/py_discount", tmp_path / "shop")

    def command(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "learn2fix", *words],
            env=environment(tmp_path / "home"),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return f"$ learn2fix {shlex.join(words)}\n{done.stdout}"

    begin = ["fix", "buggy.py:discount", "--failing", "price=100, qty=10", "--seed", "1", "--labels", "4"]
    said = [command(*begin), command("pending", "buggy-1")]
    while "\n  learn2fix answer " in said[-1]:
        price, qty = numbers(re.findall(r"  input +(.*)", said[-1])[0])
        total = price * qty
        right = total - total * 20 // 100 if qty >= 10 else total
        shown = int(re.findall(r"  returns +(.*)", said[-1])[0])
        wanted = "ok" if right == shown else f"bug --expected {right}"
        offered = re.findall(r"^  (learn2fix answer \S+ Q\d+ .*?)(?:  .*)?$", said[-1], re.MULTILINE)
        paste = next((each for each in offered if each.endswith(f" {wanted}")), "")
        if not paste:
            (field,) = [each for each in offered if each.endswith(" OUT")]
            paste = field.replace("OUT", str(right))
        said.append(command(*shlex.split(paste)[1:]))
    assert "qty >= FROM" in said[-1]
    check("commands-python", same_everywhere("\n".join(said)))


def test_the_readme_shows_the_demo_as_it_is(tmp_path: Path) -> None:
    """Also that it ends in the right patch, and that nothing is kept."""
    text = printed(tmp_path, "demo")
    assert "+    if (a == b && b == c) /* all sides equal? */" in text
    assert not (tmp_path / "home").exists()
    readme = HERE.parent / "README.md"
    before, start, rest = readme.read_text().partition("    $ learn2fix demo\n")
    shown, end, after = rest.partition("\n`learn2fix serve` asks")
    if os.environ.get("LEARN2FIX_RECORD"):
        shown = textwrap.indent(text, "    ")
        readme.write_text(before + start + shown + end + after)
    assert same_everywhere(textwrap.dedent(shown)) == same_everywhere(text)


def printed(folder: Path, *words: str) -> str:
    """Everything that a command which ends well prints, in the order in which it does."""
    done = subprocess.run(
        [sys.executable, "-m", "learn2fix", *words],
        env=environment(folder / "home"),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


# A program without source

READS_ARGUMENTS = """\
#include <stdio.h>
#include <stdlib.h>
#define main read_main
#include "%s"
#undef main
int main(int argc, char **argv) {
    if (argc != 4) return 1;
    printf("%%d\\n", classify(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
"""


@pytest.mark.parametrize("places", [(), ("{a}", "{b}", "{c}"), ("{a}",)], ids=["stdin", "arguments", "both"])
def test_an_executable_without_source(tmp_path: Path, places: tuple[str, ...]) -> None:
    zoo = HERE / "zoo/triangle"
    for name in ("buggy", "golden"):
        source = zoo / f"{name}.c"
        if len(places) == 3:
            source = tmp_path / f"{name}.c"
            source.write_text(READS_ARGUMENTS % (zoo / f"{name}.c"))
        elif places:
            source = tmp_path / f"{name}.c"
            text = (zoo / f"{name}.c").read_text().replace("int main(void)", "int main(int n, char **args)")
            text = text.replace('scanf("%d %d %d", &a, &b, &c) != 3', 'scanf("%d %d", &b, &c) != 2')
            text = text.replace('printf("', 'a = atoi(args[1]);\n    printf("', 1)
            source.write_text("#include <stdlib.h>\n" + text)
        subprocess.run(["gcc", "-w", "-o", tmp_path / name, source], check=True)
        if places:
            source.unlink()
    golden = " ".join(["./golden", *places])
    words = ["learn", "--failing", "2 2 2", "--labels", "20", "--seed", "5", "--golden", golden]
    done = subprocess.run(
        [sys.executable, "-m", "learn2fix", *words, "--", "./buggy", *places],
        env=environment(tmp_path / "home"),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = [*(place.strip("{}") for place in places), "i1", "i2", "i3"][:3]
    assert re.search(
        r"The bug shows (?:roughly )?when: .*\b(" + "|".join([*names, "output"]) + r")\b", done.stdout
    )
    (saved,) = [Store(tmp_path / "home").load(Store(tmp_path / "home").ids()[0])]
    for label in saved.labels:
        observation = label.observation
        values = numbers(observation.input.text)
        assert (label.answer.verdict.value == "bug") == (
            str(observation.outcome.response) != str(right(values))
        )


def test_every_key_at_a_terminal_and_several_answers_taken_back(tmp_path: Path) -> None:
    (tmp_path / "triangle.c").write_bytes((HERE / "zoo/triangle/buggy.c").read_bytes())
    child = pexpect.spawn(
        sys.executable,
        ["-m", "learn2fix", "learn", "triangle.c", "--failing", "2 2 2", *CHOICE],
        env=environment(tmp_path / "home"),
        cwd=str(tmp_path),
        encoding="utf-8",
        timeout=60,
    )
    child.delaybeforesend = None

    def question() -> tuple[int, str]:
        child.expect(r"Question (\d+) of.*?  input +([^\r]*)\r\n.*\n> ")
        assert child.match is not None
        assert not isinstance(child.match, type)
        return int(child.match[1]), child.match[2].replace("*", "")

    seen = [question()]
    for key in "nuiui":
        child.send(key)
        seen.append(question())
    assert [number for number, _ in seen] == [1, 2, 3, 4, 5, 6]
    for back in (5, 4, 3, 2):
        child.send("p")
        child.expect_exact(f"Taken back: the answer about {seen[back - 1][1]}")
        assert question() == seen[back - 1]
    child.send("e")
    child.expect_exact("next) ")
    child.send("\n")  # back to the question
    child.expect_exact("\n> ")
    child.send("e")
    child.expect_exact("next) ")
    child.send("3\n")
    assert question()[0] == 3
    child.send("?")
    child.expect_exact("\n> ")
    child.send("f")
    child.expect_exact("No further question: the person finished")
    child.expect(pexpect.EOF)
    store = Store(tmp_path / "home")
    answers = [label.answer for label in store.load(store.ids()[0]).labels[1:]]
    assert [(answer.verdict.value, answer.expected) for answer in answers] == [("ok", None), ("bug", "3")]

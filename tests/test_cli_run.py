"""Whole commands on real programs: from words to questions, answers, results and back from the store."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from learn2fix.cli.app import run
from learn2fix.model import Answer, Verdict
from learn2fix.store import Store

ZOO = Path(__file__).parent / "zoo/triangle"
QUICK = ["--learner", "tree", "--seed", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARN2FIX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LEARN2FIX_DEBUG", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    for name in ("buggy.c", "golden.c"):
        (work / name).write_bytes((ZOO / name).read_bytes())
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def store(folder: Path) -> Store:
    return Store(Path(os.environ["LEARN2FIX_HOME"]))


def environment() -> dict[str, str]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return {**os.environ, "PYTHONPATH": path, "TERM": "dumb"}


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "learn2fix", *words],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_learn_with_a_golden_program_and_predict(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["learn", "buggy.c", "--failing", "2 2 2", "--golden", "golden.c", "--labels", "4", *QUICK]
    assert run([*words, "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["schema"], document["session"], document["status"]) == (1, "buggy-1", "learned")
    assert (document["seed"], document["questions"]) == (1, 4)
    assert document["labels"][0]["input"] == "2 2 2"
    assert len(document["labels"]) == 5
    assert "Session buggy-1, seed 1" in captured.err
    assert captured.err.count("Question ") == 4
    assert store.load("buggy-1").result == document
    # The same seed asks the same questions.
    assert run([*words, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["labels"] == document["labels"]
    # What was learned can be asked, from anywhere.
    os.chdir("/")
    assert run(["predict", "buggy-1", "2 2 2", "-1 2 3"]) == 0
    predicted = capsys.readouterr().out.splitlines()
    assert len(predicted) == 2
    assert set(predicted) <= {"bug", "ok", "unsure"}
    assert run(["predict", "buggy-1", "2 2 2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["predictions"][0]["input"] == "2 2 2"
    assert len(store.load("buggy-1").exchanges) == 4


def test_where_the_failing_input_is_called_ok_by_chance_fresh_memory_is_chosen_anew(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    """Zeroes, as were seen, hide the bug; who says so is not sent away."""
    text = (
        "#include <stdio.h>\nint main(void) {\n    int n, sums[100000];\n"  # so deep nothing was ever written
        '    scanf("%d", &n);\n    sums[n < 0] += n;\n    printf("%d\\n", sums[n < 0]);\n}\n'
    )
    (folder / "sum.c").write_text(text)
    (folder / "right.c").write_text(text.replace("[100000]", "[100000] = {0}"))
    words = ["fix", "sum.c", "--failing", "3", "--golden", "right.c", "--labels", "1", "--seed", "1"]
    run(words)
    said = capsys.readouterr().err
    before, found, after = said.partition(
        "That is right, so fresh memory is to hold what makes the bug show."
    )
    assert found
    assert "In this session fresh memory holds zeroes" in before
    assert "In this session fresh memory holds a pattern" in after
    assert store.load("sum-2").record.options["expected"] == "3"
    assert after.count("Question 1:") == 1


def test_answers_run_out_then_resume(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "answers.jsonl").write_text('{"verdict": "ok"}\n{"verdict": "unsure"}\n')
    words = ["learn", "buggy.c", "--failing", "2 2 2", "--labels", "4", "--answers", "answers.jsonl", *QUICK]
    assert run([*words, "--json"]) == 4
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["status"], document["session"], document["questions"]) == ("stopped", "buggy-1", 2)
    assert "`learn2fix resume buggy-1` goes on" in captured.err
    assert [reply for _, reply in store.load("buggy-1").exchanges] == [
        Answer(Verdict.OK),
        Answer(Verdict.UNSURE),
    ]
    assert run(["resume", "buggy-1", "--golden", "golden.c", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["questions"]) == ("learned", 4)
    assert [label["verdict"] for label in document["labels"][1:3]] == ["ok", "unsure"]


def test_resume_is_refused_when_the_source_has_changed(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "answers.jsonl").write_text('{"verdict": "ok"}\n')
    run(["learn", "buggy.c", "--failing", "2 2 2", "--answers", "answers.jsonl", *QUICK])
    (folder / "buggy.c").write_text((folder / "buggy.c").read_text() + "\n")
    capsys.readouterr()
    assert run(["resume", "last", "--answers", "answers.jsonl"]) == 2
    assert "buggy.c has changed since session buggy-1 began" in capsys.readouterr().err
    assert run(["resume", "last", "--answers", "answers.jsonl", "--anyway"]) == 4
    assert len(store.load("buggy-1").exchanges) == 2


def test_lines_on_stdin_and_its_end(folder: Path, store: Store) -> None:
    process = start("learn", "buggy.c", "--failing", "2 2 2", *QUICK)
    out, err = process.communicate("n\nu\n", timeout=120)
    assert process.returncode == 4
    assert out == ""
    assert "Question 3 of at most 10 (so far: 1 ok, 1 unsure)" in err
    assert "\x1b" not in err
    assert len(store.load("buggy-1").exchanges) == 2


@pytest.mark.parametrize(("stop", "code"), [(signal.SIGINT, 130), (signal.SIGHUP, 4), (signal.SIGTERM, 4)])
def test_stopped_in_a_question_and_resumed_at_the_same(
    folder: Path, store: Store, stop: signal.Signals, code: int
) -> None:
    """Fault 23."""
    words = ["learn", "buggy.c", "--failing", "2 2 2", *QUICK]
    child = pexpect.spawn(
        sys.executable, ["-m", "learn2fix", *words], env=environment(), encoding="utf-8", timeout=120
    )
    child.expect_exact("\n> ")
    child.send("n")
    child.expect_exact("Question 2 of at most 10")
    child.expect(r"input +([^\r]*)")
    assert child.match is not None
    asked = child.match[1]  # type: ignore[index]
    child.expect_exact("\n> ")
    child.kill(stop)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code
    child = pexpect.spawn(
        sys.executable,
        ["-m", "learn2fix", "resume", "last"],
        env=environment(),
        encoding="utf-8",
        timeout=120,
    )
    child.expect_exact("Question 2 of at most 10")
    child.expect_exact(asked)
    child.expect_exact("\n> ")
    child.send("f")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    saved = store.load("buggy-1")
    assert (saved.status, saved.finished) == ("learned", True)


def test_a_person_at_the_terminal_learns_when_the_bug_shows(folder: Path, store: Store) -> None:
    """Someone who knows triangles reads the screen and presses keys; nothing else is shared."""
    words = ["learn", "buggy.c", "--failing", "2 2 2", "--expected", "1", "--labels", "4", "--learner", "smt"]
    child = pexpect.spawn(
        sys.executable,
        ["-m", "learn2fix", *words, "--seed", "1"],
        env=environment(),
        encoding="utf-8",
        timeout=120,
    )
    answers = []
    while child.expect([r"  input    ([^\r]*)\r\n", pexpect.EOF]) == 0:
        assert child.match is not None
        sides = [int(word.strip("*")) for word in child.match[1].split()]  # type: ignore[index]
        # As the C program reads them: into 32 bits.
        sides = [(side + 2**31) % 2**32 - 2**31 for side in sides]
        right = 4 if min(sides) <= 0 else len(set(sides))
        child.expect(r"  prints   ([^\r]*)\r\n")
        printed = int(child.match[1])  # type: ignore[index]
        child.expect_exact("\n> ")
        if printed == right:
            child.send("n")
            answers.append(Answer(Verdict.OK))
        else:
            child.send("y")
            child.expect_exact("next) ")
            child.send(f"{right}\r")
            answers.append(Answer(Verdict.BUG, str(right)))
    child.close()
    assert child.exitstatus == 0
    assert "The bug shows " in (child.before or "")
    assert [label.answer for label in store.load("buggy-1").labels] == [Answer(Verdict.BUG, "1"), *answers]
    assert len(answers) == 4


def test_closed_standard_streams(folder: Path, store: Store) -> None:
    """Nothing to read from and nobody to tell: stops, and can be resumed."""
    words = f'"{sys.executable}" -m learn2fix learn buggy.c --failing "2 2 2" {" ".join(QUICK)}'
    for closed in ("<&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f"{words} {closed}"], env=environment(), capture_output=True, check=False
        )
        assert done.returncode == 4, done.stderr
        assert b"Traceback" not in done.stderr
    assert store.ids() == ["buggy-1", "buggy-2"]


def test_output_that_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m learn2fix doctor > /dev/full'],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "learn2fix: cannot write: No space left on device\n")


def test_questions_reach_the_terminal_when_stderr_is_a_file(folder: Path, store: Store) -> None:
    words = f'"{sys.executable}" -m learn2fix learn buggy.c --failing "2 2 2" {" ".join(QUICK)} 2> log'
    child = pexpect.spawn("/bin/sh", ["-c", words], env=environment(), encoding="utf-8", timeout=120)
    child.expect_exact("Question 1 of at most 10")
    child.expect_exact("\n> ")
    child.send("f")
    child.expect(pexpect.EOF)
    assert "Session buggy-1" in (folder / "log").read_text()


def test_an_executable_without_source(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run(["cc", "buggy.c", "-o", "tool"], check=True)
    (folder / "right.py").write_text(
        "a, b, c = map(int, input().split())\nprint(4 if min(a, b, c) <= 0 else len({a, b, c}))\n"
    )
    words = ["learn", "--failing", "2 2 2", "--golden", "right.py", "--labels", "3", "--seed", "1", "--json"]
    assert run([*words, "--", "./tool"]) == 0
    assert json.loads(capsys.readouterr().out)["session"] == "tool-1"
    assert store.load("tool-1").record.source == ""
    assert run(["export", "tool-1", "--to", "junit", "out"]) == 0
    assert (folder / "out/junit.xml").exists()


def test_export_of_a_c_function_runs(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["learn", "buggy.c:classify", "--failing", "2, 2, 2", "--expected", "1", "--labels", "3", *QUICK]
    assert run([*words, "--golden", "golden.c:classify"]) == 0
    capsys.readouterr()
    assert run(["export", "buggy-1", "--to", "pytest", "tests"]) == 0
    (name,) = capsys.readouterr().out.splitlines()
    assert run(["export", "buggy-1", "--to", "pytest", "tests"]) == 2
    assert "is there already" in capsys.readouterr().err
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", name]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    red = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, check=False)
    assert red.returncode == 1, red.stdout + red.stderr
    env["LEARN2FIX_PROGRAM"] = str(folder / "golden.c")
    green = subprocess.run(command, capture_output=True, text=True, env=env, cwd=folder, check=False)
    assert green.returncode == 0, green.stdout + green.stderr
    for form in ("json", "smtlib", "genprog"):
        assert run(["export", "buggy-1", "--to", form, "out"]) == 0


def test_fix_then_apply(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fix", "buggy.c", "--failing", "2 2 2", "--expected", "1", "--golden", "golden.c", "--seed", "1"]
    assert run([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == "repaired"
    assert document["patches"][0]["rank"] == 1
    assert run(["apply", document["patches"][0]["id"], "--dry-run"]) == 0
    (folder / "fix.patch").write_text(capsys.readouterr().out)
    subprocess.run(["git", "apply", "--check", "fix.patch"], check=True)
    assert run(["export", "last", "--to", "patch", "patches"]) == 0
    assert run(["apply", "last"]) == 0
    assert (folder / "buggy.c").read_text() == (folder / "golden.c").read_text()
    assert run(["predict", "last", "2 2 2"]) == 2
    capsys.readouterr()
    assert run(["apply", "last"]) == 0
    assert "is applied already" in capsys.readouterr().out
    assert run(["apply", "last", "--revert"]) == 0
    assert run(["predict", "last", "2 2 2"]) == 0


STARS = """#include <stdio.h>
int main(void) {
    int rows, i, j;
    scanf("%d", &rows);
    for (i = 1; i <= rows; i++) {
        for (j = 1; j < rows - i; j++)
            printf(" ");
        for (j = 1; j < 2 * i; j++)
            printf("*");
        printf("\\n");
    }
    return 0;
}
"""


@pytest.mark.parametrize("told", [["--expected", "  *\n ***\n*****"], []])
def test_indentation_counts_where_nothing_else_is_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str], told: list[str]
) -> None:
    (folder / "stars.c").write_text(STARS)
    (folder / "right.c").write_text(STARS.replace("j < rows", "j <= rows"))
    words = ["fix", "stars.c", "--failing", "3", *told, "--golden", "right.c", "--seed", "1", "--json"]
    assert run(words) == 0
    out, err = capsys.readouterr()
    assert "only indentation or blank lines are wrong" in err
    document = json.loads(out)
    assert "j <= rows - i" in document["patches"][0]["diff"]
    assert "  *\n ***\n*****" in [label.get("expected") for label in document["labels"]]
    assert run(["sessions", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1, "the first try leaves no session behind"


def test_repair_from_tests(folder: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    tests = folder / "tests"
    tests.mkdir()
    for name, given, right in (
        ("1", "2 2 2", "1"),
        ("2", "2 2 1", "2"),
        ("3", "3 4 5", "3"),
        ("4", "2 2 3", "2"),
    ):
        (tests / f"input-{name}").write_text(f"{given}\n")
        (tests / f"output-{name}").write_text(f"{right}\n")
    assert run(["repair", "buggy.c", "--tests", "tests", "--seed", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["questions"]) == ("repaired", 0)
    saved = store.load("buggy-1")
    assert saved.exchanges == ()
    assert sorted(label.answer.verdict for label in saved.labels) == ["bug", "bug", "ok", "ok"]


def test_the_failing_input_does_not_fail(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fix", "buggy.c", "--failing", "3 4 5", "--expected", "3"]) == 3
    assert "gives '3' for '3 4 5'" in capsys.readouterr().err
    assert store.ids() == []


def test_a_program_that_does_not_compile(
    folder: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "broken.c").write_text("int main(void) { return missing; }\n")
    assert run(["fix", "broken.c", "--failing", "1"]) == 2
    error = capsys.readouterr().err
    assert "broken.c does not compile" in error
    assert "missing" in error


def test_repair_reads_tests_from_a_folder(folder: Path) -> None:
    from learn2fix.cli.repair import read_tests
    from learn2fix.errors import UsageError

    tests = folder / "tests"
    tests.mkdir()
    (tests / "input-pos1").write_text("3 4 5\n")
    (tests / "output-pos1").write_text("3\n")
    (tests / "b.in").write_bytes(b"2 2 2 \xff")
    (tests / "b.out").write_text("1\n")
    (tests / "README").write_text("not a test")
    assert read_tests(tests) == (("2 2 2 \udcff", "1\n"), ("3 4 5\n", "3\n"))
    (tests / "b.out").unlink()
    with pytest.raises(UsageError, match=r"b\.in has no b\.out beside it"):
        read_tests(tests)

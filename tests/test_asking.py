"""What hurt people who tried it on small programs of their own: each a test of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from at_terminal import LINE, PROMPT, at_terminal, environment
from learn2fix.cli.display import label_line
from learn2fix.model import Answer, Verdict
from learn2fix.store import Saved, Store

SHOP = """\
def price(qty, unit):
    total = qty * unit
    if qty > 10:
        total = total * 9 // 10
    return total
"""
WORDS = """\
#include <stdio.h>
int main(void) {
    char line[200];
    int count = 0;
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (int i = 0; line[i]; i++)
        if (line[i] == ' ') count++;
    printf("%d\\n", count + 1);
    return 0;
}
"""
DIGITS = """\
#include <stdio.h>
int main(void) {
    char word[100];
    int count = 0;
    if (scanf("%99s", word) != 1) return 1;
    for (int i = 0; word[i] != '\\0'; i++)
        if (word[i] >= '1' && word[i] <= '9')
            count++;
    printf("%d\\n", count);
    return 0;
}
"""
FIX = ["fix", "shop.py:price", "--failing", "10, 5", "--seed", "1"]
KNOWN = [*FIX, "--expected", "45"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "words.c").write_text(WORDS)
    return tmp_path


def run(folder: Path, *words: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "learn2fix", *words],
        env=environment(folder / "home"),
        cwd=folder,
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def saved(folder: Path) -> Saved:
    store = Store(folder / "home")
    return store.load(store.resolve("last"))


def said(folder: Path) -> list[Answer]:
    return [reply for _, reply in saved(folder).exchanges if isinstance(reply, Answer)]


# Typing.


def test_a_typed_word_is_one_answer(folder: Path) -> None:
    with at_terminal(folder, *KNOWN) as person:
        person.type("yes\r")
        person.type("hello\r")
        person.type("no idea\r")
        person.type("no\r")
        person.type("f")
        person.ended()
        assert "hello is not one of the keys" in person.seen
        assert "no idea is not one of the keys" in person.seen
    assert said(folder) == [Answer(Verdict.BUG), Answer(Verdict.OK)]


def test_the_rest_of_a_slowly_typed_word_is_no_output(folder: Path) -> None:
    with at_terminal(
        folder, *KNOWN, "--strategy", "paper", "--learner", "smt", "--repairer", "edits"
    ) as person:
        person.type("y")
        person.type("es\r", LINE)
        person.type("45\r", LINE)
        person.type("f")
        person.ended()
    assert [answer.expected for answer in said(folder)] == ["45"]


def test_what_was_typed_before_a_question_is_no_answer_to_it(folder: Path) -> None:
    with at_terminal(folder, *KNOWN) as person:
        person.child.send("nnnn")
        person.type("u")
        person.type("f")
        person.ended()
    assert said(folder) == [Answer(Verdict.UNSURE)]


def test_a_response_that_is_typed_is_chosen(folder: Path) -> None:
    with at_terminal(folder, *FIX) as person:
        person.type("45\r")
        person.type("f")
        person.ended()
    assert said(folder) == [Answer(Verdict.BUG, "45")]


# The failing input.


def test_the_failing_input_is_asked_about_only_for_what_is_right(folder: Path) -> None:
    with at_terminal(folder, *FIX) as person:
        person.type("n")
        assert person.ended() == 3
        assert "This is the input that you reported. What should it return?" in person.seen
        assert "Is this the bug?" not in person.seen
        assert "`learn2fix undo shop-1` takes that back" in person.seen
    assert run(folder, "undo", "shop-1").returncode == 0
    run(folder, "resume", "shop-1", lines="e 45\nf\n")
    assert said(folder) == [Answer(Verdict.BUG, "45")]


def test_the_failing_input_counts_once(folder: Path) -> None:
    done = run(folder, *FIX, "--json", lines="e 45\nf\n")
    labels = json.loads(done.stdout)["labels"]
    assert labels == [{"input": "10, 5", "output": "50", "verdict": "bug", "expected": "45"}]
    assert run(folder, "export", "last", "--to", "pytest", "tests").returncode == 0
    (tests,) = (folder / "tests").glob("*.py")
    assert len(re.findall(r"^ .*\b10, 5\b.*\b45\b", tests.read_text(), re.M)) == 1


def test_no_fewer_questions_come_than_were_announced(folder: Path) -> None:
    (folder / "right.py").write_text(SHOP.replace("> 10", ">= 10"))
    run(folder, *FIX, "--golden", "right.py:price")
    asked = [question for question, _ in saved(folder).exchanges]
    assert asked[0].least > 0
    assert all(question.number + question.least <= len(asked) for question in asked)


# The offer.


def test_fixes_stand_side_by_side_with_what_differs(folder: Path) -> None:
    done = run(folder, *KNOWN, "--labels", "1", lines="n\n")
    document = json.loads(run(folder, "show", "last", "--json").stdout)
    columns = document["side_by_side"]["columns"]
    assert [each["patch"] for each in columns] == [None, *(patch["id"] for patch in document["patches"])]
    assert len({each["gives"] for each in columns[1:]}) > 1
    # The variable that the fixes compute, and no argument: those are the same for all.
    assert [list(each["variables"]) for each in columns] == [["total"]] * len(columns)
    table = done.stdout[done.stdout.index("Side by side") :].split("\n\n")[0].splitlines()
    assert table[0].startswith(f"Side by side, on '{document['side_by_side']['input']}'")
    assert table[1].split() == ["now", *f"patch {' patch '.join('123'[: len(columns) - 1])}".split()]
    assert table[2].split() == ["gives", *(each["gives"] for each in columns)]
    assert table[3].split() == ["total", *(each["variables"]["total"] for each in columns)]


def test_it_is_told_which_answer_ruled_out_what(folder: Path) -> None:
    done = run(folder, *KNOWN, "--labels", "2", lines="n\nn\n")
    document = json.loads(run(folder, "show", "last", "--json").stdout)
    answered = [label["input"] for label in document["labels"]][1:]
    assert [each["input"] for each in document["decided"]] == answered
    for each in document["decided"]:
        assert each["ruled_out"] > 0
        assert re.fullmatch(r"line \d: `.*` → `.*`.*", each["such_as"])
        assert f"{each['input']} -> " in done.stdout.partition("What the answers ruled out:")[2]


LARGEST = """\
#include <stdio.h>
int main(void) {
    int n, a[50], best = 0;
    if (scanf("%d", &n) != 1 || n > 50) return 1;
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    for (int i = 0; i < n; i++) if (a[i] > best) best = a[i];
    printf("%d\\n", best);
    return 0;
}
"""


def test_at_the_end_an_input_is_written_as_in_its_question(folder: Path) -> None:
    (folder / "largest.c").write_text(LARGEST)
    (folder / "right.c").write_text(LARGEST.replace("best = 0;", "best = -1000000;"))
    done = run(folder, "fix", "largest.c", "--failing", "2\n-3 -4\n", "--golden", "right.c", "--seed", "1",
               "--labels", "3")  # fmt: skip
    asked = re.findall(r"^Question \d+: (a = .*?) -> ", done.stderr, re.M)
    ruled_out = re.findall(r"^  (.*?) -> ", done.stdout.partition("What the answers ruled out:")[2], re.M)
    assert ruled_out
    assert set(ruled_out) <= set(asked)


def test_who_ends_without_a_patch_is_told_how_to_take_an_answer_back(folder: Path) -> None:
    (folder / "odd.py").write_text("def price(qty, unit):\n    return hash((qty, unit)) % 9973\n")
    done = run(folder, *FIX, "--golden", "odd.py:price", "--labels", "3")
    assert done.returncode == 1
    assert "No patch found" in done.stdout
    assert "`learn2fix undo shop-1` takes the newest back" in done.stderr


def test_what_is_offered_is_written_as_a_reviewer_would(folder: Path) -> None:
    (folder / "digits.c").write_text(DIGITS)
    (folder / "right.c").write_text(DIGITS.replace(">= '1'", ">= '0'"))
    words = ["fix", "digits.c", "--failing", "a0b1", "--golden", "right.c", "--seed", "1", "--json"]
    patch = json.loads(run(folder, *words).stdout)["patches"][0]
    assert patch["description"].endswith("→ `word[i] >= '0' && word[i] <= '9'`")
    assert "+        if (word[i] >= '0' && word[i] <= '9')" in patch["diff"].splitlines()


def test_answers_are_listed_once_before_a_patch_is_applied(folder: Path) -> None:
    run(folder, *FIX, "--labels", "3", lines="e 45\nn\nn\n")
    done = run(folder, "apply", "last")
    assert done.returncode == 0
    head, *listed = done.stderr.splitlines()
    assert head == "These answers are what the patch rests on:"
    assert [line.split(" -> ")[0].strip() for line in listed] == [
        label.observation.input.text for label in saved(folder).labels
    ]
    assert len(listed) == 3
    assert done.stdout.startswith("shop.py: ")


# Verdicts only.


def test_with_verdicts_only_nothing_else_is_asked(folder: Path) -> None:
    words = ["--feedback", "verdict", "--labels", "6"]
    done = run(folder, *FIX, *words, lines="".join("ok\n" for _ in range(6)))
    asked = done.stderr.count("\nQuestion ")
    assert asked >= 1
    assert done.stderr.count("Is this the bug?") == asked
    for word in ("What should it", "[a]", "[e]", "[x]"):
        assert word not in done.stderr
    assert all(answer == Answer(Verdict.OK) for answer in said(folder))


def test_who_only_chooses_is_offered_what_fixes_return(folder: Path) -> None:
    done = run(folder, *FIX, "--feedback", "choice", lines="45\nx\nf\n")
    assert "[x] none of these" in done.stderr
    assert "[e]" not in done.stderr
    first, second = said(folder)
    assert first == Answer(Verdict.BUG, "45")
    assert second.verdict is Verdict.BUG
    assert second.rejected


# Words.


def test_a_function_returns(folder: Path) -> None:
    done = run(folder, *KNOWN, lines="n\nf\n")
    assert "\n  returns  " in done.stderr
    assert "print" not in done.stderr + done.stdout


def test_white_space_is_visible(folder: Path) -> None:
    done = run(folder, "fix", "words.c", "--failing", "ab  c", "--labels", "1", "--seed", "1", lines="u\n")
    assert "  failing  ab··c\n" in done.stderr or "  input    ab··c\n" in done.stderr
    assert re.search(r"  input    \S", done.stderr)


def test_white_space_is_visible_in_answers_too(folder: Path) -> None:
    lines = [
        label_line({"input": text, "output": "1", "verdict": "ok"})
        for text in ("a b\n", " a b\n", "a  b\n", "a\tb\n", "a b \n", "\n", "a\n\nb\n", "1  2\n")
    ]
    assert len(set(lines)) == len(lines)
    assert lines[:3] == ["a b -> 1: ok", "·a b -> 1: ok", "a··b -> 1: ok"]


def test_stdin_may_be_the_failing_input(folder: Path) -> None:
    done = run(folder, "learn", "words.c", "--failing", "@-", "--labels", "0", lines="a  b\n")
    assert done.returncode == 0, done.stderr
    assert saved(folder).record.failing[0].observation.input.text == "a  b\n"


# Time.


def test_thinking_costs_no_time(folder: Path) -> None:
    """The clock of the machine is put forward while somebody thinks."""
    (folder / "sitecustomize.py").write_text(
        "import os, time\n"
        "real = time.monotonic\n"
        "time.monotonic = lambda: real() + (3600 if os.path.exists(os.environ['LATE']) else 0)\n"
    )
    path = f"{folder}{os.pathsep}{environment(folder)['PYTHONPATH']}"
    variables = {"LATE": str(folder / "late"), "PYTHONPATH": path}
    with at_terminal(folder, *KNOWN, "--timeout", "60", **variables) as person:
        person.type("?")
        person.child.expect_exact(PROMPT)
        (folder / "late").touch()
        person.child.send("u")
        person.type("f")
        person.ended()
        assert "the time is up" not in person.seen
        assert "the person finished" in person.seen


def test_a_session_goes_on_with_more(folder: Path) -> None:
    assert "Question 2" not in run(folder, *KNOWN, "--labels", "1", lines="n\nn\n").stderr
    more = run(folder, "resume", "last", "--labels", "3", "--timeout", "100", lines="n\n")
    assert "Question 2 of 3" in more.stderr
    assert more.returncode == 4
    again = run(folder, "resume", "last", lines="n\n")
    assert "Question 3 of at most 3" in again.stderr


def test_a_session_goes_on_with_another_seed(folder: Path) -> None:
    run(folder, *KNOWN, "--labels", "2", lines="n\n")
    more = run(folder, "resume", "last", "--seed", "7", lines="u\n")
    assert "seed 7" in more.stderr
    assert saved(folder).record.seed == 7
    assert "seed 7" in run(folder, "show", "last").stdout


# Sessions and predictions.


def test_sessions_can_be_deleted(folder: Path) -> None:
    for _ in range(2):
        run(folder, *KNOWN, lines="f\n")
    assert run(folder, "sessions", "--delete", "shop-1").returncode == 0
    assert Store(folder / "home").ids() == ["shop-2"]
    assert run(folder, "sessions", "--delete", "shop-1").returncode == 2


def test_every_input_gets_its_prediction(folder: Path) -> None:
    run(folder, *KNOWN, lines="f\n")
    done = run(folder, "predict", "last", lines="10, 5\nnonsense(\n3, 5\n")
    assert done.returncode == 0
    words = done.stdout.split()
    assert words[:2] == ["bug", "invalid"]
    assert len(words) == 3
    assert "nonsense(" in done.stderr


# Help.


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("learn", ["--repairer"]),
        ("repair", ["--labels", "--confident", "--feedback", "--golden", "--noise"]),
    ],
)
def test_help_lists_only_what_a_command_takes(folder: Path, command: str, absent: list[str]) -> None:
    text = run(folder, command, "--help").stdout
    assert not [option for option in absent if option in text]


def test_answers_have_the_same_four_words_at_every_door(folder: Path) -> None:
    run(folder, *KNOWN)
    terminal = run(folder, "resume", "last", lines="").stderr
    commands = run(folder, "pending", "last").stdout
    words = {verdict.value for verdict in Verdict}
    keys = dict(re.findall(r"\[(\w)\] ([a-z]+)", terminal))
    assert {keys["y"], keys["u"], keys["i"]} | {"ok"} == words
    assert "(ok: as it does now)" in terminal
    assert set(re.findall(r"Q1 (\w+)", commands)) == words | {"finish"}
    static = Path(__file__).parent.parent / "src/learn2fix/web"
    texts = [path.read_text() for path in sorted([*static.rglob("*.js"), *static.rglob("*.html")])]
    assert texts
    # Words that stood there once for ok, bug, unsure and invalid.
    for other in ("fine", "looks wrong", "looks right", "tell</button>", "no sense</button>"):
        assert not [text for text in texts if re.search(rf"[\"'`>][^\"'`<]*\b{other}", text, re.I)], other

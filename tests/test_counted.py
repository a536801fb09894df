"""Exit status and standard error, where they count: in runs, in the engine, in whole sessions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from learn2fix.domain.outputs import output_values, output_variables
from learn2fix.errors import NotFailing, UsageError
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.judging.rebuild import RebuildEvaluator
from learn2fix.languages.evaluator import Evaluator
from learn2fix.languages.opening import open_subject
from learn2fix.model import (
    Answer,
    Candidate,
    Counted,
    Edit,
    Ending,
    Input,
    Outcome,
    Question,
    Reply,
    Requirement,
    Response,
    Verdict,
)
from learn2fix.people.golden import Golden
from learn2fix.people.protocol import Context
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Session

ALL = Counted(status=True, stderr=True)
WAYS_TO_END = r"""#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d\n", n);
    fprintf(stderr, "read %d\n", n);
    if (n == 1) exit(3);
    if (n == 2) { fflush(stdout); _exit(4); }
    if (n == 3) { fputs("partial", stderr); abort(); }
    if (n == 4) return 256 + 5;
    return 0;
}
"""
INPUTS = [Input(f"{n}\n") for n in range(5)]
EVALUATORS = ("engine", "linked engine", "rebuild")


@pytest.fixture(params=EVALUATORS)
def evaluator(request: pytest.FixtureRequest) -> Iterator[Evaluator]:
    with Sandbox(counted=ALL) as sandbox:
        text = WAYS_TO_END.encode()
        made: Evaluator
        if request.param == "rebuild":
            made = RebuildEvaluator(text, sandbox=sandbox)
        else:
            made = CEvaluator(text, sandbox=sandbox, linked=request.param == "linked engine")
        with closing(made):
            yield made


def replaced(old: str, new: str) -> Candidate:
    start = WAYS_TO_END.index(old)
    return Candidate((Edit(start, start + len(old), new.encode()),), "test", 1.0)


def run(text: bytes, path: Path) -> list[Response]:
    path.write_bytes(text)
    with Sandbox(counted=ALL) as sandbox, closing(open_subject(str(path), sandbox)) as subject:
        return [outcome.response for outcome in subject.run(INPUTS)]


def test_candidates_end_in_the_engine_as_they_do_as_programs(evaluator: Evaluator, tmp_path: Path) -> None:
    candidates = [
        replaced("exit(3)", "exit(6)"),
        replaced("_exit(4)", "_exit(n)"),
        replaced('"read %d', '"got %d'),
        replaced("256 + 5", "1"),
    ]
    path = tmp_path / "ends.c"
    assert evaluator.original(INPUTS) == run(WAYS_TO_END.encode(), path)
    ids = evaluator.add(candidates)
    columns = evaluator.outputs(INPUTS, ids)
    for number, candidate in zip(ids, candidates, strict=True):
        found = [next(response for response, who in column.items() if number in who) for column in columns]
        assert found == run(candidate.apply(WAYS_TO_END.encode()), path)


def test_a_status_that_is_asked_for_tells_candidates_apart(evaluator: Evaluator) -> None:
    ids = evaluator.add([replaced("exit(3)", f"exit({n})") for n in (3, 6)])
    right = Response.read("1\n⟨exit status 6⟩\n⟨standard error: read 1⟩")
    judged = evaluator.judge([Requirement(INPUTS[1], right)], ids)
    assert judged.survivors == (ids[1],)


STATUS = r"""#include <stdio.h>
int main(void) {
    int have, want;
    scanf("%d %d", &have, &want);
    printf("%.2f\n", have / 2.0);
    return have < want ? 0 : 0;
}
"""
RIGHT = STATUS.replace("? 0 : 0", "? 1 : 0")


def converse(session: Session, person: Golden) -> tuple[str, list[Question]]:
    asked: list[Question] = []
    conversation = session.conversation()
    try:
        question = next(conversation)
        while True:
            asked.append(question)
            reply: Reply = person.reply(question, Context())
            question = conversation.send(reply)
    except StopIteration as stop:
        return (stop.value.patches[0].diff if stop.value.patches else ""), asked


def test_a_bug_that_only_the_exit_status_shows_is_repaired(tmp_path: Path) -> None:
    program, golden = tmp_path / "status.c", tmp_path / "golden.c"
    program.write_text(STATUS)
    golden.write_text(RIGHT)
    options = Options(labels=6, seed=1, timeout=60, expected_status=1)
    with (
        Sandbox(counted=options.counted) as sandbox,
        closing(open_subject(str(golden), sandbox)) as right,
        Session.create(str(program), ["1 3"], options) as session,
    ):
        assert session.known[0].answer == Answer(Verdict.BUG, "0.50\n⟨exit status 1⟩")
        person = Golden(lambda given: right.run([given])[0], same=right.same)
        diff, asked = converse(session, person)
    assert "? 1 : 0" in diff
    assert all("⟨exit status 0⟩" in str(question.observation.outcome.response) for question in asked)


def test_what_is_expected_already_is_no_bug(tmp_path: Path) -> None:
    program = tmp_path / "status.c"
    program.write_text(STATUS)
    with pytest.raises(NotFailing, match="which is what was expected"):
        Session.create(str(program), ["1 3"], Options(expected_status=0))
    with pytest.raises(NotFailing, match="which is what was expected"):
        Session.create(str(program), ["1 3"], Options(expected="0.5"))
    # The same value in another form, by somebody to whom the form matters.
    Session.create(str(program), ["1 3"], Options(expected="0.5", tolerance=0)).close()


SCRIPT = """import os, sys
n = int(input())
print(n)
if n == 1: sys.exit(10)
if n == 2: sys.exit("no such thing")
if n == 3: sys.stdout.flush(); os._exit(4)
if n == 4: sys.exit(None)
"""


def test_candidates_of_a_script_end_with_its_exit_status(tmp_path: Path) -> None:
    program = tmp_path / "script.py"
    program.write_text(SCRIPT)
    start = SCRIPT.index("10")
    candidate = Candidate((Edit(start, start + 2, b"11"),), "test", 1.0)
    with Sandbox(counted=Counted(status=True)) as sandbox:
        subject = open_subject(str(program), sandbox).repairable
        assert subject is not None
        with closing(subject), closing(subject.evaluator(time.monotonic)) as evaluator:
            ended = [outcome.response for outcome in subject.run(INPUTS)]
            assert [response.status for response in ended] == [0, 10, 1, 4, 0]
            assert evaluator.original(INPUTS) == ended
            (number,) = evaluator.add([candidate])
            found = [next(iter(column)) for column in evaluator.outputs(INPUTS, [number])]
            assert [response.status for response in found] == [0, 11, 1, 4, 0]


def test_what_does_not_count_for_a_python_program_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "script.py"
    program.write_text("def f(n):\n    return n\nprint(f(input()))")
    with pytest.raises(UsageError, match="standard error"):
        Session.create(str(program), ["1"], Options(stderr=True))
    with pytest.raises(UsageError, match="no exit status"):
        Session.create(f"{program}:f", ["1"], Options(expected_status=1))


def test_what_counts_is_said_in_words() -> None:
    assert Options().compared == ""
    assert Options(expected_status=1).compared == "output and exit status"
    assert Options(tolerance=1e-6).compared == "output, numbers within 1e-06"
    assert (
        Options(stderr=True, tolerance=0).compared == "output and standard error, numbers as they are written"
    )


def test_learners_see_the_exit_status_where_it_counts() -> None:
    counted = Counted(status=True)
    shown = Outcome(Ending.EXITED, b"7", 2, counted=counted)
    variables = output_variables(shown, frozenset({"status"}))
    assert [variable.name for variable in variables] == ["output", "status_"]
    assert output_values(shown, variables) == (7, 2)
    crashed = Outcome(Ending.SIGNALLED, status=11, counted=counted)
    assert output_values(crashed, variables) == ("⟨crash: SIGSEGV⟩",) * 2


def test_options_are_kept_with_the_session(tmp_path: Path) -> None:
    program, golden = tmp_path / "status.c", tmp_path / "golden.c"
    program.write_text(STATUS)
    golden.write_text(RIGHT)
    environment = {**os.environ, "LEARN2FIX_HOME": str(tmp_path / "home")}

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "learn2fix", *words]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"input": "4 3", "verdict": "ok"}\n')
    begun = [
        "fix",
        str(program),
        "--failing",
        "1 3",
        "--expected-status",
        "1",
        "--seed",
        "1",
        "--tolerance",
        "0.5",
    ]
    stopped = call(*begun, "--answers", str(answers), "--json")
    assert stopped.returncode == 4, stopped.stderr
    done = call("resume", "last", "--golden", str(golden), "--json")
    assert done.returncode == 0, done.stderr
    assert "Question 1 is not the one that was answered" not in done.stderr
    labels = json.loads(done.stdout)["labels"]
    assert {label["output"].splitlines()[-1] for label in labels} == {"⟨exit status 0⟩"}
    assert any(label.get("expected", "").endswith("⟨exit status 1⟩") for label in labels)

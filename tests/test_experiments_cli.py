"""bench and report as they are typed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from learn2fix.cli.bench import bench
from learn2fix.cli.experiments import report
from learn2fix.errors import UsageError
from learn2fix.experiments.rows import RepairRow, Results, Row, read_rows

ZOO = Path(__file__).parent / "zoo"
SUM = '#include <stdio.h>\nint main(){int a,b;scanf("%d %d",&a,&b);printf("%d\\n",EXPRESSION);return 0;}\n'


def call(command: object, *words: object) -> Result:
    done = CliRunner().invoke(command, [str(word) for word in words])  # type: ignore[arg-type]
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def without_effort(row: Row) -> Row:
    """Effort counts the repairs at earlier budgets of the same job too."""
    return replace(row, candidates=0, executions=0, learn_seconds=0.0, repair_seconds=0.0, cpu_seconds=0.0)


def codeflaws_folder(root: Path) -> Path:
    for number, expression in enumerate(("a>2?a-b:a+b", "a+b", "b>3?0:a+b"), 1):
        folder = root / f"{number}-A-bug-1-2"
        folder.mkdir(parents=True)
        (folder / f"{number}-A-1.c").write_text(SUM.replace("EXPRESSION", expression))
        (folder / f"{number}-A-2.c").write_text(SUM.replace("EXPRESSION", "a+b"))
        for name, (given, printed) in {"neg1": ("3 4", "7"), "pos1": ("1 2", "3")}.items():
            for prefix in ("", "heldout-"):
                (folder / f"{prefix}input-{name}").write_text(given)
                (folder / f"{prefix}output-{name}").write_text(printed)
    return root


def test_the_subjects_that_qualify_are_listed(tmp_path: Path) -> None:
    done = call(bench, "codeflaws", codeflaws_folder(tmp_path), "--list", "--jobs", 1)
    assert done.stdout.split() == ["1-A-bug-1-2", "3-A-bug-1-2"]
    assert "2 of 3 subjects qualify" in done.stderr
    assert "1 dropped: not a failing training test" in done.stderr


def test_which_rule_drops_a_subject_is_told_and_kept(tmp_path: Path) -> None:
    out, published = tmp_path / "subjects.csv", tmp_path / "published.csv"
    published.write_text("setting,subject,accuracy\nl2f-10,1-A-bug-1-2,0.8\nl2f-10,2-A-bug-1-2,0.7\n")
    words = ("subjects", codeflaws_folder(tmp_path / "f"), "--published", published, "--out", out)
    done = call(bench, *words)
    assert out.read_text() == "subject,rule,detail\n1-A-bug-1-2,,\n2-A-bug-1-2,FAILING,\n3-A-bug-1-2,,\n"
    assert "not a failing training test" in done.stdout
    assert re.search(r"published, here not a failing training test +1\n", done.stdout)
    assert call(bench, *words).stdout == done.stdout


def test_several_learners_and_noises_are_run_into_one_file(tmp_path: Path) -> None:
    out, names = tmp_path / "learners.csv", tmp_path / "list"
    names.write_text("1-A-bug-1-2\n")
    words = ("codeflaws", codeflaws_folder(tmp_path / "f"), "--subjects", names, "--strategy", "paper")
    words += ("--learn-only", "--labels", "3,4", "--jobs", "1", "--timeout", "60", "--out", out)
    call(bench, *words, "--learner", "bayes,tree", "--noise", "0,0.2")
    assert {(row.learner, row.feedback, row.labels) for row in read_rows(out)} == {
        (learner, feedback, labels)
        for learner in ("bayes", "tree")
        for feedback in ("output", "output+noise0.2")
        for labels in (3, 4)
    }
    with pytest.raises(UsageError, match="no learner is called 'oak'"):
        call(bench, *words, "--learner", "bayes,oak")
    with pytest.raises(UsageError, match=r"cannot read --noise '0\.7'"):
        call(bench, *words, "--noise", "0.7")


def test_a_list_of_subjects_says_which_one_is_dropped(tmp_path: Path) -> None:
    names = tmp_path / "list"
    names.write_text("2-A-bug-1-2\n1-A-bug-1-2\n")
    done = call(
        bench, "codeflaws", codeflaws_folder(tmp_path / "f"), "--list", "--subjects", names, "--jobs", 1
    )
    assert done.stdout.split() == ["1-A-bug-1-2"]
    assert "2-A-bug-1-2: not a failing training test" in done.stderr


def test_a_bench_can_be_stopped_and_called_again(tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    words = [codeflaws_folder(tmp_path / "f"), "--labels", "1,3", "--jobs", 2, "--out", out]
    words += ["--strategy", "paper"]
    done = call(bench, "codeflaws", *words)
    rows = read_rows(out)
    assert sorted((row.subject, row.labels) for row in rows) == [
        (f"{number}-A-bug-1-2", labels) for number in (1, 3) for labels in (1, 3)
    ]
    assert not any(row.failed for row in rows), (out.parent / "results.csv.errors.txt").read_text()
    assert "paper, 3 labels" in done.stdout
    assert "right patch" in done.stdout
    # A row is lost with the power: only its job runs again, and says the same.
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    again = call(bench, "codeflaws", *words)
    assert "1 of 2 jobs are done already" in again.stderr
    assert {without_effort(row) for row in read_rows(out)} == {without_effort(row) for row in rows}
    assert len(read_rows(out)) == 4


def test_the_zoo_runs_through_the_same_pipeline(tmp_path: Path) -> None:
    names = tmp_path / "list"
    names.write_text("triangle\n")
    out = tmp_path / "results.csv"
    call(bench, "folder", ZOO, "--subjects", names, "--labels", 2, "--timeout", 10, "--out", out, "--jobs", 1)
    (row,) = read_rows(out)
    assert row.subject == "triangle"
    assert row.val_total > 0


@pytest.mark.parametrize(
    "words",
    [
        ["codeflaws", "nowhere"],
        ["folder", "nowhere"],
        ["folder", ZOO, "--labels", "ten"],
        ["folder", ZOO, "--subjects", "nowhere"],
        ["folder", ZOO, "--learner", "oracle"],
        ["folder", ZOO, "--scheduler", "tcp://127.0.0.1:1"],
    ],
)
def test_wrong_words_are_one_clear_line(tmp_path: Path, words: list[object]) -> None:
    with pytest.raises(UsageError):
        call(bench, *words, *(["--out", tmp_path / "r.csv"]))


def test_a_report_of_several_files(tmp_path: Path) -> None:
    paths = [tmp_path / f"{strategy}.csv" for strategy in ("guided", "paper")]
    for path in paths:
        with Results(path) as results:
            plain = Row("a", 1, 1, path.stem, "x", "output", 10, "learned", val_total=10, val_failing=2)
            results.append([replace(plain, subject=name, val_correct=8) for name in "abc"])
    classes = tmp_path / "classes.csv"
    classes.write_text("subject,class\na,ORRN\n")
    out = tmp_path / "new" / "report.html"
    done = call(report, *paths, "--classes", classes, "--out", out)
    assert "guided, 10 labels > paper, 10 labels" in done.stdout
    assert "ORRN" in done.stdout
    assert out.read_text().startswith("<!doctype html>")
    with pytest.raises(UsageError):
        call(report, classes, "--out", out)


def test_repair_alone_is_measured_on_held_out_tests_and_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, out = codeflaws_folder(tmp_path / "f"), tmp_path / "repair.csv"
    (folder / "1-A-bug-1-2" / "heldout-input-neg2").write_text("9 9")
    (folder / "1-A-bug-1-2" / "heldout-output-neg2").write_text("-77771")
    published = tmp_path / "published.csv"
    published.write_text(
        "setting,subject,runs,manual_repair,manual_correct\ngenprog-20,1-A-bug-1-2,30,0.5,0.25\n"
    )
    words = ["repair", folder, "--jobs", 1, "--out", out, "--published", published]
    done = call(bench, *words)
    rows = {row.subject: row for row in read_rows(out, RepairRow)}
    assert set(rows) == {"1-A-bug-1-2", "3-A-bug-1-2"}
    wrong, right = rows["1-A-bug-1-2"], rows["3-A-bug-1-2"]
    assert isinstance(wrong, RepairRow)
    assert isinstance(right, RepairRow)
    # No edit makes -77771 of 9 and 9 and passes the training tests: plausible, and found to be wrong.
    assert (wrong.repaired, wrong.first_right, wrong.right, wrong.rank) == (1, 0, 0, 0)
    assert (wrong.heldout_passed, wrong.heldout_total) == (2, 3)
    assert (right.repaired, right.first_right, right.labels) == (1, 1, 2)
    assert 1 <= right.right <= right.plausible <= right.compiled <= right.candidates
    assert right.rank >= 1
    assert right.behaviour_rank >= 1
    figures = next(line for line in done.stdout.splitlines() if "genprog-20" in line).split()
    assert figures[3:8] == ["1", "50.0", "%", "25.0", "%"]
    before = out.read_bytes()
    out.write_bytes(before[:-20])
    again = call(bench, *words)
    assert len(read_rows(out, RepairRow)) == 2
    assert "0/1 jobs" in again.stderr


def test_oracles_alone_are_measured_and_mutations_make_another_strategy(tmp_path: Path) -> None:
    out = tmp_path / "results.csv"
    words = ["--labels", "3", "--jobs", 1, "--out", out, "--strategy", "paper", "--learner", "tree"]
    call(bench, "codeflaws", codeflaws_folder(tmp_path / "f"), *words, "--learn-only")
    call(bench, "codeflaws", tmp_path / "f", *words, "--learn-only", "--mutations", "extended")
    rows = read_rows(out)
    assert [row.strategy for row in rows] == ["paper"] * 2 + ["paper+extended"] * 2
    assert {(row.status, row.candidates, row.repaired) for row in rows} == {("learned", 0, 0)}

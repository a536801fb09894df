"""Bugs seeded into correct programs: they show, they differ, and what became of them is told."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.test_experiments_cli import call, codeflaws_folder

from learn2fix.cli.bench import bench
from learn2fix.experiments.calibration import bins, calibration_error
from learn2fix.experiments.folder import read_folder
from learn2fix.experiments.plan import Setting
from learn2fix.experiments.programs import MEASURING_LIMITS
from learn2fix.experiments.rows import SeededRow, read_rows
from learn2fix.experiments.seeded import (
    correct_programs,
    plan_seeded,
    run_seeded,
    seeded_tables,
    write_subject,
)
from learn2fix.experiments.seeding import alternating, seed_bug
from learn2fix.languages.c.mistakes import MISTAKES as C
from learn2fix.languages.python.mistakes import MISTAKES as PYTHON
from learn2fix.model import Candidate, Edit
from learn2fix.sandbox import Sandbox

ZOO = Path(__file__).parent / "zoo"
ROW = SeededRow("t~1", 1, 1, "guided", "patches", "output", 10, "repaired", kind="c", mistake="edge")


@pytest.mark.parametrize("name", ["leap_year", "py_top_three", "argv_larger"])
def test_the_bugs_of_a_program_show_and_differ(name: str, tmp_path: Path) -> None:
    subject = read_folder(ZOO / name)
    with Sandbox(MEASURING_LIMITS) as sandbox:
        found = [seed_bug(subject, number, 2, 7, tmp_path / str(number), sandbox) for number in (1, 2)]
    bugs = [bug for bug in found if bug is not None]
    assert len(bugs) == 2
    assert len({bug.subject.buggy.content for bug in bugs} | {subject.golden.content}) == 3
    for bug in bugs:
        assert 0 < bug.wrong <= bug.tried
        assert bug.subject.golden == subject.golden
        assert len(bug.subject.failing) == 1


def test_a_program_in_which_no_mistake_shows_is_told_so(tmp_path: Path) -> None:
    folder = tmp_path / "same"
    folder.mkdir()
    (folder / "golden.py").write_text("def same(a):\n    return a\n")
    (folder / "buggy.py").write_text("def same(a):\n    return 1\n")
    (folder / "subject.toml").write_text(
        'buggy = "buggy.py"\ngolden = "golden.py"\nfunction = "same"\nfailing = ["3"]\n'
    )
    planned, subjects = plan_seeded(correct_programs(tmp_path, None), 1, None, [3], Setting(timeout=10), 1)
    (row,) = run_seeded(planned[0], subjects["same~1"])
    assert row.status == "unseeded"
    assert not seeded_tables([row])


def test_what_is_kept_is_a_subject(tmp_path: Path) -> None:
    subject = read_folder(ZOO / "py_top_three")
    with Sandbox(MEASURING_LIMITS) as sandbox:
        bug = seed_bug(subject, 1, 1, 3, tmp_path / "work", sandbox)
    assert bug is not None
    write_subject(bug, tmp_path / "kept")
    again = read_folder(tmp_path / "kept")
    assert again.buggy.content == bug.subject.buggy.content
    assert again.golden.content == subject.golden.content
    assert (again.failing, again.function) == (bug.subject.failing, subject.function)


def test_seeded_bugs_are_benched_and_not_run_twice(tmp_path: Path) -> None:
    names, out = tmp_path / "list", tmp_path / "rows.csv"
    names.write_text("py_top_three\n")
    words = ["seeded", ZOO, "--subjects", names, "--each", 1, "--labels", 4, "--jobs", 1, "--timeout", 30]
    done = call(bench, *words, "--out", out, "--keep", tmp_path / "kept")
    (row,) = read_rows(out, SeededRow)
    assert isinstance(row, SeededRow)
    assert (row.subject, row.kind) == ("py_top_three~1", "python")
    assert row.status in ("repaired", "undecided", "no_patch")
    assert "Seeded bugs" in done.stdout
    assert (tmp_path / "kept" / "py_top_three~1" / "subject.toml").is_file()
    assert "1 of 1 jobs are done already" in call(bench, *words, "--out", out).stderr


def test_golden_programs_of_codeflaws_are_correct_programs_too(tmp_path: Path) -> None:
    found = correct_programs(codeflaws_folder(tmp_path), None)
    assert list(found) == ["1-A-bug-1-2", "2-A-bug-1-2", "3-A-bug-1-2"]
    assert all(each.failing == ("3 4",) for each in found.values())


def test_a_table_counts_right_wrong_and_undecided() -> None:
    signals = '{"weight": 1.0}'
    right = replace(ROW, repaired=1, right=1, confidence=0.9, signals=signals, questions=4)
    wrong = replace(right, right=0, questions=6)
    undecided = replace(ROW, status="undecided", right=1, confidence=0.4, signals=signals)
    none = replace(ROW, status="no_patch")
    (by_language, by_mistake) = seeded_tables([right, right, wrong, undecided, none])
    cells = dict(zip(by_language.columns, by_language.rows[-1], strict=True))
    assert cells["bugs"] == "5"
    assert [cells[name] for name in ("called the repair", "right", "wrong", "undecided", "no patch")] == [
        "3", "2", "1", "1", "1",
    ]  # fmt: skip
    assert cells["right of called"] == "66.7 %"
    assert [row[0] for row in by_mistake.rows] == ["edge"]


@given(st.lists(st.sampled_from("abc"), max_size=20), st.integers())
def test_kinds_of_mistakes_take_turns(kinds: list[str], seed: int) -> None:
    found = [Candidate((Edit(n, n, b"x"),), kind, 0.0) for n, kind in enumerate(kinds)]
    ordered = alternating(found, random.Random(seed))
    assert sorted(each.edits for each in ordered) == [each.edits for each in found]
    first = [each.kind for each in ordered[: len(set(kinds))]]
    assert sorted(first) == sorted(set(kinds))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_a_calibration_error_is_a_mean_distance(claims: list[tuple[float, bool]]) -> None:
    chances, right = [chance for chance, _ in claims], [came_true for _, came_true in claims]
    assert sum(size for *_, size in bins(chances, right)) == len(claims)
    error = calibration_error(chances, right)
    assert error is not None
    assert -1e-9 <= error <= 1 + 1e-9
    assert calibration_error([float(each) for each in right], right) == 0


def test_claims_that_hold_have_no_calibration_error() -> None:
    assert calibration_error([0.5] * 10, [True, False] * 5) == 0
    assert calibration_error([0.9] * 10, [True, False] * 5) == pytest.approx(0.4)
    assert calibration_error([], []) is None


def test_every_mistake_is_documented() -> None:
    page = (ZOO.parents[1] / "docs" / "experiments.md").read_text()
    assert [name for name in {each.name for each in (*C, *PYTHON)} if f"| `{name}` |" not in page] == []

"""Subjects of every kind: what kind they are, which take part, and what their rows say."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.cli.bench import bench
from learn2fix.cli.experiments import report
from learn2fix.errors import UsageError
from learn2fix.experiments.by_kind import kind_tables
from learn2fix.experiments.codeflaws import Rule
from learn2fix.experiments.kinds import InputKind, kind_of, parse_kinds
from learn2fix.experiments.measures import agrees, correct
from learn2fix.experiments.plan import in_random_order
from learn2fix.experiments.qualify import qualify, qualify_all
from learn2fix.experiments.rows import KindRow, Row, read_rows
from learn2fix.experiments.subjects import RecordedTest

EVERY = frozenset(InputKind)
LARGEST = r"""#include <stdio.h>
int a[100];
int main(void) {
    int n, i;
    scanf("%d", &n);
    for (i = 0; i < n; i++) scanf("%d", &a[i]);
    int best = a[0];
    for (i = 1; i < n; i++) if (a[i] > best) best = a[i];
    printf("%d\n", best);
    return 0;
}
"""
SMALLEST = LARGEST.replace("a[i] > best", "a[i] < best")
TESTS = {"pos1": ("1\n7\n", "7\n"), "neg1": ("3\n1 5 2\n", "5\n"), "neg2": ("2\n4 6\n", "6\n")}


def recorded_tests(*pairs: tuple[str, str]) -> list[RecordedTest]:
    return [RecordedTest(f"input-{i}", text, printed) for i, (text, printed) in enumerate(pairs)]


def subject(
    root: Path, number: int, buggy: str, golden: str = LARGEST, tests: dict[str, tuple[str, str]] = TESTS
) -> Path:
    folder = root / f"{number}-A-bug-1-2"
    folder.mkdir(parents=True)
    (folder / f"{number}-A-1.c").write_text(buggy)
    (folder / f"{number}-A-2.c").write_text(golden)
    for name, (text, printed) in tests.items():
        for prefix in ("", "heldout-"):
            (folder / f"{prefix}input-{name}").write_text(text)
            (folder / f"{prefix}output-{name}").write_text(printed)
    return folder


@pytest.mark.parametrize(
    ("inputs", "outputs", "kind"),
    [
        (["1 2", "3 4\n"], ["5", "6.5"], InputKind.NUMBERS),
        (["1\n2", "3\n4"], ["5", "6"], InputKind.MORE_NUMBERS),
        (["1 2", "3 4"], ["YES", "NO"], InputKind.MORE_NUMBERS),
        (["1 2", "3 4"], ["5 6", "7 8"], InputKind.MORE_NUMBERS),
        (["2\n5 6", "1\n5"], ["1", "2"], InputKind.LIST),
        (["2 3\n5 6", "1 3\n5"], ["1", "2"], InputKind.LISTS),
        (["hello", "x1"], ["1", "2"], InputKind.WORD),
        (["hello 3", "x1 4"], ["1", "2"], InputKind.WORDS),
        (["2\nab cd", "1\nab"], ["1", "2"], InputKind.TEXTS),
    ],
)
def test_kinds_are_told_from_training_tests(inputs: list[str], outputs: list[str], kind: InputKind) -> None:
    assert kind_of(recorded_tests(*zip(inputs, outputs, strict=True))) is kind


@given(st.lists(st.lists(st.integers(-(10**9), 10**9), min_size=1), min_size=2))
def test_a_count_and_so_many_numbers_are_a_list(rows: list[list[int]]) -> None:
    tests = recorded_tests(*((f"{len(row)}\n{' '.join(map(str, row))}", "0") for row in rows))
    counts = {len(row) for row in rows}
    assert kind_of(tests) is (InputKind.LIST if len(counts) > 1 else InputKind.MORE_NUMBERS)


def test_kinds_are_named_on_the_command_line() -> None:
    assert parse_kinds("list, numbers+") == {InputKind.LIST, InputKind.MORE_NUMBERS}
    with pytest.raises(UsageError, match="tables"):
        parse_kinds("list,tables")


def test_which_subjects_take_part_and_on_what_they_fail(tmp_path: Path) -> None:
    crash = SMALLEST.replace("int best = a[0];", "int best = a[0]; if (n == 3) *(volatile int *)0 = 1;")
    endless = SMALLEST.replace("int best = a[0];", "int best = a[0]; while (n == 3) ;")
    unset = LARGEST.replace("int best = a[0];", "int never[2]; int best = a[0] + (never[n & 1] & 2);")
    by_chance = LARGEST.replace('printf("%d\\n", best)', 'printf("%d\\n", (int)clock())')
    by_chance = "#include <time.h>\n" + by_chance
    cut = {name: (text.rstrip() + "...", printed) for name, (text, printed) in TESTS.items()}
    folders = [
        subject(tmp_path, 1, SMALLEST),
        subject(tmp_path, 2, crash),
        subject(tmp_path, 3, endless),
        subject(tmp_path, 4, LARGEST),
        subject(tmp_path, 5, SMALLEST, unset),
        subject(tmp_path, 6, SMALLEST, by_chance),
        subject(tmp_path, 7, SMALLEST, tests=cut),
        subject(tmp_path, 8, "this is not C"),
    ]
    found = qualify_all(folders, jobs=2, kinds=EVERY)
    assert [each.broken for each in found] == [
        None,
        None,
        None,
        Rule.FAILING,
        Rule.DEFINED,
        Rule.REPEATS,
        Rule.READABLE,
        Rule.BUILDS,
    ]
    taken = [each.subject for each in found if each.subject is not None]
    assert [each.failing for each in taken] == [(TESTS["neg1"][0],)] * 3
    assert {each.kind for each in taken} == {InputKind.LIST}
    # The paper's rules take none of them, and another kind was not asked for.
    assert qualify(folders[0]).broken is Rule.ONE_LINE
    assert qualify(folders[0], kinds={InputKind.WORD}).broken is Rule.KIND


def test_right_is_what_the_golden_program_prints_not_what_was_recorded(tmp_path: Path) -> None:
    """Many golden programs print with %I64d, which is not printed here as where outputs were recorded."""
    recorded = {name: (text, "%I64d\n") for name, (text, _) in TESTS.items()}
    assert qualify(subject(tmp_path, 1, SMALLEST, tests=recorded), kinds=EVERY).subject is not None
    assert qualify(subject(tmp_path, 2, LARGEST, tests=recorded), kinds=EVERY).broken is Rule.FAILING


def test_a_failing_input_that_is_not_huge_is_preferred(tmp_path: Path) -> None:
    huge = f"90\n{' '.join(str(10**9 + i * 10**7) for i in range(90))}" + " " * 2_000 + "\n"
    tests = {"neg1": (huge, "1"), "neg2": ("2\n4 6\n", "6\n")}
    found = qualify(subject(tmp_path, 1, SMALLEST, tests=tests), kinds=EVERY).subject
    assert found is not None
    assert found.failing == ("2\n4 6\n",)


def test_a_sample_runs_no_more_subjects_than_it_needs(tmp_path: Path) -> None:
    folders = [subject(tmp_path, number, SMALLEST) for number in range(1, 5)]
    order = in_random_order(folders, 7)
    assert order == in_random_order(list(reversed(folders)), 7)
    assert [each.name for each in qualify_all(order, 1, kinds=EVERY, enough=2)] == [
        folder.name for folder in order[:2]
    ]


def test_rows_of_every_kind_from_end_to_end(tmp_path: Path) -> None:
    subject(tmp_path / "f", 1, SMALLEST)
    out, page = tmp_path / "all.csv", tmp_path / "page.html"
    words = ["codeflaws", tmp_path / "f", "--all", "--kind", "list", "--sample", 1, "--labels", 5]
    words += ["--timeout", 60, "--jobs", 1, "--out", out]
    done = CliRunner().invoke(bench, [str(word) for word in words])
    assert "list: guided, 5 labels" in done.stdout, done.output
    more = ",cpu_seconds,kind,heldout_golden,heldout_answered,heldout_as_golden,"
    assert more in out.read_text().splitlines()[0]
    (row,) = read_rows(out, Row, KindRow)
    assert isinstance(row, KindRow)
    assert (row.kind, row.heldout_golden, row.heldout_answered) == ("list", 3, 3)
    assert row.repaired
    assert row.heldout_as_golden == row.heldout_passed == 3
    done = CliRunner().invoke(report, [str(out), "--out", str(page)])
    assert "Figures by kind of input" in done.stdout
    assert "By kind of input" in page.read_text()


def row(kind: str, as_golden: int, agree: int = 9, status: str = "repaired") -> KindRow:
    return KindRow(
        f"{kind}-{as_golden}-{agree}", 1, 1, "guided", "patches", "output", 10, status,
        repaired=int(status == "repaired"), heldout_passed=1, heldout_total=9, golden_agree=agree,
        golden_total=9, kind=kind, heldout_golden=1, heldout_answered=4, heldout_as_golden=as_golden,
    )  # fmt: skip


def test_a_row_is_right_by_the_golden_program() -> None:
    assert [correct(row("list", n)) for n in (4, 3)] == [1.0, 0.0]
    assert [agrees(row("list", 4, agree)) for agree in (9, 8)] == [1.0, 0.0]
    assert not correct(row("list", 0, status="error"))


def test_the_table_by_kind_counts_failed_jobs_too() -> None:
    (made,) = kind_tables([row("word", 4), row("list", 4), row("list", 0, status="timeout")])
    assert [(line[0].split(":")[0], line[1], line[2]) for line in made.rows] == [
        ("list", "2", "1"),
        ("word", "1", "0"),
        ("all", "3", "1"),
    ]
    assert "50.0 %" in made.rows[0]
    assert kind_tables([Row("a", 1, 1, "guided", "patches", "output", 10, "repaired")]) == ()

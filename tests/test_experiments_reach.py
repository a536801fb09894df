"""Reach: whether a right candidate is in the space, at which rank, and what would be needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn2fix.experiments.folder import read_folder
from learn2fix.experiments.reach import ReachRow, needed, plan_reach, reach_tables, run_reach
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source

PROGRAM = """#include <stdio.h>
int main(void) {
    int n, i, s = 0;
    scanf("%d", &n);
    for (i = 1; i <= n; i++) s += i;
    printf("%d\\n", s);
    return 0;
}
"""
TESTS = tuple(RecordedTest(f"input-{n}", str(n), str(n * (n + 1) // 2)) for n in (3, 5, 1, 10))


def subject(buggy: str) -> FolderSubject:
    return FolderSubject(
        "sum",
        Source("buggy.c", buggy.encode()),
        Source("golden.c", PROGRAM.encode()),
        ("3",),
        TESTS[:2],
        TESTS[2:],
        kind="numbers",
    )


def reached(given: FolderSubject) -> ReachRow:
    (job,) = plan_reach({"sum": given}, 60, 1)
    (row,) = run_reach(job, given)
    assert isinstance(row, ReachRow)
    return row


def test_a_right_single_edit_is_found_with_its_operator_and_rank() -> None:
    row = reached(subject(PROGRAM.replace("i <= n", "i < n")))
    assert (row.status, row.reached, row.operator) == ("reached", "single", "comparison off by one")
    assert 0 < row.rank <= row.candidates
    assert row.needed == "operator"
    assert "100.0 %" in reach_tables([row], {})[0].text()


def test_what_needs_two_changes_is_told_from_what_one_does() -> None:
    row = reached(read_folder(Path(__file__).parent / "zoo" / "py_sentences"))
    assert (row.status, row.reached) == ("reached", "pair")


def test_what_no_candidate_does_is_not_reached() -> None:
    far = """#include <stdio.h>
int main(void) {
    int n;
    scanf("%d", &n);
    puts(n > 100 ? "large" : "small");
    return 0;
}
"""
    row = reached(subject(far))
    assert (row.repaired, row.reached, row.rank) == (0, "", 0)


@pytest.mark.parametrize(
    ("buggy", "golden", "expected"),
    [
        (b"int a;", b"long a;", "type"),
        (b"f(a);", b"f(a); g(b);", "statement put in"),
        (b"f(a); g(b);", b"f(a);", "statement taken out"),
        (b"if (a < 1) b = 2; /* x */", b"if (a <= 1) b = 3;", "operator; constant"),
        (b"if (a)", b"if (a && b)", "put in name + operator"),
        (b"a b c d e f g h i", b"A b C d E f G h I", "5 places"),
        (b"same // one", b"same", ""),
    ],
)
def test_what_separates_two_texts_is_said_in_a_word(buggy: bytes, golden: bytes, expected: str) -> None:
    assert needed(buggy, golden) == expected

"""Repair in batch: by each repairer, from a subject's own tests and from learned ones."""

from __future__ import annotations

import pytest

from learn2fix.experiments.job import run_job
from learn2fix.experiments.plan import Setting, plan
from learn2fix.experiments.repairing import plan_repairs, repair_table, run_repair
from learn2fix.experiments.rows import RepairRow
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source

TWICE = (
    "#include <stdio.h>\nint main(void) {\n    int n;\n"
    '    scanf("%d", &n);\n    int sum = 2 * n;\n    sum = sum + 1;\n'
    '    printf("%d\\n", sum);\n    return 0;\n}\n'
)
TESTS = tuple(RecordedTest(f"input-{n}", str(n), str(2 * n)) for n in (3, 5, -4, 0, 10))
SUBJECT = FolderSubject(
    "twice",
    Source("buggy.c", TWICE.encode()),
    Source("golden.c", TWICE.replace("    sum = sum + 1;\n", "").encode()),
    ("3",),
    TESTS[:2],
    TESTS[2:],
)


@pytest.mark.parametrize("repairer", ["genprog", "genetic", "edits", "synthesis"])
def test_each_repairer_repairs_from_the_subjects_own_tests(repairer: str) -> None:
    (job,) = plan_repairs({"twice": SUBJECT}, 60, 1, repairer)
    (row,) = run_repair(job, SUBJECT)
    assert isinstance(row, RepairRow)
    assert (row.strategy, row.repaired, row.first_right) == (f"tests+{repairer}", 1, 1)
    assert f"{repairer}, training tests" in repair_table([row]).text()


@pytest.mark.parametrize("repairer", ["genprog", "synthesis"])
def test_a_repairer_repairs_from_learned_tests(repairer: str) -> None:
    setting = Setting("paper", "incal", timeout=60, repairer=repairer)
    rows = list(run_job(plan(["twice"], 1, (2, 4), setting, seed=1)[0], SUBJECT))
    assert [(row.strategy, row.labels, row.questions) for row in rows] == [
        (f"paper+{repairer}", 2, 1),
        (f"paper+{repairer}", 4, 3),
    ]
    assert all(row.repaired and row.heldout_passed == 3 for row in rows)


def test_other_parts_make_another_strategy() -> None:
    assert Setting("paper", "incal").strategy_name == "paper"
    assert Setting("paper", "incal", as_run=True, repairer="genetic").strategy_name == "paper+as-run+genetic"

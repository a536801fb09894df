"""Candidates that the user's compiler builds, for what only that can say (what fresh memory holds)."""

from __future__ import annotations

from contextlib import closing

from evaluator_conformance import change, need
from learn2fix.languages.c.judging.evaluator import CEvaluator

READS = b"""#include <stdio.h>
#include <limits.h>
int main(void) { int n, least = INT_MAX; while (scanf("%d", &n) != EOF) if (n < least) least = n;
fprintf(stdout, "%d\\n", least); return 0; }
"""


def test_candidates_share_a_program_that_uses_what_headers_define() -> None:
    """Macros and variables of the headers (EOF, INT_MAX, stdout) are known in it, too."""
    with closing(CEvaluator(READS, linked=True)) as evaluator:
        evaluator.add([change(READS, b"n < least", b"n <= least"), change(READS, b"n < least", b"n > least")])
        assert evaluator.judge([need("3 1 2", "1")]).survivors == (0,)
        assert not evaluator.alone

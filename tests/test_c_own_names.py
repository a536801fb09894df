"""Programs with functions that have the names of library functions."""

from __future__ import annotations

from contextlib import closing

from evaluator_conformance import change, need
from learn2fix.languages.c.judging.evaluator import CEvaluator

OWN = b"""#include <stdio.h>
int strlen(char *s) { int n; for (n = 0; s[n]; n++); return n; }
int abs(int a) { return a < 0 ? a : a; }
int main(void) { char s[99]; int a; scanf("%98s%d", s, &a); printf("%d\\n", strlen(s) + abs(a)); return 0; }
"""


def test_a_program_may_have_its_own_function_of_the_name() -> None:
    with closing(CEvaluator(OWN)) as evaluator:
        assert evaluator.fast, evaluator.slow_because
        evaluator.add(
            [change(OWN, b"? a : a", b"? -a : a"), change(OWN, b"a < 0 ? a : a", b"-abs(a)"),
             change(OWN, b"strlen(s) + abs(a)", b"strlen(s) + a + abs(2)")]
        )  # fmt: skip
        assert evaluator.judge([need("abc 4", "7"), need("abc -4", "7")]).survivors == (0,)
        assert evaluator.judge([need("abc 4", "9")]).survivors == (2,)
        assert not evaluator.alone

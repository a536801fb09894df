"""Candidates that write everywhere, judged beside others."""

from __future__ import annotations

from array import array
from contextlib import closing
from itertools import islice
from typing import Any

import pytest

from evaluator_conformance import change, need
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.generator import CEdits
from learn2fix.languages.c.judging.engine import Engine, Run
from learn2fix.languages.c.judging.evaluator import CEvaluator

PACKING = b"""#include <stdio.h>
#include <stdlib.h>
struct item { int size, worth; } items[20];
int by_worth(const void *x, const void *y) {
    struct item *p = (struct item *)x;
    struct item *q = (struct item *)y;
    return q->worth - p->worth;
}
void pack(int room, int count) {
    int sum = 0, i = 0;
    qsort(items, count, sizeof(struct item), by_worth);
    while (room > 0) {
        if (room >= items[i].size) { room -= items[i].size; sum += items[i].size * items[i].worth; }
        else { sum += room * items[i].worth; room = 0; }
        i++;
    }
    printf("%d\\n", sum);
}
int main(void) {
    int room, count, i;
    scanf("%d%d", &room, &count);
    for (i = 0; i < count; i++) scanf("%d%d", &items[i].size, &items[i].worth);
    pack(room, count);
    return 0;
}
"""
INPUT = "200000000 4\n63127 6\n29205 2\n168431 3\n15011 2\n"
RIGHT = str(63127 * 6 + 29205 * 2 + 168431 * 3 + 15011 * 2)


def test_a_sort_of_millions_that_are_not_there_harms_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """It exchanges whatever lies behind the array, our own tables too; nobody is run again."""
    runs: list[int] = []
    run = Engine.run

    def counted(engine: Engine, alive: array[int], *rest: Any) -> Run:
        runs.append(len(alive))
        return run(engine, alive, *rest)

    monkeypatch.setattr(Engine, "run", counted)
    wild = change(PACKING, b"    pack(room, count)", b"    pack(count, room)")
    cure = change(PACKING, b"room > 0", b"room > 0 && i < count")
    with closing(CEvaluator(PACKING)) as evaluator:
        evaluator.add([wild, cure, *islice(CEdits().candidates(PACKING, Hints()), 200)])
        survivors = evaluator.judge([need(INPUT, RIGHT)]).survivors
        assert 1 in survivors
        assert 0 not in survivors
        assert len(runs) <= 3 + sum(alive <= 2 for alive in runs), runs

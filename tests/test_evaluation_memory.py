"""The fast evaluator stays small, however many candidates there are and however often they are added."""

from __future__ import annotations

import resource
from pathlib import Path

from tests.responses import printed

from evaluator_conformance import TRIANGLE, change, need
from learn2fix.languages.c.judging.evaluator import OPEN, CEvaluator
from learn2fix.model import Candidate, Edit, Input
from test_evaluation_faults import WILD


def test_engines_stay_few_however_often_candidates_are_added() -> None:
    evaluator = CEvaluator(WILD)
    try:
        everyone: list[int] = []
        for more in range(60):
            everyone += evaluator.add([change(WILD, b"a[i] = n;", b"a[i] = n + %d;" % more)])
            printed(evaluator.outputs([Input("5")], everyone[-1:]))
        assert sum(unit.engine.pid is not None for unit in evaluator._units) <= OPEN < len(evaluator._units)
        before = evaluator.cpu_seconds
        assert printed(evaluator.outputs([Input("5")], everyone)) == [{str(5 + n): (n,) for n in everyone}]
        assert evaluator.cpu_seconds > before
        assert sum(unit.engine.pid is not None for unit in evaluator._units) <= OPEN
    finally:
        evaluator.close()


def test_memory_stays_bounded_with_a_hundred_thousand_candidates() -> None:
    place = TRIANGLE.index(b"a == b == c")
    candidates = [
        Candidate((Edit(place, place + 11, b"a + %d == b * %d" % (n % 400, n // 400)),), "", 0)
        for n in range(100_000)
    ]
    evaluator = CEvaluator(TRIANGLE)
    try:
        evaluator.add(candidates)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        judgement = evaluator.judge([need("2 2 2", "1"), need("2 3 9", "3")])
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        sizes = [resident(unit.engine.pid or 0) for unit in evaluator._units]
    finally:
        evaluator.close()
    expected = tuple(
        n for n in range(100_000) if 2 + n % 400 == 2 * (n // 400) and 2 + n % 400 != 3 * (n // 400)
    )
    assert judgement.survivors == expected
    assert judgement.judged == 100_000
    assert judgement.executions < 40
    assert grown < 300_000
    assert max(sizes) < 200 << 20


def resident(pid: int) -> int:
    """Bytes of the largest process below `pid`."""
    parents, sizes = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":\t", 1) for line in (entry / "status").read_text().splitlines())
        except (OSError, ValueError):
            continue
        parents[int(entry.name)] = int(status["PPid"])
        sizes[int(entry.name)] = int(status.get("VmRSS", "0 kB").split()[0]) << 10

    def below(process: int) -> bool:
        while process > 1:
            if process == pid:
                return True
            process = parents.get(process, 0)
        return False

    return max(size for process, size in sizes.items() if below(process))

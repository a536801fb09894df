"""Seconds from an answer to the next question, for a person who thinks and for one who answers at once.

Beside it what a golden program waits for, which lets every search finish: the ratio is what a person is
spared. A few programs of the zoo, or those that are named: `python -m benchmarks.questions triangle`.
"""

from __future__ import annotations

import statistics
import sys
import time
import tomllib
from pathlib import Path

from learn2fix.languages.opening import open_subject
from learn2fix.model import Question
from learn2fix.people.golden import Golden
from learn2fix.people.protocol import Context
from learn2fix.sandbox import Sandbox
from learn2fix.session import Options, Session

ZOO = Path(__file__).parent.parent / "tests" / "zoo"
PROGRAMS = ("triangle", "clock", "leap_year", "parking", "stairs", "weekday")
THINKS = 2.0


def main() -> None:
    named = sys.argv[1:] if __name__ == "__main__" else []
    print(f"{'program':16} {'first':>6} {'thinks':>7} {'at once':>8} {'ratio':>6}")
    ratios = []
    for name in named or PROGRAMS:
        first, thinking = _waits(name, THINKS)
        _, at_once = _waits(name, 0.0)
        if not (thinking and at_once):
            print(f"{name:16} {first:6.2f} (one question)", flush=True)
            continue
        ratios.append(max(at_once) / max(thinking))
        longest = f"{max(thinking):7.2f} {max(at_once):8.2f}"
        print(f"{name:16} {first:6.2f} {longest} {ratios[-1]:6.1f}", flush=True)
    if ratios:
        print(
            f"longest wait of each; median ratio of who answers at once to who thinks {THINKS:g} s: ", end=""
        )
        print(f"{statistics.median(ratios):.1f}")


def _waits(name: str, thinks: float) -> tuple[float, list[float]]:
    """Seconds to the first question, and from each answer to the question after it."""
    folder = ZOO / name
    failing = tomllib.loads((folder / "subject.toml").read_text())["failing"]
    sandbox = Sandbox()
    golden = open_subject(str(folder / "golden.c"), sandbox)
    person = Golden(lambda given: golden.run([given])[0])
    found: list[float] = []
    try:
        began = time.perf_counter()
        with Session.create(str(folder / "buggy.c"), failing[:1], Options(seed=1, labels=10)) as session:
            conversation = session.conversation()
            question: Question = next(conversation)
            first = time.perf_counter() - began
            while True:
                answer = person.reply(question, Context())
                time.sleep(thinks)
                began = time.perf_counter()
                question = conversation.send(answer)
                found.append(time.perf_counter() - began)
    except StopIteration:
        pass
    finally:
        golden.close()
        sandbox.close()
    return first, found


if __name__ == "__main__":
    main()

"""Which rule drops each Codeflaws subject, how many the paper says each drops, and where the lists differ."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.errors import UsageError
from learn2fix.experiments.codeflaws import CFLAGS, Qualification, Rule, truncated
from learn2fix.experiments.qualify import qualify
from learn2fix.experiments.tables import Table, table

COLUMNS = ("subject", "rule", "detail")
IN_THE_PAPER = {
    Rule.ONE_LINE: 2298,
    Rule.NUMBERS_IN: 323,
    Rule.CONSTANT: 1,
    Rule.NUMBER_OUT: 607,
    Rule.FAILING: 39,
    Rule.WRONG_ANSWER: 82,
}
"""How many of all 3902 subjects each rule of the paper drops (V-B); the other rules are ours."""
ALL, KEPT = 3902, 552
TRUNCATED_TESTS = "truncated tests are left out"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first rule that a subject breaks; None when it qualifies."""

    subject: str
    rule: Rule | None
    detail: str = ""


def looked_at(folder: Path, cflags: Sequence[str] = CFLAGS) -> Qualification:
    """As `qualify`; of a subject that qualifies the detail says what was left out of it."""
    found = qualify(folder, cflags)
    if found.subject is not None and (count := truncated(folder)):
        return replace(found, detail=f"{count} {TRUNCATED_TESTS}")
    return found


def write_rules(folders: Iterable[Path], look: Callable[[Path], Qualification], out: Path) -> list[Verdict]:
    """Appends a line a subject as it is looked at; those that the file holds are not looked at again."""
    known = {each.subject: each for each in read_rules(out)} if out.exists() else {}
    wanted = list(folders)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        file = out.open("a", newline="", encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot write {out}: {problem.strerror}") from None
    with file:
        writer = csv.writer(file, lineterminator="\n")
        if file.tell() == 0:
            writer.writerow(COLUMNS)
        elif not out.read_bytes().endswith(b"\n"):
            file.write("\n")
        for folder in wanted:
            if folder.name in known:
                continue
            found = look(folder)
            # What a compiler says has many lines; the first one tells what is wrong.
            detail = (found.detail.splitlines() or [""])[0][:120]
            known[found.name] = Verdict(found.name, found.broken, detail)
            writer.writerow((found.name, found.broken.name if found.broken else "", detail))
            file.flush()
    return [known[folder.name] for folder in wanted]


def read_rules(path: Path) -> list[Verdict]:
    try:
        with path.open(newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        if lines and tuple(lines[0]) != COLUMNS:
            raise ValueError(f"its columns are {','.join(lines[0])[:60]}")
        # A line cut off by a crash is looked at again.
        whole = [cells for cells in lines[1:] if len(cells) == len(COLUMNS)]
        return [Verdict(name, Rule[rule] if rule else None, detail) for name, rule, detail in whole]
    except (OSError, UnicodeDecodeError, ValueError, KeyError, csv.Error) as problem:
        raise UsageError(f"cannot read {path}: {problem}", "choose another file with --out") from None


def rules_table(verdicts: Sequence[Verdict]) -> Table:
    counts = Counter(each.rule for each in verdicts)
    left = len(verdicts)
    rows = [["all", "", str(left), str(ALL)]]
    for rule in Rule:
        if rule is Rule.KIND or (not counts[rule] and rule not in IN_THE_PAPER):
            continue
        left -= counts[rule]
        theirs = IN_THE_PAPER.get(rule)
        rows.append([f"not {rule}", f"−{counts[rule]}", str(left), f"−{theirs}" if theirs else "our rule"])
    rows.append(["qualify", "", str(counts[None]), str(KEPT)])
    return table("Subjects by the rule that drops them", ["rule", "dropped", "left", "in the paper"], rows)


def differences(verdicts: Sequence[Verdict], published: Collection[str]) -> Table:
    """Why subjects of the published list do not qualify here, and how many qualify here alone."""
    known = [each for each in verdicts if each.subject in published]
    dropped = Counter(each.rule for each in known if each.rule is not None)
    ours = [each for each in verdicts if each.rule is None]
    alone = [each for each in ours if each.subject not in published]
    cut = sum(each.detail.endswith(TRUNCATED_TESTS) for each in alone)
    rows = [
        ["published, looked at here", str(len(known))],
        *([f"published, here not {rule}", str(count)] for rule, count in dropped.items()),
        ["on both lists", str(len(ours) - len(alone))],
        ["qualify here alone: without their truncated tests", str(cut)],
        ["qualify here alone: no rule that the paper states drops them", str(len(alone) - cut)],
    ]
    return table("Our list and the published one", ["", "subjects"], rows)

"""The paper's rules on real programs: which subjects qualify, and on what they fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn2fix.experiments.codeflaws import CFLAGS, Rule
from learn2fix.experiments.qualify import qualify, qualify_all

SUM = '#include <stdio.h>\nint main(){int a,b;scanf("%d %d",&a,&b);BODY printf("%d\\n",a+b);return 0;}\n'
TESTS = {"input-neg1": "3 4", "output-neg1": "7", "input-pos1": "1 2", "output-pos1": "3"}


def subject(root: Path, number: int, buggy: str, golden: str = "") -> Path:
    folder = root / f"{number}-A-bug-1-2"
    folder.mkdir()
    files = {"-1.c": SUM.replace("BODY", buggy), "-2.c": SUM.replace("BODY", golden)}
    for name, text in files.items():
        (folder / f"{number}-A{name}").write_text(text)
    for name, text in TESTS.items():
        (folder / name).write_text(text)
        (folder / f"heldout-{name}").write_text(text)
    return folder


def test_rules_that_need_a_run(tmp_path: Path) -> None:
    folders = [
        subject(tmp_path, 1, "if(a>2)a++;"),
        subject(tmp_path, 2, ""),
        subject(tmp_path, 3, "if(a>2)*(volatile int*)0=1;"),
        subject(tmp_path, 4, "this is not C;"),
        subject(tmp_path, 5, "if(a>2)a++;", "neither is this;"),
        # Fails by printing nothing at all: no crash, and a wrong answer.
        subject(tmp_path, 6, "if(a>2)return 0;"),
    ]
    (tmp_path / "7-A-bug-1-2").mkdir()
    found = qualify_all([*folders, tmp_path / "7-A-bug-1-2"], jobs=2)
    assert [each.broken for each in found] == [
        None,
        Rule.FAILING,
        Rule.WRONG_ANSWER,
        Rule.BUILDS,
        Rule.BUILDS,
        None,
        Rule.READABLE,
    ]
    qualified = found[0].subject
    assert qualified is not None
    assert qualified.failing == ("3 4",)
    assert qualified.cflags == CFLAGS[0]


def test_where_zeroed_memory_hides_the_bug_a_pattern_shows_it(tmp_path: Path) -> None:
    found = qualify(subject(tmp_path, 1, "int never[4]; a += never[a & 3];"))
    if found.broken is Rule.BUILDS:
        pytest.skip("this compiler cannot define fresh memory")
    assert found.subject is not None
    assert found.subject.cflags == CFLAGS[1]

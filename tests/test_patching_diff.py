"""Patches as people and git see them, and their smallest form."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learn2fix.edits.applying import by_file, put_in, taken_back
from learn2fix.edits.diff import describe, patch_of, unified_diff
from learn2fix.edits.minimise import minimise, split
from learn2fix.model import Candidate, Edit

TEXTS = st.lists(
    st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n", b"\xff\xfe\n", b"d", b"\t x ;\n", b"\r"]), max_size=12
).map(b"".join)


def git_apply(folder: Path, path: str, before: bytes, diff: str) -> bytes:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(before)
    patch = diff.encode("utf-8", "surrogateescape")
    for check in (["--check"], []):
        command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *check, "-"]
        subprocess.run(command, input=patch, cwd=folder, check=True)
    return target.read_bytes()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_git_applies_a_diff(tmp_path: Path, before: bytes, after: bytes) -> None:
    if not before or not after or before == after:
        return
    diff = unified_diff("src/x.c", before, after)
    assert git_apply(tmp_path, "src/x.c", before, diff) == after


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_a_diff_is_taken_back(before: bytes, after: bytes) -> None:
    diff = unified_diff("src/x.c", before, after)
    assert taken_back(diff, after) == before
    assert put_in(diff, before) == after


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=3))
def test_the_diff_of_several_files_comes_apart(contents: list[tuple[bytes, bytes]]) -> None:
    names = [f"src/{number}.c" for number in range(len(contents))]
    each = {name: unified_diff(name, *texts) for name, texts in zip(names, contents, strict=True)}
    found = by_file("".join(each.values()), {name: name for name in names})
    assert found == {name: diff for name, diff in each.items() if diff}


@pytest.mark.parametrize("other", [b"", b"a\nb\n", b"a\nc", b"c\na\n", b"x\nc\n"])
def test_a_diff_is_not_taken_back_from_what_it_did_not_make(other: bytes) -> None:
    assert taken_back(unified_diff("x.c", b"a\nb\n", b"a\nc\n"), other) is None


@pytest.mark.parametrize("path", ["a b.c", "tab\there.c", 'quo"te.c', "naïve.c", "back\\slash.c"])
def test_git_applies_a_diff_of_a_file_with_an_odd_name(tmp_path: Path, path: str) -> None:
    diff = unified_diff(path, b"int a;\n", b"int b;\n")
    assert git_apply(tmp_path, path, b"int a;\n", diff) == b"int b;\n"


def test_no_change_is_no_diff() -> None:
    assert unified_diff("x.c", b"a\n", b"a\n") == ""


SOURCE = b"int f(int a, int b, int c) {\n    if (a == b == c)\n        return 1;\n    return 0;\n}\n"


def edit(old: bytes, new: bytes, source: bytes = SOURCE) -> Edit:
    start = source.index(old)
    return Edit(start, start + len(old), new)


def test_a_sentence_says_what_changed() -> None:
    at = SOURCE.index(b" == c")
    chained = Candidate((Edit(at, at, b" && b"),), "chain", 0.3)
    assert describe(SOURCE, chained) == "line 2: `a == b == c` → `a == b && b == c`"
    removed = Candidate((edit(b"return 0;", b""),), "deletion", 2.0)
    assert describe(SOURCE, removed) == "line 4: deletes `return 0;`"
    at = SOURCE.index(b"return 0;")
    inserted = Candidate((Edit(at, at, b"a = 1;\n    "),), "insertion", 2.0)
    assert describe(SOURCE, inserted) == "line 4: inserts `a = 1;`"
    two = Candidate((edit(b"a ==", b"c =="), edit(b" 0", b" 2")), "pair", 3.0)
    assert describe(SOURCE, two) == "line 2: `a == b == c` → `c == b == c`; line 4: `return 0` → `return 2`"


def test_a_patch_has_a_stable_id_that_depends_on_source_and_edits() -> None:
    candidate = Candidate((edit(b"0;", b"2;"),), "constant", 1.5)
    patch = patch_of("f.c", SOURCE, candidate, 0.5, ("3 tests",))
    assert patch.id == patch_of("other.c", SOURCE, candidate).id
    assert patch.id != patch_of("f.c", SOURCE + b"\n", candidate).id
    assert patch.id != patch_of("f.c", SOURCE, Candidate((edit(b"0;", b"3;"),), "constant", 1.5)).id
    assert (patch.location.line, patch.location.path) == (4, "f.c")
    assert "-    return 0;\n+    return 2;\n" in patch.diff
    assert patch.evidence == ("3 tests",)


def test_a_deleted_statement_leaves_no_empty_line() -> None:
    removed = Candidate((edit(b"return 0;", b""),), "deletion", 2.0)
    patch = patch_of("f.c", SOURCE, removed)
    assert patch.candidate.apply(SOURCE) == SOURCE.replace(b"    return 0;\n", b"")
    assert "\n+" not in patch.diff.split("@@")[-1]
    assert patch.description == "line 4: deletes `return 0;`"


EDITS = st.lists(st.integers(0, 30), min_size=1, max_size=12, unique=True).map(
    lambda places: tuple(Edit(place, place, b"x") for place in sorted(places))
)


@settings(deadline=None)
@given(EDITS, st.data())
def test_minimise_keeps_what_is_needed_and_nothing_else(edits: tuple[Edit, ...], data: st.DataObject) -> None:
    needed = data.draw(st.sets(st.sampled_from(edits), min_size=1))
    calls = []

    def holds(candidate: Candidate) -> bool:
        calls.append(candidate)
        return needed <= set(candidate.edits)

    smallest = minimise(Candidate(edits, "many", 1.0), holds)
    assert set(smallest.edits) == needed
    assert len(calls) <= 4 * len(edits) ** 2 + 4


def test_minimise_gives_back_what_it_was_given_when_nothing_smaller_holds() -> None:
    candidate = Candidate((Edit(0, 0, b"x"), Edit(4, 5, b"y")), "two", 1.0)
    assert minimise(candidate, lambda _: False) == candidate


def test_minimise_looks_into_an_edit_when_it_has_the_source() -> None:
    whole = Candidate((edit(b"a == b == c", b"a != b == b"),), "replaced", 3.0)

    def holds(candidate: Candidate) -> bool:
        return b"a != b" in candidate.apply(SOURCE)

    smallest = minimise(whole, holds, SOURCE)
    assert smallest.apply(SOURCE) == SOURCE.replace(b"a == b == c", b"a != b == c")
    assert len(smallest.edits) == 1


@settings(deadline=None)
@given(st.binary(max_size=30), st.binary(max_size=12), st.data())
def test_splitting_an_edit_changes_nothing(source: bytes, text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    candidate = Candidate((Edit(start, end, text),), "any", 1.0)
    finer = split(source, candidate)
    assert finer.apply(source) == candidate.apply(source)
    assert sum(e.end - e.start + len(e.text) for e in finer.edits) <= end - start + len(text)


def test_a_statement_that_is_only_indented_otherwise_is_said_to_move() -> None:
    source = b"for x in xs:\n    if x:\n        t += x\n        n += 1\n"
    out = Candidate((edit(b"        n += 1\n", b"    n += 1\n", source),), "moved", 1.3)
    assert describe(source, out) == "line 4: moves `n += 1` out of its block"
    source = b"for x in xs:\n    print(x)\nn += 1\n"
    into = Candidate((edit(b"n += 1\n", b"    n += 1\n", source),), "moved", 1.4)
    assert describe(source, into) == "line 3: moves `n += 1` into the block before it"

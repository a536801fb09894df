"""Subjects as Codeflaws publishes them and in our own layout; the rules of the paper."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.experiments import subjects
from learn2fix.experiments.codeflaws import (
    Qualification,
    Rule,
    broken_by_text,
    dropped,
    find_codeflaws,
    first_failing,
    numbers_out,
    read_codeflaws,
    read_names,
    truncated,
)
from learn2fix.experiments.folder import find_folders, read_folder
from learn2fix.experiments.rules import (
    ALL,
    IN_THE_PAPER,
    KEPT,
    TRUNCATED_TESTS,
    differences,
    read_rules,
    rules_table,
    write_rules,
)
from learn2fix.experiments.subjects import FolderSubject, RecordedTest, Source, natural, paired, read_file
from learn2fix.model import Ending, Outcome

NAME = "12-B-bug-34-56"
FILES = {
    "12-B-34.c": "int main(){return 0;}",
    "12-B-56.c": "int main(){return 1;}",
    "input-neg1": "3 4\n",
    "output-neg1": "7\n",
    "input-pos1": "1 1",
    "output-pos1": "2",
    "input-pos10": "5 5",
    "output-pos10": "10",
    "input-pos2": "1 2\r\n",
    "output-pos2": "3\r\n",
    "heldout-input-pos1": "9 9",
    "heldout-output-pos1": "18",
    "heldout-input-pos2": "9 9999...",
    "heldout-output-pos2": "18",
    "test-genprog.sh": "never read",
}


def write(folder: Path, files: dict[str, str], packed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if packed:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode()))
        else:
            path.write_bytes(text.encode())
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_a_published_folder_is_read(tmp_path: Path, packed: bool) -> None:
    subject = read_codeflaws(write(tmp_path / NAME, FILES, packed))
    assert subject.name == NAME
    assert subject.buggy == Source("12-B-34.c", b"int main(){return 0;}")
    assert subject.golden == Source("12-B-56.c", b"int main(){return 1;}")
    assert [test.name for test in subject.training] == [
        "input-neg1",
        "input-pos1",
        "input-pos2",
        "input-pos10",
    ]
    assert subject.training[2].output == "3\n"
    # A test that was recorded cut off is not what the program was given.
    assert [test.name for test in subject.heldout] == ["heldout-input-pos1"]
    assert broken_by_text(subject) is None
    assert find_codeflaws(tmp_path) == [tmp_path / NAME]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_codeflaws(tmp_path / "none")
    with pytest.raises(UsageError, match="holds no Codeflaws"):
        find_codeflaws(tmp_path)
    with pytest.raises(UsageError, match="no subject 1-A"):
        find_codeflaws(tmp_path, ["1-A-bug-1-2"])
    with pytest.raises(UsageError, match=r"12-B-56\.c"):
        read_codeflaws(write(tmp_path / NAME, {"12-B-34.c": "x"}))
    broken = write(tmp_path / NAME, {"12-B-56.c.gz": "not gzipped"})
    with pytest.raises(UsageError, match="cannot read"):
        read_codeflaws(broken)


def subject_with(inputs: list[str], outputs: list[str]) -> FolderSubject:
    tests = tuple(
        RecordedTest(f"input-{i}", a, b) for i, (a, b) in enumerate(zip(inputs, outputs, strict=True))
    )
    return FolderSubject(NAME, Source("b.c", b""), Source("g.c", b""), (), tests, tests)


@pytest.mark.parametrize(
    ("inputs", "outputs", "rule"),
    [
        (["1 2", "3 4\n"], ["5", "6.5"], None),
        (["-1 2.5", "3 4"], ["YES", "NO"], None),
        (["1 2", "3"], ["5", "6"], Rule.CONSTANT),
        (["1 2", "3 x"], ["5", "6"], Rule.NUMBERS_IN),
        (["1\n2", "3\n4"], ["5", "6"], Rule.ONE_LINE),
        (["1 2", "3 4"], ["5", "6 7"], Rule.NUMBER_OUT),
        (["1 2", "3 4"], ["5", ""], Rule.NUMBER_OUT),
        (["1 2", "3 4"], ["First", "Second"], Rule.NUMBER_OUT),
        ([], [], Rule.READABLE),
    ],
)
def test_the_rules_that_need_no_run(inputs: list[str], outputs: list[str], rule: Rule | None) -> None:
    assert broken_by_text(subject_with(inputs, outputs)) is rule


def test_yes_and_no_are_numbers_only_by_themselves() -> None:
    assert numbers_out(["Yes", "No", "Yes"])
    assert not numbers_out(["YES", "1"])
    assert not numbers_out(["YES", "yes", "NO"])


def printed(text: str) -> Outcome:
    return Outcome(Ending.EXITED, text.encode())


def test_the_failing_input_is_the_first_wrong_answer_by_name() -> None:
    tests = [RecordedTest(f"input-{i}", str(i), str(i)) for i in range(3)]
    crash = Outcome(Ending.SIGNALLED, status=11)
    assert first_failing(tests, [printed("0"), printed("1"), printed(" 2\n")]) == (None, Rule.FAILING)
    assert first_failing(tests, [printed("0"), crash, printed("9")]) == (tests[2], None)
    assert first_failing(tests, [crash, printed(""), printed("2")]) == (tests[1], None)
    assert first_failing(tests, [crash, printed("1"), printed("2")]) == (None, Rule.WRONG_ANSWER)


def test_each_dropped_subject_counts_for_one_rule() -> None:
    found = [
        Qualification("a", broken=Rule.FAILING),
        Qualification("b", broken=Rule.FAILING),
        Qualification("c", subject_with([], [])),
    ]
    counts = dropped(found)
    assert counts[Rule.FAILING] == 2
    assert sum(counts.values()) == 2
    assert list(counts) == list(Rule)


def test_a_list_of_subjects(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("# chosen\n1-A-bug-1-2\n\n2-B-bug-3-4  # odd\n1-A-bug-1-2\n")
    assert read_names(path) == ["1-A-bug-1-2", "2-B-bug-3-4"]
    with pytest.raises(UsageError):
        read_names(tmp_path / "none")


@given(st.lists(st.integers(0, 500), unique=True))
def test_natural_order_is_the_order_of_numbers(numbers: list[int]) -> None:
    assert sorted((f"input-pos{n}" for n in numbers), key=natural) == [
        f"input-pos{n}" for n in sorted(numbers)
    ]


def test_tests_are_paired_by_name() -> None:
    names = ["input-1", "output-1", "input-2", "a.in", "a.out", "heldout-input-1", "heldout-output-1"]
    assert paired(names) == {"input-1": "output-1", "a.in": "a.out"}
    assert paired(names, "heldout-") == {"heldout-input-1": "heldout-output-1"}


def test_the_zoo_is_a_folder_of_subjects() -> None:
    zoo = Path(__file__).parent / "zoo"
    subjects = {path.name: read_folder(path) for path in find_folders(zoo)}
    assert subjects["triangle"].failing == ("2 2 2",)
    assert subjects["triangle"].buggy.content == (zoo / "triangle" / "buggy.c").read_bytes()


def test_our_own_layout(tmp_path: Path) -> None:
    toml = 'buggy="a.py"\ngolden="b.py"\nfailing=["1, 2"]\nfunction="f"\nfiles=["lib/h.py"]\n'
    files = {"subject.toml": toml, "a.py": "a", "b.py": "b", "lib/h.py": "h"}
    files |= {"tests/1.in": "1, 2", "tests/1.out": "3", "heldout/input-x": "4, 5", "heldout/output-x": "9"}
    write(tmp_path / "one", files)
    assert find_folders(tmp_path) == [tmp_path / "one"]
    assert find_folders(tmp_path / "one") == [tmp_path / "one"]
    subject = read_folder(tmp_path / "one")
    assert (subject.name, subject.function) == ("one", "f")
    assert subject.extra == (Source("lib/h.py", b"h"),)
    assert subject.training == (RecordedTest("1.in", "1, 2", "3"),)
    assert subject.heldout == (RecordedTest("input-x", "4, 5", "9"),)


@pytest.mark.parametrize(
    "toml",
    [
        "",
        "buggy = 1",
        'buggy="a.c"\ngolden="a.c"\nfailing="1"',
        'buggy="a.c"\ngolden="a.c"\nfailing=[]',
        'buggy="../a.c"\ngolden="a.c"\nfailing=["1"]',
        'buggy="a.rb"\ngolden="a.c"\nfailing=["1"]',
        'buggy="none.c"\ngolden="a.c"\nfailing=["1"]',
        "not toml",
    ],
)
def test_a_wrong_description_is_one_clear_line(tmp_path: Path, toml: str) -> None:
    write(tmp_path / "one", {"subject.toml": toml, "a.c": "x", "a.rb": "x", "../a.c": "x"})
    with pytest.raises(UsageError) as caught:
        read_folder(tmp_path / "one")
    assert "\n" not in caught.value.message.split(": ")[0]


def test_a_small_file_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 27."""
    monkeypatch.setattr(subjects, "MAX_UNPACKED", 1 << 20)
    (tmp_path / "just.gz").write_bytes(gzip.compress(bytes(1 << 20)))
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(bytes((1 << 20) + 1)))
    assert read_file(tmp_path / "just") == bytes(1 << 20)
    with pytest.raises(UsageError, match="unpacks to more than 1 MB"):
        read_file(tmp_path / "bomb")


def test_each_rule_is_counted_beside_the_paper(tmp_path: Path) -> None:
    out, asked = tmp_path / "subjects.csv", []

    def qualify(folder: Path) -> Qualification:
        asked.append(folder.name)
        broken = {"a": Rule.ONE_LINE, "b": Rule.BUILDS}.get(folder.name)
        left_out = f"3 {TRUNCATED_TESTS}" if folder.name == "e" else ""
        return Qualification(folder.name, broken=broken, detail="error: x\nmore" if broken else left_out)

    first = write_rules([Path("a"), Path("b")], qualify, out)
    assert [(each.subject, each.rule, each.detail) for each in first] == [
        ("a", Rule.ONE_LINE, "error: x"),
        ("b", Rule.BUILDS, "error: x"),
    ]
    # What the file holds is not looked at again; a line that a crash cut off is.
    with out.open("a") as file:
        file.write("c")
    verdicts = write_rules([Path(name) for name in "abcde"], qualify, out)
    assert asked == ["a", "b", "c", "d", "e"]
    lines = {row[0]: row[1:] for row in rules_table(verdicts).rows}
    assert lines["all"] == ("", "5", "3902")
    assert lines["not one line in"] == ("−1", "4", "−2298")
    assert lines["not both programs build"] == ("−1", "3", "our rule")
    assert lines["qualify"] == ("", "3", "552")
    beside = {row[0]: row[1] for row in differences(verdicts, {"a", "c", "elsewhere"}).rows}
    assert beside == {
        "published, looked at here": "2",
        "published, here not one line in": "1",
        "on both lists": "1",
        "qualify here alone: without their truncated tests": "1",
        "qualify here alone: no rule that the paper states drops them": "1",
    }


def test_a_file_of_something_else_is_no_list_of_rules(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(UsageError, match="its columns are a,b"):
        read_rules(path)


def test_the_paper_counts_all_of_codeflaws() -> None:
    assert ALL - sum(IN_THE_PAPER.values()) == KEPT


def test_truncated_tests_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / NAME
    folder.mkdir()
    for number, (read, printed) in enumerate((("1 2", "3"), ("1 2...", "3"), ("1 2", "3..."))):
        (folder / f"input-{number}").write_text(read)
        (folder / f"output-{number}").write_text(printed)
    assert truncated(folder) == 2

"""The report: figures by hand, tests of significance by definition, one file that needs no other."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.experiments.by_learner import learner_tables
from learn2fix.experiments.measures import MEASURES, Series, read_classes, read_published, series_of
from learn2fix.experiments.paper_tests import CLAIMS, compared, paper_tests
from learn2fix.experiments.plan import job_seed
from learn2fix.experiments.plots import Box, Panel, Scale, drawing_of
from learn2fix.experiments.report import make_report, summary
from learn2fix.experiments.research_questions import patch_table, times_more
from learn2fix.experiments.rows import RepairRow, Row
from learn2fix.experiments.significance import a12, paired, rank_biserial, rank_sum_p, signed_rank_p, unpaired
from learn2fix.experiments.tables import table

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def row(subject: str, run: int = 1, strategy: str = "guided", labels: int = 10, **changes: object) -> Row:
    plain = Row(subject, run, job_seed(1, subject, run), strategy, "patches", "output", labels, "repaired")
    measured = replace(
        plain,
        generated=50,
        labelled=10,
        generated_failing=10,
        labelled_failing=6,
        val_total=20,
        val_correct=18,
        val_failing=5,
        val_failing_correct=4,
        repaired=1,
        heldout_passed=15,
        heldout_total=15,
        golden_agree=190,
        golden_total=200,
        questions=10,
        cpu_seconds=2.0,
    )
    return replace(measured, **changes)  # type: ignore[arg-type]


def test_what_a_row_measures() -> None:
    figures = {name: measure(row("a")) for name, measure in MEASURES.items()}
    assert figures["accuracy"] == 0.9
    assert figures["failing_recall"] == 0.8
    assert figures["passing_recall"] == pytest.approx(14 / 15)
    assert figures["balanced"] == pytest.approx((0.8 + 14 / 15) / 2)
    assert (figures["labelled_share"], figures["p_generate_fail"], figures["p_label_fail"]) == (0.2, 0.2, 0.6)
    assert (figures["score"], figures["correct"], figures["golden"]) == (1.0, 1.0, 0.95)


def test_a_failed_job_says_nothing_of_accuracy_and_is_no_repair() -> None:
    failed = Row("a", 1, 1, "guided", "patches", "output", 10, "timeout")
    figures = {name: measure(failed) for name, measure in MEASURES.items()}
    assert [figures[name] for name in ("accuracy", "balanced", "score", "questions")] == [None] * 4
    assert (figures["repaired"], figures["correct"]) == (0.0, 0.0)


def test_a_run_that_was_to_repair_nothing_says_nothing_of_repair() -> None:
    learned = row("a", status="learned", repaired=0)
    assert [MEASURES[name](learned) for name in ("repaired", "correct", "agrees")] == [None] * 3
    assert MEASURES["accuracy"](learned) == 0.9
    assert MEASURES["repaired"](row("a", status="no_patch", repaired=0)) == 0.0


def test_a_subject_counts_once_however_often_it_ran() -> None:
    rows = [row("a", run, val_correct=20) for run in (1, 2, 3)] + [row("b", val_correct=10)]
    (series,) = series_of(rows)
    assert series.of("accuracy") == {"a": 1.0, "b": 0.5}
    assert series.mean("accuracy") == 0.75
    assert series.name == "guided, 10 labels"


def test_settings_are_named_by_what_tells_them_apart() -> None:
    rows = [row("a"), row("a", strategy="paper"), replace(row("a", strategy="paper"), learner="tree")]
    assert [series.name for series in series_of(rows)] == [
        "guided, 10 labels",
        "paper patches, 10 labels",
        "paper tree, 10 labels",
    ]


@given(VALUES, VALUES)
def test_a12_is_the_share_of_pairs_with_the_first_larger(left: list[float], right: list[float]) -> None:
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in left for b in right]
    assert a12(left, right) == pytest.approx(sum(pairs) / len(pairs))
    assert a12(left, right) + a12(right, left) == pytest.approx(1)


@given(VALUES)
def test_rank_biserial_is_a_signed_share_of_ranks(differences: list[float]) -> None:
    effect = rank_biserial(differences)
    assert effect == pytest.approx(-rank_biserial([-value for value in differences]))
    assert -1 <= effect <= 1
    if any(differences) and min(differences) >= 0:
        assert effect == 1


@settings(deadline=None, max_examples=15)  # exact p-values of ties take scipy long
@given(VALUES, VALUES)
def test_p_values_are_chances(left: list[float], right: list[float]) -> None:
    assert 0 <= signed_rank_p(left) <= 1
    assert rank_sum_p(left, right) == pytest.approx(rank_sum_p(right, left))
    assert 0 <= rank_sum_p(left, right) <= 1


def test_known_p_values() -> None:
    # Six differences, all positive: one of 2**6 orders of signs.
    assert signed_rank_p([1.0, 2, 3, 4, 5, 6]) == pytest.approx(1 / 64)
    assert signed_rank_p([0.0, 0.0]) == 1
    # Three against three, fully apart: 2 of 20 arrangements, two-sided.
    assert rank_sum_p([4.0, 5, 6], [1.0, 2, 3]) == pytest.approx(0.1)


def test_pairs_are_subjects_of_both() -> None:
    test = paired("accuracy", "x", {"a": 0.9, "b": 0.8, "c": 1.0}, "y", {"a": 0.7, "b": 0.7, "d": 0.1})
    assert test is not None
    assert test.count == (2, 2)
    assert test.difference == pytest.approx(0.15)
    assert paired("accuracy", "x", {"a": 1.0}, "y", {"b": 1.0}) is None
    assert unpaired("accuracy", "x", [], "y", [1.0]) is None


PUBLISHED = """setting,subject,runs,accuracy,failing_recall,passing_recall,labelled_share,p_generate_fail,\
p_label_fail,manual_repair,manual_score,manual_correct,auto_repair,auto_score,auto_correct
l2f-10,a,30,0.8,0.9,0.7,0.4,0.3,0.5,0.5,0.6,0.1,0.2,0.7,0.05
l2f-10,zzz,30,0.1,0.1,0.1,0.4,0.3,0.5,,,,0.0,,0.0
dct-20-noise5,a,30,0.7,0.7,0.7,0.4,0.3,0.5,,,,,,
"""


def published_file(folder: Path, text: str = PUBLISHED) -> Path:
    path = folder / "published.csv"
    path.write_text(text)
    return path


def test_published_figures_are_read(tmp_path: Path) -> None:
    series = {each.name: each for each in read_published(published_file(tmp_path))}
    assert set(series) == {"published l2f-10", "published l2f-10 manual", "published dct-20-noise5"}
    learned = series["published l2f-10"]
    assert (learned.kind, learned.labels) == ("published l2f", 10)
    assert learned.of("balanced")["a"] == pytest.approx(0.8)
    assert learned.of("score") == {"a": 0.7}
    assert series["published l2f-10 manual"].of("repaired") == {"a": 0.5}
    assert series["published dct-20-noise5"].labels is None


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "setting,subject,accuracy\nx,a,much\n"])
def test_other_files_are_not_published_figures(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError):
        read_published(published_file(tmp_path, text))


def test_classes_in_both_forms(tmp_path: Path) -> None:
    path = tmp_path / "classes"
    path.write_text("subject,class\na,ORRN\nb,DCCR\n")
    assert read_classes(path) == {"a": "ORRN", "b": "DCCR"}
    path.write_text("a\tORRN\tWRONG_ANSWER\tDIFFOUT~~If\n")
    assert read_classes(path) == {"a": "ORRN"}


def test_the_summary_counts_failed_jobs_as_no_patch() -> None:
    text = summary([row("a"), replace(row("b"), status="error", repaired=0, val_total=0)]).text()
    line = text.splitlines()[4]
    assert "50.0 %" in line
    assert "100.0 %" in line
    assert "0.900" in line


class Sources(HTMLParser):
    """Everything that a page would load."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href")]


def many_rows() -> list[Row]:
    return [
        row(f"<s{i}>", run, strategy, labels, val_correct=12 + (i + labels // 10) % 8, repaired=i % 2)
        for i in range(8)
        for run in (1, 2)
        for strategy in ("guided", "paper")
        for labels in (10, 20, 30)
    ]


def test_the_report_is_one_file_with_every_question(tmp_path: Path) -> None:
    published = read_published(published_file(tmp_path, PUBLISHED.replace(",a,", ",<s1>,")))
    report = make_report(many_rows(), published, {"<s1>": "ORRN", "<s2>": "DCCR"})
    text, page = report.text(), report.html()
    for words in ("RQ1", "RQ2", "RQ3", "By defect class", "published l2f-10", "p paired", "A12", "ORRN"):
        assert words in text, words
        assert words in page, words
    # Published figures of subjects that did not run are left out.
    assert "zzz" not in page
    # Names are text, never markup; and nothing is loaded from elsewhere.
    assert "<s1>" not in page
    assert "&lt;s1&gt;" in page
    sources = Sources(page).found
    assert len(sources) == 3
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    for source in sources:
        drawing = ElementTree.fromstring(base64.b64decode(source.partition(",")[2]))
        assert drawing.tag.endswith("svg")
        # Without colour: every paint is a shade of grey.
        for colour in re.findall(r"#[0-9a-f]{6}\b", ElementTree.tostring(drawing, "unicode")):
            assert colour[1:3] == colour[3:5] == colour[5:7]


def test_a_report_is_the_same_for_the_same_rows() -> None:
    assert make_report(many_rows()).html() == make_report(list(reversed(many_rows()))).html()


def test_there_is_nothing_to_report_without_rows() -> None:
    with pytest.raises(UsageError, match="no rows"):
        make_report([])


def test_a_report_of_failed_jobs_alone_can_be_made() -> None:
    failed = [Row("a", 1, 1, "guided", "patches", "output", 10, "error")]
    assert "–" in make_report(failed).text()


@given(st.lists(st.tuples(st.text("ab\n<", max_size=5), st.text("12", max_size=4)), min_size=1))
def test_tables_escape_what_they_hold(cells: list[tuple[str, str]]) -> None:
    made = table("t", ["a", "b"], cells)
    assert made.html().count("<tr>") == len(cells) + 1


def manual(subject: str, repairer: str = "genprog", tests: int = 6, **changes: object) -> RepairRow:
    """A subject repaired from its own tests."""
    plain = RepairRow(
        subject, 1, job_seed(1, subject, 1), f"tests+{repairer}", "patches", "output", tests, "repaired"
    )
    measured = replace(plain, repaired=1, heldout_passed=10, heldout_total=20)
    return replace(measured, **changes)  # type: ignore[arg-type]


def test_effort_counts_failing_tests_that_were_labelled() -> None:
    (series,) = series_of([row("a"), row("b", generated_failing=0, labelled_failing=0)])
    assert series.of("failing_labelled_share") == {"a": 0.6}
    # Three times as often; of a subject whose generated tests never fail there is no ratio.
    assert times_more(series) == [pytest.approx(3.0)]


def test_what_comes_with_a_subject_is_counted() -> None:
    learned, own = series_of([row("a"), manual("a", tests=7)])
    assert (learned.of("validation_passing"), learned.of("validation_failing")) == ({"a": 15}, {"a": 5})
    assert learned.of("training_tests") == {}
    assert own.of("training_tests") == {"a": 7}


def test_repairs_from_manual_tests_are_one_series_however_many_tests_a_subject_has() -> None:
    (series,) = series_of([manual("a", tests=3), manual("b", tests=9, repaired=0)])
    assert (series.name, series.tests, series.repairer) == (
        "tests+genprog, manual tests",
        "manual",
        "genprog",
    )
    assert series.of("repaired") == {"a": 1.0, "b": 0.0}
    assert series.of("still_failing") == {"a": 0.5}
    # Nobody was asked, and nothing was generated.
    assert (series.questions, series.of("questions"), series.of("generated")) == ((), {}, {})


@pytest.mark.parametrize(
    ("strategy", "repairer"),
    [
        ("paper", "genprog"),
        ("paper+as-run+genetic", "genetic"),
        ("paper+extended", "genprog"),
        ("guided", "learn2fix"),
        ("tests", "learn2fix"),
        ("tests+synthesis", "synthesis"),
    ],
)
def test_who_repairs(strategy: str, repairer: str) -> None:
    assert series_of([row("a", strategy=strategy)])[0].repairer == repairer


def test_the_table_of_patches_is_that_of_the_paper(tmp_path: Path) -> None:
    rows: list[Row] = [
        manual("a"),
        manual("b", repaired=0),
        manual("a", "synthesis"),
        # One of two runs is repaired, and three of fifteen held-out tests fail on the patch.
        row("a", 1, "paper", heldout_passed=12),
        row("a", 2, "paper", repaired=0),
        row("b", 1, "paper", repaired=0),
        row("c", 1, "paper", heldout_passed=15),
    ]
    published = [series.only({"a"}) for series in read_published(published_file(tmp_path))]
    lines = {tuple(line[:2]): line[2:] for line in patch_table(series_of(rows), published).rows}
    assert lines["tests+genprog (genprog)", "manual"] == ("2", "50.0 %", "50.0 %", "50.0 %", "50.0 %")
    assert lines["paper (genprog)", "10"] == ("3", "66.7 %", "50.0 %", "10.0 %", "10.0 %")
    assert lines["tests+synthesis (synthesis)", "manual"][0] == "1"
    assert lines["published l2f manual", "manual"] == ("1", "100.0 %", "50.0 %", "40.0 %", "40.0 %")
    assert lines["published l2f", "10"][-1] == "30.0 %"
    assert lines["in the paper", "30"][-2:] == ("0.0 %", "10.3 %")
    # Manual tests stand before the learned ones of the same repair tool.
    order = list(lines)
    assert order.index(("tests+genprog (genprog)", "manual")) < order.index(("paper (genprog)", "10"))


def growing_rows() -> list[Row]:
    """Of eight subjects: more labels, more accuracy, more failing ones among the labelled, fewer labelled."""
    return [
        row(
            f"s{i}",
            strategy="paper",
            labels=labels,
            val_correct=10 + i // 2 + labels // 10,
            generated=20 * labels + i + labels * labels // 5,
            generated_failing=5 * labels,
            labelled=labels,
            labelled_failing=labels // 10 + labels // 2,
            heldout_passed=(i + labels // 10) % 15,
        )
        for i in range(8)
        for labels in (10, 20, 30)
    ]


def test_the_tests_of_the_paper_have_its_sides() -> None:
    series = series_of([*growing_rows(), *(manual(f"s{i}", heldout_passed=i) for i in range(8))])
    found = {(c.measure, c.more, c.less): compared(c, "paper", series) for c in CLAIMS}
    every_one_up = 1 / 2**8
    for measure, more, less in (
        ("accuracy", "20", "10"),
        ("accuracy", "30", "20"),
        ("labelled_share", "10", "20"),
        ("labelled_share", "20", "30"),
    ):
        test = found[measure, more, less]
        assert test is not None
        assert test.paired
        assert test.p == pytest.approx(every_one_up)
    # Nothing changes in the accuracy on failing tests, so p is 1: no test of the other side.
    assert (recall := found["failing_recall", "20", "10"]) is not None
    assert recall.p == 1
    score = found["score", "20", "manual"]
    assert score is not None
    assert not score.paired
    assert score.p == pytest.approx(rank_sum_p([(i + 2) / 15 for i in range(8)], [i / 20 for i in range(8)]))


def test_claims_whose_rows_are_missing_are_left_out(tmp_path: Path) -> None:
    series = series_of(growing_rows())
    assert [line[0] for line in paper_tests("RQ3", series, ()).rows] == [
        "validation score differs, 30 against 20: paper"
    ]
    assert paper_tests("RQ1", series[:1], read_published(published_file(tmp_path))).rows == ()
    assert len(paper_tests("RQ2", series, ()).rows) == 6


def test_published_manual_repairs_are_compared_with_those_of_the_same_budget() -> None:
    series = read_published_lines(
        *(f"l2f-{n},{s},30,{v},,,.5,.2,.4,1,{m},0,1,{v},0" for n in (10, 20) for s, v, m in SCORES)
    )
    lines = [line for line in paper_tests("RQ3", (), series).rows if "20 against manual" in line[0]]
    assert len(lines) == 1
    assert lines[0][2:4] == ("3, 3", "+0.300")


SCORES = (("a", 0.9, 0.6), ("b", 0.8, 0.5), ("c", 0.7, 0.4))


def read_published_lines(*lines: str) -> list[Series]:
    with TemporaryDirectory() as folder:
        head = "".join(PUBLISHED.splitlines(keepends=True)[:1])
        return read_published(published_file(Path(folder), "\n".join([head.rstrip("\n"), *lines, ""])))


def test_the_report_takes_repairs_from_manual_tests_too() -> None:
    report = make_report([*growing_rows(), *(manual(f"s{i}", repaired=i % 2) for i in range(8))])
    text = report.text()
    assert "tests+genprog (genprog)" in text
    assert "20 against manual: paper" in text
    captions = [caption for section in report.sections for caption, _ in section.plots]
    assert [caption.partition(":")[0] for caption in captions] == ["Figure 3", "Figure 4", "Figure 5"]


def test_learners_are_compared_by_labels_and_noise() -> None:
    rows: list[Row] = [
        replace(
            row("a", strategy="paper", labels=labels, val_correct=correct), learner=learner, feedback=said
        )
        for learner, said, labels, correct in (
            ("svm", "output", 10, 20),
            ("svm", "output", 20, 10),
            ("bayes", "output", 10, 5),
            ("svm", "output+noise0.05", 10, 15),
        )
    ]
    (made,) = learner_tables([*rows, row("a"), manual("a")])
    assert made.columns == ("learner", "wrong answers", "subjects", "10 labels", "20 labels")
    assert made.rows == (
        ("bayes", "0 %", "1", ".250 / .800", "– / –"),
        ("svm", "0 %", "1", "1.000 / .800", ".500 / .800"),
        ("svm", "5 %", "1", ".750 / .800", "– / –"),
    )
    assert "By learner" in make_report(rows).text()


def test_drawings_have_shares_counts_and_bars() -> None:
    drawn = drawing_of(
        [
            Panel("shares", (Box("x", "10", (0.1, 0.5)), Box("y", "20", ()))),
            Panel("counts", (Box("x", "", (3.0, 40.0)),), Scale.COUNT, ""),
            Panel("bars", (Box("x", "10", (0.25,)),), Scale.BAR, "tests"),
            Panel("nothing", ()),
        ]
    )
    assert drawn == drawing_of(
        [
            Panel("shares", (Box("x", "10", (0.1, 0.5)),)),
            Panel("counts", (Box("x", "", (3.0, 40.0)),), Scale.COUNT, ""),
            Panel("bars", (Box("x", "10", (0.25,)),), Scale.BAR, "tests"),
            Panel("nothing", ()),
        ]
    )
    assert ElementTree.fromstring(drawn).tag.endswith("svg")

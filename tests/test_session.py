"""One program, from the failing input to the patch, with the golden program answering."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from learn2fix.errors import NotFailing, UsageError
from learn2fix.model import Answer, Control, Question, Verdict
from learn2fix.session import Options, Result, Session, read_input

ZOO = Path(__file__).parent / "zoo"


def triangle(a: int, b: int, c: int) -> str:
    if min(a, b, c) <= 0:
        return "4"
    return str(len({a, b, c}))


def answer(question: Question, feedback: str = "output") -> Answer:
    values = question.observation.input.values
    expected = triangle(*values)
    if expected == str(question.observation.outcome.response):
        return Answer(Verdict.OK)
    return Answer(Verdict.BUG, expected if feedback == "output" else None)


def judged(question: Question, right: Callable[..., str]) -> Answer:
    """What a person says who knows what is right."""
    expected = right(*question.observation.input.values)
    return (
        Answer(Verdict.OK)
        if expected == str(question.observation.outcome.response)
        else Answer(Verdict.BUG, expected)
    )


def converse(
    session: Session, most: int = 100, say: Callable[[Question], Answer] | None = None
) -> tuple[list[Question], Result]:
    say = say or (lambda question: answer(question, session.options.feedback))
    asked: list[Question] = []
    conversation = session.conversation()
    try:
        question = next(conversation)
        while True:
            asked.append(question)
            reply = say(question) if len(asked) <= most else Control.FINISH
            question = conversation.send(reply)
    except StopIteration as stop:
        return asked, stop.value


def test_learning_from_labels_alone_needs_no_source(tmp_path: Path) -> None:
    tool = tmp_path / "triangle"
    tool.write_text(
        "#!/bin/sh\n"
        "if [ $(($1 == $2)) -eq $3 ]; then echo 1; elif [ $1 -eq $2 ] || [ $2 -eq $3 ] || [ $1 -eq $3 ]; "
        "then echo 2; else echo 3; fi\n"
    )
    tool.chmod(0o755)
    options = Options(labels=6, seed=3, ranges=("1..9",), only_learn=True)
    with Session.create([str(tool), "{a}", "{b}", "{c}"], ["2 2 2"], options) as session:
        asked, result = converse(session)
        assert result.status == "learned"
        assert result.patches == ()
        assert 1 <= len(asked) <= 6
        assert session.predict(["2 2 2"]) == [Verdict.BUG]
        assert all(0 <= chance <= 1 for chance in session.chances(["2 3 4", "5 5 5"]))


@pytest.mark.parametrize("feedback", ["output", "verdict"])
def test_candidate_fixes_choose_the_questions_and_one_is_left(feedback: str) -> None:
    path = ZOO / "triangle" / "buggy.c"
    with Session.create(str(path), ["2 2 2"], Options(seed=1, feedback=feedback)) as session:
        asked, result = converse(session)
        assert result.status == "repaired"
        assert "a == b && b == c" in result.patches[0].description
        assert len(asked) <= 10
        triples = [(a, b, c) for a in range(1, 5) for b in range(1, 5) for c in range(1, 5)]
        wrong = sum(
            (session.predict([f"{a} {b} {c}"])[0] is Verdict.BUG)
            is not (a == b and (b == c or c == 1) and a != 1)
            for a, b, c in triples
        )
        assert wrong == 0
        document = result.document()
        assert document["schema"] == 1
        assert path.read_bytes() == session.subject.text  # nothing is applied unasked


def test_the_same_seed_and_answers_give_the_same_questions() -> None:
    """With the paper's strategy; test_same_run.py is about ours."""

    def texts() -> list[str]:
        options = Options(labels=4, seed=7, strategy="paper", only_learn=True)
        with Session.create(str(ZOO / "triangle" / "buggy.c"), ["2 2 2"], options) as session:
            return [question.observation.input.text for question in converse(session)[0]]

    assert texts() == texts()


@pytest.mark.parametrize(
    ("failing", "options", "error"),
    [
        (["2 2 2"], Options(expected="2"), NotFailing),
        (["2 2"], Options(tests=(("2 3 4", "3"),)), UsageError),
        ([], Options(), UsageError),
        ([], Options(tests=(("2 3 4", "3"),)), NotFailing),
        (["2 2 2"], Options(ranges=("x=1..2",)), UsageError),
        (["2 2 2"], Options(build="'"), UsageError),
    ],
)
def test_what_cannot_be_learned_from_is_refused(
    failing: list[str], options: Options, error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        Session.create(str(ZOO / "triangle" / "buggy.c"), failing, options)
    assert "\n" not in str(caught.value)


RANGED = """\
def dear(prices: list[int], limit: int, name: str = "") -> int:
    found = 0
    for price in prices:
        if price >= limit:
            found += 1
    return found
"""


def test_ranges_hold_for_the_numbers_of_a_python_function_and_of_its_lists(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text(RANGED)
    program, failing = f"{path}:dear", "[3, 5, 5], 5"

    def right(prices: list[int], limit: int) -> str:
        return str(sum(price > limit for price in prices))

    options = Options(seed=1, labels=8, ranges=("prices=1..9", "limit=2..7"))
    with Session.create(program, [failing], options) as session:
        asked, result = converse(session, say=lambda question: judged(question, right))
        assert asked
        for question in asked:
            prices, limit = question.observation.input.values
            assert 2 <= limit <= 7
            assert all(1 <= price <= 9 for price in prices)
        assert result.status == "repaired"
    with pytest.raises(UsageError, match="outside"):
        Session.create(program, [failing], Options(ranges=("prices=1..4",)))


def test_an_input_may_stand_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"2 2 2\n\xff")
    assert read_input(f"@{tmp_path / 'input'}") == "2 2 2\n\udcff"
    assert read_input("2 2 2") == "2 2 2"
    with pytest.raises(UsageError, match="cannot read"):
        read_input(f"@{tmp_path / 'missing'}")


def test_known_tests_are_labels_from_the_start() -> None:
    options = Options(tests=(("2 3 4", "3"), ("2 2 2", "1"), ("1 1 1", "1")), labels=0, only_learn=True)
    with Session.create(str(ZOO / "triangle" / "buggy.c"), [], options) as session:
        known = [(label.observation.input.text, label.answer.verdict) for label in session.known]
    assert known == [("2 2 2", Verdict.BUG), ("2 3 4", Verdict.OK), ("1 1 1", Verdict.OK)]


PAIRS = """#include <stdio.h>
int main(void) {
    int n, m;
    long long sum = 0;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < m; j++)
            sum += (i + j) % 3;
    printf("%lld\\n", sum);
    return 0;
}
"""
"""Leaves out the last column."""


def test_a_failing_input_that_takes_long_is_looked_into_on_smaller_ones(tmp_path: Path) -> None:
    source = tmp_path / "pairs.c"
    source.write_text(PAIRS)

    def right(n: int, m: int) -> str:
        return str(sum((i + j) % 3 for i in range(1, n + 1) for j in range(1, m + 1)))

    options = Options(seed=1, labels=6, expected=right(1500, 1500), ranges=("1..1500", "1..1500"))
    with Session.create(str(source), ["1500 1500"], options) as session:
        conversation = session.conversation()
        asked: list[Question] = []
        try:
            question = next(conversation)
            while True:
                asked.append(question)
                expected, shown = (
                    right(*question.observation.input.values),
                    str(question.observation.outcome.response),
                )
                question = conversation.send(
                    Answer(Verdict.OK) if expected == shown else Answer(Verdict.BUG, expected)
                )
        except StopIteration as stop:
            result: Result = stop.value
    assert all(value < 1500 for value in asked[0].observation.input.values)
    assert "j <= m" in result.patches[0].diff


WAGES = """#include <stdio.h>
int main(void) {
    int hours, rate, pay;
    if (scanf("%d %d", &hours, &rate) != 2) return 1;
    if (hours <= 40)
        pay = hours * rate;
    else if (hours <= 60)
        pay = 40 * rate + (hours - 40) * rate * 3 / 2;
    else
        pay = 40 * rate + 20 * rate * 3 / 2 + (hours - 40) * rate * 2;
    printf("%d\\n", pay);
    return 0;
}
"""
"""`40 * pay`, with pay not yet set, happens to print what is right as long as that memory is 0."""


def test_a_fix_that_reads_what_was_never_set_is_not_offered_while_there_is_another(tmp_path: Path) -> None:
    source = tmp_path / "wages.c"
    source.write_text(WAGES)

    def right(hours: int, rate: int) -> str:
        if hours <= 40:
            return str(hours * rate)
        extra = (min(hours, 60) - 40) * rate * 3 // 2
        return str(40 * rate + extra + max(hours - 60, 0) * rate * 2)

    options = Options(seed=1, labels=5, expected=right(65, 1000), ranges=("1..168", "1..5000"))
    with Session.create(str(source), ["65 1000"], options) as session:
        assert session.domain.variables[0].name == "hours"
        _, result = converse(session, say=lambda question: judged(question, right))
    assert result.patches
    assert "* pay" not in result.patches[0].diff


WEIGHED = """#include <stdio.h>
int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (7 * a + b < 123456)
        printf("over\\n");
    else
        printf("within\\n");
    return 0;
}
"""


@pytest.mark.parametrize("least", [123456, 123457])
def test_fixes_that_part_where_a_sum_has_one_value_are_told_apart(tmp_path: Path, least: int) -> None:
    source = tmp_path / "weighed.c"
    source.write_text(WEIGHED)

    def right(a: int, b: int) -> str:
        return "over" if 7 * a + b >= least else "within"

    with Session.create(str(source), ["3 5"], Options(seed=1)) as session:
        _, result = converse(session, say=lambda question: judged(question, right))
    assert ("+    if (7 * a + b >= 123456)" in result.patches[0].diff) == (least == 123456)

"""docs/answers.md says what the code does."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import answers_page  # noqa: E402

from fake_program import problem_of  # noqa: E402
from learn2fix.conversation.result import DOCUMENT, Result  # noqa: E402
from strategy_conformance import STRATEGIES, program, run  # noqa: E402


def test_the_page_is_the_one_that_is_made() -> None:
    assert answers_page.PAGE.read_text("utf-8") == answers_page.page()


def test_every_field_of_the_result_document_is_named() -> None:
    _, strategy, _ = run(STRATEGIES["guided"], problem_of(program(), "3 5"))
    found = Result.of(
        strategy.findings(), session="a-1", seed=1, strategy="guided", isolation="none", reason="done"
    )
    strategy.close()
    assert list(found.document()) == list(DOCUMENT)

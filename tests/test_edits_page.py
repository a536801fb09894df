"""The page of edit operators is what the code makes of the catalogues."""

from __future__ import annotations

from tools.edits_page import CATALOGUES, PAGE, page


def test_the_committed_page_is_what_make_docs_writes() -> None:
    assert PAGE.read_text("utf-8") == page()


def test_every_operator_has_one_line_with_five_cells() -> None:
    sections = page().split("\n## ")[1:]
    for (_, catalogue), section in zip(CATALOGUES, sections, strict=True):
        for operator in catalogue:
            name = operator.name.replace("|", "\\|")
            (line,) = [line for line in section.splitlines() if line.startswith(f"| {name} | ")]
            assert line.replace("\\|", "").count("|") == 6

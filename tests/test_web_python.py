"""`serve` on a Python function that takes a list: a whole conversation over HTTP, up to the patch."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from tests.web_server import running

SOURCE = '''def average(marks):
    """The mean of the marks; 0 when there are none."""
    if not marks:
        return 0
    return sum(marks) // len(marks)
'''


def right(marks: list[Any]) -> str:
    return repr(sum(marks) / len(marks) if marks else 0)


def test_a_list_is_asked_about_and_the_function_repaired(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/marks.py").write_text(SOURCE)
    with running(tmp_path, program="marks.py:average", failing="[1, 2]", learner=None, labels=6) as site:
        asked = []
        for state in site.news(site.reporter):
            assert state["phase"] != "failed", site.host.board.error
            question = state.get("question")
            if state["phase"] == "asking" and question and question["id"] not in asked:
                asked.append(question["id"])
                (field,) = question["fields"]
                assert field["name"] == "marks"
                wanted = right(ast.literal_eval(field["value"]))
                reply = {"question": question["id"], "key": "e", "expected": wanted}
                status, told = site.post(f"{site.reporter}answer", reply)
                assert status == 200, told
            if state["phase"] == "finished":
                break
        assert asked
        state = site.state("finished", site.programmer)
    (patch, *_) = state["patches"]
    assert "+    return sum(marks) / len(marks)" in patch["diff"]

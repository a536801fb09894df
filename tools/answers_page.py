"""docs/answers.md from the code: how questions are answered, lines of `--answers`, the result document.

python tools/answers_page.py [--write]
"""

from __future__ import annotations

import sys
from pathlib import Path

from learn2fix.conversation.result import DOCUMENT
from learn2fix.model import Verdict
from learn2fix.people.answers_file import FIELDS
from learn2fix.people.phrasing import WORDS

PAGE = Path(__file__).parent.parent / "docs/answers.md"
MEANINGS = {
    Verdict.BUG: "what the program does here is wrong",
    Verdict.OK: "it is right",
    Verdict.UNSURE: "the person cannot tell; nothing is concluded",
    Verdict.INVALID: "the input makes no sense",
}
TOP = """\
# Answers and results

Made by tools/answers_page.py from the code.

Everywhere (terminal, page, files, documents, `predict`) an answer is one of four words:

"""
DOORS = """
A question is answered at any of three doors, and a session moves between them at any time:

| door | begin | answer |
|---|---|---|
| terminal | `learn2fix fix`, `learn`, `resume SESSION` | one key; a word or a line works as well |
| command | `learn2fix pending SESSION`, with a command for each answer | `learn2fix answer SESSION Q3 bug` |
| page | `learn2fix serve SESSION` prints two links | large buttons, or the letters on them as keys |

`pending` and `answer` take `--json` for programs; `--expected 5` says what is right.
`--feedback output` (the default) offers what the surviving fixes answer, with a field for something else;
`--feedback choice` only offers, up to eight of them, and once more the rest where none was right for the
input that was reported; with `--feedback verdict` nothing but the four words is ever asked.

"Question 2 of at least 4 and at most 10": before a fix is believed, a few predictions in a row must hold, so
at least that many are asked unless nothing is left to ask; `--labels` says how many at most.

Whole sessions, as recorded: [at a terminal](../tests/transcripts/terminal-python.txt),
[by commands](../tests/transcripts/commands-python.txt), [in a browser](serve.md#how-it-looks).
`tests/test_web_together.py` begins one at a terminal, answers by command and ends in the browser.

"""


def page() -> str:
    lines = [TOP + "| word | means | also understood |\n|---|---|---|\n"]
    keys = {Verdict.BUG: "y", Verdict.OK: "n", Verdict.UNSURE: "u", Verdict.INVALID: "i"}
    for verdict, means in MEANINGS.items():
        key = keys[verdict]
        said = [f"`{key}`", *(f"`{word}`" for word in WORDS if WORDS[word] == key and word != verdict.value)]
        lines.append(f"| `{verdict.value}` | {means} | {', '.join(said)} |\n")
    lines.append(DOORS)
    lines.append("## Lines of `--answers FILE`\n\nOne JSON object a line:\n\n")
    lines.append(
        '    {"input": "2 2 3", "verdict": "bug", "expected": "1"}\n\n| field | holds |\n|---|---|\n'
    )
    lines += [f"| `{name}` | {means} |\n" for name, means in FIELDS.items()]
    lines.append("\n## The result document of `--json`\n\n| field | holds |\n|---|---|\n")
    lines += [f"| `{name}` | {means} |\n" for name, means in DOCUMENT.items()]
    return "".join(lines)


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), "utf-8")
    else:
        print(page(), end="")

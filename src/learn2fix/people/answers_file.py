"""Answers from a file, JSON lines: {"input": "2 2 3", "verdict": "bug", "expected": "1"}.

A line with "input" answers every question about that input. Lines without are used in order, one a question.
The verdict may also be "finish".
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from learn2fix.errors import Interrupted, UsageError
from learn2fix.model import Control, Question, Reply, Same, Verdict, canonical
from learn2fix.people.protocol import Context, answer_to

FIELDS = {
    "verdict": "bug, ok, unsure, invalid, or finish to end the questions",
    "expected": "the right output, where it is known",
    "rejected": "outputs that are wrong, too",
    "input": "answers every question about this input; without it lines are used in order, one a question",
    "output": "what the program gave; not read, so that labels of a result document can be used as answers",
}
WORDS = [verdict.value for verdict in Verdict] + [Control.FINISH.value]


@dataclass(frozen=True, slots=True)
class Line:
    verdict: Verdict | Control
    input: str | None = None
    expected: str | None = None
    rejected: tuple[str, ...] = ()

    def reply_to(self, question: Question, same: Same) -> Reply:
        if isinstance(self.verdict, Control):
            return self.verdict
        return replace(answer_to(question, self.verdict, self.expected, same), rejected=self.rejected)


class AnswersFile:
    def __init__(self, lines: Iterable[Line], name: str = "the answers") -> None:
        lines = tuple(lines)
        self._name = name
        self._by_input = {canonical(line.input): line for line in lines if line.input is not None}
        self._in_order = iter([line for line in lines if line.input is None])

    @classmethod
    def load(cls, path: Path) -> AnswersFile:
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        except UnicodeDecodeError:
            raise UsageError(f"{path} is not UTF-8 text") from None
        return cls(parse(text, str(path)), str(path))

    def reply(self, question: Question, context: Context) -> Reply:
        line = self._by_input.get(canonical(question.observation.input.text)) or next(self._in_order, None)
        if line is None:
            raise Interrupted(
                f"{self._name} has no answer to question {question.number}, input "
                f"{question.observation.input.text!r}"
            )
        return line.reply_to(question, context.same)


def parse(text: str, name: str) -> list[Line]:
    # Not splitlines(): it also splits at separators that JSON allows inside a string.
    lines = enumerate(text.split("\n"), start=1)
    return [_parse_line(line, f"{name}, line {number}") for number, line in lines if line.strip()]


def _parse_line(text: str, where: str) -> Line:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError(f"{where}: not JSON", 'a line is like {"input": "2 2 3", "verdict": "ok"}') from None
    if not isinstance(data, dict):
        raise UsageError(f"{where}: not a JSON object", 'a line is like {"input": "2 2 3", "verdict": "ok"}')
    if unknown := sorted(set(data) - set(FIELDS)):
        raise UsageError(f"{where}: unknown field {unknown[0]!r}", f"the fields are {', '.join(FIELDS)}")
    word = data.get("verdict")
    if word not in WORDS:
        raise UsageError(f"{where}: the verdict is {word!r}", f"it is one of {', '.join(WORDS)}")
    for field in ("input", "expected"):
        # `"expected": 7` is what people write; `true` and lists have no single spelling and are refused.
        value = data.get(field)
        if isinstance(value, int | float) and not isinstance(value, bool):
            data[field] = str(value)
        elif value is not None and not isinstance(value, str):
            raise UsageError(f"{where}: {field} is not text")
    rejected = data.get("rejected", [])
    if not isinstance(rejected, list) or not all(isinstance(each, str) for each in rejected):
        raise UsageError(f"{where}: rejected is not a list of texts")
    verdict = Control.FINISH if word == Control.FINISH.value else Verdict(word)
    return Line(verdict, data.get("input"), data.get("expected"), tuple(rejected))

"""What a fix does to an answer, roughly: one that was only seen to make numbers larger may be wrong where it
makes one smaller."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence

from learn2fix.domain.numbers import parse_number
from learn2fix.guided.state import State
from learn2fix.model import Observation, Requirement, Response, Verdict

PART = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s,\[\](){}]+")
"""A number, a word or a quoted text within an answer."""
FEW_WORDS = 4
"""Number of different answers up to which each is a case of its own, as yes and no are."""

Kind = tuple[Hashable, ...]


def kind_of_change(before: Response, after: Response, words: Collection[str] = ()) -> Kind:
    """Whether an answer comes to be, grows, shrinks or becomes another one.

    `words`: the answers, where there are only few of them.
    """
    if before.ending is not after.ending:
        return before.ending, after.ending
    if before.text in words and after.text in words:
        return before.text, after.text
    old, new = PART.findall(before.text), PART.findall(after.text)
    if len(old) != len(new):
        return "parts", len(new) > len(old)
    for one, other in zip(old, new, strict=True):
        if one != other:
            return _part(one, other)
    return ("layout",)


def _part(before: str, after: str) -> Kind:
    old, new = parse_number(before), parse_number(after)
    if old is not None and new is not None:
        return "number", new > old
    if old is not None or new is not None:
        return "number", new is not None, "word"
    return "word", _sign(len(after) - len(before))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def of_a_new_kind(state: State, telling: Sequence[Observation]) -> list[Observation]:
    """Those of the inputs on which the best fix changes an answer in a way that nothing was said about."""
    if not state.behaviours:
        return []
    words = _few_words(state)
    seen = _seen(state, words)
    changes = ((each, _foreseen(state, each)) for each in telling)
    return [
        each
        for each, new in changes
        if new is not None and kind_of_change(state.shown(each), new, words) not in seen
    ]


def _seen(state: State, words: Collection[str]) -> set[Kind]:
    """The kinds of change that were asked for, or that the best fix makes where a bug was seen."""
    kinds = set()
    for label in state.labels:
        if label.answer.verdict is not Verdict.BUG:
            continue
        requirement = Requirement.from_label(label)
        right = None if requirement is None else requirement.expected
        right = _foreseen(state, label.observation) if right is None else state.normal(right)
        if right is not None:
            kinds.add(kind_of_change(state.shown(label.observation), right, words))
    return kinds


def _foreseen(state: State, observation: Observation) -> Response | None:
    return state.printed.answer(observation.input.text, state.behaviours[0].best)


def _few_words(state: State) -> frozenset[str]:
    """The program's answers, if it has only few."""
    texts = frozenset(state.shown(each).text for each in state.pool if each.outcome.completed)
    return texts if len(texts) <= FEW_WORDS else frozenset()

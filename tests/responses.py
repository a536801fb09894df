"""Responses as the texts that people read, for comparing them in tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from learn2fix.model import Response


def texts(responses: Iterable[Response]) -> list[str]:
    return [str(response) for response in responses]


def printed(columns: Iterable[Mapping[Response, Sequence[int]]]) -> list[dict[str, tuple[int, ...]]]:
    """What an evaluator says for each input: text → candidates."""
    return [{str(response): tuple(who) for response, who in column.items()} for column in columns]

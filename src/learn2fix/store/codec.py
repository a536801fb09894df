"""Lossless JSON for the values of `model`.

Bytes travel as text with surrogate escapes and the JSON is pure ASCII, so NUL, binary and broken UTF-8
come back byte for byte. `Input.values` is left out: the domain reads them from the text again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from learn2fix.model import (
    OUTPUT_ONLY,
    Answer,
    Candidate,
    Control,
    Counted,
    Edit,
    Ending,
    Grounds,
    Input,
    Label,
    Location,
    Observation,
    Outcome,
    Patch,
    Question,
    Reply,
    Response,
    Verdict,
)

Json = dict[str, Any]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def observation_to_json(observation: Observation) -> Json:
    outcome = observation.outcome
    found: Json = {
        "input": observation.input.text,
        "ending": outcome.ending.value,
        "output": text_of(outcome.output),
        "status": outcome.status,
        "detail": outcome.detail,
    }
    if outcome.counted != OUTPUT_ONLY:
        found |= {"counted": asdict(outcome.counted), "stderr": text_of(outcome.stderr)}
    return found


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    outcome = Outcome(
        Ending(data["ending"]),
        bytes_of(data["output"]),
        int(data["status"]),
        str(data["detail"]),
        bytes_of(data.get("stderr", "")),
        counted=Counted(**data.get("counted", {})),
    )
    return Observation(Input(data["input"]), outcome)


def question_to_json(question: Question) -> Json:
    return {
        "number": question.number,
        "remaining": question.remaining,
        "observation": observation_to_json(question.observation),
        "choices": [str(choice) for choice in question.choices],
        "reported": question.reported,
        "why": question.why,
        "again": None if question.again is None else reply_to_json(question.again),
        "least": question.least,
    }


def question_from_json(data: Mapping[str, Any]) -> Question:
    again = reply_from_json(data["again"]) if data.get("again") else None
    return Question(
        number=int(data["number"]),
        remaining=int(data["remaining"]),
        observation=observation_from_json(data["observation"]),
        choices=tuple(Response.read(choice) for choice in data.get("choices", ())),
        reported=data.get("reported", False),
        why=data["why"],
        again=again if isinstance(again, Answer) else None,
        least=int(data.get("least", 0)),
    )


def reply_to_json(reply: Reply) -> Json:
    if isinstance(reply, Control):
        return {"control": reply.value}
    return {"verdict": reply.verdict.value, "expected": reply.expected, "rejected": list(reply.rejected)}


def reply_from_json(data: Mapping[str, Any]) -> Reply:
    if "control" in data:
        return Control(data["control"])
    return Answer(Verdict(data["verdict"]), data["expected"], tuple(data["rejected"]))


def label_to_json(label: Label) -> Json:
    return {"observation": observation_to_json(label.observation), "answer": reply_to_json(label.answer)}


def label_from_json(data: Mapping[str, Any]) -> Label:
    answer = reply_from_json(data["answer"])
    assert isinstance(answer, Answer)
    return Label(observation_from_json(data["observation"]), answer)


def candidate_to_json(candidate: Candidate) -> Json:
    return {
        "edits": [[edit.start, edit.end, text_of(edit.text)] for edit in candidate.edits],
        "kind": candidate.kind,
        "cost": candidate.cost,
    }


def candidate_from_json(data: Mapping[str, Any]) -> Candidate:
    edits = tuple(Edit(start, end, bytes_of(text)) for start, end, text in data["edits"])
    return Candidate(edits, data["kind"], data["cost"])


def grounds_to_json(grounds: Grounds) -> Json:
    return {
        "labels": [label_to_json(label) for label in grounds.labels],
        "fixes": [[candidate_to_json(candidate), weight] for candidate, weight in grounds.fixes],
        "trust": grounds.trust,
    }


def grounds_from_json(data: Mapping[str, Any]) -> Grounds:
    return Grounds(
        labels=tuple(label_from_json(label) for label in data["labels"]),
        fixes=tuple((candidate_from_json(candidate), weight) for candidate, weight in data["fixes"]),
        trust=data["trust"],
    )


def patch_to_json(patch: Patch) -> Json:
    return {
        "id": patch.id,
        **candidate_to_json(patch.candidate),
        "location": [patch.location.path, patch.location.line, patch.location.column],
        "description": patch.description,
        "diff": patch.diff,
        "confidence": patch.confidence,
        "evidence": list(patch.evidence),
    }


def patch_from_json(data: Mapping[str, Any]) -> Patch:
    path, line, column = data["location"]
    return Patch(
        id=data["id"],
        candidate=candidate_from_json(data),
        location=Location(path, line, column),
        description=data["description"],
        diff=data["diff"],
        confidence=data["confidence"],
        evidence=tuple(data["evidence"]),
    )

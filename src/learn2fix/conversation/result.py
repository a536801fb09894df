"""What a run found, and the document that scripts read (schema 1 of the contract)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from learn2fix.model import Grounds, Input, Label, Observation, Patch, once_each
from learn2fix.oracles.risk import Risk

DOCUMENT = {
    "schema": "1",
    "session": "its id",
    "status": "repaired, undecided, learned, no_patch or stopped",
    "seed": "with the same answers it repeats the run",
    "strategy": "guided or paper",
    "questions": "how many were asked",
    "labels": "each input once: input, output, verdict (bug, ok, unsure, invalid), expected and rejected "
    "where they are known",
    "oracle": "kind; text: the condition, short enough to be read, or empty; sentence: when the bug shows, "
    "with how often that is wrong; smtlib: all of the condition; risk: estimate, upper95, method",
    "patches": "id, rank, diff, description, confidence, evidence; the likeliest first",
    "signals": "what the confidence of the first patch was weighed from",
    "where": "what every input asked about meets, by --where and as learned from those that make no sense",
    "side_by_side": "where several patches are offered: an input on which they differ, and columns, for the "
    "program as it is (patch: null) and each patch: what it gives, variables that differ at the end; or null",
    "decided": "for each answer that ruled out fixes: its input (described: by its values, where these have "
    "names), how many, and what the likeliest changed",
    "doubts": "other patches that agree with every answer, and where they differ",
    "reason": "why no further question was asked",
    "effort": "inputs generated, executions, candidates, seconds",
    "isolation": "what kept the program from the machine",
}
"""The fields of the result document, with what each holds."""


@dataclass(frozen=True, slots=True)
class Column:
    """One version of the program on one input."""

    patch: str
    """The id of the patch; empty for the program as it is."""
    gives: str
    variables: tuple[tuple[str, str], ...]
    """Those that do not hold the same in all versions, with what they held at last."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    input: Input
    columns: tuple[Column, ...]

    def document(self) -> dict[str, object]:
        return {
            "input": self.input.text,
            "columns": [
                {"patch": each.patch or None, "gives": each.gives, "variables": dict(each.variables)}
                for each in self.columns
            ],
        }


@dataclass(frozen=True, slots=True)
class Decided:
    """An answer that ruled out fixes."""

    input: Input
    count: int
    likeliest: str
    """What the likeliest of them changes."""
    described: str = ""
    """The input by its values, where these have names."""

    def document(self) -> dict[str, object]:
        named = {"described": self.described} if self.described else {}
        return {"input": self.input.text, **named, "ruled_out": self.count, "such_as": self.likeliest}


@dataclass(frozen=True, slots=True)
class Effort:
    generated: int = 0
    executions: int = 0
    candidates: int = 0
    learn_seconds: float = 0.0
    repair_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a strategy knows: at the end, or between two questions."""

    status: str
    """repaired, undecided, learned, no_patch or stopped."""
    labels: tuple[Label, ...]
    """Of the failing inputs and tests that were known, then of the questions."""
    questions: int
    oracle_kind: str
    condition: str
    """Short enough to be read; empty where no short one comes near."""
    smtlib: str
    """The whole condition for a solver."""
    risk: Risk
    patches: tuple[Patch, ...]
    effort: Effort
    signals: Mapping[str, float] = field(default_factory=dict)
    """What the confidence of the first patch was weighed from, by name."""
    shows: str = ""
    """When the bug shows, in a sentence: the condition and how often it is wrong, or examples."""
    doubts: tuple[str, ...] = ()
    """What is left in doubt: other patches that agree with every answer, and where they differ."""
    beside: SideBySide | None = None
    decided: tuple[Decided, ...] = ()
    where: str = ""
    """What every input meets that is asked about; empty: anything goes."""
    generated: tuple[Observation, ...] = ()
    """Every test generated on the way, in order."""
    grounds: Grounds | None = None
    """None where predictions need the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Findings):
    """What a session ends with."""

    session: str
    seed: int
    strategy: str
    isolation: str
    reason: str
    """Why no further question was asked."""

    @classmethod
    def of(
        cls, findings: Findings, *, session: str, seed: int, strategy: str, isolation: str, reason: str
    ) -> Result:
        found = {each.name: getattr(findings, each.name) for each in fields(Findings)}
        return cls(**found, session=session, seed=seed, strategy=strategy, isolation=isolation, reason=reason)

    def document(self) -> dict[str, object]:
        return {
            "schema": 1,
            "session": self.session,
            "status": self.status,
            "seed": self.seed,
            "strategy": self.strategy,
            "questions": self.questions,
            "labels": [label_document(label) for label in once_each(self.labels)],
            "oracle": {
                "kind": self.oracle_kind,
                "text": self.condition,
                "sentence": self.shows,
                "smtlib": self.smtlib,
                "risk": {
                    "estimate": round(self.risk.estimate, 4),
                    "upper95": round(self.risk.upper95, 4),
                    "method": self.risk.method,
                },
            },
            "patches": [
                {
                    "id": patch.id,
                    "rank": rank,
                    "diff": patch.diff,
                    "description": patch.description,
                    "confidence": round(patch.confidence, 4),
                    "evidence": list(patch.evidence),
                }
                for rank, patch in enumerate(self.patches, 1)
            ],
            "signals": {name: round(value, 4) for name, value in self.signals.items()},
            "where": self.where,
            "side_by_side": None if self.beside is None else self.beside.document(),
            "decided": [each.document() for each in self.decided],
            "doubts": list(self.doubts),
            "reason": self.reason,
            "effort": {
                "generated": self.effort.generated,
                "executions": self.effort.executions,
                "candidates": self.effort.candidates,
                "seconds": {
                    "learn": round(self.effort.learn_seconds, 3),
                    "repair": round(self.effort.repair_seconds, 3),
                },
            },
            "isolation": self.isolation,
        }


def label_document(label: Label) -> dict[str, object]:
    document: dict[str, object] = {
        "input": label.observation.input.text,
        "output": str(label.observation.outcome.response),
        "verdict": str(label.answer.verdict),
    }
    if label.answer.expected is not None:
        document["expected"] = label.answer.expected
    if label.answer.rejected:
        document["rejected"] = list(label.answer.rejected)
    return document

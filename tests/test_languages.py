"""Every language passes the conformance suite."""

from __future__ import annotations

from tests.language_conformance import (
    LanguageConformance,
    RepairableConformance,
    buggy,
    example,
    opened,
    sandbox,
)

__all__ = ["buggy", "example", "opened", "sandbox"]


class TestEveryLanguage(LanguageConformance):
    pass


class TestEveryRepairableLanguage(RepairableConformance):
    pass

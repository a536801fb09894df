"""Which input is most worth a person's time."""

from learn2fix.querying.baselines import RandomRule, UncertaintyRule
from learn2fix.querying.paper import AsRunRule, PaperRule
from learn2fix.querying.protocol import Ask, Case, Choice, Rule, Skip, State, Stop
from learn2fix.querying.spread import SpreadRule

__all__ = [
    "AsRunRule",
    "Ask",
    "Case",
    "Choice",
    "PaperRule",
    "RandomRule",
    "Rule",
    "Skip",
    "SpreadRule",
    "State",
    "Stop",
    "UncertaintyRule",
    "rule",
]


def rule(name: str) -> Rule:
    """A fresh rule by its name; one rule object serves one run."""
    rules: dict[str, type[PaperRule] | type[RandomRule] | type[UncertaintyRule] | type[SpreadRule]] = {
        kind.name: kind for kind in (PaperRule, AsRunRule, RandomRule, UncertaintyRule, SpreadRule)
    }
    if name not in rules:
        raise ValueError(f"no query rule {name!r}; there are {', '.join(sorted(rules))}")
    return rules[name]()

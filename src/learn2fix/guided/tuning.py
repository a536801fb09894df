"""How much is tried, and when it is enough: numbers found by measuring on real bugs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Numbers found by measuring on real bugs; see docs/experiments.md."""

    first: int = 6_000
    """Candidates judged before the first question."""
    informed: int = 8_000
    """Edits looked through for those that what is right on the failing input makes likely."""
    further: int = 6_000
    """Candidates added after each answer."""
    most: int = 60_000
    """Candidates while some of them agree with every answer …"""
    most_of_all: int = 160_000
    """… and when none does."""
    far_fetched: float = 2.75
    """Cost of the best fix from which on others are looked for although it agrees with every answer."""
    rounds_for_rivals: int = 2
    """Number of times that the space is widened for that after an answer."""
    sketch: int = 20
    """Inputs run on every survivor."""
    sketched: int = 1_200
    """Survivors that these are run on, the most plausible."""
    pool: int = 160
    """Inputs run on the best survivors of each behaviour before a weak question is asked."""
    largest_pool: int = 320
    """… before none is found worth asking."""
    tried: int = 4
    """Number of inputs made for one of these: those that lead the program to new places are taken."""
    committee: int = 300
    """Candidates that the whole pool is run on."""
    enough: float = 0.9
    """Bits that make a question good enough to ask at once."""
    patience: int = 6
    """So many times in a row the space is widened before a question is asked that needs no candidate."""
    duel: int = 160
    """Inputs made on purpose to tell the best fixes apart, before they count as one."""
    last_duels: int = 3
    """Number of times that this is done once more after the last question."""
    rivals: int = 40
    """Fixes of the likeliest behaviour that these are run on …"""
    rivals_of_others: int = 8
    """… and of each of the next ones."""
    checks: int = 5
    """Questions passed over in a row because the program does there what C leaves undefined."""
    shrinking: int = 4
    """Rounds in which a smaller input is looked for that tells as much."""
    variants: int = 16
    """Smaller inputs that are tried in a round."""
    bugs_confirmed: int = 2
    fines_confirmed: int = 1
    contested: int = 40
    """Inputs, about, where the fix changes the answer, and as many others, that refuted fixes are run on."""
    foreseen: int = 3
    """Answers that the next question is prepared for while the person thinks."""
    trusted: int = 3
    """Predictions that held in a row, after which the survivors are believed …"""
    trusted_everywhere: int = 5
    """… although it was seen nowhere what they do on some lines …"""
    trusted_at_last: int = 6
    """… and after which no more is asked although there is reason to doubt."""

    @classmethod
    def of(cls, executed: int) -> Tuning:
        """For a program that executes so many lines on a failing input: slow ones are tried less widely.

        Counted, not timed, so that the same answers give the same questions on a slow machine.
        """
        if executed < 5_000:
            return cls()
        if executed < 50_000:
            return cls(
                first=3_000, further=3_000, sketch=12, sketched=800, pool=80, largest_pool=160, committee=150,
                duel=80, tried=2, contested=20,
            )  # fmt: skip
        if executed < 500_000:
            return cls(
                first=2_000, further=2_000, sketch=8, sketched=300, pool=32, largest_pool=64, committee=80,
                duel=30, tried=1, contested=8,
            )  # fmt: skip
        return cls(
            first=300,
            further=300,
            sketch=5,
            sketched=40,
            pool=10,
            largest_pool=10,
            committee=16,
            duel=0,
            contested=0,
            tried=1,
        )

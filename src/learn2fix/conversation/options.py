"""What the user decided, resolved once: nothing further down asks whether an option was set."""

from __future__ import annotations

from dataclasses import dataclass

from learn2fix.model import OUTPUT_ONLY, Counted


@dataclass(frozen=True, slots=True)
class Options:
    """The options of CONTRACT.md that change what a run does."""

    labels: int = 10
    feedback: str = "output"
    strategy: str = "guided"
    learner: str | None = None
    """None: by strategy. `incal`, `smt`, `tree`, `patches`, or one of the baselines."""
    mutations: str | None = None
    """None: by strategy. `paper`, or `extended` with copies of positions and interesting values. Patches as
    hypotheses need the latter to be told apart, so there it is always on."""
    seed: int = 0
    timeout: float = 600.0
    jobs: int = 1
    build: str | None = None
    cflags: str | None = None
    run: str | None = None
    """How a project is run that `build` builds."""
    check: str | None = None
    """A command that fails because of the bug: it must pass with a patch."""
    only: tuple[str, ...] = ()
    """The files of the program that may be changed; none for all."""
    python: str | None = None
    """The interpreter that runs a Python program; None for ours."""
    expected: str | None = None
    expected_status: int | None = None
    """For the first failing input; the exit status counts then. Without `expected` its output is right."""
    stderr: bool = False
    """Standard error counts."""
    layout: bool = False
    """Indentation and blank lines count."""
    tolerance: float | None = None
    """Within which numbers with a fraction are the same; None for what the program's own format can show."""
    ranges: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    """Conditions that every sensible input meets."""
    form: str | None = None
    """How the input is laid out; None: found from how the program reads. `NAME: …` where it is a file."""
    files: tuple[tuple[str, str], ...] = ()
    """Names and contents of files that the program opens; the one that is varied is named by `form`."""
    variables: tuple[tuple[str, str], ...] = ()
    """Environment variables of the program."""
    require_isolation: bool = False
    confident: float = 0.8
    """Minimum chance of being right for a patch to be called the repair."""
    condition_length: int = 80
    """Maximum number of characters of the condition shown."""
    noise: float = 0.0
    only_learn: bool = False
    repairer: str | None = None
    """Who repairs after the questions: `edits` (ours), `genprog`, `genetic`, `synthesis`, or a command."""
    tests: tuple[tuple[str, str], ...] = ()
    """Known (input, output) pairs: requirements from the start."""
    test: str | None = None
    """The pytest test that it began with: labelled tests are written beside it."""
    asks: bool = True
    """False: nobody can be asked, so everything is searched at once."""
    as_run: bool = False
    """With the paper's strategy: what the authors' program does beyond the paper (docs/paper.md)."""

    @property
    def counted(self) -> Counted:
        return Counted(self.expected_status is not None, self.stderr, self.layout)

    @property
    def compared(self) -> str:
        """What is compared, in words; empty when it is the output alone, by the usual rules."""
        if self.tolerance is None:
            return "" if self.counted == OUTPUT_ONLY else str(self.counted)
        numbers = f"within {self.tolerance:g}" if self.tolerance else "as they are written"
        return f"{self.counted}, numbers {numbers}"

    @property
    def questions(self) -> int:
        """Maximum number of questions."""
        return self.questions_for(self.labels) if self.asks else 0

    def questions_for(self, labels: int) -> int:
        """Questions that a number of labels allows: the paper counts the given failing test as the first."""
        return max(0, labels - 1) if self.strategy == "paper" and not self.as_run else labels

    @property
    def phases(self) -> int:
        """Parts of equal length that the time is split into: the paper limits learning and repair apart."""
        return 2 if self.strategy == "paper" and not self.only_learn and self.asks else 1

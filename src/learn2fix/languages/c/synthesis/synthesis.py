"""Repair from values: which value at a place would repair the run, and which expression has that value there?

For each place (a condition, or a whole number that is assigned, passed or returned) values are forced until
every failing test passes (the angelic values of SemFix and Angelix). What the variables held there is dumped
on all labelled tests, and small expressions are fitted to both. Forcing and dumping are candidates
like any other, so whatever judges candidates can probe.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, zip_longest
from typing import Protocol

from learn2fix.edits.duplicates import Duplicates
from learn2fix.edits.priors import priors
from learn2fix.edits.protocol import Hints
from learn2fix.languages.c.edits.program import Leaf, Program
from learn2fix.languages.c.synthesis import fitting
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LEVEL, LOOPS, READERS, parse_number, strip
from learn2fix.model import Candidate, Input, Requirement, Response, Same

MARK = "\x01"
VISITS = 30
"""Visits of a place in one run that are dumped."""
FLIPPED = 6
FLIPS = tuple(
    sum(1 << visit for visit in visits) for count in (1, 2) for visits in combinations(range(FLIPPED), count)
)
"""Of the first visits of a condition one or two are decided the other way: bit i for visit i."""
VARIABLES = 9
MOST_PLACES = 60
PROBED = 12
"""Failing tests for which values are looked for."""
PASSING = 16
"""Passing tests on which what holds now is to hold."""
MOST_VALUES = 90
FITS = 60
"""Expressions of one place that are worth judging."""
FITTED, MADE, ROWS = 24, 1_500, 120
"""Places for which expressions are looked for, expressions of all of them together, and visits that one is
fitted to: the work is bounded without a clock as well."""
COSTS = priors("c")
EFFECTS = frozenset(("assignment_expression", "update_expression", "comma_expression"))
INPUT_CALLS = READERS | {"getchar", "gets", "fgets", "getc", "rand"}
WHOLE = re.compile(r"(?<![\w.])-?\d{1,18}(?![\w.])")

Row = tuple[int, ...]
"""What the variables held at one visit, what the place gave of itself, and what it was made to give."""


class Prober(Protocol):
    """Runs candidates: the part of an evaluator that is needed here."""

    def add(self, candidates: Sequence[Candidate]) -> range: ...
    def outputs(
        self, inputs: Sequence[Input], among: Sequence[int]
    ) -> list[dict[Response, tuple[int, ...]]]: ...
    def original(self, inputs: Sequence[Input]) -> list[Response]: ...


@dataclass(frozen=True, slots=True)
class Place:
    """An expression whose value may be wrong."""

    node: Node
    condition: bool
    names: tuple[str, ...]
    suspicion: float
    flips: tuple[int, ...] = ()
    """Visits at which a condition that may be met more than once is to be decided the other way."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a place should have given at each visit of one run that was repaired."""

    rows: tuple[Row, ...]
    wanted: tuple[frozenset[int], ...]


class CSynthesis:
    """Yields nothing where no value at any one place repairs every failing test."""

    name = "synthesis"

    def __init__(
        self,
        prober: Prober,
        requirements: Sequence[Requirement],
        within: Callable[[], bool] = lambda: True,
        same: Same = operator.eq,
    ) -> None:
        self._prober, self._within, self._same = prober, within, same
        inputs = [requirement.input for requirement in requirements]
        answers = prober.original(inputs) if inputs else []
        self._failing: list[Requirement] = []
        self._passing: list[Requirement] = []
        for requirement, answer in zip(requirements, answers, strict=True):
            (self._passing if requirement.met_by(answer, same) else self._failing).append(requirement)

    def candidates(self, source: bytes, hints: Hints) -> Iterator[Candidate]:
        program = Program(source, hints)
        seen = Duplicates(program.text, program.squeeze)
        constants = _constants(program)
        if not self._failing:
            return
        repairing = self._repairing(program, places(program))[:FITTED]
        fitted = (self._fitted(program, place, constants, seen) for place in repairing if self._within())
        yield from islice(chain.from_iterable(fitted), MADE)

    # -- which places can repair the first failing test --------------------------------------------------

    def _repairing(self, program: Program, found: Sequence[Place]) -> list[Place]:
        """Places at which some value repairs the first failing test."""
        kept = []
        pool = self._values(self._failing[0])
        forced: list[tuple[Place, Candidate]] = []
        for place in found:
            values = ["0", "1"] if place.condition else [str(value) for value in pool]
            forced += [(place, self._forced(program, place, value)) for value in values]
            forced += [(place, self._flipped(program, place, flips)) for flips in place.flips]
        first = self._failing[0]
        printed = self._printed(first, [candidate for _, candidate in forced])
        wanted = {
            id(place)
            for (place, _), text in zip(forced, printed, strict=True)
            if first.met_by(text, self._same)
        }
        # Where the output follows the value in a straight line, one value is known without trying.
        ends = {
            id(place): printed[i : i + 2]
            for i, (place, _) in reversed(list(enumerate(forced)))
            if not place.condition
        }
        left = [place for place in found if not place.condition and id(place) not in wanted]
        lines = [(place, solved(ends[id(place)], first.expected)) for place in left]
        exact = [
            (place, self._forced(program, place, str(value))) for place, value in lines if value is not None
        ]
        good = self._passes(first, [candidate for _, candidate in exact])
        wanted |= {id(place) for (place, _), ok in zip(exact, good, strict=True) if ok}
        for place in found:
            # A whole number may need a value that is only known from what stands there.
            if id(place) in wanted:
                kept.append(place)
        return kept

    def _printed(self, requirement: Requirement, candidates: Sequence[Candidate]) -> list[Response]:
        if not candidates:
            return []
        ids = self._prober.add(candidates)
        groups = self._prober.outputs([requirement.input], list(ids))[0]
        found = {number: response for response, who in groups.items() for number in who}
        return [found[number] for number in ids]

    def _passes(self, requirement: Requirement, candidates: Sequence[Candidate]) -> list[bool]:
        return [requirement.met_by(text, self._same) for text in self._printed(requirement, candidates)]

    def _values(self, requirement: Requirement) -> list[int]:
        """Values worth forcing: small ones, and those of expected output and input with their neighbours."""
        found = dict.fromkeys((0, 1, 2, 3, -1))
        expected = requirement.expected.text if requirement.expected is not None else ""
        for text in (expected, requirement.input.text):
            for word in WHOLE.findall(text)[:6]:
                for near in (0, 1, -1, 2, -2):
                    found.setdefault(int(word) + near)
        for word in WHOLE.findall(expected)[:3]:
            for value in (2 * int(word), int(word) // 2, -int(word), *range(3, 9)):
                found.setdefault(value)
        return [value for value in list(found)[:MOST_VALUES] if abs(value) < 1 << 31]

    # -- candidates that probe -----------------------------------------------------------------------------

    def _replaced(self, program: Program, place: Place, text: str) -> Candidate:
        return Candidate((program.edit(program.put(place.node, text)),), "probe", 0.0)

    def _forced(self, program: Program, place: Place, value: str) -> Candidate:
        return self._replaced(program, place, value if not value.startswith("-") else f"({value})")

    def _flipped(self, program: Program, place: Place, flips: int) -> Candidate:
        own = f"!!({program.of(place.node)})"
        visited = f"if (l2f_visit < {FLIPPED}) l2f_visit++;"
        body = f"static int l2f_visit; int l2f_own = {_turned(flips)} ^ {own}; {visited} l2f_own;"
        return self._replaced(program, place, f"({{{body}}})")

    def _dumping(self, program: Program, place: Place, names: Sequence[str], forced: str) -> Candidate:
        """Prints what the variables hold, and gives the forced value (or that of the original)."""
        text = program.of(place.node)
        value = f"!!({text})" if place.condition else f"({text})"
        # A number may be forced because the original would crash.
        own = forced if forced and not place.condition else value
        given = forced.replace("E", "l2f_own") if forced else "l2f_own"
        form = " ".join(["%lld"] * (len(names) + 2))
        arguments = "".join(f", (long long)({name})" for name in names)
        shown = f'printf("\\n\\001{form}\\n"{arguments}, l2f_own, l2f_value)'
        body = (
            f"static int l2f_visit; long long l2f_own = {own}; long long l2f_value = {given}; "
            f"if (l2f_visit < {VISITS}) {{ l2f_visit++; {shown}; }} l2f_value;"
        )
        return self._replaced(program, place, f"({{{body}}})")

    def _dumped(self, inputs: Sequence[Input], candidate: Candidate) -> list[list[Row] | None]:
        """The visits of each run; None where the run did not end."""
        (number,) = self._prober.add([candidate])
        found: list[list[Row] | None] = []
        for groups in self._prober.outputs(inputs, [number]):
            (response,) = groups
            lines = [line[1:].split() for line in response.text.split("\n") if line.startswith(MARK)]
            ended = response.completed
            found.append([tuple(map(int, words)) for words in lines] if ended else None)
        return found

    # -- what the place should have given --------------------------------------------------------------

    def _fitted(
        self, program: Program, place: Place, constants: Mapping[str, int], seen: Duplicates
    ) -> Iterator[Candidate]:
        for names in dict.fromkeys((place.names, tuple(n for n in place.names if n.isidentifier()))):
            wishes = self._wishes(program, place, names)
            if wishes is not None:
                break
        else:
            return
        passing, failing = wishes
        # A passing run may do as well with another value: what it has now counts first, then not at all.
        for each in ((*passing, *failing), failing):
            rows = _together(each)
            if not rows:
                continue
            keys = _first(rows, each)
            columns = {name: tuple(key[i] for key in keys) for i, name in enumerate(names)}
            accepted, now = [rows[key][0] for key in keys], [rows[key][1] for key in keys]
            yield from self._written(program, place, columns, accepted, now, constants, seen)

    def _wishes(
        self, program: Program, place: Place, names: Sequence[str]
    ) -> tuple[list[Wish], list[Wish]] | None:
        """Of passing and of failing tests; None when a failing one cannot be repaired here."""
        passing = [requirement.input for requirement in self._passing[:PASSING]]
        kept: list[Wish] = []
        changed: list[Wish] = []
        for rows in self._dumped(passing, self._dumping(program, place, names, "")) if passing else []:
            if rows is None:
                return None
            kept.append(Wish(tuple(rows), _given(rows)))
        for requirement in self._failing[:PROBED]:
            if not self._within():
                return None
            wish = (self._decision if place.condition else self._number)(program, place, names, requirement)
            if wish is None:
                return None
            changed.append(wish)
        return kept, changed

    def _decision(
        self, program: Program, place: Place, names: Sequence[str], requirement: Requirement
    ) -> Wish | None:
        """How the condition should be decided at each visit: the original decisions are kept if they can."""
        ways = [f"{_turned(flips)} ^ E" for flips in place.flips] + ["1", "0"]
        tries = [self._flipped(program, place, flips) for flips in place.flips]
        tries += [self._forced(program, place, value) for value in ("1", "0")]
        for way, good in zip(ways, self._passes(requirement, tries), strict=True):
            if good:
                rows = self._dumped([requirement.input], self._dumping(program, place, names, way))[0]
                return None if rows is None else Wish(tuple(rows), _given(rows))
        return None

    def _number(
        self, program: Program, place: Place, names: Sequence[str], requirement: Requirement
    ) -> Wish | None:
        """The numbers of which each repairs the run, when it is given at every visit."""
        pool = dict.fromkeys(self._values(requirement))
        rows = self._dumped([requirement.input], self._dumping(program, place, names, ""))[0]
        for row in (rows or [])[:3]:
            for value in row:
                for near in (value, value - 1, value + 1):
                    if abs(near) < 1 << 31:
                        pool.setdefault(near)
        values = list(pool)[:MOST_VALUES]
        printed = self._printed(requirement, [self._forced(program, place, str(value)) for value in values])
        accepted = frozenset(
            v for v, text in zip(values, printed, strict=True) if requirement.met_by(text, self._same)
        )
        if not accepted:
            exact = solved(printed[:2], requirement.expected)
            if exact is None or not self._passes(requirement, [self._forced(program, place, str(exact))])[0]:
                return None
            accepted = frozenset((exact,))
        first = min(accepted, key=lambda value: (abs(value), value))
        rows = self._dumped([requirement.input], self._dumping(program, place, names, f"({first})"))[0]
        if rows is None or not rows:
            return None
        if len(rows) > 1:
            accepted = frozenset((first,))
        return Wish(tuple(rows), (accepted,) * len(rows))

    # -- candidates ----------------------------------------------------------------------------------------

    def _written(
        self,
        program: Program,
        place: Place,
        columns: Mapping[str, fitting.Values],
        accepted: Sequence[frozenset[int]],
        now: Sequence[int],
        constants: Mapping[str, int],
        seen: Duplicates,
    ) -> Iterator[Candidate]:
        node = place.node
        texts: Iterator[tuple[str, int, float]]
        if place.condition:
            wanted = [1 in values for values in accepted]
            found = fitting.conditions(columns, constants, wanted, [bool(value) for value in now])
            texts = (_joined(program, node, way, fit) for way, fit in found)
        else:
            fits = fitting.values(columns, constants, accepted)
            texts = ((fit.text, fit.level, fit.size) for fit in fits)
        for text, level, size in islice(texts, FITS):
            piece = program.put(node, text, level)
            if seen.add((piece,)):
                cost = COSTS.synthesis["expression"] + COSTS.synthesis["unit"] * size
                cost += COSTS.innocent * (1 - place.suspicion)
                cost += COSTS.character * min(len(piece[2]), COSTS.longest)
                kind = "synthesised condition" if place.condition else "synthesised value"
                yield Candidate((program.edit(piece),), kind, round(cost, 4))


def solved(printed: Sequence[Response], expected: Response | None) -> int | None:
    """The value that leads to the expected number, from what is printed for 0 and for 1, along a line."""
    texts = [response.text for response in (*printed, expected) if response is not None]
    if len(texts) != 3 or not all(WHOLE.fullmatch(text) for text in texts):
        return None
    zero, one, wanted = map(int, texts)
    step = one - zero
    if not step or (wanted - zero) % step:
        return None
    value = (wanted - zero) // step
    return value if abs(value) < 1 << 31 else None


def _together(wishes: Sequence[Wish]) -> dict[Row, tuple[frozenset[int], int]]:
    """What the variables held → what is wanted then, and what there was; nothing when wishes conflict."""
    rows: dict[Row, tuple[frozenset[int], int]] = {}
    for wish in wishes:
        for row, wanted in zip(wish.rows, wish.wanted, strict=True):
            key, own = row[:-2], row[-2]
            before = rows.get(key)
            both = wanted if before is None else wanted & before[0]
            if not both:
                return {}
            rows[key] = (both, own)
    return rows


def _first(rows: Mapping[Row, object], wishes: Sequence[Wish]) -> list[Row]:
    """All rows, or when they are many the first visits of every run, failing runs before passing ones."""
    if len(rows) <= ROWS:
        return list(rows)
    visits = zip_longest(*(wish.rows for wish in reversed(wishes)))
    return list(islice(dict.fromkeys(row[:-2] for visit in visits for row in visit if row), ROWS))


def _turned(flips: int) -> str:
    """1 at the visits that are to be decided the other way."""
    return f"({flips} >> l2f_visit & 1)"


def _given(rows: Sequence[Row]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset((row[-1],)) for row in rows)


def _joined(program: Program, node: Node, way: str, fit: fitting.Fit) -> tuple[str, int, float]:
    if way == "only":
        return fit.text, fit.level, fit.size
    level = LEVEL[way]
    text = fit.text if fit.level > level else f"({fit.text})"
    return f"{program.wrap(node, level)} {way} {text}", level, fit.size


def places(program: Program) -> list[Place]:
    """Conditions and whole numbers that failing tests reach, the most suspicious first."""
    suspicion = program.hints.suspicion
    found = []
    conditions = {id(node) for node in program.conditions}
    candidates = [
        *program.conditions,
        *(n for n in program.values if id(n) not in conditions and _whole(program, n)),
    ]
    wholes = candidates[len(program.conditions) :]
    parts = [part for node in wholes for part in _parts(program, node)]
    own = {id(part) for part in parts}
    for node in (*candidates, *parts):
        if (
            program.body_of(node) is None
            or not program.reached((node.start, node.end, ""))
            or _effects(program, node)
        ):
            continue
        level = suspicion.get(program.lines.at(node.start), COSTS.unknown) if suspicion else COSTS.unknown
        names = tuple(leaf.text for leaf in _near(program, node))
        decides = id(node) in conditions
        flips = FLIPS if decides and _again(program, node) else ()
        # A part of an expression is looked into after the whole.
        level -= COSTS.synthesis["part"] if id(node) in own else 0
        found.append(Place(node, decides, names, level, flips))
    found.sort(key=lambda place: (-place.suspicion, place.node.start))
    return found[:MOST_PLACES]


def _parts(program: Program, node: Node, depth: int = 2) -> Iterator[Node]:
    """The operands of sums and products that are more than a name or a number."""
    inner = strip(node)
    if depth and inner.type == "binary_expression" and program.operator(inner) in ("+", "-", "*"):
        for side in ("left", "right"):
            operand = inner.of(side)
            if strip(operand).type == "binary_expression" and program.type_of(operand).integral:
                yield operand
                yield from _parts(program, operand, depth - 1)


def _again(program: Program, node: Node) -> bool:
    """Whether one run may come here more than once."""
    if program.body_of(node) is not program.functions.get("main"):
        return True
    return any(above.type in LOOPS for above in node.above())


def _whole(program: Program, node: Node) -> bool:
    """Whether a whole number is assigned, passed or returned, and not a part of a larger expression."""
    parent = node.parent
    if parent is None or not program.type_of(node).integral:
        return False
    match parent.type:
        case "assignment_expression":
            return node.field == "right"
        case "init_declarator":
            return node.field == "value"
        case "return_statement":
            # What main returns is not what anybody reads.
            function = program.body_of(node)
            return function is not program.functions.get("main")
        case "argument_list":
            call = parent.parent
            return call is not None and program.of(call.of("function")) not in INPUT_CALLS
        case _:
            return False


def _effects(program: Program, node: Node) -> bool:
    return any(
        child.type in EFFECTS
        or (child.type == "call_expression" and program.of(child.of("function")) in INPUT_CALLS)
        for child in node.walk()
    )


def _near(program: Program, node: Node) -> list[Leaf]:
    """Whole numbers at hand, those of the same statement first."""
    top = program.statement_of(node)
    near = {program.of(child) for child in top.walk() if child.type in ("identifier", "subscript_expression")}
    leaves = [
        leaf for leaf in program.leaves(node) if leaf.type.integral and leaf.text not in ("argc", "argv")
    ]
    return sorted(leaves, key=lambda leaf: leaf.text not in near)[:VARIABLES]


def _constants(program: Program) -> dict[str, int]:
    found = {"0": 0, "1": 1, "2": 2}
    for word in program.constants:
        value = parse_number(word)
        if value is not None and len(found) < 8 and value not in found.values() and value >= 0:
            found[word] = value
    return found

"""Numbers that start again: hours, angles, places in a circle; and what is left of a whole."""

from __future__ import annotations

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.places import near_points
from learn2fix.languages.c.edits.program import Program, once
from learn2fix.languages.c.edits.terms import PART, PLUS, computed
from learn2fix.languages.c.words import LEVEL, TERNARY, parse_number

USUAL = ("24", "60", "12", "7", "360", "26", "10")
"""Numbers of hours, minutes, months, days, degrees, letters and digits."""
MOST = 6
"""Number of constants of the file that are tried."""
LEAST = 3
NOT_IN_FILE = ("a number that the file does not have",)


@once
def _rounds(program: Program) -> dict[str, tuple[str, ...]]:
    """After how many numbers it may start again → what makes that unusual."""
    values = {word: parse_number(word) for word in program.constants}
    own = [word for word, value in values.items() if value is not None and value >= LEAST]
    found: dict[str, tuple[str, ...]] = dict.fromkeys(own[:MOST], ())
    for word in USUAL:
        found.setdefault(word, NOT_IN_FILE)
    return found


@operator(
    "variable comes back into its range",
    why="A number that passes the end of its range was to start again.",
    before="b = c - 24;",
    after="b = c - 24; if (b < 0) b += 24;",
)
def variable_comes_back(program: Program) -> Proposals:
    for point, symbol in near_points(program):
        name = symbol.name
        for bound, traits in _rounds(program).items():
            yield Unusual(point.insert(f"if ({name} < 0) {name} += {bound};"), traits)
            yield Unusual(point.insert(f"if ({name} >= {bound}) {name} -= {bound};"), traits)
            yield Unusual(point.insert(f"if ({name} > {bound}) {name} -= {bound};"), traits)


@operator(
    "value comes back into its range",
    why="A result that passes the end of its range was to start again.",
    before="a = b - c + 24;",
    after="a = b - c + 24 >= 24 ? b - c + 24 - 24 : b - c + 24;",
)
def value_comes_back(program: Program) -> Proposals:
    for node, whole in computed(program):
        if not whole:
            continue
        compared, added = program.wrap(node, LEVEL["<"] + 1), program.wrap(node, PLUS)
        other = program.wrap(node, TERNARY)
        for bound, traits in _rounds(program).items():
            for relation, limit, sign in ((">=", bound, "-"), (">", bound, "-"), ("<", "0", "+")):
                text = f"{compared} {relation} {limit} ? {added} {sign} {bound} : {other}"
                yield Unusual((program.put(node, text, TERNARY),), traits)


@operator(
    "what is left of a number",
    why="Not a part was meant but what is left when it is taken away.",
    before="a = 9 + b % c;",
    after="a = 9 + (9 - b % c);",
)
def what_is_left(program: Program) -> Proposals:
    for node, whole in computed(program):
        top = program.statement_of(node)
        numbers = dict.fromkeys(program.of(each) for each in top.walk() if each.type == "number_literal")
        for number in numbers:
            text = f"{number} - {program.wrap(node, PLUS + 1)}"
            yield Unusual((program.put(node, text, PLUS),), () if whole else PART)

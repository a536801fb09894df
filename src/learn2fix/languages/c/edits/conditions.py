"""Conditions tightened, loosened or replaced by comparisons of what is in scope, and their bounds."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import lru_cache

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.edits.priors import priors
from learn2fix.languages.c.edits.catalogue import operator
from learn2fix.languages.c.edits.constants import characters, put
from learn2fix.languages.c.edits.names import ELEMENT, identifiers, renamed, twins
from learn2fix.languages.c.edits.program import Leaf, Program, once
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import CHAR
from learn2fix.languages.c.words import ARITHMETIC, ATOM, LEVEL, RELATIONAL, parse_number

SMALL = {"0": ("==", "!=", ">", "<", ">=", "<="), "1": ("==", "!=", ">", "<"), "2": ("==", "!=", ">", "<")}
EQUALITIES = ("==", "!=")
MOST_CHARACTERS = 8
AND, OR = LEVEL["&&"], LEVEL["||"]
NOT_NEARBY = "not used nearby"
TERM, TWO, FILE_CONSTANT = (
    "a term compared",
    "compared with 2 or parity",
    "compared with a constant of the file",
)
PART_OF_CONDITION, NEGATED = ("a part of a condition",), ("negated",)
LITERALS = ("number_literal", "char_literal", "true", "false")
BY_HEART, COMPOUND = "a failing input by heart", "a compound comparison"
SUM_COMPARED = "a sum compared"
MOST_PARTS, MOST_MEMBERS = 5, 8
DECIDING = frozenset((*RELATIONAL, "&&", "||"))
LONGEST_PART = 16
"""Characters of a part of a condition that is compared by itself."""

Comparison = tuple[tuple[str, ...], str]
"""What makes it unusual, and its text."""


def comparisons(
    program: Program, node: Node, most: int, names: frozenset[str] = frozenset()
) -> list[Comparison]:
    """The likeliest comparisons that can be made where a node stands, at most so many."""
    top = program.statement_of(node)
    near = names or frozenset(program.of(child) for child in top.walk() if child.type == "identifier")
    leaves = (*program.leaves(node), *program.terms(node))
    return _comparisons(leaves, near, *_constants(program), _letters(program), _of_characters(program), most)


@once
def _letters(program: Program) -> tuple[tuple[str, str], ...]:
    """What characters are compared with: those of the file, and of the failing inputs, each with what makes
    it unusual."""
    own = list(characters(program))[:MOST_CHARACTERS]
    tested = (f"'{letter}'" for letter in program.hints.letters if letter not in "'\\\n")
    new = [word for word in dict.fromkeys(tested) if word not in own][:MOST_CHARACTERS]
    return (*((word, "") for word in own), *((word, FILE_CONSTANT) for word in new))


@once
def _of_characters(program: Program) -> frozenset[str]:
    """Values that the program compares with characters, whatever their type: `int c = getchar();`."""
    found = set()
    for node in program.nodes:
        if node.type == "binary_expression" and program.operator(node) in RELATIONAL:
            sides = node.of("left"), node.of("right")
            if any(side.type == "char_literal" for side in sides):
                found |= {program.of(side) for side in sides if side.type != "char_literal"}
    return frozenset(found)


@once
def _constants(program: Program) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What values are compared with: constants of the file, and of the failing inputs."""
    own = [text for text in program.constants if text not in SMALL][:6]
    return tuple(own), tuple(text for text in program.known[:3] if text not in SMALL and text not in own)


def distance(leaf: Leaf, near: Set[str]) -> tuple[str, ...]:
    """What makes it unusual to use a value where some names stand nearby."""
    root = leaf.text.split("[")[0].split(".")[0].split("-")[0]
    far = (NOT_NEARBY,) if root not in near else ()
    return (*far, ELEMENT) if len(root) < len(leaf.text) else far


@lru_cache(maxsize=4096)
def _comparisons(
    leaves: tuple[Leaf, ...],
    near: frozenset[str],
    constants: tuple[str, ...],
    tested: tuple[str, ...],
    letters: tuple[tuple[str, str], ...],
    of_characters: frozenset[str],
    most: int,
) -> list[Comparison]:
    found: list[Comparison] = []
    far_of = [(TERM,) if leaf.level < ATOM else distance(leaf, near) for leaf in leaves]
    for index, leaf in enumerate(leaves):
        far, text = far_of[index], leaf.text
        character = leaf.type.base == CHAR or text in of_characters
        if character:
            for word, trait in (*letters, ("0", ""), ("1", "")):
                traits = (*far, trait) if trait else far
                found += [(traits, f"{text} {op} {word}") for op in EQUALITIES]
        for constant, operators in () if character else SMALL.items():
            traits = (*far, TWO) if constant == "2" else far
            found += [(traits, f"{text} {op} {constant}") for op in operators]
        numbers, by_heart = ((), ()) if character else (constants, tested)
        found += [((*far, FILE_CONSTANT), f"{text} {op} {c}") for c in numbers for op in RELATIONAL]
        for constant in by_heart:
            # `n != 9` learns the failing input by heart.
            found += [
                ((*far, BY_HEART if op in EQUALITIES else FILE_CONSTANT), f"{text} {op} {constant}")
                for op in RELATIONAL
            ]
        if leaf.type.integral and leaf.level == ATOM and not character:
            found += [((*far, TWO), f"{text} % 2 {op} 0") for op in EQUALITIES]
        for other, other_far in zip(leaves[index + 1 :], far_of[index + 1 :], strict=True):
            if (other.type.base == CHAR or other.text in of_characters) is not character:
                continue
            both = far + other_far
            found += [(both, f"{text} {op} {other.text}") for op in RELATIONAL]
            if len(both) < 2 or set(both) == {ELEMENT}:
                found += [((*both, COMPOUND), made) for made in _compound(leaf, other)]
                found += [((*both, SUM_COMPARED), made) for made in _with_sum(text, other.text)]
    cost = priors("c").traits
    costs = {traits: sum(cost[trait] for trait in traits) for traits in {traits for traits, _ in found}}
    found.sort(key=lambda item: costs[item[0]])
    return found[:most]


def _compound(first: Leaf, second: Leaf) -> list[str]:
    """Whether two values are the same small one, or one is a multiple of the other."""
    a, b = first.text, second.text
    found = [f"{a} == {c} && {b} == {c}" for c in "10"]
    if first.type.integral and second.type.integral and first.level == second.level == ATOM:
        found += [f"{x} % {y} {op} 0" for x, y in ((a, b), (b, a)) for op in EQUALITIES]
    return found


def _with_sum(a: str, b: str) -> list[str]:
    """How far two values are apart, or what both make together."""
    found = [f"{a} {op} {b} {sign} 1" for op in ("==", "<", ">") for sign in "+-"]
    found += [f"{a} + {b} {op} {c}" for op in ("==", "<", ">") for c in "012"]
    return found + [f"({a} != {c} || {b} != {c})" for c in "10"]


@operator(
    "condition joined with a comparison",
    why="A condition should ask for more, or allow more.",
    before="if (a > b) c = 1;",
    after="if (a > b && c > 0) c = 1;",
)
def condition_joined(program: Program) -> Proposals:
    for node, most, part in _conditions(program, 400, 150):
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        for traits, text in comparisons(program, node, most):
            yield Unusual((program.put(node, f"{both} && {text}", AND),), traits + part)
            yield Unusual((program.put(node, f"{either} || {text}", OR),), traits + part)


@operator(
    "condition joined with a bound on a part of it",
    why="A place that the condition looks at, or a sum in it, was to stay within a bound.",
    before="if (t[a + 1] == 0) b++;",
    after="if (t[a + 1] == 0 && a + 1 < c) b++;",
)
def condition_joined_with_bound(program: Program) -> Proposals:
    for node in program.conditions:
        both = program.wrap(node, AND)
        parts = dict.fromkeys(program.of(part) for part in node.walk() if _arithmetic(program, part))
        names = [symbol for symbol in program.variables(node.start) if symbol.type.integral]
        near = {program.of(child) for child in node.walk() if child.type == "identifier"}
        for part in list(parts)[:MOST_PARTS]:
            for symbol in names:
                if symbol.name in part or symbol.name == "argc":
                    continue
                traits = () if symbol.name in near else (NOT_NEARBY,)
                for bound, more in ((symbol.name, ()), (f"{symbol.name} - 1", ("a sum",))):
                    for relation in RELATIONAL:
                        text = f"{both} && {part} {relation} {bound}"
                        yield Unusual((program.put(node, text, AND),), (*traits, *more))
            for relation in RELATIONAL:
                yield (program.put(node, f"{both} && {part} {relation} 0", AND),)


def _arithmetic(program: Program, node: Node) -> bool:
    """Whether it is a short sum, difference, product or the like."""
    return (
        node.type == "binary_expression"
        and program.operator(node) in ARITHMETIC
        and node.end - node.start <= LONGEST_PART
        and program.type_of(node).integral
        and not any(mark in program.of(node) for mark in ("++", "--", "\n"))
    )


@operator(
    "condition joined with another of the function",
    why="What is asked elsewhere in the function was to be asked here too.",
    before="while (a > b) a--; if (c == 1) b = 0;",
    after="while (a > b && c == 1) a--; if (c == 1) b = 0;",
)
def condition_joined_with_another(program: Program) -> Proposals:
    asked = _asked(program)
    for node in program.conditions:
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        visible = {symbol.name for symbol in program.scope.visible(node.start)}
        function, own = program.body_of(node), program.of(node)
        for other in asked:
            text = program.of(other)
            if (
                program.body_of(other) is not function
                or text in own
                or not program.free_names(other) <= visible
            ):
                continue
            for term, traits in ((program.wrap(other, AND), ()), (f"!({text})", NEGATED)):
                yield Unusual((program.put(node, f"{both} && {term}", AND),), traits)
                yield Unusual((program.put(node, f"{either} || {term}", OR),), traits)


@operator(
    "condition joined with another member",
    why="What is asked of a struct left out one of its members.",
    before="struct { int n, open; } p = { a, b }; if (p.n > 2) c = 1;",
    after="struct { int n, open; } p = { a, b }; if (p.n > 2 && p.open) c = 1;",
)
def condition_joined_with_member(program: Program) -> Proposals:
    for node in _decisions(program):
        both, either = program.wrap(node, AND), program.wrap(node, OR)
        for text in _siblings(program, node)[:MOST_MEMBERS]:
            for term, traits in ((text, ()), (f"!{text}", NEGATED)):
                yield Unusual((program.put(node, f"{both} && {term}", AND),), traits)
                yield Unusual((program.put(node, f"{either} || {term}", OR),), traits)


def _decisions(program: Program) -> list[Node]:
    """Conditions, and what is as good as one: a comparison, or several joined, that is returned or kept."""
    found = {id(node): node for node in program.conditions}
    for node in program.expressions:
        top = node.parent
        while top is not None and top.type == "parenthesized_expression":
            top = top.parent
        kept = top is not None and top.type in (
            "return_statement",
            "init_declarator",
            "assignment_expression",
        )
        if kept and node.type == "binary_expression" and program.operator(node) in DECIDING:
            found.setdefault(id(node), node)
    return list(found.values())


def _siblings(program: Program, node: Node) -> list[str]:
    """The members that a condition does not look at, of the structs that it does."""
    found: dict[str, None] = {}
    used = {"".join(program.of(each).split()) for each in node.walk() if each.type == "field_expression"}
    for each in node.walk():
        place = each.child("field") if each.type == "field_expression" else None
        if place is None or any(mark in program.of(each) for mark in ("++", "--", "(")):
            continue
        before = "".join(program.text[each.start : place.start].split())
        for members in program.scope.members.values():
            if program.of(place) in members:
                texts = (f"{before}{name}" for name, kind in members.items() if kind.numeric)
                found |= {text: None for text in texts if text not in used}
    return list(found)


@once
def _asked(program: Program) -> list[Node]:
    """The different conditions of the program, and the parts that they are made of."""
    found: dict[str, Node] = {}
    for condition in program.conditions:
        for node in condition.walk():
            parent = node.parent
            joined = parent is not None and parent.type == "binary_expression" and _joins(program, parent)
            negated = node.type != "!" and parent is not None and program.of(parent) == f"!{program.of(node)}"
            if (node is condition or joined or negated) and node.type not in (*LITERALS, "&&", "||", "!"):
                found.setdefault(program.of(node), node)
    return list(found.values())


def _joins(program: Program, node: Node) -> bool:
    return program.operator(node) in ("&&", "||")


def _conditions(program: Program, most: int, most_of_part: int) -> list[tuple[Node, int, tuple[str, ...]]]:
    """Conditions and parts of them, how many comparisons are worth trying, and what makes them unusual."""
    whole: list[tuple[Node, int, tuple[str, ...]]] = [(node, most, ()) for node in program.conditions]
    return whole + [(node, most_of_part, PART_OF_CONDITION) for node in _operands(program)]


@once
def _operands(program: Program) -> list[Node]:
    """Comparisons that are parts of a condition with && and ||."""
    found = []
    for node in program.expressions:
        if node.type == "binary_expression" and program.operator(node) in RELATIONAL:
            top = node.parent
            while top is not None and top.type == "parenthesized_expression":
                top = top.parent
            if top is not None and top.type == "binary_expression" and program.operator(top) in ("&&", "||"):
                found.append(node)
    return found


@operator(
    "condition replaced",
    why="A condition, or a part of it, asks the wrong question.",
    before="if (a > b) c = 1;",
    after="if (c == 0) c = 1;",
)
def condition_replaced(program: Program) -> Proposals:
    for node, most, part in _conditions(program, 200, 100):
        for traits, text in comparisons(program, node, most):
            yield Unusual((program.put(node, text, LEVEL["=="]),), traits + part)


def _bounds(program: Program, wanted: Callable[[Node, Node], bool]) -> list[tuple[Node, Node]]:
    """Comparisons and what they compare with."""
    found = []
    for node in program.expressions:
        if node.type == "binary_expression" and program.operator(node) in RELATIONAL:
            left, right = node.of("left"), node.of("right")
            if wanted(left, right):
                found.append((node, right))
    return found


@operator(
    "comparison and its bound",
    why="Both the comparison and the number are wrong.",
    before="if (a < 20) b = 1;",
    after="if (a <= 21) b = 1;",
)
def comparison_and_bound(program: Program) -> Proposals:
    for node, right in _bounds(program, lambda _, right: right.type == "number_literal"):
        place, word = node.of("operator"), program.of(right)
        value = parse_number(word)
        near = [] if value is None else [str(value + step) for step in (1, -1, 2, -2)]
        texts = dict.fromkeys([*near, *program.constants, *program.known[:12]])
        for other in RELATIONAL:
            for text in texts:
                if other != place.type and text != word:
                    yield ((place.start, place.end, other), *put(program, right, text))


@operator(
    "tolerance of a comparison",
    why="Real numbers that should be equal differ in their last digits.",
    before="if (x <= 3) b = 1;",
    after="if (x <= 3 + 1e-9) b = 1;",
)
def tolerance_of_comparison(program: Program) -> Proposals:
    def real(left: Node, right: Node) -> bool:
        return program.type_of(left).floating or program.type_of(right).floating

    for _, right in _bounds(program, real):
        body = program.wrap(right, LEVEL["+"])
        for tolerance in ("1e-9", "1e-6", "1e-12"):
            for sign in "+-":
                yield (program.put(right, f"{body} {sign} {tolerance}", LEVEL["+"]),)


@operator(
    "comparison repeated with another array",
    why="What is asked of one of two alike arrays was to be asked of the other one as well.",
    before="int u[9]; if (t[a] == t[b]) c = 1;",
    after="int u[9]; if (t[a] == t[b] && u[a] == u[b]) c = 1;",
)
def comparison_repeated(program: Program) -> Proposals:
    for node in program.expressions:
        if node.type != "binary_expression" or program.operator(node) not in RELATIONAL:
            continue
        uses = identifiers(program, node)
        for name, places in uses.items():
            symbol = program.scope.find(name, places[0].start)
            if symbol is None or symbol.type.depth == 0 or symbol.role == "function":
                continue
            for other in twins(program, symbol, node):
                if other not in uses:
                    again = renamed(program, node, places, other)
                    yield (program.put(node, f"{program.wrap(node, AND)} && {again}", AND),)
                    yield (program.put(node, f"{program.wrap(node, OR)} || {again}", OR),)

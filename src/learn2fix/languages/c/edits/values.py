"""Numbers and names: one constant, variable, element or function for another."""

from __future__ import annotations

import itertools
import re

from learn2fix.languages.c.edits.program import Drafts, Leaf, Program, one
from learn2fix.languages.c.scope import Symbol
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import ATOM, LOOPS, UNARY, parse_number, suffix_of

ROUNDING = ("ceil", "floor", "round", "trunc", "sqrt", "fabs", "abs")
SAME_SHAPE = (
    frozenset(("ceil", "floor", "round", "trunc")),
    frozenset(("abs", "labs", "llabs", "fabs")),
    frozenset(("islower", "isupper", "isalpha", "isdigit", "isalnum")),
    frozenset(("tolower", "toupper")),
    frozenset(("sin", "cos", "tan")),
    frozenset(("sqrt", "cbrt", "fabs")),
    frozenset(("fmin", "fmax")),
    frozenset(("gets", "puts")),
)


def constants(program: Program) -> Drafts:
    """Other numbers where a number stands."""
    for node in program.nodes:
        if node.type == "number_literal":
            parent = node.parent
            if parent is not None and parent.type == "array_declarator":
                continue
            yield from _number(program, node)
        elif node.type == "char_literal":
            yield from _character(program, node)
    for macro in program.macros.values():
        value = program.of(macro.value)
        number = re.search(r"\d[\w.]*", value)
        if macro.parameters < 0 and number is not None and not macro.value.children:
            start = macro.value.start + number.start()
            for weight, text in variations(number.group()):
                yield one(weight + 0.2, "constant", (start, start + len(number.group()), text))


def everywhere(program: Program) -> Drafts:
    """Another number at every place where one stands, sizes too; a name at all places in a statement."""
    places: dict[str, list[Node]] = {}
    for node in program.nodes:
        if node.type == "number_literal":
            places.setdefault(program.of(node), []).append(node)
    for symbol in program.scope.symbols:
        for size in symbol.dimensions:
            if size.type == "number_literal" and not any(
                size is node for node in places.get(program.of(size), [])
            ):
                places.setdefault(program.of(size), []).append(size)
    for word, nodes in places.items():
        if not 1 < len(nodes) <= 8 or word in ("0", "1", "2"):
            continue
        for weight, text in variations(word):
            if "." not in text:
                ordered = sorted(nodes, key=lambda node: node.start)
                yield (
                    weight + 0.2,
                    "constant everywhere",
                    tuple(program.put(n, text, UNARY) for n in ordered),
                )
    yield from _renamed(program)


def _renamed(program: Program) -> Drafts:
    """One variable for another at all its places in a statement."""
    groups: dict[tuple[int, str], list[Node]] = {}
    for node in program.expressions:
        if node.type == "identifier" and program.type_of(node).numeric:
            groups.setdefault((program.statement_of(node).start, program.of(node)), []).append(node)
    for (_, name), nodes in groups.items():
        if not 1 < len(nodes) <= 6:
            continue
        for leaf in program.leaves(nodes[0]):
            if leaf.text != name and leaf.text.isidentifier() and leaf.type.integral:
                yield (2.6, "variable everywhere", tuple(program.put(node, leaf.text) for node in nodes))


def variations(word: str) -> list[tuple[float, str]]:
    """Numbers near a literal: ±1, ±2, a digit more or less, negated, halved, doubled."""
    value, suffix = parse_number(word), suffix_of(word)
    found: dict[str, float] = {}

    def add(weight: float, text: str) -> None:
        if text != word:
            found.setdefault(text, weight)

    if value is not None and not word.lower().startswith("0x"):
        for weight, near in (
            (1.5, value + 1),
            (1.5, value - 1),
            (2.0, value * 10),
            (2.1, value + 2),
            (2.1, value - 2),
            (2.2, -value),
            (2.4, value * 2),
        ):
            add(weight, f"{near}{suffix}")
        if value and value % 10 == 0:
            add(2.0, f"{value // 10}{suffix}")
        if value % 2 == 0:
            add(2.4, f"{value // 2}{suffix}")
        if abs(value) >= 50:
            for weight, factor in ((2.3, 100), (2.5, 1000)):
                add(weight, f"{value * factor}{suffix}")
            if value % 100 == 0:
                add(2.4, f"{value // 100}{suffix}")
            for weight, step in ((2.5, 5), (2.4, 10)):
                add(weight, f"{value + step}{suffix}")
                add(weight, f"{value - step}{suffix}")
        if not suffix:
            add(2.2, f"{value}LL")
            add(2.2, f"{value}.0")
    elif re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[fFlL]?", word):
        for weight, text in (
            (2.0, "0.5"),
            (2.0, "1.0"),
            (2.0, "0"),
            (2.2, "1e-9"),
            (2.3, "1e-6"),
            (2.2, "0.999999"),
        ):
            add(weight, text)
        if re.fullmatch(r"\d+\.\d*", word):
            real = float(word)
            for weight, close in ((1.6, real + 1), (1.6, real - 1), (2.0, real / 2), (2.0, real * 2)):
                add(weight, repr(close))
        exponent = re.fullmatch(r"(.*[eE])([-+]?\d+)(.*)", word)
        if exponent is not None:
            for step in (1, -1, 2, 3):
                add(1.8, f"{exponent[1]}{int(exponent[2]) + step}{exponent[3]}")
    return [(weight, text) for text, weight in found.items()]


LONGER = "longer loop"


def _bounds_a_loop(node: Node) -> bool:
    """Whether a number stands in the condition of a loop."""
    inner = node
    for above in node.above():
        if above.type in LOOPS:
            return inner.field == "condition"
        inner = above
    return False


def _many_times(word: str, text: str) -> bool:
    before, after = parse_number(word), parse_number(text)
    return before is not None and after is not None and after >= 10 * max(before, 1)


def _number(program: Program, node: Node) -> Drafts:
    word = program.of(node)
    for weight, text in variations(word):
        kind = LONGER if _bounds_a_loop(node) and _many_times(word, text) else "constant"
        yield one(weight, kind, program.put(node, text, UNARY if text[0] == "-" else ATOM))
    if program.in_table(node):
        for index, text in enumerate(program.known[:12]):
            if text != word:
                yield one(2.3 + 0.02 * index, "constant of a test", (node.start, node.end, text))
        return
    for text, count in program.constants.items():
        if text != word:
            weight = 1.9 if count > 1 or text in program.macros else 2.2
            yield one(weight, "constant", program.put(node, text, UNARY if text[0] == "-" else ATOM))
    for text in ("0", "1", "2", "10", "-1", "3", "4", "5"):
        if text != word:
            yield one(2.4, "constant", program.put(node, text, UNARY if text[0] == "-" else ATOM))
    for index, text in enumerate(program.known):
        if text != word:
            weight = 2.4 + 0.02 * index
            yield one(
                weight, "constant of a test", program.put(node, text, UNARY if text[0] == "-" else ATOM)
            )


def _character(program: Program, node: Node) -> Drafts:
    word = program.of(node)
    for other in {program.of(near): None for near in program.nodes if near.type == "char_literal"}:
        if other != word:
            yield one(1.9, "constant", program.put(node, other))
    inner = word[1:-1]
    if len(inner) == 1:
        near = [(1.8, inner.swapcase())] if inner.isalpha() else []
        near += [(2.0, chr(ord(inner) + step)) for step in (1, -1) if 33 <= ord(inner) + step < 127]
        near += [(2.3, text) for text in "0aA1 "]
        for weight, text in near:
            if text != inner and text not in "'\\":
                yield one(weight, "constant", program.put(node, f"'{text}'"))


def variables(program: Program) -> Drafts:
    """One variable, element or constant where another variable stands."""
    for node in program.expressions:
        if node.type == "identifier":
            yield from _name(program, node)
        elif node.type == "field_expression":
            yield from _member(program, node)
        elif (
            node.type in ("number_literal", "subscript_expression", "call_expression")
            and id(node) in program.value_ids
        ):
            word = "".join(program.of(node).split())
            kind = program.type_of(node)
            for leaf in program.leaves(node):
                if leaf.text != word and _fits(leaf, program, node):
                    weight = 2.4 if leaf.type.base == kind.base else 2.6
                    yield one(weight, "variable", program.put(node, leaf.text))


def _fits(leaf: Leaf, program: Program, node: Node) -> bool:
    """Whether a real number may stand where a node stands: not as an index, nor beside `%`."""
    if leaf.type.integral:
        return True
    return not needs_integer(program, node)


def needs_integer(program: Program, node: Node) -> bool:
    parent = node.parent
    child = node
    while parent is not None and parent.type in (
        "parenthesized_expression",
        "binary_expression",
        "conditional_expression",
    ):
        if parent.type == "binary_expression":
            operator = program.operator(parent)
            if operator in ("%", "&", "|", "^", "<<", ">>"):
                return True
            if operator not in "+-*/":
                return False
        child, parent = parent, parent.parent
    if parent is None:
        return False
    if parent.type == "subscript_expression":
        return child.field == "index"
    if parent.type == "assignment_expression":
        return program.operator(parent) in ("%=", "&=", "|=", "^=", "<<=", ">>=") and child.field == "right"
    return parent.type in ("case_statement", "array_declarator", "switch_statement")


def _name(program: Program, node: Node) -> Drafts:
    name = program.of(node)
    symbol = program.scope.find(name, node.start)
    if symbol is None:
        if name in program.macros and not program.is_target(node):
            for leaf in program.leaves(node):
                if _fits(leaf, program, node):
                    yield one(2.5, "variable", program.put(node, leaf.text))
        return
    if symbol.role == "function":
        return
    written = program.is_target(node)
    if not symbol.type.numeric:
        for other in program.scope.visible(node.start):
            if other.name != name and other.type.depth == symbol.type.depth and _same(other, symbol):
                yield one(1.9, "array", program.put(node, other.name))
        return
    if program.is_base(node) and not written:
        return
    leaves = program.leaves(node)
    for leaf in leaves:
        if (
            leaf.text == name
            or (written and leaf.text in program.constants)
            or not _fits(leaf, program, node)
        ):
            continue
        weight = 2.0 if leaf.type.base == symbol.type.base else 2.2
        if leaf.level < ATOM or "[" in leaf.text or "." in leaf.text:
            weight += 0.3
        yield one(weight, "variable", program.put(node, leaf.text))
    if written:
        return
    for text in ("1", "0", "2"):
        yield one(2.5, "variable", program.put(node, text))
    for text in program.constants:
        if text not in "012":
            yield one(2.6, "variable", program.put(node, text, UNARY if text[0] == "-" else ATOM))
    for index, text in enumerate(program.known[:12]):
        yield one(
            2.9 + 0.02 * index,
            "constant of a test",
            program.put(node, text, UNARY if text[0] == "-" else ATOM),
        )


def _same(first: Symbol, second: Symbol) -> bool:
    return first.type.base == second.type.base and first.type.name.split()[:2] == second.type.name.split()[:2]


def _member(program: Program, node: Node) -> Drafts:
    """Another member of the same struct."""
    place = node.of("field")
    name = program.of(place)
    for members in program.scope.members.values():
        if name not in members:
            continue
        for other, kind in members.items():
            if (
                other != name
                and kind.depth == members[name].depth
                and (kind.base == members[name].base or kind.numeric)
            ):
                yield one(1.9, "member", (place.start, place.end, other))


def functions(program: Program) -> Drafts:
    """`ceil` ↔ `floor`, `max` ↔ `min`, a rounding or absolute value added or removed, arguments swapped."""
    own = {
        symbol.name: symbol.parameters
        for symbol in program.scope.symbols
        if symbol.role == "function" and symbol.declaration.type == "function_definition"
    }
    own |= {name: macro.parameters for name, macro in program.macros.items() if macro.parameters >= 0}
    for call in program.calls:
        place = call.of("function")
        name = program.of(place)
        arguments = program.arguments(call)
        for group in SAME_SHAPE:
            if name in group:
                for other in sorted(group - {name}):
                    yield one(1.5, "function", (place.start, place.end, other))
        if name in own:
            for other, count in own.items():
                if other not in (name, "main") and count == own[name]:
                    yield one(1.5, "function", (place.start, place.end, other))
        if name in own or name in ("pow", "fmod", "atan2"):
            for first, second in itertools.pairwise(arguments):
                pieces = (
                    (first.start, first.end, program.of(second)),
                    (second.start, second.end, program.of(first)),
                )
                yield (2.0, "arguments", pieces)
        if name in ROUNDING and len(arguments) == 1:
            inner = arguments[0]
            yield one(2.0, "function", program.put(call, program.of(inner), program.level(inner)))
        elif program.type_of(call).numeric and len(arguments) == 2 and name in own:
            for inner in arguments:
                if program.type_of(inner).numeric:
                    yield one(2.5, "function", program.put(call, program.of(inner), program.level(inner)))


def swaps(program: Program) -> Drafts:
    """Two leaves of one statement change places."""
    groups: dict[int, list[Node]] = {}
    for node in program.expressions:
        if node.type in (
            "identifier",
            "number_literal",
            "subscript_expression",
            "field_expression",
            "char_literal",
        ):
            if not program.type_of(node).numeric or (program.is_base(node) and not program.is_target(node)):
                continue
            groups.setdefault(program.statement_of(node).start, []).append(node)
    for nodes in groups.values():
        if len(nodes) > 24:
            continue
        for index, first in enumerate(nodes):
            for second in nodes[index + 1 :]:
                if second.start < first.end or program.of(first) == program.of(second):
                    continue
                if (
                    program.is_target(first) or program.is_target(second)
                ) and "literal" in first.type + second.type:
                    continue
                if needs_integer(program, first) != needs_integer(program, second) and not (
                    program.type_of(first).integral and program.type_of(second).integral
                ):
                    continue
                pieces = (program.put(first, program.of(second)), program.put(second, program.of(first)))
                yield (2.5, "swap", pieces)


def reads(program: Program) -> Drafts:
    """The order of what `scanf` reads; a `&` too many or missing."""
    for call in program.calls:
        if program.of(call.of("function")) not in ("scanf", "sscanf", "fscanf"):
            continue
        places = [
            node
            for node in program.arguments(call)
            if node.type not in ("string_literal", "concatenated_string")
        ]
        for index, first in enumerate(places):
            if first.type == "identifier":
                kind = program.type_of(first)
                if kind.numeric:
                    yield one(0.6, "address", (first.start, first.start, "&"))
            for second in places[index + 1 :]:
                pieces = (
                    (first.start, first.end, program.of(second)),
                    (second.start, second.end, program.of(first)),
                )
                yield (1.6 if second is places[index + 1 :][0] else 1.9, "reads", pieces)

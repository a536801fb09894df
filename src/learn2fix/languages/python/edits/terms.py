"""Edits that make an expression larger: clamped, wrapped in a call, one more term; stronger conditions."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.languages.python.edits.names import (
    MAPPING,
    NUMBER,
    SEQUENCE,
    TEXT,
    TRUTH,
    UNKNOWN,
    compatible,
)
from learn2fix.languages.python.edits.operators import conditions
from learn2fix.languages.python.edits.program import (
    AND,
    ATOM,
    OR,
    PLUS,
    TIMES,
    UNARY,
    Drafts,
    Program,
    one,
)

MODULI = ("2", "7", "10", "12", "24", "26", "60", "100")
"""What people count in: pairs, weekdays, digits, months, hours, letters, minutes, percent."""
SIMPLE = (cst.Name, cst.Subscript, cst.Attribute, cst.Call, cst.BinaryOperation, cst.UnaryOperation)


def _outer(program: Program, node: cst.BaseExpression) -> bool:
    """Whether an expression is a whole value: what is returned, assigned, passed, indexed or compared."""
    return isinstance(
        program.tree.parent(node),
        cst.Return
        | cst.Assign
        | cst.AugAssign
        | cst.AnnAssign
        | cst.Arg
        | cst.Index
        | cst.Slice
        | cst.Comparison
        | cst.ComparisonTarget
        | cst.ListComp
        | cst.GeneratorExp
        | cst.IfExp
        | cst.DictElement
        | cst.FormattedStringExpression
        | cst.Yield
        | cst.Element,
    )


def _values(program: Program) -> Iterator[tuple[cst.BaseExpression, str]]:
    for node in program.expressions:
        if not isinstance(node, SIMPLE) or not _outer(program, node):
            continue
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            continue
        if isinstance(node, cst.Name) and (node.value not in program.visible(node)):
            continue
        yield node, program.kind(node)


def wrapped(program: Program) -> Drafts:
    """`abs`, `int`, `round`, bounds at 0 and 1, other cases and blanks of a text, an order, a copy."""
    for node, kind in _values(program):
        text = program.of(node)
        tight = program.wrap(node, ATOM)
        if kind in (NUMBER, UNKNOWN):
            weight = 1.9 if kind == NUMBER else 2.3
            for function in ("abs", "int", "round"):
                yield one(weight, "wrapped", program.put(node, f"{function}({text})"))
            yield one(weight, "clamp", program.put(node, f"max({text}, 0)"))
            yield one(weight + 0.1, "clamp", program.put(node, f"max({text}, 1)"))
            yield one(weight + 0.3, "clamp", program.put(node, f"min({text}, 1)"))
            yield one(weight, "sign", program.put(node, f"-{program.wrap(node, UNARY)}", UNARY))
            yield one(weight + 0.1, "scaled", program.put(node, f"{program.wrap(node, TIMES)} * 2", TIMES))
            yield one(weight + 0.1, "scaled", program.put(node, f"{program.wrap(node, TIMES)} // 2", TIMES))
            yield one(weight + 0.1, "scaled", program.put(node, f"{program.wrap(node, TIMES)} / 2", TIMES))
            for digits in ("1", "2"):
                yield one(weight + 0.1, "wrapped", program.put(node, f"round({text}, {digits})"))
            for name in program.visible(node):
                if program.name_type(name, node) == NUMBER and name != text:
                    for function in ("min", "max"):
                        yield one(weight + 0.4, "clamp", program.put(node, f"{function}({text}, {name})"))
            for sign in ("+", "-"):
                yield one(
                    weight + 0.5,
                    "off by two",
                    program.put(node, f"{program.wrap(node, PLUS)} {sign} 2", PLUS),
                )
        if kind == TEXT or (kind == UNKNOWN and isinstance(node, cst.Name | cst.Subscript | cst.Call)):
            weight = 1.8 if kind == TEXT else 2.4
            for method in ("lower", "upper", "strip"):
                yield one(weight, "wrapped", program.put(node, f"{tight}.{method}()"))
            yield one(weight + 0.3, "wrapped", program.put(node, f"len({text})"))
            yield one(weight + 0.2, "wrapped", program.put(node, f"str({text})"))
        if kind in (SEQUENCE, TEXT, MAPPING, UNKNOWN):
            weight = 1.9 if kind == SEQUENCE else 2.4
            yield one(weight, "wrapped", program.put(node, f"sorted({text})"))
            yield one(weight, "wrapped", program.put(node, f"{tight}[::-1]"))
            yield one(weight, "wrapped", program.put(node, f"list({text})"))
            yield one(weight + 0.1, "wrapped", program.put(node, f"set({text})"))
            yield one(weight, "wrapped", program.put(node, f"len({text})"))
            if kind == SEQUENCE:
                for part in ("[1:]", "[:-1]", "[0]", "[-1]"):
                    yield one(weight, "wrapped", program.put(node, f"{tight}{part}"))
    yield from _iterables(program)


def rounded(program: Program) -> Drafts:
    """A division rounded the other way: up, or to the nearest."""
    for node in program.expressions:
        if not isinstance(node, cst.BinaryOperation) or not isinstance(
            node.operator, cst.FloorDivide | cst.Divide
        ):
            continue
        above, below = program.wrap(node.left, UNARY), program.wrap(node.right, UNARY)
        yield one(1.5, "round up", program.put(node, f"-(-{above} // {below})", UNARY))
        plus = f"({program.wrap(node.left, PLUS)} + {program.wrap(node.right, TIMES)} - 1) // {below}"
        yield one(1.7, "round up", program.put(node, plus, TIMES))
        yield one(1.9, "round up", program.put(node, f"round({above} / {below})"))


def _iterables(program: Program) -> Drafts:
    """What a loop runs over: sorted, reversed, without its first or last, numbered, without duplicates."""
    for node in program.expressions:
        parent = program.tree.parent(node)
        if not isinstance(parent, cst.For | cst.CompFor):
            continue
        text, tight = program.of(node), program.wrap(node, ATOM)
        yield one(1.7, "wrapped", program.put(node, f"sorted({text})"))
        yield one(1.8, "wrapped", program.put(node, f"reversed({text})"))
        yield one(1.9, "wrapped", program.put(node, f"set({text})"))
        yield one(2.0, "wrapped", program.put(node, f"list({text})"))
        if isinstance(node, cst.Name | cst.Attribute):
            for part in ("[1:]", "[:-1]", "[::-1]"):
                yield one(1.6, "wrapped", program.put(node, f"{tight}{part}"))
            yield one(1.8, "wrapped", program.put(node, f"range(len({text}))"))
            for method in ("items", "values", "keys"):
                if program.kind(node) in (MAPPING, UNKNOWN):
                    yield one(2.0, "wrapped", program.put(node, f"{tight}.{method}()"))


def _numbers(program: Program, node: cst.CSTNode) -> list[str]:
    """Variables that may be numbers where a node stands, and lengths of those that have one."""
    found = []
    for name in program.local(node):
        kind = program.name_type(name, node)
        if kind in (NUMBER, UNKNOWN):
            found.append(name)
        if kind in (SEQUENCE, TEXT, MAPPING):
            found.append(f"len({name})")
    return found[:10]


def added(program: Program) -> Drafts:
    """One more term: `E + v`, `E - v`, `E * v`, `E // v`, `E % c`."""
    for node, kind in _values(program):
        if kind not in (NUMBER, UNKNOWN) or isinstance(program.tree.parent(node), cst.Element):
            continue
        text = program.of(node)
        weight = 2.3 if kind == NUMBER else 2.7
        for name in _numbers(program, node):
            if name == text:
                continue
            for sign, level in (
                ("+", PLUS),
                ("-", PLUS),
                ("*", TIMES),
                ("//", TIMES),
                ("/", TIMES),
                ("%", TIMES),
            ):
                extra = 0.0 if level == PLUS else 0.2
                yield one(
                    weight + extra,
                    "term",
                    program.put(node, f"{program.wrap(node, level)} {sign} {name}", level),
                )
            yield one(weight + 0.3, "term", program.put(node, f"{name} - {program.wrap(node, TIMES)}", PLUS))
        for modulus in MODULI:
            if modulus not in program.numbers:
                piece = program.put(node, f"{program.wrap(node, TIMES)} % {modulus}", TIMES)
                yield one(weight + 0.4, "remainder", piece)
        for constant in program.numbers:
            if constant in ("0", "1"):
                continue
            for sign, level in (
                ("%", TIMES),
                ("*", TIMES),
                ("//", TIMES),
                ("/", TIMES),
                ("+", PLUS),
                ("-", PLUS),
            ):
                piece = program.put(node, f"{program.wrap(node, level)} {sign} {constant}", level)
                yield one(weight + 0.3, "term", piece)


def atoms(program: Program, node: cst.CSTNode) -> list[tuple[float, str]]:
    """Small conditions over what can be read at a node: against 0, 1, known constants, each other."""
    found: list[tuple[float, str]] = []
    visible = program.local(node)[:8]
    for name in visible:
        kind = program.name_type(name, node)
        if kind in (TRUTH, UNKNOWN, SEQUENCE, TEXT, MAPPING):
            found += [(0.0, name), (0.0, f"not {name}")]
        if kind == UNKNOWN:
            found += [(0.2, f"{name} is not None"), (0.2, f"{name} is None")]
        if kind in (NUMBER, UNKNOWN):
            extra = 0.0 if kind == NUMBER else 0.3
            for constant in ("0", "1"):
                for sign in ("==", "!=", "<", ">", "<=", ">="):
                    found.append((0.1 + extra, f"{name} {sign} {constant}"))
            found.append((0.5 + extra, f"{name} % 2 == 0"))
            for constant in program.numbers:
                if constant not in ("0", "1"):
                    for sign in ("==", "!=", "<", ">", "<=", ">="):
                        found.append((0.3 + extra, f"{name} {sign} {constant}"))
                    if constant.isdigit():
                        found += [
                            (0.3 + extra, f"{name} % {constant} == 0"),
                            (0.4 + extra, f"{name} % {constant} != 0"),
                        ]
            for constant in program.test_numbers:
                if constant not in program.numbers and constant not in ("0", "1"):
                    for sign in ("==", "<=", ">="):
                        found.append((0.6 + extra, f"{name} {sign} {constant}"))
    for place, name in enumerate(visible):
        for other in visible[place + 1 :]:
            one_kind, other_kind = program.name_type(name, node), program.name_type(other, node)
            if compatible(one_kind, other_kind):
                for sign in ("==", "!=", "<", ">", "<=", ">="):
                    found.append((0.3, f"{name} {sign} {other}"))
            if other_kind in (SEQUENCE, MAPPING, TEXT) and one_kind != other_kind:
                found += [(0.3, f"{name} in {other}"), (0.3, f"{name} not in {other}")]
            if one_kind in (SEQUENCE, MAPPING, TEXT) and one_kind != other_kind:
                found += [(0.3, f"{other} in {name}"), (0.3, f"{other} not in {name}")]
    return found


def stronger(program: Program) -> Drafts:
    """A condition with one more part, `and` or `or`; a comprehension with one more filter."""
    for node in conditions(program):
        if isinstance(program.tree.parent(node), cst.BooleanOperation | cst.UnaryOperation):
            continue
        if program.of(node) in ("True", "False"):
            continue
        for weight, atom in atoms(program, node):
            if atom == program.of(node):
                continue
            yield one(
                2.5 + weight, "condition", program.put(node, f"{program.wrap(node, AND)} and {atom}", AND)
            )
            yield one(2.5 + weight, "condition", program.put(node, f"{program.wrap(node, OR)} or {atom}", OR))
            yield one(
                2.8 + weight, "condition", program.put(node, f"{atom} and {program.wrap(node, AND)}", AND)
            )
            # A condition that is another one altogether.
            yield one(3.0 + weight, "condition", program.put(node, atom, AND))
    yield from _filters(program)


def _filters(program: Program) -> Drafts:
    for node in program.nodes:
        if not isinstance(node, cst.CompFor):
            continue
        if node.ifs:
            for part in node.ifs:
                start, end = program.tree.span(part)
                while start > 0 and program.tree.slice(start - 1, start) == " ":
                    start -= 1
                yield one(2.1, "drop", (start, end, ""))
        elif node.inner_for_in is None:
            end = program.tree.outer(node.iter)[1]
            names = [n.value for n in _names(node.target)]
            for name in names:
                for text in (
                    name,
                    f"not {name}",
                    f"{name} is not None",
                    f"{name} != 0",
                    f"{name} > 0",
                    f"{name} >= 0",
                ):
                    yield one(2.4, "condition", (end, end, f" if {text}"))
                for constant in program.numbers:
                    for sign in ("==", "!=", "<", ">", "<=", ">="):
                        yield one(2.7, "condition", (end, end, f" if {name} {sign} {constant}"))


def _names(node: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(node, cst.Name):
        yield node
    for child in node.children:
        yield from _names(child)

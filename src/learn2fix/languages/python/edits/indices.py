"""Edits of ranges, slices and indices: off by one, bounds added and dropped, counted from the end."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.kinds import MAPPING, NUMBER, SEQUENCE, TEXT, TRUTH, UNKNOWN
from learn2fix.languages.python.edits.numbers import shifted
from learn2fix.languages.python.edits.precedence import ATOM, OR, PLUS, TERNARY, TIMES, UNARY, number_level
from learn2fix.languages.python.edits.program import Program, choice


def _ranges(program: Program) -> Iterator[list[cst.BaseExpression]]:
    """The arguments of each range()."""
    for node in program.every(cst.Call):
        plain = [argument.value for argument in node.args if argument.keyword is None and not argument.star]
        if program.of(node.func) == "range" and 1 <= len(plain) == len(node.args) <= 3:
            yield plain


@CATALOGUE.operator(
    "bound of a range one off",
    why="A loop runs once too often or too rarely.",
    before="def f(n): return list(range(n))",
    after="def f(n): return list(range(n + 1))",
)
def range_one_off(program: Program) -> Proposals:
    for arguments in _ranges(program):
        for argument in arguments:
            for text, tightness in shifted(program, argument):
                yield (program.put(argument, text, tightness),)


@CATALOGUE.operator(
    "range from one",
    why="A range counts from 0 where people count from 1.",
    before="def f(n): return list(range(n))",
    after="def f(n): return list(range(1, n + 1))",
)
def range_from_one(program: Program) -> Proposals:
    for arguments in _ranges(program):
        if len(arguments) == 1:
            start, end = program.tree.outer(arguments[0])
            more, _ = shifted(program, arguments[0])
            yield ((start, end, f"1, {more[0]}"),)
            yield ((start, start, "1, "),)


@CATALOGUE.operator(
    "both bounds of a range one off",
    why="A range is shifted by one.",
    before="def f(n): return list(range(1, n))",
    after="def f(n): return list(range(2, n + 1))",
)
def range_shifted(program: Program) -> Proposals:
    for arguments in _ranges(program):
        if len(arguments) == 2:
            for low, high in zip(*(shifted(program, argument) for argument in arguments), strict=True):
                yield tuple(program.put(a, *new) for a, new in zip(arguments, (low, high), strict=True))


@CATALOGUE.operator(
    "range backwards, with a step or without its start",
    why="A range goes the wrong way, in the wrong steps or from the wrong start.",
    before="def f(n): return list(range(n, 0))",
    after="def f(n): return list(range(n, 0, -1))",
)
def range_otherwise(program: Program) -> Proposals:
    for arguments in _ranges(program):
        if len(arguments) == 1:
            place = program.tree.outer(arguments[0])
            _, less = shifted(program, arguments[0])
            yield ((*place, f"{less[0]}, -1, -1"),)
            yield ((*place, f"{program.wrap(arguments[0], TERNARY)}, 0, -1"),)
        if len(arguments) == 2:
            end = program.tree.outer(arguments[1])[1]
            yield ((end, end, ", -1"),)
            yield ((end, end, ", 2"),)
            scope = program.scope(arguments[1])
            for name in program.visible(arguments[1]):
                if scope.type(name) == NUMBER:
                    yield ((end, end, f", {name}"),)
            yield ((program.tree.outer(arguments[0])[0], program.tree.outer(arguments[1])[0], ""),)


@CATALOGUE.operator(
    "range over a length",
    why="A range is given a sequence where its length was meant.",
    before="def f(xs):\n    xs.sort()\n    return list(range(xs))",
    after="def f(xs):\n    xs.sort()\n    return list(range(len(xs)))",
)
def range_over_a_length(program: Program) -> Proposals:
    for arguments in _ranges(program):
        for argument in arguments:
            if program.kind(argument) in (SEQUENCE, TEXT) and isinstance(argument, cst.Name):
                yield (program.put(argument, f"len({argument.value})"),)


def _slices(program: Program) -> Iterator[tuple[cst.Subscript, cst.Slice]]:
    for node in program.every(cst.Subscript):
        inner = node.slice[0].slice
        if len(node.slice) == 1 and isinstance(inner, cst.Slice):
            yield node, inner


def _bounds(program: Program, inner: cst.Slice) -> tuple[str, str, str]:
    """What stands before the colon, after it, and the step with its colon."""
    low = program.wrap(inner.lower, OR) if inner.lower is not None else ""
    high = program.wrap(inner.upper, OR) if inner.upper is not None else ""
    step = f":{program.wrap(inner.step, OR)}" if inner.step is not None else ""
    return low, high, step


@CATALOGUE.operator(
    "bound of a slice one off",
    why="A slice has an item too many or too few.",
    before="def f(xs, k): return xs[:k]",
    after="def f(xs, k): return xs[:k + 1]",
)
def slice_one_off(program: Program) -> Proposals:
    for _, inner in _slices(program):
        for bound in (inner.lower, inner.upper):
            if bound is not None:
                for text, tightness in shifted(program, bound):
                    yield (program.put(bound, text, tightness),)


@CATALOGUE.operator(
    "slice without its first, its last or a bound",
    why="A slice begins or ends in the wrong place.",
    before="def f(xs, k): return xs[0:k]",
    after="def f(xs, k): return xs[1:k]",
)
def slice_bound(program: Program) -> Proposals:
    for _, inner in _slices(program):
        low, high, step = _bounds(program, inner)
        place = program.tree.span(inner)
        yield ((*place, f"1:{high}{step}"),)
        yield ((*place, f"{low}:-1{step}"),)
        if low:
            yield ((*place, f":{high}{step}"),)
        if high:
            yield ((*place, f"{low}:{step}"),)


@CATALOGUE.operator(
    "counted from the end",
    why="An index or a bound of a slice should count from the end.",
    before="def f(xs, k): return xs[:k]",
    after="def f(xs, k): return xs[:-k]",
)
def from_the_end(program: Program) -> Proposals:
    for value in _numeric_indices(program):
        if isinstance(value, cst.Name):
            yield (program.put(value, f"-{value.value}", UNARY),)
            yield (program.put(value, f"-{value.value} - 1", PLUS),)
    for _, inner in _slices(program):
        for bound in (inner.lower, inner.upper):
            if isinstance(bound, cst.Name | cst.Integer) and program.of(bound) != "0":
                yield (program.put(bound, f"-{program.of(bound)}", UNARY),)


@CATALOGUE.operator(
    "slice in the other direction",
    why="A slice goes forwards where it should go backwards, or the other way round.",
    before="def f(xs): return xs[1:]",
    after="def f(xs): return xs[1::-1]",
)
def slice_direction(program: Program) -> Proposals:
    for _, inner in _slices(program):
        low, high, step = _bounds(program, inner)
        place = program.tree.span(inner)
        if step:
            yield ((*place, f"{low}:{high}"),)
        if step != ":-1":
            yield ((*place, f"{low}:{high}:-1"),)
        if low or high:
            yield ((*place, "::-1"),)


@CATALOGUE.operator(
    "slice by its length, exchanged or dropped",
    why="A second bound was meant as a length, the bounds stand the wrong way round, or no slice was meant.",
    before="def f(xs, i, n): return xs[i:n]",
    after="def f(xs, i, n): return xs[i:i + n]",
)
def slice_otherwise(program: Program) -> Proposals:
    for node, inner in _slices(program):
        low, high, step = _bounds(program, inner)
        if inner.lower is not None and inner.upper is not None:
            length = f"{program.wrap(inner.lower, PLUS)} + {program.wrap(inner.upper, TIMES)}"
            yield ((*program.tree.span(inner), f"{low}:{length}{step}"),)
        if low != high:
            yield ((*program.tree.span(inner), f"{high}:{low}{step}"),)
        if program.is_read(node):
            yield (program.put(node, program.wrap(node.value, ATOM)),)


@CATALOGUE.operator(
    "items on both sides of one",
    why="All items but one are wanted, and only those before or after it are taken.",
    before="def f(xs, i): return xs[i + 1:]",
    after="def f(xs, i): return xs[:i] + xs[i + 1:]",
)
def both_sides(program: Program) -> Proposals:
    for node, inner in _slices(program):
        low, high, step = _bounds(program, inner)
        if step or bool(low) == bool(high) or not program.is_read(node):
            continue
        owner = program.wrap(node.value, ATOM)
        for index in [high] if high else [low.removesuffix("+ 1").rstrip(), low]:
            text = f"{owner}[:{index}] + {owner}[{index} + 1:]"
            yield (program.put(node, text, PLUS),)


def _indices(program: Program) -> Iterator[tuple[cst.Subscript, cst.BaseExpression]]:
    for node in program.every(cst.Subscript):
        inner = node.slice[0].slice
        if len(node.slice) == 1 and isinstance(inner, cst.Index) and not inner.star:
            yield node, inner.value


def _numeric_indices(program: Program) -> Iterator[cst.BaseExpression]:
    for _, value in _indices(program):
        if program.kind(value) in (NUMBER, UNKNOWN, TRUTH) and not isinstance(value, cst.BaseString):
            yield value


@CATALOGUE.operator(
    "index one off",
    why="An index is one off.",
    before="def f(xs): return xs[len(xs)]",
    after="def f(xs): return xs[len(xs) - 1]",
)
def index_one_off(program: Program) -> Proposals:
    for value in _numeric_indices(program):
        for text, tightness in shifted(program, value):
            yield (program.put(value, text, tightness),)


@CATALOGUE.operator(
    "first or last item",
    why="The first or the last item was meant.",
    before="def f(xs, i): return xs[i]",
    after="def f(xs, i): return xs[-1]",
)
def first_or_last_item(program: Program) -> Proposals:
    for value in _numeric_indices(program):
        for text in ("0", "-1"):
            yield (program.put(value, text, number_level(text)),)


@CATALOGUE.operator(
    "default for a missing key",
    why="A key that is not there is no error.",
    before="def f(d, k): return d[k] + 1",
    after="def f(d, k): return d.get(k, 0) + 1",
)
def default_for_a_missing_key(program: Program) -> Proposals:
    for node, value in _indices(program):
        if program.kind(node.value) not in (MAPPING, UNKNOWN) or program.kind(value) == NUMBER:
            continue
        if program.is_read(node):
            call = f"{program.wrap(node.value, ATOM)}.get({program.wrap(value, TERNARY)}"
            for rest in (", 0)", ")", ", [])", ", '')"):
                yield choice((program.put(node, call + rest),), rest == ", 0)")


GROWING = {"append": "[]", "extend": "[]", "add": "set()", "update": "{}"}
"""Methods that put something into what they are called on, and what that is at first."""


def _entry(program: Program, node: cst.CSTNode) -> tuple[str, str] | None:
    """The container and the key of `d[k]` as they stand in a call, where the container may be a dict."""
    match node:
        case cst.Subscript(value=base, slice=[cst.SubscriptElement(slice=cst.Index(value=key))]):
            if program.kind(base) != SEQUENCE:
                return program.wrap(base, ATOM), program.wrap(key, TERNARY)
    return None


@CATALOGUE.operator(
    "entry of a dict added to",
    why="What a dict holds for a key is overwritten, or is not there yet, where it should grow.",
    before="def f(d, k, v):\n    d[k] = v\n    return d\n",
    after="def f(d, k, v):\n    d[k] = d.get(k, 0) + v\n    return d\n",
)
def entry_added_to(program: Program) -> Proposals:
    for node in program.every(cst.Assign):
        if len(node.targets) > 1 or (entry := _entry(program, node.targets[0].target)) is None:
            continue
        base, key = entry
        value = node.value
        if isinstance(value, cst.List | cst.Set) and len(value.elements) == 1:
            empty, add = ("[]", "append") if isinstance(value, cst.List) else ("set()", "add")
            item = program.wrap(value.elements[0].value, TERNARY)
            yield (program.put(node, f"{base}.setdefault({key}, {empty}).{add}({item})"),)
        else:
            yield (program.put(value, f"{base}.get({key}, 0) + {program.wrap(value, PLUS)}", PLUS),)
    for step in program.every(cst.AugAssign):
        if program.of(step.operator) == "+=" and (entry := _entry(program, step.target)) is not None:
            base, key = entry
            sum_ = f"{base}.get({key}, 0) + {program.wrap(step.value, TIMES)}"
            yield (program.put(step, f"{base}[{key}] = {sum_}"),)
    for call in program.every(cst.Call):
        match call.func:
            case cst.Attribute(value=grown, attr=cst.Name(value=method)) if method in GROWING:
                if (entry := _entry(program, grown)) is not None:
                    base, key = entry
                    yield (program.put(grown, f"{base}.setdefault({key}, {GROWING[method]})"),)

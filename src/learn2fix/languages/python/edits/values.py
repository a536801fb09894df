"""Edits of values: constants, variables, attributes, similar functions, arguments, indices and ranges."""

from __future__ import annotations

import itertools
import re

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
from learn2fix.languages.python.edits.program import (
    ATOM,
    PLUS,
    UNARY,
    Drafts,
    Program,
    one,
)

# Functions that are taken for one another. Each row is a set of words of which any may stand for any other.
SIMILAR: tuple[tuple[str, ...], ...] = (
    ("min", "max"),
    ("any", "all"),
    ("sum", "max", "min", "len"),
    ("sorted", "list", "reversed"),
    ("list", "set", "tuple"),
    ("sorted", "set"),
    ("floor", "ceil", "trunc"),
    ("int", "round", "float", "abs"),
    ("int", "str", "repr"),
    ("round", "floor", "ceil"),
    ("math.floor", "math.ceil", "round", "int", "math.trunc"),
    ("sqrt", "isqrt"),
    ("gcd", "lcm"),
    ("lower", "upper", "title", "capitalize", "swapcase", "casefold"),
    ("strip", "lstrip", "rstrip"),
    ("removeprefix", "removesuffix"),
    ("find", "rfind", "index", "rindex", "count"),
    ("split", "rsplit", "splitlines"),
    ("partition", "rpartition"),
    ("startswith", "endswith"),
    ("isdigit", "isalpha", "isalnum", "isdecimal", "isnumeric", "isspace"),
    ("isupper", "islower", "istitle"),
    ("ljust", "rjust", "center", "zfill"),
    ("append", "extend", "add"),
    ("append", "appendleft"),
    ("pop", "popleft"),
    ("remove", "discard", "pop"),
    ("add", "remove", "discard"),
    ("keys", "values", "items"),
    ("get", "pop", "setdefault"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("issubset", "issuperset", "isdisjoint"),
    ("bisect_left", "bisect_right", "bisect"),
    ("insort_left", "insort_right", "insort"),
    ("nlargest", "nsmallest"),
    ("heappush", "heappop", "heappushpop", "heapreplace"),
    ("weekday", "isoweekday"),
    ("permutations", "combinations", "combinations_with_replacement", "product"),
    ("mean", "median", "mode"),
    ("pstdev", "stdev"),
    ("pvariance", "variance"),
    ("total_seconds", "seconds"),
    ("zip", "zip_longest"),
    ("isinstance", "issubclass"),
)
# Attributes, and names of arguments, that are taken for one another.
SIMILAR_ATTRIBUTES: tuple[tuple[str, ...], ...] = (
    ("days", "seconds", "microseconds"),
    ("year", "month", "day"),
    ("hour", "minute", "second"),
    ("real", "imag"),
    ("numerator", "denominator"),
    ("start", "stop", "end"),
    ("days", "weeks", "hours", "minutes", "seconds"),
    ("first", "last"),
    ("left", "right"),
    ("x", "y"),
    ("width", "height"),
)
FORMAT_DIGITS = re.compile(r"(?P<before>\.)(?P<digits>\d+)(?=[fdeg%])")


def others(word: str, rows: tuple[tuple[str, ...], ...]) -> list[str]:
    return list(dict.fromkeys(other for row in rows if word in row for other in row if other != word))


def constants(program: Program) -> Drafts:
    for node in program.expressions:
        match node:
            case cst.Integer():
                yield from _integer(program, node)
            case cst.Float():
                yield from _float(program, node)
            case cst.Name(value="True" | "False"):
                yield one(1.2, "constant", program.put(node, "False" if node.value == "True" else "True"))
                if isinstance(program.tree.parent(node), cst.Return):
                    yield one(2.4, "constant", program.put(node, "None"))
            case cst.Name(value="None"):
                for text in ("0", "[]", "''", "-1", "1", "{}", "False"):
                    yield one(1.9 if text in ("0", "[]") else 2.4, "constant", program.put(node, text))
            case _:
                pass


def _level(text: str) -> int:
    return UNARY if text.startswith("-") else ATOM


def _integer(program: Program, node: cst.Integer) -> Drafts:
    value = node.evaluated_value
    # How it is written says what it is: 0x10 and 1_000 get neighbours, not lists of everything.
    near = {value + 1: 1.1, value - 1: 1.1}
    near.setdefault(0, 1.6)
    near.setdefault(1, 1.6)
    near.setdefault(-1, 2.1)
    near.setdefault(2, 2.0)
    near.setdefault(-value, 1.8)
    for other, weight in ((value * 10, 2.0), (value * 2, 2.3), (value + 2, 2.3), (value - 2, 2.3)):
        near.setdefault(other, weight)
    if value >= 10:
        near.setdefault(value // 10, 2.0)
        near.setdefault(value // 2, 2.3)
    negated = isinstance(parent := program.tree.parent(node), cst.UnaryOperation) and isinstance(
        parent.operator, cst.Minus
    )
    for other, weight in near.items():
        if other != value and not (negated and other < 0):
            yield one(weight, "constant", program.put(node, str(other), _level(str(other))))
    yield from _known_numbers(program, node, {str(other) for other in near} | {program.of(node)})
    yield from _names_for(program, node)
    if isinstance(program.tree.parent(node), cst.Assign | cst.Return | cst.Param):
        for text, weight in (
            ("None", 2.4),
            ("[]", 2.6),
            ("''", 2.6),
            ("float('inf')", 2.2),
            ("-float('inf')", 2.3),
        ):
            yield one(weight, "constant", program.put(node, text, _level(text)))
        yield one(2.4, "constant", program.put(node, f"{value}.0"))


def _names_for(program: Program, node: cst.BaseExpression) -> Drafts:
    """A variable where a number was written."""
    for place, name in enumerate(program.visible(node)):
        if program.name_type(name, node) in (NUMBER, UNKNOWN):
            near = 0.0 if program.name_type(name, node) == NUMBER else 0.2
            yield one(1.8 + near + 0.02 * place, "variable", program.put(node, name))


def _known_numbers(program: Program, node: cst.CSTNode, known: set[str]) -> Drafts:
    for place, text in enumerate(program.numbers):
        if text not in known:
            yield one(2.1 + 0.02 * place, "constant", program.put(node, text, _level(text)))
    for place, text in enumerate(program.test_numbers):
        if text not in known and text not in program.numbers:
            yield one(2.4 + 0.02 * place, "constant of a test", program.put(node, text, _level(text)))


def _float(program: Program, node: cst.Float) -> Drafts:
    value = node.evaluated_value
    near: dict[str, float] = {}
    for other, weight in (
        (value + 1, 1.6),
        (value - 1, 1.6),
        (value * 10, 1.5),
        (value / 10, 1.5),
        (value * 100, 1.8),
        (value / 100, 1.8),
        (1 - value, 1.4),
        (1 + value, 1.4),
        (-value, 1.9),
        (value * 2, 2.1),
        (value / 2, 2.1),
        (0.0, 1.9),
        (1.0, 1.9),
    ):
        if other == other and abs(other) != float("inf"):
            near.setdefault(repr(float(f"{other:.12g}")), weight)
    if value == int(value):
        near.setdefault(str(int(value)), 2.2)
    for text, weight in near.items():
        if text != program.of(node):
            yield one(weight, "constant", program.put(node, text, _level(text)))
    yield from _known_numbers(program, node, {*near, program.of(node)})
    yield from _names_for(program, node)


def texts(program: Program) -> Drafts:
    """Another text of the file or of an expected output, another case, other blanks, other decimals."""
    reads = set(program.expressions)
    for node in program.nodes:
        match node:
            case cst.SimpleString() if node in reads:
                old = program.of(node)
                value = node.evaluated_value
                for text in program.strings:
                    if text != old:
                        yield one(1.9, "text", program.put(node, text))
                if isinstance(value, str):
                    yield from _variations(program, node, value)
            case cst.FormattedStringText():
                start, end = program.tree.span(node)
                for match in FORMAT_DIGITS.finditer(program.of(node)):
                    for digits in (int(match["digits"]) + 1, int(match["digits"]) - 1):
                        if digits >= 0 and isinstance(
                            program.tree.parent(node), cst.FormattedStringExpression
                        ):
                            at = start + match.start("digits")
                            yield one(1.7, "text", (at, at + len(match["digits"]), str(digits)))
                if not isinstance(program.tree.parent(node), cst.FormattedStringExpression):
                    text = program.of(node)
                    if text.strip() != text:
                        yield one(2.2, "text", (start, end, text.strip()))
                    yield one(2.6, "text", (start, end, text + " "))
            case _:
                pass


def _variations(program: Program, node: cst.SimpleString, value: str) -> Drafts:
    found: dict[str, float] = {}
    if len(value) <= 40:
        for text, weight in (
            (value.lower(), 2.0),
            (value.upper(), 2.0),
            (value.capitalize(), 2.0),
            (value.strip(), 1.8),
            (value + " ", 2.2),
            (" " + value, 2.2),
            ("", 2.0),
            (" ", 2.0 if len(value) <= 1 else 2.6),
            (value[:-1], 2.3),
            (value[1:], 2.4),
        ):
            found.setdefault(text, weight)
    for text in program.hints.expected:
        if "\n" not in text and len(text) <= 60:
            found.setdefault(text.strip("'\""), 2.3)
    quote = '"' if program.of(node)[:1] == '"' else "'"
    for text, weight in found.items():
        if text != value:
            yield one(weight, "text", program.put(node, quoted(text, quote)))


def quoted(text: str, quote: str = "'") -> str:
    plain = repr(text)
    if quote == '"' and plain[0] == "'" and '"' not in text:
        return f'"{plain[1:-1]}"'.replace("\\'", "'")
    return plain


def variables(program: Program) -> Drafts:
    """Another variable that can be read there and may be of the same type; a constant for a variable."""
    for node in program.expressions:
        if not isinstance(node, cst.Name) or node.value in ("True", "False", "None"):
            continue
        visible = program.visible(node)
        if node.value not in visible:
            continue
        kind = program.kind(node)
        for place, other in enumerate(visible):
            if other != node.value and compatible(kind, program.name_type(other, node)):
                near = 0.0 if program.name_type(other, node) == kind != UNKNOWN else 0.2
                yield one(1.5 + near + 0.02 * place, "variable", program.put(node, other))
        if kind in (NUMBER, UNKNOWN) and not _is_base(program, node):
            for text in dict.fromkeys(["0", "1", *program.numbers]):
                yield one(2.5, "variable", program.put(node, text))
            for text in program.test_numbers:
                if text not in program.numbers:
                    yield one(2.8, "constant of a test", program.put(node, text, _level(text)))
    yield from _structures(program)


def _is_base(program: Program, node: cst.CSTNode) -> bool:
    parent = program.tree.parent(node)
    return isinstance(parent, cst.Attribute | cst.Subscript) and node is parent.value


def _structures(program: Program) -> Drafts:
    """`xs[i]` for `x`, `x` for `xs[i]`, `xs[j]` for `xs[i]` when all are written somewhere near."""
    for node in program.expressions:
        if not isinstance(node, cst.Subscript | cst.Attribute):
            continue
        function = program.owner(node)
        seen = {program.of(node)}
        for other in program.expressions:
            if not isinstance(other, cst.Subscript | cst.Attribute) or program.owner(other) is not function:
                continue
            text = program.of(other)
            if text in seen or len(text) > 30 or "\n" in text or "(" in text:
                continue
            names = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\.\w+|'[^']*'|\"[^\"]*\"", "", text)))
            if names <= {*program.visible(node), "self", "cls"}:
                seen.add(text)
                yield one(1.9, "variable", program.put(node, text))


def attributes(program: Program) -> Drafts:
    """Another attribute of the same thing, a similar attribute, another name of an argument."""
    for node in program.nodes:
        if isinstance(node, cst.Attribute):
            parent = program.tree.parent(node)
            if isinstance(parent, cst.Call) and node is parent.func:
                continue
            place = program.tree.span(node.attr)
            base = program.of(node.value)
            known = program.names.attributes.get(base, ())
            for other in known:
                if other != node.attr.value and f"{base}.{other}(" not in program.tree.text:
                    yield one(1.6, "member", (*place, other))
            for other in others(node.attr.value, SIMILAR_ATTRIBUTES):
                if other not in known:
                    yield one(1.7, "member", (*place, other))
        if isinstance(node, cst.Arg) and node.keyword is not None:
            for other in others(node.keyword.value, SIMILAR_ATTRIBUTES):
                yield one(1.9, "arguments", (*program.tree.span(node.keyword), other))


def functions(program: Program) -> Drafts:
    """A function or method taken for a similar one, a call dropped around its argument."""
    for node in program.nodes:
        if not isinstance(node, cst.Call):
            continue
        func = node.func
        if isinstance(func, cst.Name):
            word = func.value
            for other in others(word, SIMILAR):
                if "." not in other or other.split(".")[0] in program.tree.text:
                    yield one(
                        1.2 if word in ("min", "max", "any", "all") else 1.5,
                        "function",
                        program.put(func, other),
                    )
            arity = program.names.arity.get(word)
            for other, count in program.names.arity.items():
                if arity is not None and other != word and count == arity:
                    yield one(1.8, "function", program.put(func, other))
            if (
                len(node.args) == 1
                and not node.args[0].star
                and word not in ("print", "range", "enumerate", "input")
            ):
                inner = node.args[0].value
                weight = (
                    1.7
                    if word in ("int", "round", "abs", "sorted", "set", "list", "str", "reversed")
                    else 2.2
                )
                yield one(weight, "function", program.put(node, program.of(inner), program.level(inner)))
        elif isinstance(func, cst.Attribute):
            place = program.tree.span(func.attr)
            whole = program.of(func)
            for other in others(func.attr.value, SIMILAR):
                yield one(1.4, "function", (*place, other))
            for other in others(whole, SIMILAR):
                if "." not in other:
                    yield one(1.7, "function", program.put(func, other))
            if func.attr.value in ("total_seconds",):
                yield one(1.9, "function", program.put(node, f"{program.of(func.value)}.seconds"))
            if not isinstance(program.tree.parent(node), cst.Expr):
                if len(node.args) <= 1 and not program.of(func.value).startswith("math"):
                    yield one(
                        2.1, "function", program.put(node, program.of(func.value), program.level(func.value))
                    )
                if len(node.args) == 1 and program.of(func.value) == "math" and not node.args[0].star:
                    inner = node.args[0].value
                    yield one(1.8, "function", program.put(node, program.of(inner), program.level(inner)))


# What is often left out of a call: function → further arguments.
MORE_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "sorted": ("reverse=True",),
    "sort": ("reverse=True",),
    "enumerate": ("1", "start=1"),
    "round": ("2", "1"),
    "max": ("default=0",),
    "min": ("default=0",),
    "pop": ("0", "None"),
    "get": ("0", "None", "[]", "''"),
    "split": ("','", "' '"),
    "zfill": (),
    "int": ("2", "16"),
    "sum": ("0",),
    "replace": ("1",),
}


def arguments(program: Program) -> Drafts:
    """Two arguments exchanged, one left out, one that is often forgotten."""
    for node in program.nodes:
        if isinstance(node, cst.Tuple | cst.List):
            yield from _elements(program, node)
            continue
        if not isinstance(node, cst.Call):
            continue
        plain = [argument for argument in node.args if argument.keyword is None and not argument.star]
        for first, second in itertools.pairwise(plain):
            (a, b), (c, d) = program.tree.outer(first.value), program.tree.outer(second.value)
            one_text, other_text = program.tree.slice(a, b), program.tree.slice(c, d)
            if one_text != other_text:
                yield 1.7, "arguments", ((a, b, other_text), (c, d, one_text))
        if len(plain) == 3:
            (a, b), (c, d) = program.tree.outer(plain[0].value), program.tree.outer(plain[2].value)
            yield 2.2, "arguments", ((a, b, program.tree.slice(c, d)), (c, d, program.tree.slice(a, b)))
        if len(node.args) > 1:
            for place in range(len(node.args)):
                yield one(2.1, "arguments", _without(program, node, place))
        word = node.func.value if isinstance(node.func, cst.Name) else ""
        if isinstance(node.func, cst.Attribute):
            word = node.func.attr.value
        present = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        for extra in MORE_ARGUMENTS.get(word, ()):
            named = extra.split("=")[0] if "=" in extra else None
            if named in present or (named is None and present):
                continue
            if named == "default" and len(plain) != 1:
                continue
            end = program.tree.span(node)[1] - 1
            if node.args and isinstance(node.args[-1].comma, cst.Comma):
                continue
            yield one(1.8, "arguments", (end, end, f", {extra}" if node.args else extra))


def _without(program: Program, node: cst.Call, place: int) -> tuple[int, int, str]:
    starts = [min(program.tree.span(a)[0], program.tree.outer(a.value)[0]) for a in node.args]
    ends = [program.tree.outer(a.value)[1] for a in node.args]
    if place + 1 < len(starts):
        return starts[place], starts[place + 1], ""
    return ends[place - 1], ends[place], ""


def _elements(program: Program, node: cst.Tuple | cst.List) -> Drafts:
    parent = program.tree.parent(node)
    if not 2 <= len(node.elements) <= 6 or isinstance(parent, cst.AssignTarget | cst.For | cst.CompFor):
        return
    for first, second in zip(node.elements, node.elements[1:], strict=False):
        (a, b), (c, d) = program.tree.outer(first.value), program.tree.outer(second.value)
        if program.tree.slice(a, b) != program.tree.slice(c, d):
            yield 1.8, "operands", ((a, b, program.tree.slice(c, d)), (c, d, program.tree.slice(a, b)))


def ranges(program: Program) -> Drafts:
    """Off by one in range(), slices and indices; bounds added and dropped."""
    for node in program.nodes:
        match node:
            case cst.Call(func=cst.Name(value="range")):
                yield from _range(program, node)
            case cst.Subscript() if len(node.slice) == 1:
                inner = node.slice[0].slice
                if isinstance(inner, cst.Slice):
                    yield from _slice(program, node, inner)
                elif isinstance(inner, cst.Index):
                    yield from _index(program, node, inner)
            case _:
                pass


def shifted(program: Program, node: cst.BaseExpression) -> list[tuple[str, int]]:
    """The expression one more and one less, written as a person would: `n - 1` + 1 is `n`."""
    text = program.wrap(node, PLUS)
    if isinstance(node, cst.Integer):
        value = node.evaluated_value
        return [(str(value + 1), ATOM), (str(value - 1), _level(str(value - 1)))]
    match node:
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() as inner):
            value = -inner.evaluated_value
            return [(str(value + 1), _level(str(value + 1))), (str(value - 1), UNARY)]
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract(), right=cst.Integer() as step) if (
            not node.lpar
        ):
            signed = step.evaluated_value * (1 if isinstance(node.operator, cst.Add) else -1)
            found = []
            for new in (signed + 1, signed - 1):
                left = program.wrap(node.left, PLUS)
                if new == 0:
                    found.append((program.of(node.left), program.level(node.left)))
                else:
                    found.append((f"{left} {'+' if new > 0 else '-'} {abs(new)}", PLUS))
            return found
        case _:
            return [(f"{text} + 1", PLUS), (f"{text} - 1", PLUS)]


def _range(program: Program, node: cst.Call) -> Drafts:
    arguments = [argument.value for argument in node.args if argument.keyword is None and not argument.star]
    if not 1 <= len(arguments) <= 3 or len(arguments) != len(node.args):
        return
    for argument in arguments:
        for text, level in shifted(program, argument):
            yield one(1.1, "off by one", program.put(argument, text, level))
    if len(arguments) == 1:
        start = program.tree.outer(arguments[0])[0]
        only = arguments[0]
        yield one(1.3, "off by one", (start, start, "1, "))
        more, less = shifted(program, only)
        yield one(1.2, "off by one", (*program.tree.outer(only), f"1, {more[0]}"))
        yield one(2.2, "off by one", (*program.tree.outer(only), f"{less[0]}, -1, -1"))
        yield one(2.2, "off by one", (*program.tree.outer(only), f"{program.of(only)}, 0, -1"))
    if len(arguments) == 2:
        end = program.tree.outer(arguments[1])[1]
        yield one(1.9, "off by one", (end, end, ", -1"))
        yield one(1.9, "off by one", (end, end, ", 2"))
        (first, _), (second, last) = program.tree.outer(arguments[0]), program.tree.outer(arguments[1])
        yield one(1.9, "off by one", (first, second, ""))
        more, less = shifted(program, arguments[0])
        higher, lower = shifted(program, arguments[1])
        for a, b in ((more, higher), (less, lower)):
            yield one(1.5, "off by one", (first, last, f"{a[0]}, {b[0]}"))
    for argument in arguments:
        if program.kind(argument) in (SEQUENCE, TEXT) and isinstance(argument, cst.Name):
            yield one(1.6, "off by one", program.put(argument, f"len({program.of(argument)})"))


def _slice(program: Program, node: cst.Subscript, inner: cst.Slice) -> Drafts:
    start, end = program.tree.span(inner)
    lower, upper = inner.lower, inner.upper
    for bound in (lower, upper):
        if bound is not None:
            for text, level in shifted(program, bound):
                yield one(1.1, "off by one", program.put(bound, text, level))
    step = f":{program.of(inner.step)}" if inner.step is not None else ""
    low = program.tree.outer_code(lower) if lower is not None else ""
    high = program.tree.outer_code(upper) if upper is not None else ""
    found = {
        f"{low}:{high}": 1.8,
        f":{high}{step}": 1.6,
        f"{low}:{step}": 1.6,
        f"{high}:{low}{step}": 2.1,
        f"1:{high}{step}": 1.5,
        f"{low}:-1{step}": 1.5,
        f"-{low}:{high}{step}" if lower is not None and lower_is_plain(lower) else "": 1.8,
        f"{low}:-{high}{step}" if upper is not None and lower_is_plain(upper) else "": 1.8,
        f"{low}:{_term(low)} + {_term(high)}{step}" if low and high else "": 2.0,
        f"{low}:{high}:-1": 1.9,
        "::-1": 2.0,
    }
    if step == ":-1":
        found[f"{low}:{high}:1"] = 1.7
    for text, weight in found.items():
        if text and text != program.tree.slice(start, end) and not re.match(r"-0\b", text):
            yield one(weight, "off by one", (start, end, text))
    yield one(2.0, "off by one", program.put(node, program.wrap(node.value, ATOM)))


def _term(text: str) -> str:
    """Text that may stand beside a plus."""
    return text if re.fullmatch(r"[\w.]+", text) else f"({text})"


def lower_is_plain(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name | cst.Integer)


def _index(program: Program, node: cst.Subscript, inner: cst.Index) -> Drafts:
    value = inner.value
    kind = program.kind(value)
    if kind in (NUMBER, UNKNOWN, TRUTH) and not isinstance(value, cst.BaseString):
        for text, level in shifted(program, value):
            yield one(1.2, "off by one", program.put(value, text, level))
        for text in ("0", "-1"):
            if program.of(value) != text:
                yield one(1.6, "off by one", program.put(value, text, _level(text)))
        if isinstance(value, cst.Name):
            yield one(1.9, "off by one", program.put(value, f"-{value.value}", UNARY))
            yield one(1.9, "off by one", program.put(value, f"-{value.value} - 1", PLUS))
    base = program.wrap(node.value, ATOM)
    if program.kind(node.value) in (MAPPING, UNKNOWN) and program._is_value(node) and kind != NUMBER:
        for default, weight in (("0", 1.9), ("", 2.1), ("[]", 2.4), ("''", 2.4)):
            arguments = f"{program.of(value)}, {default}" if default else program.of(value)
            yield one(weight, "member", program.put(node, f"{base}.get({arguments})"))


def off_by_one(program: Program) -> Drafts:
    """One more or one less, wherever a number is read."""
    for node in program.expressions:
        if isinstance(
            node, cst.Integer | cst.Float | cst.BaseString | cst.List | cst.Tuple | cst.Dict | cst.Lambda
        ):
            continue
        if isinstance(node, cst.Comparison | cst.BooleanOperation | cst.IfExp | cst.BaseComp):
            continue
        parent = program.tree.parent(node)
        if _is_base(program, node) or isinstance(
            parent, cst.Expr | cst.CompFor | cst.For | cst.FormattedStringExpression
        ):
            continue
        if isinstance(node, cst.Name) and (
            node.value in ("True", "False", "None") or node.value not in program.visible(node)
        ):
            continue
        kind = program.kind(node)
        if kind not in (NUMBER, UNKNOWN) or isinstance(node, cst.Set | cst.Await | cst.Yield | cst.NamedExpr):
            continue
        weight = 1.6 if kind == NUMBER else 1.9
        for text, level in shifted(program, node):
            yield one(weight, "off by one", program.put(node, text, level))

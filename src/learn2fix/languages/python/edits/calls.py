"""Edits of calls: similar functions, calls dropped, arguments exchanged, dropped and added."""

from __future__ import annotations

from itertools import pairwise

import libcst as cst

from learn2fix.edits.catalogue import Proposals
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.precedence import TERNARY
from learn2fix.languages.python.edits.program import Program, choice
from learn2fix.languages.python.edits.variables import similar

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
    ("zip", "zip_longest"),
    ("isinstance", "issubclass"),
)
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
OPPOSITES = ("min", "max", "any", "all")
CONVERSIONS = ("int", "round", "abs", "sorted", "set", "list", "str", "reversed")
NEEDED = ("print", "range", "enumerate", "input")
"""Calls that do not stand for their argument."""


@CATALOGUE.operator(
    "min and max, any and all",
    why="A function is confused with its opposite.",
    before="def f(a, b): return min(a, b)",
    after="def f(a, b): return max(a, b)",
)
def opposite_function(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        if isinstance(node.func, cst.Name) and node.func.value in OPPOSITES:
            for other in similar(node.func.value, SIMILAR):
                yield (program.put(node.func, other),)


@CATALOGUE.operator(
    "similar function or method",
    why="A function or method is confused with a similar one.",
    before="def f(s): return s.lstrip()",
    after="def f(s): return s.strip()",
)
def similar_function(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        if isinstance(node.func, cst.Name | cst.Attribute):
            for other in similar(program.of(node.func), SIMILAR):
                # A function of a module only where that is imported.
                if "." not in other or other.split(".")[0] in program.names.modules:
                    yield (program.put(node.func, other),)
        if isinstance(node.func, cst.Attribute):
            for other in similar(node.func.attr.value, SIMILAR):
                yield ((*program.tree.span(node.func.attr), other),)


@CATALOGUE.operator(
    "another function of the program",
    why="One function of the program is called in place of another.",
    before="def g(a): return a + 1\n\ndef h(a): return a - 1\n\ndef f(a): return g(a)",
    after="def g(a): return a + 1\n\ndef h(a): return a - 1\n\ndef f(a): return h(a)",
)
def another_function(program: Program) -> Proposals:
    arity = program.names.arity
    for node in program.every(cst.Call):
        if isinstance(node.func, cst.Name) and node.func.value in arity:
            for other, count in arity.items():
                if other != node.func.value and count == arity[node.func.value]:
                    yield (program.put(node.func, other),)


OPTIONAL = frozenset(("split", "rsplit", "strip", "lstrip", "rstrip"))
"""Methods that do something of their own without their only argument."""


def _only_argument(node: cst.Call) -> cst.BaseExpression | None:
    return node.args[0].value if len(node.args) == 1 and not node.args[0].star else None


@CATALOGUE.operator(
    "call dropped",
    why="A value is converted or rounded, or a method called on it, where it should stay as it is.",
    before="def f(a): return int(a)",
    after="def f(a): return a",
)
def call_dropped(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        name = program.of(node.func)
        inner = _only_argument(node)
        of_math = name.startswith("math.")
        if inner is not None and (of_math or isinstance(node.func, cst.Name)) and name not in NEEDED:
            yield choice((program.put_node(node, inner),), of_math or name in CONVERSIONS)
        used = not isinstance(program.tree.parent(node), cst.Expr)
        if used and isinstance(node.func, cst.Attribute) and len(node.args) <= 1 and not of_math:
            yield choice((program.put_node(node, node.func.value),), likely=False)


@CATALOGUE.operator(
    "arguments or items exchanged",
    why="The arguments of a call, or the items of a list or tuple, stand in the wrong order.",
    before="def f(a, b): return pow(a, b)",
    after="def f(a, b): return pow(b, a)",
)
def arguments_exchanged(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        plain = [argument.value for argument in node.args if argument.keyword is None and not argument.star]
        for first, second in pairwise(plain):
            yield program.exchange(first, second)
        if len(plain) == 3:
            yield choice(program.exchange(plain[0], plain[2]), likely=False)
    groups: list[cst.Tuple | cst.List] = [*program.every(cst.Tuple), *program.every(cst.List)]
    for group in groups:
        if 2 <= len(group.elements) <= 6 and not program.in_target(group.elements[0]):
            for one, other in pairwise(group.elements):
                yield program.exchange(one.value, other.value)


@CATALOGUE.operator(
    "argument dropped",
    why="A call has an argument too many: with it `split` keeps empty words, `strip` leaves other blanks.",
    before="def f(line): return line.split(' ')",
    after="def f(line): return line.split()",
)
def argument_dropped(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        if len(node.args) == 1 and isinstance(node.func, cst.Attribute) and node.func.attr.value in OPTIONAL:
            first, last = program.tree.span(node.args[0])[0], program.tree.span(node)[1] - 1
            yield ((first, last, ""),)
        if len(node.args) > 1:
            starts = [min(program.tree.span(a)[0], program.tree.outer(a.value)[0]) for a in node.args]
            ends = [program.tree.outer(a.value)[1] for a in node.args]
            for start, after in pairwise(starts):
                yield ((start, after, ""),)
            yield ((ends[-2], ends[-1], ""),)


@CATALOGUE.operator(
    "argument added",
    why="An argument was forgotten that the function often gets.",
    before="def f(xs): return sorted(xs)",
    after="def f(xs): return sorted(xs, reverse=True)",
)
def argument_added(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        func = node.func
        word = func.value if isinstance(func, cst.Name) else ""
        if isinstance(func, cst.Attribute):
            word = func.attr.value
        if node.args and isinstance(node.args[-1].comma, cst.Comma):
            continue
        given = {argument.keyword.value for argument in node.args if argument.keyword is not None}
        by_name = given or any(argument.star == "**" for argument in node.args)
        end = program.tree.span(node)[1] - 1
        for extra in MORE_ARGUMENTS.get(word, ()):
            name = extra.split("=")[0] if "=" in extra else None
            if name in given or (name is None and by_name) or (name == "default" and len(node.args) != 1):
                continue
            only = node.args[0].value if len(node.args) == 1 else None
            if isinstance(only, cst.GeneratorExp) and not only.lpar:
                # It needs parentheses of its own when it is no longer alone.
                yield ((*program.tree.span(only), f"{program.wrap(only, TERNARY)}, {extra}"),)
            else:
                yield ((end, end, f", {extra}" if node.args else extra),)


@CATALOGUE.operator(
    "other end of a list",
    why="An item is put in or taken out at the wrong end.",
    before="def f(xs, x):\n    xs.insert(0, x)\n    return xs\n",
    after="def f(xs, x):\n    xs.append(x)\n    return xs\n",
)
def other_end(program: Program) -> Proposals:
    for node in program.every(cst.Call):
        if not isinstance(node.func, cst.Attribute) or any(each.keyword or each.star for each in node.args):
            continue
        base, word = program.of(node.func.value), node.func.attr.value
        given = [program.of(each.value) for each in node.args]
        match word, given:
            case "insert", [_, item]:
                other = f"append({item})"
            case "append", [item]:
                other = f"insert(0, {item})"
            case "pop", [_]:
                other = "pop()"
            case _:
                continue
        yield (program.put(node, f"{base}.{other}"),)


@CATALOGUE.operator(
    "item taken out",
    why="An item is looked at where it should be taken out of its list, so that a loop may end.",
    before="def f(xs):\n    while xs:\n        print(xs[0])\n",
    after="def f(xs):\n    while xs:\n        print(xs.pop(0))\n",
)
def item_taken_out(program: Program) -> Proposals:
    for node in program.reads(cst.Subscript):
        if not isinstance(node.slice[0].slice, cst.Index) or not isinstance(
            node.value, cst.Name | cst.Attribute
        ):
            continue
        base, index = program.of(node.value), program.of(node.slice[0].slice.value)
        for text in dict.fromkeys((f"{base}.pop({index})", f"{base}.pop()", f"{base}.pop(0)")):
            yield (program.put(node, text),)

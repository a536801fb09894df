"""Edits of what does not exist: names that nothing binds, methods that nothing has, forgotten imports."""

from __future__ import annotations

import builtins
import difflib
import importlib.util
import sys
from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from learn2fix.edits.catalogue import Proposals, Unusual
from learn2fix.languages.python.edits.catalogue import CATALOGUE
from learn2fix.languages.python.edits.program import SECOND_CHOICE, Program
from learn2fix.languages.python.tree import walk

ALIKE = 0.55
"""How alike two names must be for one to be a slip of the other."""
TYPES: tuple[type, ...] = (str, list, dict, set, tuple, int, float, bytes)
METHODS = frozenset(name for kind in TYPES for name in dir(kind) if not name.startswith("_"))
MODULES = {
    "math": "sqrt floor ceil pi gcd isqrt prod factorial inf hypot log",
    "collections": "Counter defaultdict deque OrderedDict namedtuple",
    "functools": "reduce partial lru_cache cache wraps",
    "itertools": "chain combinations permutations product groupby accumulate zip_longest islice count",
    "copy": "deepcopy",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "datetime": "date timedelta",
    "dataclasses": "dataclass field",
    "enum": "Enum",
    "bisect": "bisect_left bisect_right insort",
    "heapq": "heappush heappop heapify",
    "operator": "itemgetter",
    "statistics": "mean median",
    "string": "ascii_lowercase ascii_uppercase ascii_letters",
}
"""Names that are mostly imported from one module of the standard library."""
SHARED = {name: module for module, names in MODULES.items() for name in names.split()}


def _bound(program: Program) -> set[str]:
    """Every name that the file binds anywhere, and those of Python itself."""
    found = set(dir(builtins)) | {"__file__", "__name__", "__class__"}
    for node in walk(program.tree.module):
        match node:
            case cst.FunctionDef(name=name) | cst.ClassDef(name=name) | cst.Param(name=name):
                found.add(name.value)
            case cst.ImportAlias():
                found.add(program.of(node.asname.name if node.asname else node.name).partition(".")[0])
            case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.For() | cst.CompFor():
                found |= {inner.value for inner in walk(node.target) if isinstance(inner, cst.Name)}
            case cst.NamedExpr(target=target) | cst.AsName(name=target):
                found |= {inner.value for inner in walk(target) if isinstance(inner, cst.Name)}
            case cst.MatchAs(name=cst.Name(value=value)) | cst.MatchStar(name=cst.Name(value=value)):
                found.add(value)
            case _:
                pass
    return found


def _unknown(program: Program) -> Iterator[cst.Name]:
    """Names that are read and that nothing binds."""
    bound = _bound(program)
    for node in program.every(cst.Name):
        parent = program.tree.parent(node)
        called = isinstance(parent, cst.Call) and parent.func is node
        if node.value not in bound and (called or program.is_read(node)):
            yield node


@CATALOGUE.operator(
    "name that does not exist",
    why="A name is misspelt, or is that of another version of the program.",
    before="def f(words):\n    for word in wordz:\n        print(word)\n",
    after="def f(words):\n    for word in words:\n        print(word)\n",
)
def name_that_does_not_exist(program: Program) -> Proposals:
    for node in _unknown(program):
        parent = program.tree.parent(node)
        called = isinstance(parent, cst.Call) and parent.func is node
        functions = [*(name for name in program.names.functions if "." not in name), *dir(builtins)]
        close = difflib.get_close_matches(node.value, functions, 3, ALIKE)
        for other in dict.fromkeys([*close, *(() if called else program.visible(node))]):
            # All places at once, and this one alone.
            same = [each for each in _unknown(program) if each.value == node.value]
            if len(same) > 1 and same[0] is node:
                yield tuple(program.put(each, other) for each in same)
            yield (program.put(node, other),)


@CATALOGUE.operator(
    "method that does not exist",
    why="A method is called by a name that no object of the program has.",
    before="def f(words):\n    words.apend(1)\n    return words\n",
    after="def f(words):\n    words.append(1)\n    return words\n",
)
def method_that_does_not_exist(program: Program) -> Proposals:
    own = {name.rpartition(".")[2] for name in program.names.functions if "." in name}
    fields = {attribute for found in program.names.attributes.values() for attribute in found}
    imported = program.names.modules
    for node in program.every(cst.Attribute):
        name = node.attr.value
        parent = program.tree.parent(node)
        called = isinstance(parent, cst.Call) and parent.func is node
        if not called or name in own or name in METHODS or program.of(node.value).split(".")[0] in imported:
            continue
        place = program.tree.span(node.attr)
        written = [each for each in fields if each in METHODS]
        known = sorted({*own, *METHODS})
        close = difflib.get_close_matches(name, known, 5, ALIKE)
        for other in dict.fromkeys([*close, *own, *written]):
            change = ((*place, other),)
            yield change if other in close else Unusual(change, SECOND_CHOICE)


@lru_cache(maxsize=256)
def _is_module(name: str) -> bool:
    if name not in sys.stdlib_module_names or name.startswith("_"):
        return False
    return importlib.util.find_spec(name) is not None


@CATALOGUE.operator(
    "import forgotten",
    why="A module, or a function of one, is used and not imported.",
    before="def f(x):\n    return math.sqrt(x)\n",
    after="import math\n\n\ndef f(x):\n    return math.sqrt(x)\n",
)
def import_forgotten(program: Program) -> Proposals:
    place = _import_place(program)
    newline = program.tree.newline
    apart = newline * 2 if place == 0 and not program.tree.text.startswith(("import ", "from ")) else ""
    for name in dict.fromkeys(node.value for node in _unknown(program)):
        if _is_module(name):
            yield ((place, place, f"import {name}{newline}{apart}"),)
        if name in SHARED:
            yield ((place, place, f"from {SHARED[name]} import {name}{newline}{apart}"),)


def _import_place(program: Program) -> int:
    """Before the first statement that is no docstring and no import from the future."""
    for node in program.tree.module.body:
        text = program.of(node)
        if not text.startswith(("from __future__", '"', "'")):
            return program.tree.line_start(program.tree.span(node)[0])
    return 0


@CATALOGUE.operator(
    "assigned to another name",
    why="A value is assigned to a name that nobody reads.",
    before="def f(xs):\n    total = 0\n    for x in xs:\n        t = total + x\n    return total\n",
    after="def f(xs):\n    total = 0\n    for x in xs:\n        total = total + x\n    return total\n",
)
def assigned_to_another_name(program: Program) -> Proposals:
    read = {node.value for node in program.every(cst.Name) if program.is_read(node)}
    plain = [each.target for each in program.every(cst.AssignTarget)]
    for node in (*plain, *(each.target for each in program.every(cst.AugAssign))):
        unread = isinstance(node, cst.Name) and node.value not in read
        if not unread or program.owner(node) is None:
            continue
        for other in program.visible(node):
            if other != program.of(node) and other in program.scope(node).bound:
                yield (program.put(node, other),)

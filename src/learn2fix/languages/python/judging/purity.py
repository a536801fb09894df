"""Whether a Python program can leave a trace in the process that runs it.

Candidates of a program that cannot are run one after the other in one process, a fresh module each; the
others get a process of their own each. The rules are about the text alone and err on the safe side: modules
without state or with a list of harmless names, no reflection, no names that reach files, other modules or
the interpreter, and nothing set on what other modules own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

ALL: frozenset[str] = frozenset({"*"})
MODULES: dict[str, frozenset[str]] = {
    "__future__": ALL,
    "abc": frozenset({"ABC", "abstractmethod"}),
    "bisect": ALL,
    "calendar": frozenset({"isleap", "leapdays", "monthrange", "timegm", "weekday", "MONDAY", "SUNDAY"}),
    "cmath": ALL,
    "collections": frozenset({"ChainMap", "Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"}),
    "copy": frozenset({"copy", "deepcopy"}),
    "dataclasses": frozenset({"asdict", "astuple", "dataclass", "field", "replace"}),
    "datetime": frozenset({"date", "datetime", "time", "timedelta", "timezone"}),
    "decimal": frozenset(
        {"Decimal", "InvalidOperation", "ROUND_CEILING", "ROUND_DOWN", "ROUND_FLOOR", "ROUND_HALF_DOWN"}
        | {"ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_UP"}
    ),
    "enum": frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "auto", "unique"}),
    "fractions": frozenset({"Fraction"}),
    "functools": frozenset(
        {
            "cache",
            "cached_property",
            "cmp_to_key",
            "lru_cache",
            "partial",
            "reduce",
            "total_ordering",
            "wraps",
        }
    ),
    "heapq": ALL,
    "itertools": ALL,
    "json": frozenset({"dumps", "loads"}),
    "math": ALL,
    "operator": ALL,
    "re": frozenset(
        {"ASCII", "DOTALL", "I", "IGNORECASE", "M", "MULTILINE", "S", "VERBOSE", "X", "compile", "escape"}
        | {"findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
    ),
    "statistics": ALL,
    "string": ALL,
    "sys": frozenset(
        {
            "argv",
            "byteorder",
            "exit",
            "float_info",
            "maxsize",
            "setrecursionlimit",
            "stderr",
            "stdin",
            "stdout",
        }
    ),
    "textwrap": frozenset({"dedent", "fill", "indent", "shorten", "wrap"}),
    "typing": ALL,
    "unicodedata": ALL,
}
"""Modules whose names, or those listed, leave no trace; `sys` is put right after each run."""
STREAMS = frozenset({"read", "readline", "readlines", "write", "writelines", "flush"})
FORBIDDEN_NAMES = frozenset(
    {"__builtins__", "__import__", "__loader__", "__spec__", "breakpoint", "compile", "copyright", "credits"}
    | {"delattr", "eval", "exec", "exit", "getattr", "globals", "help", "license", "locals", "memoryview"}
    | {"open", "quit", "setattr", "vars"}
)
HARMLESS_DUNDERS = frozenset({"__name__", "__doc__"})
FORBIDDEN_ATTRIBUTES = frozenset({"register", "mro", "with_traceback", "add_note"})
FORBIDDEN_BEGINNINGS = ("gi_", "f_", "tb_", "cr_", "ag_", "co_", "func_")
FORBIDDEN_METHODS = frozenset(
    {"__del__", "__getattribute__", "__init_subclass__", "__set_name__", "__prepare__"}
)

DELICATE = frozenset(
    {ast.Attribute, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef}
    | {ast.AsyncFor, ast.AsyncWith, ast.Await}
)


class Purity:
    """What is known of one module; asked about the module itself and about what candidates put into it."""

    def __init__(self, tree: ast.Module) -> None:
        self._modules: dict[str, str] = {}
        self._imported: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._modules[alias.asname or alias.name.split(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom):
                self._imported.update(alias.asname or alias.name for alias in node.names)
        self._sets_attributes = any(_sets(node) for node in ast.walk(tree))
        self.module = not any(self._faults(tree))
        self._delicate = FORBIDDEN_NAMES | self._imported | set(self._modules) | {"type"}

    def holds(self, new: Iterable[ast.AST]) -> bool:
        """Whether the module is pure, and stays so with these nodes in it."""
        if not self.module:
            return False
        return all(self._plain(node) or not any(self._faults(node)) for node in new)

    def _plain(self, tree: ast.AST) -> bool:
        """Nothing in it that needs a second look: asked of every candidate, so it is quick."""
        stack = [tree]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is ast.Name:
                if node.id in self._delicate:  # type: ignore[attr-defined]
                    return False
                continue
            if kind in DELICATE:
                return False
            for name in node._fields:
                value = getattr(node, name, None)
                if isinstance(value, ast.AST):
                    stack.append(value)
                elif isinstance(value, list):
                    stack.extend(child for child in value if isinstance(child, ast.AST))
        return True

    def _faults(self, tree: ast.AST) -> Iterator[str]:
        parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        setting = self._sets_attributes or any(_sets(node) for node in ast.walk(tree))
        for node in ast.walk(tree):
            parent = parents.get(id(node))
            match node:
                case ast.Import():
                    yield from (a.name for a in node.names if a.name not in MODULES)
                case ast.ImportFrom():
                    known = MODULES.get(node.module or "", frozenset()) if not node.level else frozenset()
                    yield from (a.name for a in node.names if a.name == "*" or not _allowed(a.name, known))
                case ast.Name():
                    if (
                        node.id in FORBIDDEN_NAMES
                        or (node.id in self._modules and not isinstance(parent, ast.Attribute))
                        or (node.id in self._imported and setting and not _called(node, parent))
                        or (node.id == "type" and setting)
                    ):
                        yield node.id
                case ast.Attribute():
                    yield from self._attribute(node, parent)
                case ast.FunctionDef() if node.name in FORBIDDEN_METHODS:
                    yield node.name
                case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
                    yield "async"
                case ast.ClassDef() if node.keywords:
                    yield "metaclass"
                case _:
                    pass

    def _attribute(self, node: ast.Attribute, parent: ast.AST | None) -> Iterator[str]:
        name = node.attr
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            module = self._modules[node.value.id]
            if not _allowed(name, MODULES.get(module, frozenset())) or not isinstance(node.ctx, ast.Load):
                yield name
            stream = module == "sys" and name in ("stdout", "stderr")
            if stream and (not isinstance(parent, ast.Attribute) or parent.attr not in STREAMS):
                yield name
            return
        if name.startswith("__") and name.endswith("__") and name not in HARMLESS_DUNDERS:
            named = isinstance(parent, ast.Attribute) and parent.attr == "__name__" and name == "__class__"
            inherited = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
            if not named and not (inherited and ast.unparse(node.value) == "super()"):
                yield name
        if name in FORBIDDEN_ATTRIBUTES or name.startswith(FORBIDDEN_BEGINNINGS):
            yield name
        if not isinstance(node.ctx, ast.Load):
            base = node.value
            foreign = isinstance(base, ast.Name) and base.id in self._imported
            if foreign or not isinstance(base, ast.Name | ast.Attribute | ast.Subscript):
                yield name


def _allowed(name: str, known: frozenset[str]) -> bool:
    return name in known or (known == ALL and not name.startswith("_"))


def _sets(node: ast.AST) -> bool:
    """Whether an attribute is set on something that is not plainly the object itself."""
    return (
        isinstance(node, ast.Attribute)
        and not isinstance(node.ctx, ast.Load)
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    )


def _called(node: ast.Name, parent: ast.AST | None) -> bool:
    """Whether an imported name is only called, looked into, or inherited from."""
    if isinstance(parent, ast.Call):
        return parent.func is node
    return isinstance(parent, ast.Attribute | ast.ClassDef | ast.arg | ast.AnnAssign | ast.Subscript)

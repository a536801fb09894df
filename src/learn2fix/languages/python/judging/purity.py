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
"""Every public name; only for modules written in C, which show no other module."""
MODULES: dict[str, frozenset[str]] = {
    "__future__": ALL,
    "abc": frozenset({"ABC", "abstractmethod"}),
    "bisect": frozenset({"bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"}),
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
    "heapq": frozenset(
        {"heapify", "heappop", "heappush", "heappushpop", "heapreplace", "merge", "nlargest", "nsmallest"}
    ),
    "itertools": ALL,
    "json": frozenset({"dumps", "loads"}),
    "math": ALL,
    "operator": frozenset(
        {"abs", "add", "and_", "concat", "contains", "countOf", "eq", "floordiv", "ge", "getitem", "gt"}
        | {"iadd", "imul", "index", "indexOf", "inv", "invert", "is_", "is_not", "isub", "itemgetter"}
        | {"le", "length_hint", "lshift", "lt", "mod", "mul", "ne", "neg", "not_", "or_", "pos", "pow"}
        | {"rshift", "setitem", "sub", "truediv", "truth", "xor"}
    ),
    "re": frozenset(
        {"ASCII", "DOTALL", "I", "IGNORECASE", "M", "MULTILINE", "S", "VERBOSE", "X", "compile", "escape"}
        | {"findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"}
    ),
    "statistics": frozenset(
        {"StatisticsError", "fmean", "geometric_mean", "harmonic_mean", "mean", "median", "median_high"}
        | {"median_low", "mode", "multimode", "pstdev", "pvariance", "quantiles", "stdev", "variance"}
    ),
    "string": frozenset(
        {"ascii_letters", "ascii_lowercase", "ascii_uppercase", "capwords", "digits", "hexdigits"}
        | {"octdigits", "printable", "punctuation", "whitespace"}
    ),
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
    "typing": frozenset(
        {"Any", "Callable", "ClassVar", "Counter", "DefaultDict", "Deque", "Dict", "Final", "FrozenSet"}
        | {"Generator", "Generic", "Hashable", "Iterable", "Iterator", "List", "Literal", "Mapping"}
        | {"MutableMapping", "MutableSequence", "NamedTuple", "NoReturn", "Optional", "OrderedDict"}
        | {"Protocol", "Self", "Sequence", "Set", "Sized", "Tuple", "Type", "TypeAlias", "TypeVar"}
        | {"TypedDict", "Union", "cast", "final", "overload"}
    ),
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
OWN_DUNDERS = HARMLESS_DUNDERS | {"__all__", "__author__", "__file__", "__hash__", "__slots__", "__version__"}
"""Names with underscores that a program may set or use; `__match_args__` would read any attribute."""
INHERITED = frozenset(
    {"__init__", "__new__", "__post_init__", "__eq__", "__ne__", "__lt__", "__repr__", "__str__", "__hash__"}
    | {"__len__", "__bool__", "__iter__", "__next__", "__contains__", "__getitem__", "__setitem__"}
    | {"__delitem__", "__missing__", "__enter__", "__exit__", "__call__", "__format__"}
)
"""Methods that may be called on `super()`; `__getattribute__` would read any attribute."""
FORBIDDEN_ATTRIBUTES = frozenset({"register", "mro", "with_traceback", "add_note"})
FORBIDDEN_BEGINNINGS = ("gi_", "f_", "tb_", "cr_", "ag_", "co_", "func_")
FORBIDDEN_METHODS = frozenset(
    {"__del__", "__getattribute__", "__init_subclass__", "__set_name__", "__prepare__"}
)

DELICATE = frozenset(
    {ast.Attribute, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef}
    | {ast.AsyncFor, ast.AsyncWith, ast.Await, ast.MatchClass}
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
                if node.id in self._delicate or node.id.startswith("__"):  # type: ignore[attr-defined]
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
                        or (node.id == "type" and (setting or not _asks_for_type(node, parent)))
                        or (_is_dunder(node.id) and node.id not in OWN_DUNDERS)
                    ):
                        yield node.id
                case ast.Attribute():
                    yield from self._attribute(node, parent)
                case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name in FORBIDDEN_METHODS:
                    yield node.name
                case ast.ClassDef() if node.keywords:
                    yield "metaclass"
                case ast.MatchClass():
                    yield from (name for name in node.kwd_attrs if _reflects(name))
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
        if _reflects(name):
            named = isinstance(parent, ast.Attribute) and parent.attr == "__name__" and name == "__class__"
            if not named and not (name in INHERITED and ast.unparse(node.value) == "super()"):
                yield name
        if not isinstance(node.ctx, ast.Load):
            base = node.value
            foreign = isinstance(base, ast.Name) and base.id in self._imported
            if foreign or not isinstance(base, ast.Name | ast.Attribute | ast.Subscript):
                yield name


def _allowed(name: str, known: frozenset[str]) -> bool:
    return name in known or (known == ALL and not name.startswith("_"))


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _reflects(name: str) -> bool:
    """Whether an attribute leads from an object to what it is made of."""
    if _is_dunder(name):
        return name not in HARMLESS_DUNDERS
    return name in FORBIDDEN_ATTRIBUTES or name.startswith(FORBIDDEN_BEGINNINGS)


def _asks_for_type(node: ast.Name, parent: ast.AST | None) -> bool:
    """Whether `type` is called with one argument: with three it makes a class with any methods."""
    return isinstance(parent, ast.Call) and parent.func is node and len(parent.args) == 1


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

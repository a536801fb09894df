"""Whether a Python program can leave a trace in the process that runs it.

Candidates of a program that cannot are run one after the other in one process, a fresh module each; the
others get a process of their own each. The rules are about the text alone and err on the safe side: modules
without state or with a list of harmless names, no reflection, no names that reach files, other modules or
the interpreter, and nothing set on what other modules own.

A program that breaks these rules only by working with modules of others, or with names that it reads, may
still share a process under a guard (sandbox/inside/guard.py) that stops what would outlive a run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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

BANNED = frozenset(
    {"ctypes", "gc", "inspect", "signal", "importlib", "builtins", "atexit", "faulthandler", "mmap"}
    | {"resource", "pty", "_thread", "sysconfig", "runpy", "code", "pdb", "trace", "tracemalloc"}
)
"""Modules that reach into the interpreter: who imports one of them never shares a process."""
WATCHED_NAMES = frozenset(
    {"open", "getattr", "setattr", "delattr", "vars", "globals", "locals", "memoryview", "eval", "exec"}
)
"""Names that are harmless under a guard."""
READ_OF_SYS = frozenset(
    {"executable", "exc_info", "getrecursionlimit", "getsizeof", "hexversion", "implementation", "intern"}
    | {"maxunicode", "path", "platform", "version", "version_info"}
)
GUARDED_OF_OS = frozenset(
    {
        "path",
        "environ",
        "getenv",
        "sep",
        "linesep",
        "name",
        "pathsep",
        "curdir",
        "pardir",
        "extsep",
        "devnull",
    }
    | {
        "getcwd",
        "listdir",
        "scandir",
        "walk",
        "stat",
        "lstat",
        "access",
        "fspath",
        "PathLike",
        "R_OK",
        "W_OK",
    }
    | {"getpid", "cpu_count", "urandom", "get_terminal_size", "strerror", "error", "getlogin", "times"}
    | {"remove", "unlink", "rename", "replace", "mkdir", "makedirs", "rmdir", "removedirs", "link", "symlink"}
    | {"truncate", "chmod", "chown", "utime", "system", "chdir", "popen", "F_OK", "X_OK", "fsencode"}
    | {"fsdecode", "DirEntry", "uname", "extsep", "W_OK"}
)
"""What only reads, or what a guard hears of."""
READ_OF_OBJECTS = frozenset(
    {"__class__", "__dict__", "__doc__", "__module__", "__qualname__", "__annotations__", "__members__"}
    | {"__wrapped__", "__self__", "__func__"}
)
"""Attributes that only an attacker would read to leave a trace."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a process may not be shared without more ado."""

    name: str
    guarded: bool = False
    """Under a guard it may."""


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
        faults = list(self._faults(tree))
        self.module = not faults
        self.guarded = all(fault.guarded for fault in faults)
        """Whether a process may be shared under a guard."""
        self._delicate = FORBIDDEN_NAMES | self._imported | set(self._modules) | {"type"}

    def holds(self, new: Iterable[ast.AST]) -> bool:
        """Whether the module is pure, or can be guarded, and stays so with these nodes in it."""
        if not self.guarded:
            return False
        return all(self._plain(node) or self._harmless(node) for node in new)

    def _harmless(self, node: ast.AST) -> bool:
        return all(fault.guarded and not self.module for fault in self._faults(node))

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

    def _faults(self, tree: ast.AST) -> Iterator[Fault]:
        parents = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        setting = self._sets_attributes or any(_sets(node) for node in ast.walk(tree))
        for node in ast.walk(tree):
            parent = parents.get(id(node))
            match node:
                case ast.Import():
                    yield from (_imported(a.name) for a in node.names if a.name not in MODULES)
                case ast.ImportFrom():
                    known = MODULES.get(node.module or "", frozenset()) if not node.level else frozenset()
                    faults = (a.name for a in node.names if a.name == "*" or not _allowed(a.name, known))
                    yield from (Fault(name, _harmless_of(node.module or "", name)) for name in faults)
                case ast.Name():
                    yield from self._name(node, parent, setting)
                case ast.Attribute():
                    yield from self._attribute(node, parent)
                case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name in FORBIDDEN_METHODS:
                    yield Fault(node.name, node.name != "__del__")
                case ast.ClassDef() if node.keywords:
                    yield Fault("metaclass", True)
                case ast.Subscript() if not isinstance(node.ctx, ast.Load) and self._shared(node.value):
                    yield Fault(ast.unparse(node.value))
                case ast.MatchClass():
                    yield from (Fault(name) for name in node.kwd_attrs if _reflects(name))
                case _:
                    pass

    def _shared(self, node: ast.expr) -> bool:
        """Whether it is what an imported module owns."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and (node.id in self._modules or node.id in self._imported)

    def _name(self, node: ast.Name, parent: ast.AST | None, setting: bool) -> Iterator[Fault]:
        if node.id in FORBIDDEN_NAMES:
            yield Fault(node.id, node.id in WATCHED_NAMES)
        elif (
            (node.id in self._modules and not isinstance(parent, ast.Attribute))
            or (node.id in self._imported and setting and not _called(node, parent))
            or (node.id == "type" and (setting or not _asks_for_type(node, parent)))
        ):
            yield Fault(node.id, True)
        elif _is_dunder(node.id) and node.id not in OWN_DUNDERS:
            yield Fault(node.id)

    def _attribute(self, node: ast.Attribute, parent: ast.AST | None) -> Iterator[Fault]:
        name = node.attr
        if isinstance(node.value, ast.Name) and node.value.id in self._modules:
            module = self._modules[node.value.id]
            if not isinstance(node.ctx, ast.Load):
                yield Fault(name)
            elif not _allowed(name, MODULES.get(module, frozenset())):
                yield Fault(name, _harmless_of(module, name))
            stream = module == "sys" and name in ("stdout", "stderr")
            if stream and (not isinstance(parent, ast.Attribute) or parent.attr not in STREAMS):
                yield Fault(name, True)
            return
        if _reflects(name):
            named = isinstance(parent, ast.Attribute) and parent.attr == "__name__" and name == "__class__"
            if not named and not (name in INHERITED and ast.unparse(node.value) == "super()"):
                read = isinstance(node.ctx, ast.Load) and name in READ_OF_OBJECTS
                yield Fault(name, read or name in ("register", "add_note", "with_traceback"))
        if not isinstance(node.ctx, ast.Load):
            base = node.value
            foreign = isinstance(base, ast.Name) and base.id in self._imported
            if foreign or not isinstance(base, ast.Name | ast.Attribute | ast.Subscript):
                yield Fault(name)


def _imported(module: str) -> Fault:
    return Fault(module, module.partition(".")[0] not in BANNED)


def _harmless_of(module: str, name: str) -> bool:
    """Whether a name of a module is harmless under a guard."""
    if module in ("sys", "os"):
        return name in (READ_OF_SYS if module == "sys" else GUARDED_OF_OS)
    return module.partition(".")[0] not in BANNED and not name.startswith("_")


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

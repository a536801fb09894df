"""What a Python file defines that can be called: functions, classes and their methods, and with what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from learn2fix.domain.shapes import Shape, annotated
from learn2fix.errors import UsageError

Function = ast.FunctionDef | ast.AsyncFunctionDef
HOPS = 8
"""Number of base classes in a row that are followed."""


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    note: ast.expr | None = None
    required: bool = True
    keyword: bool = False
    """It can only be given by name."""

    @property
    def shape(self) -> Shape:
        return annotated(self.note)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a callable takes, without `self` or `cls`."""

    parameters: tuple[Parameter, ...] = ()
    rest: Parameter | None = None
    """`*args`"""
    others: bool = False
    """`**kwargs`: any name."""

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.parameters]

    @property
    def positional(self) -> list[Parameter]:
        return [each for each in self.parameters if not each.keyword]

    def find(self, name: str | None) -> Parameter | None:
        return next((each for each in self.parameters if each.name == name), None)


@dataclass(frozen=True, slots=True)
class Target:
    """The function, method or property that a session is about."""

    name: str
    node: Function
    signature: Signature
    owner: ast.ClassDef | None = None
    on_object: bool = False
    """It is called on an object of its class."""
    is_property: bool = False


class Definitions:
    """The names of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions = {node.name: node for node in _all(tree.body) if isinstance(node, Function)}
        self.classes = {node.name: node for node in _all(tree.body) if isinstance(node, ast.ClassDef)}

    def target(self, name: str, file: str) -> Target:
        """UsageError that says what there is when there is no such thing."""
        head, _, method = name.partition(".")
        if not method and head in self.functions:
            node = self.functions[head]
            return Target(name, node, signature_of(node))
        if not method and head in self.classes:
            named = [f"{file}:{head}.{each}" for each in self._methods(head) if not each.startswith("_")]
            raise UsageError(
                f"{head} in {file} is a class",
                f"name one of its methods: {', '.join(named) or 'it has none'}",
            )
        if head not in self.classes:
            choices = ", ".join([*self.functions, *self._all_methods()]) or "none"
            what = f"class {head}" if method else f"function {name}"
            raise UsageError(f"no {what} in {file}", f"it defines: {choices}")
        methods = self._methods(head)
        if method not in methods:
            public = [f"{head}.{each}" for each in methods if not each.startswith("__")]
            raise UsageError(f"no method {name} in {file}", f"it defines: {', '.join(public) or 'none'}")
        node = methods[method]
        marks = set(_decorators(node))
        free = bool(marks & {"staticmethod", "classmethod"})
        signature = signature_of(node, bound="staticmethod" not in marks)
        is_property = bool(marks & {"property", "cached_property"})
        return Target(name, node, signature, self.classes[head], not free, is_property)

    def signature(self, name: str) -> Signature | None:
        """Of a function, of a class's constructor, or of a method; None where the file does not say it."""
        head, _, method = name.partition(".")
        if not method and head in self.functions:
            return signature_of(self.functions[head])
        if head not in self.classes:
            return None
        if method:
            node = self._methods(head).get(method)
            return None if node is None else signature_of(node, bound="staticmethod" not in _decorators(node))
        methods = self._methods(head)
        if "__init__" in methods:
            return signature_of(methods["__init__"], bound=True)
        return Signature(tuple(self._fields(self.classes[head])))

    def members(self, name: str) -> tuple[str, ...]:
        """Of an enum; nothing for any other class."""
        node = self.classes.get(name)
        if node is None or not any(
            "Enum" in ast.unparse(base) or "Flag" in ast.unparse(base) for base in node.bases
        ):
            return ()
        targets = (each.targets[0] for each in node.body if isinstance(each, ast.Assign))
        return tuple(
            each.id for each in targets if isinstance(each, ast.Name) and not each.id.startswith("_")
        )

    def with_method(self, method: str) -> str:
        """The class that has it, where only one has."""
        found = [name for name in self.classes if method in self._methods(name)]
        return found[0] if len(found) == 1 else ""

    def _methods(self, name: str, hops: int = HOPS) -> dict[str, Function]:
        node = self.classes.get(name)
        if node is None or not hops:
            return {}
        found: dict[str, Function] = {}
        for base in reversed(node.bases):
            found |= self._methods(ast.unparse(base), hops - 1)
        own: dict[str, Function] = {}
        for each in node.body:
            if isinstance(each, Function):
                own.setdefault(each.name, each)  # the getter of a property comes before its setter
        return found | own

    def _fields(self, node: ast.ClassDef, hops: int = HOPS) -> Iterator[Parameter]:
        for base in node.bases:
            if hops and (inherited := self.classes.get(ast.unparse(base))) is not None:
                yield from self._fields(inherited, hops - 1)
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                note = ast.unparse(each.annotation)
                if not note.startswith(("ClassVar", "typing.ClassVar")) and "init=False" not in ast.unparse(
                    each
                ):
                    yield Parameter(each.target.id, each.annotation, each.value is None)

    def _all_methods(self) -> Iterator[str]:
        for name in self.classes:
            yield from (f"{name}.{each}" for each in self._methods(name) if not each.startswith("_"))


def _all(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Also what is defined under `if TYPE_CHECKING:`, `try:` and the like."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _all([*node.body, *node.orelse])


def _decorators(node: Function) -> Iterator[str]:
    for each in node.decorator_list:
        while isinstance(each, ast.Call):
            each = each.func
        yield each.attr if isinstance(each, ast.Attribute) else ast.unparse(each)


def signature_of(node: Function, bound: bool = False) -> Signature:
    """`bound`: without its first parameter, the object or class."""
    usual = [*node.args.posonlyargs, *node.args.args]
    optional = len(node.args.defaults)
    found = [Parameter(each.arg, each.annotation, i < len(usual) - optional) for i, each in enumerate(usual)]
    named = [
        Parameter(each.arg, each.annotation, default is None, keyword=True)
        for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    ]
    rest = node.args.vararg
    return Signature(
        (*found[1 if bound else 0 :], *named),
        Parameter(rest.arg, rest.annotation) if rest is not None else None,
        node.args.kwarg is not None,
    )

"""Which functions may be at fault, which names can be read where, and what they roughly hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import libcst as cst

from learn2fix.languages.python.edits.kinds import (
    ANNOTATIONS,
    CALLABLE,
    LIST_METHODS,
    MAPPING,
    MAPPING_METHODS,
    NUMBER,
    NUMERIC_ATTRIBUTES,
    RESULTS,
    SEQUENCE,
    TEXT,
    TEXT_METHODS,
    TRUTH,
    UNKNOWN,
    kind_of,
)
from learn2fix.languages.python.edits.samples import NOTHING, item, sample, unpacked
from learn2fix.languages.python.tree import Tree, walk


@dataclass(slots=True)
class Scope:
    """The names of one function (or of the module, for a script)."""

    node: cst.FunctionDef | cst.Module
    parameters: tuple[str, ...] = ()
    bound: dict[str, int] = field(default_factory=dict)
    """Local name → offset of its first binding."""
    types: dict[str, str] = field(default_factory=dict)
    constants: tuple[str, ...] = ()
    """Module-level data that the function may read."""
    samples: dict[str, object] = field(default_factory=dict)
    """Name → what it holds at some time in a failing call, where that is known."""

    def visible(self, offset: int, loops: Iterable[tuple[int, int]] = ()) -> list[str]:
        """Data that can be read at an offset: what is bound before it or in a loop around it, constants."""
        inside = list(loops)
        found = [
            name
            for name, place in self.bound.items()
            if place < offset or any(start <= place < end for start, end in inside)
        ]
        return [*found, *(name for name in self.constants if name not in self.bound)]

    def type(self, name: str) -> str:
        return self.types.get(name, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Names:
    """What a file defines."""

    functions: dict[str, cst.FunctionDef]
    """Dotted name → definition, methods as Class.method."""
    arity: dict[str, int]
    """Plain functions → number of parameters."""
    constants: dict[str, cst.BaseExpression]
    """Module-level data → the expression it is set to."""
    attributes: dict[str, tuple[str, ...]]
    """Base text (`self`, `order`) → attributes that are read or set on it, in order."""
    methods: dict[str, set[str]]
    """Base text → attributes that are called on it."""
    modules: set[str]
    """Names that `import` binds."""
    fields: dict[str, dict[str, str]]
    """Class → attributes of its objects → what they roughly hold."""

    class_data: dict[str, cst.BaseExpression]
    """Attribute that a class gives a value to → the expression."""

    def attributes_of(self, name: str) -> dict[str, str]:
        """What else an object has of which some attributes are read: of the one class that has all these."""
        used = {each for each in self.attributes.get(name, ()) if each not in self.methods.get(name, ())}
        classes = [fields for fields in self.fields.values() if used and used <= fields.keys()]
        return classes[0] if len(classes) == 1 else {}


def read_names(tree: Tree) -> Names:
    functions: dict[str, cst.FunctionDef] = {}
    constants: dict[str, cst.BaseExpression] = {}
    attributes: dict[str, dict[str, None]] = {}
    methods: dict[str, set[str]] = {}
    modules: set[str] = set()
    class_data: dict[str, cst.BaseExpression] = {}
    for node in walk(tree.module):
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attr))):
                methods.setdefault(base, set()).add(attr)
            case cst.ImportAlias(name=cst.Name(value=module)):
                modules.add(module)
            case cst.FunctionDef():
                functions[dotted(tree, node)] = node
            case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attr)):
                attributes.setdefault(base, {})[attr] = None
    for statement in tree.module.body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                for target, value in assignments(small):
                    if (
                        isinstance(target, cst.Name)
                        and value is not None
                        and not target.value.startswith("__")
                    ):
                        constants[target.value] = value
    for around in tree.module.body:
        if isinstance(around, cst.ClassDef):
            for line in around.body.body:
                inner = line.body if isinstance(line, cst.SimpleStatementLine) else ()
                for target, value in (pair for small in inner for pair in assignments(small)):
                    if isinstance(target, cst.Name) and value is not None:
                        class_data[target.value] = value
    arity = {
        name: len(node.params.posonly_params) + len(node.params.params)
        for name, node in functions.items()
        if "." not in name
    }
    read = {base: tuple(found) for base, found in attributes.items()}
    return Names(functions, arity, constants, read, methods, modules, class_fields(tree), class_data)


def dotted(tree: Tree, node: cst.FunctionDef) -> str:
    above = [p.name.value for p in tree.above(node) if isinstance(p, cst.ClassDef | cst.FunctionDef)]
    return ".".join([*reversed(above), node.name.value])


def assignments(node: cst.CSTNode) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    """Targets and what they are set to (None when it is not one expression)."""
    match node:
        case cst.Assign():
            for target in node.targets:
                yield from _paired(target.target, node.value)
        case cst.AnnAssign():
            yield node.target, node.value
        case cst.AugAssign() | cst.For() | cst.CompFor():
            for name in _flat(node.target):
                yield name, None
        case cst.NamedExpr():
            yield node.target, node.value
        case cst.AsName(name=cst.Name() as name):
            yield name, None
        case _:
            return


def _paired(
    target: cst.BaseExpression, value: cst.BaseExpression | None
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression | None]]:
    if isinstance(target, cst.Tuple | cst.List):
        values = value.elements if isinstance(value, cst.Tuple | cst.List) else ()
        for place, element in enumerate(target.elements):
            inner = values[place].value if len(values) == len(target.elements) else None
            yield from _paired(element.value, inner)
    else:
        yield target, value


def _flat(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _flat(element.value)
    else:
        yield target


def reachable(names: Names, start: str | None, renamed: Mapping[str, str]) -> list[str]:
    """The function and those it calls, also by other names, nearest first; all of them for a script."""
    if start is None or start not in names.functions:
        return list(names.functions)
    by_last: dict[str, list[str]] = {}
    for name in names.functions:
        by_last.setdefault(name.rsplit(".", 1)[-1], []).append(name)
        if name.endswith(".__init__"):
            by_last.setdefault(name.split(".")[-2], []).append(name)
    found, queue = [start], [start]
    while queue:
        for node in walk(names.functions[queue.pop(0)]):
            if isinstance(node, cst.Name | cst.Attribute):
                word = node.value if isinstance(node, cst.Name) else node.attr.value
                for name in by_last.get(renamed.get(word, word), ()):
                    if name not in found:
                        found.append(name)
                        queue.append(name)
    # A function inside another is part of it, and its text is visited there.
    return [name for name in found if not any(name.startswith(other + ".") for other in found)]


def used_constants(tree: Tree, names: Names, functions: Iterable[str]) -> list[str]:
    """Module-level data that the functions read, directly or through other module-level data."""
    queue: list[cst.CSTNode] = [names.functions[name] for name in functions]
    found: list[str] = []
    while queue:
        for node in walk(queue.pop(0)):
            if isinstance(node, cst.Name) and node.value in names.constants and node.value not in found:
                found.append(node.value)
                queue.append(names.constants[node.value])
    return found


def used_class_data(names: Names, functions: Iterable[str]) -> list[cst.BaseExpression]:
    """What classes give to attributes that the functions read."""
    read: dict[str, None] = {}
    for name in functions:
        for node in walk(names.functions[name]):
            if isinstance(node, cst.Attribute) and node.attr.value in names.class_data:
                read[node.attr.value] = None
    return [names.class_data[name] for name in read]


NO_SAMPLES: Mapping[str, object] = {}


def read_scope(
    tree: Tree, names: Names, node: cst.FunctionDef | cst.Module, given: Mapping[str, object] = NO_SAMPLES
) -> Scope:
    """`given`: values of parameters in a failing call."""
    scope = Scope(node, samples=dict(given))
    if isinstance(node, cst.FunctionDef):
        listed = [*node.params.posonly_params, *node.params.params, *node.params.kwonly_params]
        extra = [p for p in (node.params.star_arg, node.params.star_kwarg) if isinstance(p, cst.Param)]
        scope.parameters = tuple(parameter.name.value for parameter in listed)
        for parameter in [*listed, *extra]:
            name = parameter.name.value
            scope.bound[name] = tree.span(node)[0]
            scope.types[name] = _annotated(parameter.annotation)
            if scope.types[name] == UNKNOWN and parameter.default is not None:
                scope.types[name] = type_of(parameter.default, scope)
            if scope.types[name] == UNKNOWN:
                scope.types[name] = kind_of(scope.samples.get(name))
        if extra:
            scope.types[extra[0].name.value] = SEQUENCE if extra[0].star == "*" else MAPPING
        scope.constants = tuple(names.constants)
        for name, value in names.constants.items():
            scope.types.setdefault(name, type_of(value, scope))
    for name, kind in _own_attributes(tree, names, node):
        scope.bound[name], scope.types[name] = tree.span(node)[0], kind
    for inner in walk(node):
        if isinstance(inner, cst.ClassDef) or (node is tree.module and isinstance(inner, cst.FunctionDef)):
            continue
        _bind(tree, scope, inner)
    for inner in walk(node):
        _use(scope, inner)
    return scope


def class_fields(tree: Tree) -> dict[str, dict[str, str]]:
    """Classes of the file, with the attributes of their objects and what these roughly hold."""
    found: dict[str, dict[str, str]] = {}
    for around in walk(tree.module):
        if isinstance(around, cst.ClassDef):
            fields = found.setdefault(around.name.value, {})
            for inner in walk(around):
                for target, value in assignments(inner):
                    attribute = _field(tree, around, inner, target)
                    if attribute and fields.get(attribute, UNKNOWN) == UNKNOWN:
                        fields[attribute] = _held(inner, value)
    return found


def _field(tree: Tree, around: cst.ClassDef, inner: cst.CSTNode, target: cst.BaseExpression) -> str:
    match target:
        case cst.Attribute(value=cst.Name(value="self"), attr=cst.Name(value=attribute)):
            return attribute
        case cst.Name(value=attribute) if tree.parent(tree.parent(inner) or inner) is around.body:
            return attribute
        case _:
            return ""


def _held(inner: cst.CSTNode, value: cst.BaseExpression | None) -> str:
    noted = _annotated(inner.annotation) if isinstance(inner, cst.AnnAssign) else UNKNOWN
    if noted != UNKNOWN:
        return noted
    if isinstance(inner, cst.AugAssign) and isinstance(inner.value, cst.Integer | cst.Float):
        return NUMBER
    return type_of(value, Scope(cst.Module([]))) if value is not None else UNKNOWN


def _own_attributes(
    tree: Tree, names: Names, node: cst.FunctionDef | cst.Module
) -> Iterator[tuple[str, str]]:
    """What a method finds on its object (`self.balance`), and what it roughly holds."""
    around = next((n for n in tree.above(node) if isinstance(n, cst.ClassDef | cst.FunctionDef)), None)
    if isinstance(around, cst.ClassDef) and isinstance(node, cst.FunctionDef) and node.params.params:
        first = node.params.params[0].name.value
        if first not in ("cls", "mcs") and node.name.value != "__init__":
            for attribute, kind in names.fields.get(around.name.value, {}).items():
                yield f"{first}.{attribute}", kind


def _use(scope: Scope, node: cst.CSTNode) -> None:
    """What is done with a name says what it holds, where nothing else does."""

    def guess(expression: cst.BaseExpression, kind: str) -> None:
        if not isinstance(expression, cst.Name) or expression.value not in scope.bound:
            return
        if scope.type(expression.value) == UNKNOWN:
            scope.types[expression.value] = kind

    match node:
        case cst.BinaryOperation(operator=cst.Multiply() | cst.Modulo() | cst.Add()):
            if isinstance(node.right, cst.Integer | cst.Float) and not isinstance(
                node.operator, cst.Multiply
            ):
                guess(node.left, NUMBER)
            if isinstance(node.left, cst.Float) or isinstance(node.right, cst.Float):
                guess(node.left, NUMBER)
                guess(node.right, NUMBER)
        case cst.BinaryOperation(operator=cst.Divide() | cst.FloorDivide() | cst.Power() | cst.Subtract()):
            guess(node.left, NUMBER)
            guess(node.right, NUMBER)
        case cst.AugAssign(operator=cst.SubtractAssign() | cst.DivideAssign() | cst.FloorDivideAssign()):
            guess(node.target, NUMBER)
            guess(node.value, NUMBER)
        case cst.Comparison():
            if any(isinstance(link.comparator, cst.Integer | cst.Float) for link in node.comparisons):
                guess(node.left, NUMBER)
        case cst.Call(func=cst.Name(value="len" | "sorted" | "sum" | "reversed" | "enumerate")) if node.args:
            guess(node.args[0].value, SEQUENCE)
        case cst.Call(func=cst.Name(value="range" | "abs" | "round")):
            for argument in node.args:
                guess(argument.value, NUMBER)
        case cst.Call(func=cst.Attribute(value=cst.Name() as base, attr=cst.Name(value=method))):
            if method in TEXT_METHODS:
                guess(base, TEXT)
            elif method in LIST_METHODS:
                guess(base, SEQUENCE)
            elif method in MAPPING_METHODS:
                guess(base, MAPPING)
        case cst.For(iter=cst.Name() as base) | cst.CompFor(iter=cst.Name() as base):
            guess(base, SEQUENCE)
        case cst.Subscript(value=cst.Name() as base):
            inner = node.slice[0].slice
            if isinstance(inner, cst.Slice) or (
                isinstance(inner, cst.Index) and type_of(inner.value, scope) == NUMBER
            ):
                guess(base, SEQUENCE)
        case _:
            pass


def _learn(scope: Scope, node: cst.CSTNode) -> None:
    """What an assignment or a loop sets variables to, where that can be told."""
    match node:
        case cst.Assign():
            value = sample(node.value, scope.samples)
            found = [pair for each in node.targets for pair in unpacked(each.target, value)]
        case cst.For():
            found = list(unpacked(node.target, item(sample(node.iter, scope.samples))))
        case _:
            return
    for name, held in found:
        if held is not NOTHING and held is not None:
            scope.samples.setdefault(name, held)


def _bind(tree: Tree, scope: Scope, node: cst.CSTNode) -> None:
    pairs = list(assignments(node))
    _learn(scope, node)
    for target, value in pairs:
        if not isinstance(target, cst.Name):
            continue
        # What a comprehension binds is seen in the comprehension alone; it is left out.
        if isinstance(node, cst.CompFor):
            continue
        scope.bound.setdefault(target.value, tree.span(target)[0])
        guess = type_of(value, scope) if value is not None else UNKNOWN
        if isinstance(node, cst.AnnAssign):
            guess = _annotated(node.annotation)
        if isinstance(node, cst.For) and len(pairs) == 1:
            guess = element_type(node.iter, scope)
        if isinstance(node, cst.For) and len(pairs) == 2 and target is pairs[0][0]:
            guess = NUMBER if _called(node.iter) == "enumerate" else UNKNOWN
        if guess == UNKNOWN:
            guess = kind_of(scope.samples.get(target.value))
        known = scope.types.get(target.value)
        if known is None or known == UNKNOWN:
            scope.types[target.value] = guess


def _called(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Call):
        if isinstance(node.func, cst.Name):
            return node.func.value
        if isinstance(node.func, cst.Attribute):
            return node.func.attr.value
    return ""


def element_type(node: cst.BaseExpression, scope: Scope) -> str:
    """What a loop over this takes out of it."""
    if _called(node) == "range":
        return NUMBER
    if isinstance(node, cst.List | cst.Tuple | cst.Set) and node.elements:
        return type_of(node.elements[0].value, scope)
    return TEXT if type_of(node, scope) == TEXT else UNKNOWN


def _annotated(annotation: cst.Annotation | None) -> str:
    if annotation is None:
        return UNKNOWN
    noted = annotation.annotation
    if isinstance(noted, cst.Subscript):
        noted = noted.value
    if isinstance(noted, cst.Attribute):
        noted = noted.attr
    return ANNOTATIONS.get(noted.value, UNKNOWN) if isinstance(noted, cst.Name) else UNKNOWN


def type_of(node: cst.BaseExpression, scope: Scope) -> str:
    """What an expression roughly is."""
    match node:
        case cst.Integer() | cst.Float() | cst.Imaginary():
            return NUMBER
        case cst.BaseString():
            return TEXT
        case cst.List() | cst.Tuple() | cst.ListComp() | cst.GeneratorExp():
            return SEQUENCE
        case cst.Dict() | cst.Set() | cst.DictComp() | cst.SetComp():
            return MAPPING
        case cst.Lambda():
            return CALLABLE
        case cst.Comparison():
            return TRUTH
        case cst.Name(value="True" | "False"):
            return TRUTH
        case cst.Name():
            return scope.type(node.value)
        case cst.Attribute():
            return NUMBER if node.attr.value in NUMERIC_ATTRIBUTES else UNKNOWN
        case cst.UnaryOperation():
            return TRUTH if isinstance(node.operator, cst.Not) else NUMBER
        case cst.BooleanOperation():
            one, other = type_of(node.left, scope), type_of(node.right, scope)
            return one if one == other else UNKNOWN
        case cst.BinaryOperation():
            one, other = type_of(node.left, scope), type_of(node.right, scope)
            if isinstance(node.operator, cst.Add):
                return one if one != UNKNOWN else other
            if isinstance(node.operator, cst.Modulo | cst.Multiply):
                return one if one in (TEXT, SEQUENCE) else other if other != UNKNOWN else one
            return NUMBER if one != MAPPING else MAPPING
        case cst.IfExp():
            return type_of(node.body, scope)
        case cst.Subscript():
            if isinstance(node.slice[0].slice, cst.Slice):
                return type_of(node.value, scope)
            if type_of(node.value, scope) == TEXT:
                return TEXT
            return kind_of(sample(node, scope.samples))
        case cst.Call():
            return RESULTS.get(_called(node)) or kind_of(sample(node, scope.samples))
        case _:
            return UNKNOWN

"""Which names mean what, where: a symbol table from the declarations of one file, and its macros."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from learn2fix.languages.c.layout import visible_until
from learn2fix.languages.c.syntax import expression
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import INT_TYPE, Type, named_type

Until = Callable[[int], int]
"""From where a name is declared outside of functions to where it is no longer visible."""


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A declared variable, parameter or function."""

    name: str
    type: Type
    declarator: Node
    """Where the name stands."""
    declaration: Node
    """The whole declaration, parameter or function."""
    begin: int
    end: int
    """The name is visible in [begin, end)."""
    dimensions: tuple[Node, ...] = ()
    """The size of each array dimension that is written."""
    role: str = "local"
    """local, parameter, global or function."""
    initial: Node | None = None
    parameters: int = -1
    """How many parameters a function takes; -1 when unknown."""
    pointers: int = 0


@dataclass(frozen=True, slots=True)
class Macro:
    name: str
    value: Node
    """The text that it stands for; the tree of the expression, where it is one, is below."""
    parameters: int = -1
    """-1 for an object-like macro."""

    @property
    def defined(self) -> bool:
        """It stands for something."""
        return self.value.start < self.value.end


@dataclass(slots=True)
class Scope:
    """All symbols of a file."""

    symbols: list[Symbol] = field(default_factory=list)
    by_name: dict[str, list[Symbol]] = field(default_factory=dict)
    typedefs: dict[str, Type] = field(default_factory=dict)
    members: dict[str, dict[str, Type]] = field(default_factory=dict)
    """struct name (or typedef name) → member → type."""
    member_types: dict[str, Type] = field(default_factory=dict)
    """member → type, whatever the struct."""

    def add(self, symbol: Symbol) -> None:
        self.symbols.append(symbol)
        self.by_name.setdefault(symbol.name, []).append(symbol)

    def find(self, name: str, offset: int) -> Symbol | None:
        """The innermost declaration of a name that is visible at an offset."""
        best: Symbol | None = None
        for symbol in self.by_name.get(name, ()):
            if symbol.begin <= offset < symbol.end and (best is None or symbol.begin >= best.begin):
                best = symbol
        return best

    def visible(self, offset: int) -> list[Symbol]:
        """Variables visible at an offset, in the order of declaration, shadowed ones left out."""
        found: dict[str, Symbol] = {}
        for symbol in self.symbols:
            if symbol.begin <= offset < symbol.end and symbol.role != "function":
                found[symbol.name] = symbol
        return list(found.values())


@dataclass(slots=True)
class _Unwrapped:
    name: Node
    pointers: int
    dimensions: tuple[Node, ...]
    arrays: int
    initial: Node | None
    function: Node | None


def _unwrap(node: Node) -> _Unwrapped | None:
    """What a declarator declares."""
    pointers = arrays = 0
    dimensions: list[Node] = []
    initial: Node | None = None
    function: Node | None = None
    while True:
        match node.type:
            case "identifier" | "field_identifier" | "type_identifier":
                return _Unwrapped(node, pointers, tuple(reversed(dimensions)), arrays, initial, function)
            case "init_declarator":
                initial = node.child("value")
            case "pointer_declarator":
                pointers += 1
            case "array_declarator":
                arrays += 1
                size = node.child("size")
                if size is not None:
                    dimensions.append(size)
            case "function_declarator":
                function = node
            case "parenthesized_declarator":
                pass
            case _:
                return None
        following = node.child("declarator")
        if following is None:
            named = node.inner()
            following = named[0] if named else None
        if following is None:
            return None
        node = following


def build(root: Node, text: str) -> Scope:
    """Read every declaration of a tree."""
    scope, until = Scope(), visible_until(text.encode("latin-1"))
    for node in root.walk():
        match node.type:
            case "type_definition":
                _read_typedef(scope, node, text)
            case "struct_specifier" | "union_specifier":
                _read_struct(scope, node, text)
            case "declaration":
                _read_declaration(scope, node, text, until)
            case "parameter_declaration":
                _read_parameter(scope, node, text)
            case "function_definition":
                _read_function(scope, node, text, until)
            case "enumerator":
                name = node.child("name")
                if name is not None:
                    end, word = until(node.start), text[name.start : name.end]
                    scope.add(Symbol(word, INT_TYPE, name, node, node.end, end, role="function"))
    return scope


def read_macros(root: Node, text: str) -> dict[str, Macro]:
    """The macros of a file by name."""
    found: dict[str, Macro] = {}
    for node in root.walk():
        name = node.child("name") if node.type in ("preproc_def", "preproc_function_def") else None
        if name is None:
            continue
        word, value, parameters = text[name.start : name.end], node.of("value"), node.child("parameters")
        tree = expression(text[value.start : value.end].encode("latin-1"), value.start)
        if tree is not None:
            value = Node("preproc_body", value.start, value.end, True, "value", node)
            tree.parent = value
            value.children.append(tree)
        found[word] = Macro(word, value, -1 if parameters is None else len(parameters.inner()))
    return found


def type_words(node: Node | None, text: str) -> str:
    if node is None:
        return ""
    if node.type == "implicit_int":
        return "int"
    if node.type in ("struct_specifier", "union_specifier"):
        name = node.child("name")
        return "struct " + (text[name.start : name.end] if name else f"@{node.start}")
    return " ".join(text[node.start : node.end].split())


def _read_typedef(scope: Scope, node: Node, text: str) -> None:
    base = named_type(type_words(node.child("type"), text), scope.typedefs)
    for declarator in node.each("declarator"):
        found = _unwrap(declarator)
        if found is None:
            continue
        name = text[found.name.start : found.name.end]
        scope.typedefs[name] = Type(base.base, base.depth + found.pointers + found.arrays, base.name)


def _read_struct(scope: Scope, node: Node, text: str) -> None:
    body = node.child("body")
    if body is None:
        return
    members = scope.members.setdefault(type_words(node, text), {})
    for member in body.inner():
        if member.type != "field_declaration":
            continue
        base = named_type(type_words(member.child("type"), text), scope.typedefs)
        for declarator in member.each("declarator"):
            found = _unwrap(declarator)
            if found is not None:
                kind = Type(base.base, base.depth + found.pointers + found.arrays, base.name)
                members[text[found.name.start : found.name.end]] = kind
                scope.member_types[text[found.name.start : found.name.end]] = kind


def _scope_end(node: Node, until: Until) -> tuple[int, str]:
    for parent in node.above():
        if parent.type in ("compound_statement", "for_statement", "case_statement"):
            return parent.end, "local"
        if parent.type == "function_definition":
            return parent.end, "local"
    return until(node.start), "global"


def _read_declaration(scope: Scope, node: Node, text: str, until: Until) -> None:
    base = named_type(type_words(node.child("type"), text), scope.typedefs)
    end, role = _scope_end(node, until)
    for declarator in node.each("declarator"):
        found = _unwrap(declarator)
        if found is None:
            continue
        kind = Type(base.base, base.depth + found.pointers + found.arrays, base.name)
        name = text[found.name.start : found.name.end]
        if found.function is not None and found.pointers == 0:
            scope.add(Symbol(name, kind, found.name, node, node.end, until(node.start), role="function"))
            continue
        scope.add(
            Symbol(
                name,
                kind,
                found.name,
                node,
                declarator.end,
                end,
                found.dimensions,
                role,
                found.initial,
                pointers=found.pointers,
            )
        )


def _read_parameter(scope: Scope, node: Node, text: str) -> None:
    owner = next((parent for parent in node.above() if parent.type == "function_definition"), None)
    declarator = node.child("declarator")
    if owner is None or declarator is None:
        return
    found = _unwrap(declarator)
    if found is None or found.function is not None:
        return
    name = text[found.name.start : found.name.end]
    # What the shell hands to main is never the cure of a bug.
    if name in ("argc", "argv", "envp"):
        return
    base = named_type(type_words(node.child("type"), text), scope.typedefs)
    kind = Type(base.base, base.depth + found.pointers + found.arrays, base.name)
    scope.add(
        Symbol(
            name,
            kind,
            found.name,
            node,
            node.end,
            owner.end,
            found.dimensions,
            "parameter",
            pointers=found.pointers,
        )
    )


def _read_function(scope: Scope, node: Node, text: str, until: Until) -> None:
    declarator = node.child("declarator")
    found = _unwrap(declarator) if declarator is not None else None
    if found is None or found.function is None:
        return
    base = named_type(type_words(node.child("type"), text) or "int", scope.typedefs)
    kind = Type(base.base, base.depth + found.pointers, base.name)
    parameters = found.function.child("parameters")
    count = sum(child.type == "parameter_declaration" for child in parameters.inner()) if parameters else -1
    if parameters is not None and text[parameters.start : parameters.end].strip("() \t\n") == "void":
        count = 0
    name = text[found.name.start : found.name.end]
    end = until(node.start)
    scope.add(Symbol(name, kind, found.name, node, node.start, end, role="function", parameters=count))

"""What judging knows of the names of a C file: classes of values, what may be called on trial, macros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from learn2fix.languages.c import scope
from learn2fix.languages.c.judging.expressions import one_line, pure, value_class
from learn2fix.languages.c.library import HEADERS, PROTOTYPES, PURE, Prototype
from learn2fix.languages.c.syntax import loop_macros
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import WHOLE_WORDS, Type

FORMAT = "format"
"""The parameter type of a string that is compared by its content."""
PRINTED = frozenset(("puts", "fputs"))


@dataclass(frozen=True, slots=True)
class Symbols:
    """The names of one file."""

    classes: Mapping[bytes, str]
    """Name → class of the value: integer "i", floating "f" or unknown "?". Arrays and pointers are known by
    what they hold: in an expression they are nearly always indexed."""
    callable: frozenset[bytes]
    """Functions and macros without effects."""
    impure: frozenset[bytes]
    """Macros with effects that are used like variables."""
    declared: frozenset[str]
    """What the file itself declares or defines."""
    macros: frozenset[bytes]
    """Macros that are used like variables."""
    function_macros: frozenset[bytes]
    loops: frozenset[bytes]
    """Macros that expand to the head of a loop."""
    typedefs: Mapping[str, Type]
    parameters: Mapping[bytes, tuple[str, ...]]
    """Function of the file → types of its parameters, "" where values are not converted to one."""


def read_symbols(root: Node, source: bytes) -> Symbols:
    text = source.decode("latin-1")
    known = scope.build(root, text)
    classes: dict[bytes, str] = {}

    def learn(name: str, kind: str) -> None:
        word = name.encode("latin-1")
        classes[word] = kind if classes.get(word, kind) == kind else "?"

    for symbol in known.symbols:
        learn(symbol.name, class_of(symbol.type))
    for members in known.members.values():
        for name, kind in members.items():
            learn(name, class_of(kind))
    plain: dict[bytes, bytes] = {}
    functions: dict[bytes, bytes] = {}
    for name, macro in scope.read_macros(root, text).items():
        body = one_line(source[macro.value.start : macro.value.end])
        (plain if macro.parameters < 0 else functions)[name.encode("latin-1")] = body
    for word, body in plain.items():
        learn(word.decode("latin-1"), value_class(body, classes) if body else "?")
    macros = {word.decode("latin-1") for word in (*plain, *functions)}
    declared = {symbol.name for symbol in known.symbols} | set(known.typedefs) | macros
    for prototype in PROTOTYPES.values():
        if prototype.name not in declared:
            learn(prototype.name, class_of(prototype.returns) if prototype.name in PURE else "?")
    classes |= {word.encode(): "i" for word in (*WHOLE_WORDS, "sizeof")}
    for constant in (*HEADERS["limits.h"], "EOF"):
        classes.setdefault(constant.encode(), "i")
    classes |= {
        name.encode("latin-1"): "?" if kind.depth else class_of(kind) for name, kind in known.typedefs.items()
    }
    callable_ = frozenset(name.encode() for name in PURE - declared)
    impure = frozenset(word for word, body in plain.items() if body and not pure(body, callable_))
    good = {word for word, body in functions.items() if body and pure(body, callable_, impure)}
    return Symbols(
        classes,
        callable_ | good,
        impure,
        frozenset(declared),
        frozenset(plain),
        frozenset(functions),
        loop_macros(source),
        known.typedefs,
        _parameters(root, source),
    )


def class_of(kind: Type) -> str:
    """The class of a value of a type, or of what a pointer of that type leads to."""
    if kind.base in "cil":
        return "i"
    return "f" if kind.base in "fd" and kind.name != "long double" else "?"


def _parameters(root: Node, source: bytes) -> dict[bytes, tuple[str, ...]]:
    found: dict[bytes, tuple[str, ...]] = {}
    for node in root.walk():
        if node.type != "function_declarator":
            continue
        name = node.of("declarator")
        if name.type != "identifier":
            continue
        types = tuple(_parameter(child, source) for child in node.of("parameters").inner())
        word = source[name.start : name.end]
        found[word] = types if found.get(word, types) == types else ()
    return found


def _parameter(node: Node, source: bytes) -> str:
    if node.type != "parameter_declaration":
        return ""
    kind, declarator = node.of("type"), node.child("declarator")
    if declarator is not None and declarator.type != "identifier":
        return "" if declarator.type == "function_declarator" else "void *"
    text = source[kind.start : kind.end].decode("latin-1")
    return "" if text == "void" else text


@cache
def library_parameters(name: str) -> tuple[str, ...]:
    """What the arguments of a library function with effects are converted to; "" where they are not sites."""
    prototype = PROTOTYPES.get(name)
    if prototype is None or name in PURE:
        return ()
    fixed = [kind for kind in prototype.parameters if kind != "..."]
    return tuple(_library_parameter(prototype, number, kind) for number, kind in enumerate(fixed))


def _library_parameter(prototype: Prototype, number: int, kind: str) -> str:
    if kind in ("FILE*", "void", "va_list", "jmp_buf") or "(" in kind:
        return ""
    if "*" not in kind:
        return kind
    if kind == "const char*" and (
        prototype.name in PRINTED or prototype.parameters[number + 1 : number + 2] == ("...",)
    ):
        return FORMAT
    return "void *"


@cache
def is_variadic(name: str) -> bool:
    return name in PROTOTYPES and PROTOTYPES[name].parameters[-1] == "..."

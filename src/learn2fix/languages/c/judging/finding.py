"""Finding the sites of a C file: what its tree offers to be evaluated, chosen or replaced."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from learn2fix.languages.c import types
from learn2fix.languages.c.judging.expressions import one_line, value_class
from learn2fix.languages.c.judging.sites import UNCOPIED, Choice, Function, Site, Sites, Slot
from learn2fix.languages.c.judging.symbols import (
    FORMAT,
    class_of,
    is_variadic,
    library_parameters,
    read_symbols,
)
from learn2fix.languages.c.scope import type_words
from learn2fix.languages.c.syntax import SINGLE_PARENTS, is_statement, parse, places
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import named_type
from learn2fix.languages.c.words import operator_of

PURE_NODES = frozenset((
    "identifier", "number_literal", "char_literal", "string_literal", "concatenated_string", "true",
    "false", "null", "parenthesized_expression", "binary_expression", "unary_expression",
    "conditional_expression", "subscript_expression", "field_expression", "pointer_expression",
    "cast_expression", "sizeof_expression", "field_identifier", "type_descriptor", "argument_list",
    "primitive_type", "type_identifier", "comment", "sized_type_specifier", "abstract_pointer_declarator",
    "struct_specifier", "string_content", "escape_sequence", "character",
))  # fmt: skip
VARIADIC_TYPES = {"i": "long", "f": "double", "p": "void *"}
"""What an argument is passed as where no prototype converts it, by the class of its value."""


def find_sites(source: bytes) -> Sites:
    return _Finder(source).find()


class _Finder:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.root = parse(source)
        self.symbols = read_symbols(self.root, source)
        self.result = Sites(source, self.symbols)
        self._decoded = source.decode("latin-1")
        self.pure_nodes: set[int] = set()
        self._todo: list[Callable[[], None]] = []
        """Parts that are still to be looked at: expressions nest too deeply for recursion."""

    def text(self, node: Node) -> bytes:
        return self.source[node.start : node.end]

    def find(self) -> Sites:
        self._find_pure()
        todo = self.root.children[::-1]
        while todo:
            node = todo.pop()
            if node.type == "function_definition":
                if not node.has_error:
                    self._function(node)
            elif node.type == "declaration":
                self._global(node)
            elif node.type.startswith("preproc_") or node.type in (
                "linkage_specification",
                "declaration_list",
            ):
                todo += reversed(node.children)
        while self._todo:
            self._todo.pop()()
        self.result.sites.sort(key=lambda site: site.start)
        return self.result

    def _later(self, look: Callable[[Node], None], *nodes: Node) -> None:
        self._todo += [partial(look, node) for node in nodes]

    def _class(self, node: Node | None) -> str:
        """The class of values of a declared type."""
        kind = named_type(type_words(node, self._decoded), self.symbols.typedefs)
        return "?" if kind.depth else class_of(kind)

    def pure(self, node: Node) -> bool:
        return id(node) in self.pure_nodes

    def _find_pure(self) -> None:
        """All nodes without side effects, from the leaves up."""
        for node in reversed(list(self.root.walk())):
            if node.named and self._is_pure(node):
                self.pure_nodes.add(id(node))

    def _is_pure(self, node: Node) -> bool:
        if node.type == "identifier":
            return self.text(node) not in self.symbols.impure
        if node.type == "call_expression":
            called, given = node.of("function"), node.of("arguments")
            return (
                called.type == "identifier"
                and self.text(called) in self.symbols.callable
                and all(map(self.pure, given.inner()))
            )
        return node.type in PURE_NODES and not node.has_error and all(map(self.pure, node.inner()))

    # -- functions ----------------------------------------------------------------------------------

    def _function(self, function: Node) -> None:
        kind, declarator, body = function.child("type"), function.child("declarator"), function.of("body")
        stars = 0
        while declarator is not None and declarator.type == "pointer_declarator":
            stars, declarator = stars + 1, declarator.child("declarator")
        if declarator is not None and self.text(declarator.of("declarator")) == b"main":
            self.result.main = body.start + 1
        returned = self.text(kind).decode("latin-1") if kind is not None else "int"
        returned = "" if returned == "void" and not stars else returned + " " + "*" * stars
        if declarator is not None:
            self._copyable(function, declarator, bool(returned))
        for place in places(function):
            self._place(place.node, place.single, returned)

    def _copyable(self, function: Node, declarator: Node, returns: bool) -> None:
        name, given, body = declarator.of("declarator"), declarator.of("parameters"), function.of("body")
        if name.type != "identifier" or UNCOPIED.search(self.text(function)):
            return
        arguments: list[bytes] = []
        for parameter in given.inner():
            if self.text(parameter) == b"void":
                continue
            inner = parameter.child("declarator")
            while inner is not None and inner.type in ("pointer_declarator", "array_declarator"):
                inner = inner.child("declarator")
            if parameter.type != "parameter_declaration" or inner is None or inner.type != "identifier":
                return
            arguments.append(self.text(inner))
        self.result.functions.append(
            Function(
                function.start,
                function.end,
                (name.start, name.end),
                (body.start + 1, body.end - 1),
                b",".join(arguments),
                returns,
            )
        )

    def _place(self, node: Node, single: bool, returned: str) -> None:
        parent = node.parent
        assert parent is not None
        if is_statement(node) and node.type != "labeled_statement":
            labelled = any(n.type in ("labeled_statement", "case_statement") for n in node.walk())
            if not single or parent.type != "labeled_statement":
                self.result.slots.append(
                    Slot(node.start, node.end, single, single and _dangling(node), labelled)
                )
        match node.type:
            case "expression_statement":
                self._later(self._discarded, *node.inner())
            case "return_statement":
                for child in node.inner():
                    self._value(child, returned)
            case "if_statement" | "while_statement" | "do_statement":
                self._condition(node.child("condition"))
            case "switch_statement":
                for child in node.of("condition").inner():
                    self._value(child, "long")
            case "for_statement":
                first = node.child("initializer")
                if first is not None and first.type == "declaration":
                    self._declaration(first)
                elif first is not None:
                    self._later(self._discarded, first)
                self._condition(node.child("condition"))
                self._later(self._discarded, *node.each("update"))
            case "declaration":
                self._declaration(node)
            case _:
                pass

    def _qualifiers(self, node: Node) -> set[bytes]:
        kinds = ("storage_class_specifier", "type_qualifier")
        return {self.text(child) for child in node.children if child.type in kinds}

    def _global(self, node: Node) -> None:
        """Initial values of file-scope variables: assigned once more as main() begins."""
        if self._qualifiers(node) & {b"const", b"extern", b"_Thread_local"} or node.has_error:
            return
        if self._class(node.child("type")) not in ("i", "f"):
            return
        for child in node.each("declarator"):
            name, value = child.child("declarator"), child.child("value")
            if child.type != "init_declarator" or name is None or value is None:
                continue
            if name.type == "identifier" and self.pure(value):
                self._site(value.start, value.end, self.text(name), "global", False)
            elif name.type == "array_declarator" and value.type == "initializer_list":
                inner = name.of("declarator")
                if inner.type == "identifier":
                    for number, element in enumerate(self._elements(value)):
                        target = self.text(inner) + b"[%d]" % number
                        self._site(element.start, element.end, target, "global", False)

    def _elements(self, values: Node) -> list[Node]:
        """What stands in a plain initialiser list; none when it has designators, lists or effects."""
        found = values.inner()
        return found if all(map(self.pure, found)) else []

    def _declaration(self, node: Node) -> None:
        qualifiers = self._qualifiers(node)
        if qualifiers & {b"static", b"extern", b"register", b"volatile"}:
            return
        spelling = node.child("type")
        kind = self._class(spelling)
        for child in node.each("declarator"):
            name, value = child.child("declarator"), child.child("value")
            if child.type != "init_declarator" or name is None or value is None:
                continue
            if value.type == "initializer_list":
                plain = name.type == "array_declarator" and name.of("declarator").type == "identifier"
                if plain and kind in ("i", "f") and spelling is not None:
                    for element in self._elements(value):
                        self._value(element, self.text(spelling).decode("latin-1"))
                continue
            direct = kind == "i" and name.type != "pointer_declarator"
            while name.type == "pointer_declarator":
                name = name.of("declarator")
            if name.type == "identifier":
                label = self.text(name).decode("latin-1")
                spelled = f"__typeof__(({label})+0)" if b"const" in qualifiers else f"__typeof__({label})"
                self._value(value, spelled, direct=direct, initial=True)

    # -- expressions -----------------------------------------------------------------------------------

    def _add(
        self, node: Node, kind: str, how: str, direct: bool, tight: bool = False, variadic: str = ""
    ) -> None:
        if b"\n#" not in self.text(node) and node.start < node.end:
            site = Site(node.start, node.end, kind, how, direct, tight=tight, variadic=variadic)
            self.result.sites.append(site)

    def _site(self, start: int, end: int, target: bytes, how: str, direct: bool) -> None:
        if b"\n#" not in self.source[start:end]:
            kind = f"__typeof__({target.decode('latin-1')})"
            self.result.sites.append(Site(start, end, kind, how, direct, target))

    def _condition(self, node: Node | None) -> None:
        while node is not None and node.type == "parenthesized_expression":
            inner = node.inner()
            node = inner[0] if len(inner) == 1 else None
        if node is None:
            return
        if self.pure(node):
            self._add(node, "int", "cond", True)
            return
        self.result.choices.append(Choice(node.start, node.end, "int", True))
        self._truth_parts(node)

    def _truth_parts(self, node: Node) -> None:
        if node.type == "parenthesized_expression":
            self._later(self._truth, *node.inner())
        elif node.type == "binary_expression" and operator_of(node) in ("&&", "||"):
            self._later(self._operand, *node.inner())
        else:
            self._later(self._parts, node)

    def _operand(self, node: Node) -> None:
        """An operand of && or ||."""
        self._truth(node, tight=True)

    def _truth(self, node: Node, tight: bool = False) -> None:
        """A part of a condition: a pure one is a site of its own."""
        if self.pure(node) and node.type != "parenthesized_expression":
            self._add(node, "int", "cond", True, tight=tight)
        else:
            self._truth_parts(node)

    def _value(self, node: Node, kind: str, *, direct: bool = False, initial: bool = False) -> None:
        if kind and self.pure(node):
            self._add(node, kind, "value", direct or _integral(kind))
            return
        if kind and initial:
            self.result.choices.append(Choice(node.start, node.end, kind, False))
        self._later(self._parts, node)

    def _discarded(self, node: Node) -> None:
        """An expression for its effect only."""
        match node.type:
            case "comma_expression" | "parenthesized_expression":
                self._later(self._discarded, *node.inner())
            case "assignment_expression" if self.pure(node.of("left")):
                self._assignment(node)
            case "update_expression":
                argument = node.of("argument")
                if self.pure(argument):
                    target = one_line(self.text(argument))
                    self._site(node.start, node.end, target, "update", self._direct(target))
            case _:
                self._parts(node)

    def _assignment(self, node: Node) -> None:
        left, right, operator = node.of("left"), node.of("right"), operator_of(node)
        target = one_line(self.text(left))
        if self.pure(right):
            if operator == "=" or left.type == "identifier":
                self._site(left.end, node.end, target, "assign", self._direct(target))
            else:
                self._site(node.start, node.end, target, "update", self._direct(target))
        elif operator == "=":
            self._value(right, f"__typeof__({target.decode('latin-1')})", direct=self._direct(target))
        else:
            self._later(self._parts, right)
        if operator == "=":
            self._target_parts(left)

    def _direct(self, target: bytes) -> bool:
        return value_class(target, self.symbols.classes) == "i" and b"*" not in target

    def _target_parts(self, node: Node) -> None:
        """Indices in what is assigned to."""
        if node.type == "subscript_expression":
            for index in node.each("index"):
                self._value(index, "long")
            self._later(self._target_parts, *node.each("argument"))
        elif node.type in ("field_expression", "parenthesized_expression"):
            self._later(self._target_parts, *node.inner())

    def _parts(self, node: Node) -> None:
        """Sites inside an expression that is not a site itself."""
        match node.type:
            case "call_expression":
                self._call(node)
            case "assignment_expression":
                left, right = node.of("left"), node.of("right")
                if operator_of(node) == "=" and self.pure(left):
                    self._target_parts(left)
                    self._value(right, f"__typeof__({one_line(self.text(left)).decode('latin-1')})")
                else:
                    self._later(self._parts, right)
            case "subscript_expression":
                if not self.pure(node):
                    for index in node.each("index"):
                        self._value(index, "long")
                self._later(self._parts, *node.each("argument"))
            case "conditional_expression":
                if not self.pure(node):
                    self._later(self._operand, *node.each("condition"))
                    self._later(self._parts, *node.each("consequence"), *node.each("alternative"))
            case "binary_expression" if operator_of(node) in ("&&", "||"):
                if not self.pure(node):
                    self._truth_parts(node)
            case "update_expression":
                return
            case _:
                self._later(self._parts, *(child for child in node.inner() if not self.pure(child)))

    def _call(self, node: Node) -> None:
        called = node.of("function")
        if called.type != "identifier":
            return
        name = self.text(called)
        if name in self.symbols.function_macros or name in self.symbols.macros:
            return  # A macro may use its argument twice, or not as an expression.
        own = self.symbols.parameters.get(name)
        plain = name.decode("latin-1")
        library = own is None and plain not in self.symbols.declared
        kinds = own if own is not None else library_parameters(plain) if library else ()
        for number, argument in enumerate(node.of("arguments").inner()):
            kind = kinds[number] if number < len(kinds) else ""
            if own is not None or (kind and kind != FORMAT):
                self._value(argument, kind)
            elif kind == FORMAT and argument.type in ("string_literal", "concatenated_string"):
                self._add(argument, "const char *", "text", False)
            elif not self.pure(argument):
                self._later(self._parts, argument)
            elif library and number >= len(kinds) and is_variadic(plain):
                self._variadic(argument)

    def _variadic(self, node: Node) -> None:
        kind = value_class(self.text(node), self.symbols.classes)
        spelled = VARIADIC_TYPES.get(kind)
        if spelled is not None and (kind != "p" or self.text(node).lstrip().startswith(b"&")):
            self._add(node, spelled, "value", kind != "f", variadic=kind)


def _dangling(node: Node) -> bool:
    """It ends the branch of an if that has an else."""
    parent = node.parent
    while parent is not None and parent.type in SINGLE_PARENTS - {"do_statement"}:
        if (
            parent.type == "if_statement"
            and node is parent.child("consequence")
            and parent.child("alternative") is not None
        ):
            return True
        node, parent = parent, parent.parent
    return False


def _integral(kind: str) -> bool:
    found = types.number(kind)
    return found is not None and not found.floating

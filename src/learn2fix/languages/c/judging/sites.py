"""The places of a C file where candidates can differ: expressions, conditions and statements.

An expression site is an outermost expression without side effects whose context fixes its type, so that
all its alternatives can be evaluated on the spot and grouped by value. A choice is a condition or an initial
value with side effects; a slot is a statement of a block: there an alternative is simply taken. What fits
nowhere else can be an alternative of the whole function that it is in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from learn2fix.languages.c.judging import prelude
from learn2fix.languages.c.judging.expressions import one_line, pure, value_class
from learn2fix.languages.c.syntax import SINGLE_PARENTS, is_statement, loop_macros, parse, places
from learn2fix.languages.c.tree import Node

PURE_NODES = {
    "identifier", "number_literal", "char_literal", "string_literal", "concatenated_string", "true",
    "false", "null",
    "parenthesized_expression", "binary_expression", "unary_expression", "conditional_expression",
    "subscript_expression", "field_expression", "pointer_expression", "cast_expression", "sizeof_expression",
    "field_identifier", "type_descriptor", "argument_list", "primitive_type", "type_identifier", "comment",
    "sized_type_specifier", "abstract_pointer_declarator", "struct_specifier", "string_content",
    "escape_sequence",
    "character",
}  # fmt: skip
INTEGERS = {
    "int", "char", "long", "short", "unsigned", "signed", "_Bool", "bool", "size_t", "ssize_t",
    "ptrdiff_t", "time_t",
    "uint", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
    "__int64",
}  # fmt: skip
# Arguments of library functions with effects: what their values are converted to.
ARGUMENTS = {
    "putchar": ("int",), "putc": ("int",), "fputc": ("int",), "exit": ("int",), "malloc": ("size_t",),
    "calloc": ("size_t", "size_t"), "realloc": ("void *", "size_t"), "memset": ("void *", "int", "size_t"),
    "memcpy": ("void *", "void *", "size_t"), "memmove": ("void *", "void *", "size_t"), "free": ("void *",),
    "strcpy": ("void *", "void *"), "strcat": ("void *", "void *"), "strncpy": ("void *", "void *", "size_t"),
    "fgets": ("void *", "int"), "srand": ("unsigned",), "qsort": ("void *", "size_t", "size_t"),
    "puts": ("TEXT",), "printf": ("TEXT",), "scanf": ("TEXT",), "sprintf": ("void *", "TEXT"),
    "sscanf": ("void *", "TEXT"), "fprintf": ("", "TEXT"), "fscanf": ("", "TEXT"), "fputs": ("TEXT",),
}  # fmt: skip
VARIADIC = {"printf", "scanf", "sprintf", "sscanf", "fprintf", "fscanf"}
UNCOPIED = re.compile(rb"^[ \t]*#|\b__(?:func|FUNCTION|LINE)__\b", re.M)
COMPOUND = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


@dataclass(frozen=True, slots=True)
class Site:
    """An expression whose alternatives are evaluated and compared."""

    start: int
    end: int
    type: str
    how: str
    """cond (truth), value, text (strings, compared by content), assign (operator and right side), update
    (the whole of an assignment), global (the initial value of a variable of the file)."""
    direct: bool
    """Values are compared with `!=`; otherwise byte by byte."""
    target: bytes = b""
    """What is assigned to (assign, update)."""
    tight: bool = False
    """Operators stand around it: what is put here must not bind more loosely than they do."""
    variadic: str = ""
    """The class that alternatives must have, where no prototype converts them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A condition or initial value with side effects."""

    start: int
    end: int
    type: str
    cond: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A statement where another may stand."""

    start: int
    end: int
    single: bool
    dangling: bool
    """The branch of an if that has an else: an `if` put before it would catch the else."""
    labelled: bool
    """It contains a label or case."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of which there can be copies: whoever calls it may be led to one of them."""

    start: int
    end: int
    name: tuple[int, int]
    """Where its name stands."""
    body: tuple[int, int]
    """What stands between its braces."""
    arguments: bytes
    """Its parameters, as they are passed on."""
    returns: bool


@dataclass
class Sites:
    """All sites of a file."""

    source: bytes
    sites: list[Site] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    names: dict[bytes, str] = field(default_factory=dict)
    callable: frozenset[bytes] = frozenset()
    impure: frozenset[bytes] = frozenset()
    declared: frozenset[str] = frozenset()
    macros: frozenset[bytes] = frozenset()
    loops: frozenset[bytes] = frozenset()
    """Macros that expand to the head of a loop."""
    main: int | None = None
    """Where the body of main() begins."""

    @cached_property
    def _starts(self) -> list[int]:
        return [site.start for site in self.sites]

    def site_at(self, start: int, end: int) -> int | None:
        """The expression site that contains [start, end)."""
        number = bisect_right(self._starts, start) - 1
        if number >= 0 and end <= self.sites[number].end:
            return number
        return None

    def smallest_choice(self, start: int, end: int) -> int | None:
        found = [
            (c.end - c.start, n) for n, c in enumerate(self.choices) if c.start <= start and end <= c.end
        ]
        return min(found)[1] if found else None

    def slots_around(self, start: int, end: int) -> list[int]:
        """Slots that contain [start, end), smallest first; of a gap, the one beside it before all."""
        found = [(s.end - s.start, n) for n, s in enumerate(self.slots) if s.start <= start and end <= s.end]
        around = [n for _, n in sorted(found)]
        beside = self.neighbour(start) if start == end else None
        if beside is not None:
            around = [beside, *(n for n in around if n != beside)]
        return around

    def function_around(self, start: int, end: int) -> int | None:
        """The function that has [start, end) in its body."""
        for number, function in enumerate(self.functions):
            if function.body[0] <= start and end <= function.body[1]:
                return number
        return None

    def neighbour(self, position: int) -> int | None:
        """The block statement that follows a gap (white space) at `position`, else the one it follows."""
        for number, slot in enumerate(self.slots):
            if not slot.single and slot.start >= position and not self.source[position : slot.start].strip():
                return number
        for number, slot in enumerate(self.slots):
            if not slot.single and slot.end <= position and not self.source[slot.end : position].strip():
                return number
        return None


def find_sites(source: bytes) -> Sites:
    return _Finder(source).find()


class _Finder:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.root = parse(source)
        self.result = Sites(source, loops=loop_macros(source))
        self.macros: dict[bytes, bytes] = {}
        self.function_macros: dict[bytes, bytes] = {}
        self.parameters: dict[bytes, list[str]] = {}
        self.typedefs: dict[bytes, str] = {}
        self.pure_memo: dict[int, bool] = {}

    def text(self, node: Node) -> bytes:
        return self.source[node.start : node.end]

    def find(self) -> Sites:
        self._tables()
        for node in self.root.children:
            self._top(node)
        self.result.sites.sort(key=lambda s: s.start)
        return self.result

    def _top(self, node: Node) -> None:
        if node.type == "function_definition":
            if not node.has_error:
                self._function(node)
        elif node.type == "declaration":
            self._global(node)
        elif node.type.startswith("preproc_") or node.type in ("linkage_specification", "declaration_list"):
            for child in node.children:
                self._top(child)

    # -- tables -------------------------------------------------------------------------------

    def _tables(self) -> None:
        names: dict[bytes, str] = {}
        declared: set[str] = set()

        def learn(name: bytes, kind: str) -> None:
            names[name] = kind if names.get(name, kind) == kind else "?"

        nodes = list(self.root.walk())
        for node in nodes:
            if node.type == "type_definition":
                kind = self._kind(node.child("type"))
                for child in node.each("declarator"):
                    self.typedefs[self.text(child)] = kind if child.type == "type_identifier" else "?"
                    declared.add(self.text(child).decode("utf-8", "replace"))
            elif node.type == "preproc_def":
                name, value = node.child("name"), node.child("value")
                if name is not None:
                    self.macros[self.text(name)] = one_line(self.text(value)) if value is not None else b""
            elif node.type == "preproc_function_def":
                name, value = node.child("name"), node.child("value")
                if name is not None:
                    self.function_macros[self.text(name)] = (
                        one_line(self.text(value)) if value is not None else b""
                    )
        for node in nodes:
            if node.type in (
                "declaration",
                "parameter_declaration",
                "field_declaration",
                "function_definition",
            ):
                kind = self._kind(node.child("type"))
                for child in node.each("declarator"):
                    self._declarator(child, kind, learn, declared, node)
        for macro, body in self.macros.items():
            declared.add(macro.decode("utf-8", "replace"))
            learn(macro, value_class(body, names) if body else "?")
        declared |= {name.decode("utf-8", "replace") for name in self.function_macros}
        base = {name.encode() for name in prelude.PURE} - {d.encode() for d in declared}
        for function in prelude.PROTOTYPES:
            if function not in declared:
                pure_kind = "i" if function in prelude.PURE else "?"
                learn(function.encode(), "f" if function in prelude.RETURNS_FLOAT else pure_kind)
        for word in (b"int", b"long", b"char", b"short", b"unsigned", b"signed", b"sizeof"):
            names[word] = "i"
        for constant in prelude.HEADERS["limits.h"]:
            names.setdefault(constant.encode(), "i")
        names.setdefault(b"EOF", "i")
        names.update(self.typedefs)
        callable_ = frozenset(base)
        impure = frozenset(n for n, body in self.macros.items() if body and not pure(body, callable_))
        good = {n for n, body in self.function_macros.items() if body and pure(body, callable_, impure)}
        self.result.names = names
        self.result.callable = callable_ | good
        self.result.impure = impure
        self.result.declared = frozenset(declared)
        self.result.macros = frozenset(self.macros)

    def _kind(self, node: Node | None) -> str:
        if node is None:
            return "?"
        text = self.text(node)
        if text in self.typedefs:
            return self.typedefs[text]
        if node.type in ("struct_specifier", "union_specifier"):
            return "?"
        if node.type == "enum_specifier":
            return "i"
        words = {word.decode() for word in re.findall(rb"\w+", text)}
        if words & {"float", "double"}:
            return "?" if "long" in words else "f"
        return "i" if words and words <= INTEGERS else "?"

    def _declarator(self, node: Node, kind: str, learn: object, declared: set[str], owner: Node) -> None:
        inner: Node | None = node
        depth = 0
        while inner is not None and inner.type != "identifier" and inner.type != "field_identifier":
            if inner.type == "pointer_declarator":
                depth += 1
            if inner.type == "array_declarator":
                depth += 1
            if inner.type == "function_declarator" and owner.type in ("function_definition", "declaration"):
                self._parameters(inner)
            inner = inner.child("declarator") or next(
                (c for c in inner.inner() if c.type.endswith("declarator") or c.type == "identifier"),
                None,
            )
        if inner is None:
            return
        name = self.text(inner)
        assert callable(learn)
        # Arrays and pointers are known by what they hold: in an expression they are nearly always indexed.
        learn(name, kind)
        if inner.type == "identifier":
            declared.add(name.decode("utf-8", "replace"))

    def _parameters(self, declarator: Node) -> None:
        name, given = (
            declarator.child("declarator"),
            declarator.child("parameters"),
        )
        if name is None or given is None or name.type != "identifier":
            return
        types: list[str] = []
        for parameter in given.inner():
            if parameter.type != "parameter_declaration":
                if parameter.type != "comment":
                    types.append("")
                continue
            kind, inner = parameter.child("type"), parameter.child("declarator")
            text = self.text(kind).decode("utf-8", "replace") if kind is not None else ""
            if inner is not None and inner.type != "identifier":
                text = "void *" if inner.type != "function_declarator" else ""
            types.append("" if text == "void" else text)
        known = self.parameters.get(self.text(name))
        self.parameters[self.text(name)] = types if known in (None, types) else []

    # -- purity ----------------------------------------------------------------------------------

    def pure(self, node: Node) -> bool:
        known = self.pure_memo.get(id(node))
        if known is None:
            known = self.pure_memo[id(node)] = self._pure(node)
        return known

    def _pure(self, node: Node) -> bool:
        if node.type == "identifier":
            return self.text(node) not in self.result.impure
        if node.type == "call_expression":
            called, given = node.child("function"), node.child("arguments")
            return (
                called is not None
                and given is not None
                and called.type == "identifier"
                and self.text(called) in self.result.callable
                and all(self.pure(child) for child in given.inner())
            )
        if node.type not in PURE_NODES or node.has_error:
            return False
        return all(self.pure(child) for child in node.inner())

    # -- functions ----------------------------------------------------------------------------------

    def _function(self, function: Node) -> None:
        kind, declarator = function.child("type"), function.child("declarator")
        stars = 0
        while declarator is not None and declarator.type == "pointer_declarator":
            stars, declarator = stars + 1, declarator.child("declarator")
        name = declarator.child("declarator") if declarator is not None else None
        body = function.child("body")
        if name is not None and body is not None and self.text(name) == b"main":
            self.result.main = body.start + 1
        returned = self.text(kind).decode("utf-8", "replace") if kind is not None else "int"
        returned = "" if returned == "void" and not stars else returned + " " + "*" * stars
        if declarator is not None:
            self._copyable(function, declarator, bool(returned))
        for place in places(function):
            self._place(place.node, place.single, returned)

    def _copyable(self, function: Node, declarator: Node, returns: bool) -> None:
        name, given = (
            declarator.child("declarator"),
            declarator.child("parameters"),
        )
        body = function.child("body")
        if name is None or given is None or body is None or name.type != "identifier":
            return
        if UNCOPIED.search(self.text(function)):
            return
        arguments: list[bytes] = []
        for parameter in given.inner():
            inner = parameter.child("declarator")
            while inner is not None and inner.type in ("pointer_declarator", "array_declarator"):
                inner = inner.child("declarator")
            if parameter.type == "comment" or self.text(parameter) == b"void":
                continue
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
                for child in node.inner():
                    self._discarded(child)
            case "return_statement":
                for child in node.inner():
                    if child.type != "comment":
                        self._value(child, returned)
            case "if_statement" | "while_statement" | "do_statement":
                self._condition(node.child("condition"))
            case "switch_statement":
                condition = node.child("condition")
                for child in condition.inner() if condition is not None else ():
                    if child.type != "comment":
                        self._value(child, "long")
            case "for_statement":
                first = node.child("initializer")
                if first is not None and first.type == "declaration":
                    self._declaration(first)
                elif first is not None:
                    self._discarded(first)
                self._condition(node.child("condition"))
                update = node.child("update")
                if update is not None:
                    self._discarded(update)
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
        if self._kind(node.child("type")) not in ("i", "f"):
            return
        for child in node.each("declarator"):
            name, value = child.child("declarator"), child.child("value")
            if child.type != "init_declarator" or name is None or value is None:
                continue
            if name.type == "identifier" and self.pure(value):
                self._site(value.start, value.end, self.text(name), "global", False)
            elif name.type == "array_declarator" and value.type == "initializer_list":
                inner = name.child("declarator")
                if inner is not None and inner.type == "identifier":
                    for number, element in enumerate(self._elements(value)):
                        target = self.text(inner) + b"[%d]" % number
                        self._site(element.start, element.end, target, "global", False)

    def _elements(self, values: Node) -> list[Node]:
        """What stands in a plain initialiser list; none when it has designators, lists or effects."""
        found = values.inner()
        return found if all(self.pure(child) for child in found) else []

    def _declaration(self, node: Node) -> None:
        qualifiers = {
            self.text(c) for c in node.children if c.type in ("storage_class_specifier", "type_qualifier")
        }
        if qualifiers & {b"static", b"extern", b"register", b"volatile"}:
            return
        kind = self._kind(node.child("type"))
        spelling = node.child("type")
        for child in node.each("declarator"):
            if child.type != "init_declarator":
                continue
            name, value = child.child("declarator"), child.child("value")
            if name is not None and value is not None and value.type == "initializer_list":
                inner = name.child("declarator")
                plain = name.type == "array_declarator" and inner is not None and inner.type == "identifier"
                if plain and kind in ("i", "f") and spelling is not None:
                    for element in self._elements(value):
                        self._value(element, self.text(spelling).decode("utf-8", "replace"))
                continue
            while name is not None and name.type == "pointer_declarator":
                name, kind = name.child("declarator"), "?"
            if name is None or value is None or name.type != "identifier" or value.type == "initializer_list":
                continue
            label = self.text(name).decode("utf-8", "replace")
            spelled = f"__typeof__(({label})+0)" if b"const" in qualifiers else f"__typeof__({label})"
            self._value(value, spelled, direct=kind == "i", initial=True)

    # -- expressions -----------------------------------------------------------------------------------

    def _add(self, node: Node, kind: str, how: str, direct: bool, **more: object) -> None:
        text = self.text(node)
        if b"\n#" in text or node.end <= node.start:
            return
        site = Site(node.start, node.end, kind, how, direct, **more)  # type: ignore[arg-type]
        self.result.sites.append(site)

    def _condition(self, node: Node | None) -> None:
        if node is None:
            return
        if node.type == "parenthesized_expression":
            inner = node.inner()
            if len(inner) == 1:
                self._condition(inner[0])
            return
        if self.pure(node):
            self._add(node, "int", "cond", True)
            return
        self.result.choices.append(Choice(node.start, node.end, "int", True))
        self._truth_parts(node)

    def _truth_parts(self, node: Node) -> None:
        if node.type == "parenthesized_expression":
            for child in node.inner():
                self._truth(child, tight=False)
        elif node.type == "binary_expression" and self._operator(node) in ("&&", "||"):
            for child in node.inner():
                self._truth(child, tight=True)
        else:
            self._parts(node)

    def _truth(self, node: Node, tight: bool) -> None:
        """An operand of && or ||, or what stands in parentheses there: a pure one is a site of its own."""
        if node.type == "comment":
            return
        if self.pure(node) and node.type != "parenthesized_expression":
            self._add(node, "int", "cond", True, tight=tight)
        else:
            self._truth_parts(node)

    def _value(self, node: Node, kind: str, *, direct: bool = False, initial: bool = False) -> None:
        if not kind:
            self._parts(node)
        elif self.pure(node):
            self._add(node, kind, "value", direct or _integral(kind))
        else:
            if initial:
                self.result.choices.append(Choice(node.start, node.end, kind, False))
            self._parts(node)

    def _discarded(self, node: Node) -> None:
        """An expression for its effect only."""
        if node.type == "comma_expression":
            for child in node.inner():
                self._discarded(child)
        elif node.type == "assignment_expression":
            left, right = node.child("left"), node.child("right")
            assert left is not None
            assert right is not None
            operator = self._operator(node)
            if not self.pure(left):
                self._parts(node)
                return
            target = one_line(self.text(left))
            direct = value_class(target, self.result.names) == "i" and b"*" not in target
            if self.pure(right):
                if operator == "=" or left.type == "identifier":
                    self._site(left.end, node.end, target, "assign", direct)
                    if operator == "=":
                        self._target_parts(left)
                else:
                    self._site(node.start, node.end, target, "update", direct)
            else:
                if operator == "=":
                    self._target_parts(left)
                    self._value(right, f"__typeof__({target.decode('utf-8', 'replace')})", direct=direct)
                else:
                    self._parts(right)
        elif node.type == "update_expression":
            argument = node.child("argument")
            if argument is not None and self.pure(argument):
                target = one_line(self.text(argument))
                direct = value_class(target, self.result.names) == "i" and b"*" not in target
                self._site(node.start, node.end, target, "update", direct)
        elif node.type == "parenthesized_expression":
            for child in node.inner():
                self._discarded(child)
        else:
            self._parts(node)

    def _site(self, start: int, end: int, target: bytes, how: str, direct: bool) -> None:
        if b"\n#" in self.source[start:end]:
            return
        kind = f"__typeof__({target.decode('utf-8', 'replace')})"
        self.result.sites.append(Site(start, end, kind, how, direct, target))

    def _target_parts(self, node: Node) -> None:
        """Indices in what is assigned to."""
        if node.type == "subscript_expression":
            index, base = node.child("index"), node.child("argument")
            if index is not None:
                self._value(index, "long")
            if base is not None:
                self._target_parts(base)
        elif node.type in ("field_expression", "parenthesized_expression"):
            for child in node.inner():
                self._target_parts(child)

    def _parts(self, node: Node) -> None:
        """Sites inside an expression that is none itself."""
        match node.type:
            case "call_expression":
                self._call(node)
            case "assignment_expression":
                left, right = node.child("left"), node.child("right")
                if left is None or right is None:
                    return
                if self._operator(node) == "=" and self.pure(left):
                    self._target_parts(left)
                    target = one_line(self.text(left)).decode("utf-8", "replace")
                    self._value(right, f"__typeof__({target})")
                else:
                    self._parts(right)
            case "subscript_expression":
                index, base = node.child("index"), node.child("argument")
                if index is not None and not self.pure(node):
                    self._value(index, "long")
                if base is not None:
                    self._parts(base)
            case "conditional_expression":
                if self.pure(node):
                    return
                condition = node.child("condition")
                if condition is not None:
                    self._truth(condition, tight=True)
                for name in ("consequence", "alternative"):
                    child = node.child(name)
                    if child is not None:
                        self._parts(child)
            case "binary_expression" if self._operator(node) in ("&&", "||"):
                if not self.pure(node):
                    self._truth_parts(node)
            case "update_expression":
                return
            case _:
                for child in node.inner():
                    if not self.pure(child):
                        self._parts(child)

    def _call(self, node: Node) -> None:
        called, given = node.child("function"), node.child("arguments")
        if called is None or given is None or called.type != "identifier":
            return
        name = self.text(called)
        if name in self.function_macros or name in self.macros:
            return  # A macro may use its argument twice, or not as an expression.
        plain = name.decode("utf-8", "replace")
        arguments = given.inner()
        own = self.parameters.get(name)
        for number, argument in enumerate(arguments):
            if own is not None:
                self._value(argument, own[number] if number < len(own) else "")
                continue
            kinds = ARGUMENTS.get(plain, ()) if plain not in self.result.declared else ()
            kind = kinds[number] if number < len(kinds) else ""
            if kind == "TEXT":
                if argument.type in ("string_literal", "concatenated_string"):
                    self._add(argument, "const char *", "text", False)
                elif not self.pure(argument):
                    self._parts(argument)
            elif kind:
                self._value(argument, kind)
            elif plain in VARIADIC and number >= len(kinds) and self.pure(argument):
                self._variadic(argument)
            elif not self.pure(argument):
                self._parts(argument)

    def _variadic(self, node: Node) -> None:
        kind = value_class(self.text(node), self.result.names)
        spelled = {"i": "long", "f": "double", "p": "void *"}.get(kind)
        if spelled is not None and (kind != "p" or self.text(node).lstrip().startswith(b"&")):
            self._add(node, spelled, "value", kind != "f", variadic=kind)

    def _operator(self, node: Node) -> str:
        operator = node.child("operator")
        return operator.type if operator is not None else ""


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
    words = kind.split()
    return bool(words) and set(words) <= INTEGERS

"""A main() for one C function, made from its declaration: numbers in, the result out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from learn2fix.domain.ranges import ANYTHING, Range
from learn2fix.errors import UsageError
from learn2fix.languages.c.syntax import parse
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.types import number
from learn2fix.model import Kind, Variable

RENAMED_MAIN = "learn2fix_users_main"

QUALIFIERS = frozenset({"const", "volatile", "register", "static", "inline", "extern"})


@dataclass(frozen=True, slots=True)
class CFunction:
    """A declared function: what it takes and what it returns."""

    name: str
    parameters: tuple[Variable, ...]
    types: tuple[str, ...]
    result: str


def find_function(source: bytes, name: str, file: str) -> CFunction:
    """The definition of a function with numeric parameters and result."""
    known = []
    for node, declarator, stars in _definitions(source):
        found = _text(source, declarator.of("declarator"))
        known.append(found)
        if found != name:
            continue
        result = _type(source, node)
        if stars or kind_of(result) is None:
            shown = result + (" *" if stars else "")
            raise UsageError(f"{name} in {file} returns `{shown}`, not a number")
        parameters, types = [], []
        listed = declarator.of("parameters").inner()
        for i, child in enumerate(listed, 1):
            if _text(source, child) == "void" and len(listed) == 1:
                continue
            declared = child.child("declarator")
            written = _type(source, child)
            kind = kind_of(written)
            if (
                child.type != "parameter_declaration"
                or kind is None
                or (declared is not None and declared.type != "identifier")
            ):
                raise UsageError(
                    f"parameter `{_text(source, child)}` of {name} in {file} is not a number",
                    "numeric parameters can be tried; for others give the whole program",
                )
            parameters.append(Variable(_text(source, declared) if declared is not None else f"i{i}", kind))
            types.append(written)
        if not parameters:
            raise UsageError(f"{name} in {file} takes no parameters", "give the whole program instead")
        return CFunction(name, tuple(parameters), tuple(types), result)
    choices = ", ".join(sorted(set(known) - {"main"})) or "none"
    raise UsageError(f"no function {name} in {file}", f"it defines: {choices}")


def functions_in(source: bytes) -> list[str]:
    """The functions with a body that a source defines, in order."""
    return [_text(source, declarator.of("declarator")) for _, declarator, _ in _definitions(source)]


def _definitions(source: bytes) -> Iterator[tuple[Node, Node, int]]:
    """Function definitions, each with its declarator and how many `*` stand before that."""
    for node in parse(source).children:
        declarator = node.child("declarator") if node.type == "function_definition" else None
        stars = 0
        while declarator is not None and declarator.type == "pointer_declarator":
            declarator, stars = declarator.child("declarator"), stars + 1
        if declarator is not None and declarator.type == "function_declarator":
            yield node, declarator, stars


def _text(source: bytes, node: Node) -> str:
    return source[node.start : node.end].decode("utf-8", "replace")


def _type(source: bytes, node: Node) -> str:
    """The written type without qualifiers that say nothing about values."""
    words = []
    for child in node.children:
        if child.field == "declarator":
            break
        words += [word for word in _text(source, child).split() if word not in QUALIFIERS]
    return " ".join(words)


def kind_of(written: str) -> Kind | None:
    found = number(written)
    if found is None:
        return None
    if found.floating:
        return Kind.REAL
    return Kind.BOOL if found.name == "_Bool" else Kind.INT


def range_of(written: str) -> Range:
    """What a type of whole numbers can hold."""
    found = number(written)
    if found is None or found.floating or found.name == "_Bool":
        return ANYTHING
    return Range(found.minimum, found.maximum)


def is_unsigned(written: str) -> bool:
    found = number(written)
    return found is not None and not found.signed


def harness(function: CFunction) -> bytes:
    """C text to append to the source: a main() that reads the arguments, calls, and prints the result."""
    lines = [
        "",
        "#undef main",
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "int main(void) {",
        "    char learn2fix_word[512];",
    ]
    for i, (written, parameter) in enumerate(zip(function.types, function.parameters, strict=True)):
        lines += [
            '    if (scanf("%511s", learn2fix_word) != 1) return 2;',
            f"    {written} learn2fix_{i} = ({written}){_reader(written, parameter.kind)};",
        ]
    arguments = ", ".join(f"learn2fix_{i}" for i in range(len(function.types)))
    lines.append(f"    {function.result} learn2fix_result = {function.name}({arguments});")
    kind = kind_of(function.result)
    if kind is Kind.REAL:
        # The shortest of the decimals that read back as the same number: what a person would write.
        lines += [
            "    int learn2fix_digits = 15;",
            "    do snprintf(learn2fix_word, sizeof learn2fix_word, "
            '"%.*Lg", learn2fix_digits, (long double)learn2fix_result);',
            f"    while (({function.result})strtold(learn2fix_word, 0) != learn2fix_result "
            "&& ++learn2fix_digits <= 21);",
            '    printf("%s\\n", learn2fix_word);',
        ]
    elif is_unsigned(function.result):
        lines.append('    printf("%llu\\n", (unsigned long long)learn2fix_result);')
    else:
        lines.append('    printf("%lld\\n", (long long)learn2fix_result);')
    return "\n".join([*lines, "    return 0;", "}", ""]).encode()


def _reader(written: str, kind: Kind) -> str:
    if kind is Kind.REAL:
        return "strtold(learn2fix_word, 0)"
    return f"strto{'ull' if is_unsigned(written) else 'll'}(learn2fix_word, 0, 10)"

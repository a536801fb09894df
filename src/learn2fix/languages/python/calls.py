"""Which values a call gives: literals alone, or code with objects in it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from learn2fix.domain import Domain, call_domain
from learn2fix.domain.inputs import read_call
from learn2fix.domain.shapes import both
from learn2fix.errors import UsageError
from learn2fix.languages.names import missing_arguments
from learn2fix.languages.python.scripts import example, script_domain
from learn2fix.languages.python.signatures import Definitions, Target
from learn2fix.languages.python.usage import used_as
from learn2fix.languages.python.writers import builds
from learn2fix.model import Kind

ANNOTATIONS = {"int": Kind.INT, "float": Kind.REAL, "bool": Kind.BOOL, "str": Kind.TEXT}


def call_form(examples: Sequence[str], target: Target, known: Definitions) -> Domain:
    """The inputs of a function or method, read off its signature and example calls."""
    signature = target.signature
    free = target.on_object or signature.parameters or signature.rest is not None or signature.others
    if not free and not any("(" in text for text in examples):
        raise UsageError(
            f"{target.name} takes no parameters, so there is nothing to vary",
            "name a function that takes what goes wrong",
        )
    usual = not target.on_object and signature.rest is None and not signature.others
    # Objects of the program are code, also where a call shows none of them: `total([])`.
    usual = usual and not any(builds(each.note, known) for each in signature.parameters)
    if not usual or not all(_is_literal(text) for text in examples):
        if target.on_object and all(_is_literal(text) for text in examples):
            raise UsageError(f"{target.name} is called on an object", example(target, known))
        return script_domain(examples, target, known)
    names = signature.names
    kinds = {each.name: kind for each in signature.parameters if (kind := _kind(each.note)) is not None}
    required = (
        [] if target.node.decorator_list else [each.name for each in signature.parameters if each.required]
    )
    for text in examples:
        given = read_call(text, names)
        missing = [name for name in required if name not in given]
        if missing:
            raise missing_arguments(target.name, missing, names, text)
    noted = {each.name: each.shape for each in signature.parameters}
    domain = call_domain(examples, names, kinds, shapes=noted)
    shapes = (
        both(shape, used_as(target.node, variable.name))
        for shape, variable in zip(domain.shapes, domain.variables, strict=True)
    )
    return replace(domain, shapes=tuple(shapes))


def _kind(note: ast.expr | None) -> Kind | None:
    return ANNOTATIONS.get(note.id, Kind.ANY) if isinstance(note, ast.Name) else None


def _is_literal(text: str) -> bool:
    """Whether it is nothing but arguments that are literals; also a text that cannot be read at all."""
    try:
        call = ast.parse(f"f({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        try:
            return not ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return True
    if not isinstance(call, ast.Call):
        return True
    values = [*call.args, *(word.value for word in call.keywords)]
    return not any(
        isinstance(node, ast.Call | ast.Attribute | ast.Name) for v in values for node in ast.walk(v)
    )

"""Labelled calls on objects, or with effects, as pytest tests: one function each, as one would write it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence

from learn2fix.domain.values import NOTHING, literal_value, meant_exception
from learn2fix.model import Response
from learn2fix.sandbox.inside.calling import KNOWN, called_name

HEAD = '''"""What {name} should do, as answered in session {session} of learn2fix."""

import asyncio
import importlib.util
import inspect
import os
import pathlib
{imports}
import pytest

# Another version of the program can be tested: LEARN2FIX_PROGRAM=patched.py pytest …
SOURCE = pathlib.Path(os.environ.get("LEARN2FIX_PROGRAM") or pathlib.Path(__file__).parent / {path!r})


@pytest.fixture
def program(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE.parent.resolve())
    spec = importlib.util.spec_from_file_location({module!r}, SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settled(value):
    """What a coroutine returns and what an iterator gives."""
    value = asyncio.run(value) if inspect.iscoroutine(value) else value
    return list(value) if hasattr(type(value), "__next__") else value
'''
PART = re.compile(r"(?P<name>[A-Za-z_]\w*(?:\.\w+)?) = (?P<value>.*)")


class _Qualified(ast.NodeTransformer):
    """Names of the program become `program.Name`."""

    def __init__(self) -> None:
        self.bound: set[str] = set()
        self.needed: dict[str, None] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)
        elif node.id in KNOWN and node.id not in self.bound:
            self.needed[node.id] = None
        elif node.id not in self.bound and not hasattr(builtins, node.id):
            return ast.Attribute(ast.Name("program", ast.Load()), node.id, ast.Load())
        return node


def code_file(
    session: str, name: str, path: str, function: str, rows: Sequence[tuple[str, Response]]
) -> bytes:
    """`rows`: the text of each input and what is right for it; nothing (b"") where none can be written."""
    tests, needed = [], dict[str, None]()
    for number, (text, expected) in enumerate(rows, start=1):
        names = _Qualified()
        lines = list(_lines(text, function, expected, names))
        if lines:
            needed |= names.needed
            fixtures = "program, capsys" if any("capsys" in line for line in lines) else "program"
            body = "".join(f"    {line}\n" for line in lines)
            tests.append(f"\n\ndef test_{number}({fixtures}):\n{body}")
    if not tests:
        return b""
    module = re.sub(r"\W+", "_", path.rsplit("/", 1)[-1].removesuffix(".py"))
    imports = "".join(f"from {KNOWN[each]} import {each}\n" for each in needed)
    head = HEAD.format(name=name, session=session, path=path, module=module, imports=imports)
    return (head + "".join(tests)).encode("utf-8", "surrogatepass")


def _lines(text: str, function: str, expected: Response, names: _Qualified) -> Iterator[str]:
    """The statements of a test; none where the answer is more than literals can say."""
    checks = _checks(expected, names)
    made = _call(text, function, names)
    if checks is None or made is None:
        return
    before, call, effects = made
    yield from before
    error = meant_exception(expected)
    if error is not None:
        yield "with pytest.raises(Exception) as caught:"
        yield f"    settled({call})"
        yield f"assert type(caught.value).__name__ == {error[0].rpartition('.')[2]!r}"
        return
    yield f"result = settled({call})"
    for place, value in checks:
        if place == "prints":
            yield "printed = [line.strip() for line in capsys.readouterr().out.splitlines()]"
            yield f"assert [line for line in printed if line] == {value}"
        elif place == "result":
            yield f"assert result is {value}" if value == "None" else f"assert result == {value}"
        else:
            yield f"assert {effects.format(*place.partition('.')[::2])} == {value}"


def _checks(expected: Response, names: _Qualified) -> list[tuple[str, str]] | None:
    found: list[tuple[str, str]] = []
    if not expected.completed or meant_exception(expected) is not None:
        return found if meant_exception(expected) is not None else None
    lines = expected.text.split("\n")
    for place, line in enumerate(lines):
        part = PART.fullmatch(line)
        if line.startswith("prints:"):
            found.append(("prints", repr([each for each in lines[place + 1 :] if each])))
            break
        where, value = (part["name"], part["value"]) if part else ("result", line.removeprefix("returns "))
        known = literal_value(value)
        if known is NOTHING or "..." in value:
            return None
        tree = ast.parse(value, mode="eval").body
        if any(isinstance(node, ast.Call) and called_name(node) not in KNOWN for node in ast.walk(tree)):
            return None
        found.append((where, ast.unparse(names.visit(tree))))
    return found


def _call(text: str, function: str, names: _Qualified) -> tuple[list[str], str, str] | None:
    """Statements, the call, and how what is left in an object or argument is written, `{0}.{1}`."""
    short = function.rpartition(".")[2]
    try:
        wrapped = ast.parse(f"_({text.strip()}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        wrapped = None
    arguments = isinstance(wrapped, ast.Call) and not (
        len(wrapped.args) == 1 and not wrapped.keywords and called_name(wrapped.args[0]) == short
    )
    if arguments and isinstance(wrapped, ast.Call):
        inner = ast.unparse(names.visit(wrapped))[len("program._(") : -1]
        bound = f"call = inspect.signature(program.{function}).bind({inner})"
        return [bound], f"program.{function}(*call.args, **call.kwargs)", 'call.arguments["{0}"]'
    try:
        *before, last = ast.parse(text.strip()).body
    except (SyntaxError, ValueError):
        return None
    if not isinstance(last, ast.Expr):
        return None
    lines = []
    for node in before:
        if isinstance(node, ast.Assign):
            node.value = names.visit(node.value)
            names.bound.add(ast.unparse(node.targets[0]))
            lines.append(ast.unparse(node))
        else:
            lines.append(ast.unparse(names.visit(node)))
    called = last.value.func if isinstance(last.value, ast.Call) else last.value
    owner = "self"
    if isinstance(called, ast.Attribute) and not isinstance(called.value, ast.Name):
        lines.append(f"it = {ast.unparse(names.visit(called.value))}")
        names.bound.add("it")
        called.value, owner = ast.Name("it", ast.Load()), "it"
    elif isinstance(called, ast.Attribute):
        owner = ast.unparse(called.value)
    return lines, ast.unparse(names.visit(last.value)), f"{owner}.{{1}}"

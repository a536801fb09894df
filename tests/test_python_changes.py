"""What a candidate does to the text of a Python program, it does to its tree."""

from __future__ import annotations

import ast
import copy
import textwrap
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.python_programs import SCRIPT, SHOP

from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.edits.generator import PythonEdits, PythonPairs
from learn2fix.languages.python.judging.schema import Change, Role, Schema
from learn2fix.model import Candidate, Edit


def applied(schema: Schema, made: Change) -> ast.Module:
    """The tree with one candidate's change in it, without switches."""
    parts: dict[int, dict[Role, list[ast.AST]]] = {}
    for node, role, new in made.parts:
        parts.setdefault(id(node), {})[role] = new

    def child(node: ast.AST) -> ast.AST:
        return parts[id(node)][Role.INSTEAD][0] if id(node) in parts else rebuilt(node)

    def statement(node: ast.AST) -> list[ast.AST]:
        here = parts.get(id(node), {})
        inner = here[Role.INSTEAD] if Role.INSTEAD in here else [rebuilt(node)]
        if Role.GATE in here:
            inner = [ast.If(here[Role.GATE][0], inner, [])]
        return [*here.get(Role.BEFORE, []), *inner, *here.get(Role.AFTER, [])]

    def rebuilt(node: ast.AST) -> ast.AST:
        new = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                found: list[object] = []
                for item in value:
                    if isinstance(item, ast.stmt):
                        found += statement(item)
                    else:
                        found.append(child(item) if isinstance(item, ast.AST) else item)
                setattr(new, name, found)
            elif isinstance(value, ast.AST):
                setattr(new, name, child(value))
        return new

    tree = rebuilt(schema.tree)
    assert isinstance(tree, ast.Module)
    return tree


ODD = textwrap.dedent(
    '''\
    from __future__ import annotations
    import math, re


    @staticmethod
    def deco(f): return f


    class Box:
        """A box."""
        size: int = 3
        def __init__(self, x): self.x = x; self.y = 2
        @property
        def area(self) -> int:
            return self.x * self.y


    def f(a, b=[1, 2], *rest, key=lambda v: v + 1, **more):
        """Text
    less indented."""
        x = (a +
             len(b))  # a comment
        text = """one
      two"""
        if a: x += 1
        elif x > 3:
            if x: pass
            else: x = 2
        # between
        else:
            x = 3; y = 4

        try:
            z = [i for i in b if i] or {k: v for k, v in more.items()}
        except (ValueError, TypeError) as error:
            z = str(error)
        finally:
            x -= 1
        with open_nothing(x) as g, Box(2) as h:
            pass
        while x > 0 and (n := x) > 1:
            x -= 1
            continue
        else:
            x = -x
        match x:
            case 1 | 2: x = 5
            case [p, *q] if p: x = 6
            case _:
                x = 7
        def inner(v):
            nonlocal x
            x = v
            yield v
        assert x, "none"
        del text
        return (x, f"{x:>{a}} {y!r}", *rest, z[1:2], z[-1], not x, -x ** 2, lambda: x)
    '''
).encode()


@pytest.mark.parametrize(("source", "function"), [(SHOP, "discount"), (SCRIPT, None), (ODD, "f")])
def test_changes_of_the_tree_are_changes_of_the_text(source: bytes, function: str | None) -> None:
    schema = Schema(source)
    candidates = list(PythonEdits().candidates(source, Hints(function=function)))
    singles = candidates[:200] + candidates[200::61][:200]
    pairs = list(islice(PythonPairs(candidates[:300:3]).candidates(source, Hints()), 0, 540, 9))
    alone = 0
    for candidate in singles + pairs:
        made = schema.change(candidate)
        if made is None:
            alone += 1
            continue
        assert ast.dump(applied(schema, made)) == ast.dump(ast.parse(candidate.apply(source))), candidate
    assert alone < 0.25 * len(singles + pairs)


SCHEMAS = {source: Schema(source) for source in (SHOP, SCRIPT, ODD)}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_edit_of_the_text_is_the_change_of_the_tree(data: st.DataObject) -> None:
    """Not only edits that make sense: any piece of text in any place."""
    source = data.draw(st.sampled_from([SHOP, SCRIPT, ODD]))
    start = data.draw(st.integers(0, len(source)))
    if data.draw(st.booleans()):
        start = source.rfind(b"\n", 0, start) + 1
    end = min(len(source), start + data.draw(st.sampled_from([0, 0, 1, 2, 4, 9, 30, 80])))
    pieces = [
        "x",
        " ",
        "    ",
        "\n",
        "(",
        ")",
        "if x:",
        "return x",
        "x = 1",
        "+ 1",
        "not ",
        "#",
        ":",
        "else:",
    ]
    pieces += ['"""', "\\\n"]
    new = "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=6)))
    candidate = Candidate((Edit(start, end, new.encode()),), "any", 1.0)
    schema = SCHEMAS[source]
    made = schema.change(candidate)
    if made is None:
        return
    assert ast.dump(applied(schema, made)) == ast.dump(ast.parse(candidate.apply(source)))

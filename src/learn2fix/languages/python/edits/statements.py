"""Edits of statements: deleted, moved, guarded, put in; returns, base cases, loops, accumulators."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from learn2fix.languages.python.edits.names import CALLABLE, MAPPING, NUMBER, SEQUENCE, TEXT, TRUTH, UNKNOWN
from learn2fix.languages.python.edits.program import LOOPS, Drafts, Piece, Program, Statement, one
from learn2fix.languages.python.edits.terms import atoms

# What stands for "nothing found yet" before a loop: the usual first values of an accumulator.
FIRST_VALUES = (
    "0",
    "1",
    "None",
    "[]",
    "''",
    "{}",
    "float('inf')",
    "-float('inf')",
    "-1",
    "True",
    "False",
    "set()",
)


def small(node: Statement) -> cst.BaseSmallStatement | None:
    """The only small statement of a line."""
    return node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None


def _is_docstring(node: Statement) -> bool:
    inner = small(node)
    return isinstance(inner, cst.Expr) and isinstance(inner.value, cst.BaseString)


def _movable(program: Program, node: Statement) -> bool:
    return (
        not isinstance(node, cst.FunctionDef | cst.ClassDef)
        and not _is_docstring(node)
        and not isinstance(small(node), cst.Import | cst.ImportFrom | cst.Global | cst.Nonlocal)
    )


def _deleted(program: Program, node: Statement) -> Piece:
    """The lines taken out; `pass` where a block would be empty."""
    start, end = program.lines(node)
    if len(program.block(node)) > 1:
        return start, end, ""
    return start, end, f"{program.indent(node)}pass{program.tree.newline}"


def deletions(program: Program) -> Drafts:
    for node in program.statements:
        if not _movable(program, node) or isinstance(small(node), cst.Pass):
            continue
        size = 0.0 if isinstance(node, cst.SimpleStatementLine) else 0.4
        yield one(2.2 + size, "delete", _deleted(program, node))
        if isinstance(node, cst.If) and isinstance(node.body, cst.IndentedBlock):
            yield from _unguarded(program, node)


def _unguarded(program: Program, node: cst.If) -> Drafts:
    """The body without its condition; the `else` part dropped."""
    start, end = program.lines(node)
    if node.orelse is None:
        body = "".join(
            program.shifted(s, program.indent(node)) for s in node.body.body if program.own_lines(s)
        )
        if body:
            yield one(2.2, "unguarded", (start, end, body))
    elif isinstance(node.orelse, cst.Else) and isinstance(node.orelse.body, cst.IndentedBlock):
        else_start, else_end = program.lines(node.orelse)
        yield one(2.4, "delete", (else_start, else_end, ""))
        statements = list(node.orelse.body.body)
        if all(program.own_lines(s) for s in statements):
            body = "".join(program.shifted(s, program.indent(node)) for s in statements)
            yield one(2.0, "unguarded", (else_start, else_end, body))


def orders(program: Program) -> Drafts:
    """Two neighbours exchanged; two assignments made at once."""
    for node in program.statements:
        block = program.block(node)
        place = block.index(node) if node in block else -1
        if place < 0 or place + 1 >= len(block) or not _movable(program, node):
            continue
        after = block[place + 1]
        if not _movable(program, after) or not program.own_lines(after):
            continue
        (start, middle), (next_start, end) = program.lines(node), program.lines(after)
        between = program.tree.slice(middle, next_start) if middle != next_start else ""
        swapped = program.lines_text(after) + between + program.lines_text(node)
        if not program.tree.slice(start, end).endswith("\n"):
            swapped = swapped.rstrip("\r\n")
        if not isinstance(small(node), cst.Return | cst.Break | cst.Continue | cst.Raise):
            weight = 1.8 if small(node) is not None and small(after) is not None else 2.2
            yield one(weight, "order", (start, end, swapped))
        yield from _at_once(program, node, after, (start, end))


def _at_once(program: Program, node: Statement, after: Statement, span: tuple[int, int]) -> Drafts:
    """`a = b` / `b = a + b` → `a, b = b, a + b`."""
    first, second = small(node), small(after)
    if not (isinstance(first, cst.Assign) and isinstance(second, cst.Assign)):
        return
    if len(first.targets) != 1 or len(second.targets) != 1:
        return
    one_target, other_target = first.targets[0].target, second.targets[0].target
    if not all(isinstance(t, cst.Name | cst.Subscript | cst.Attribute) for t in (one_target, other_target)):
        return
    if any(isinstance(value, cst.Tuple | cst.Lambda | cst.Yield) for value in (first.value, second.value)):
        return
    text = (
        f"{program.indent(node)}{program.of(one_target)}, {program.of(other_target)} = "
        f"{program.wrap(first.value, 1)}, {program.wrap(second.value, 1)}{program.tree.newline}"
    )
    if program.of(one_target) in program.of(second.value) or program.of(other_target) in program.of(
        first.value
    ):
        yield one(1.6, "order", (*span, text))


def nesting(program: Program) -> Drafts:
    """A statement out of its block or into the one before it: the `return` in a loop, a loop's `else`."""
    for node in program.statements:
        block = program.block(node)
        if node not in block or not _movable(program, node):
            continue
        place = block.index(node)
        weight = 1.4 if isinstance(small(node), cst.Return) else 1.9
        if place == len(block) - 1:
            yield from _outdented(program, node, weight)
        if place > 0:
            yield from _indented(program, node, block[place - 1], weight)
    for inner in program.nodes:
        if isinstance(inner, cst.If) and isinstance(inner.orelse, cst.Else):
            yield from _loop_else(program, inner)
        if isinstance(inner, cst.For | cst.While) and inner.orelse is not None:
            yield from _else_after(program, inner)
        if isinstance(inner, cst.If):
            yield from _elif(program, inner)


def _outdented(program: Program, node: Statement, weight: float) -> Drafts:
    """After the block it ends, and after those around that one."""
    start, end = program.lines(node)
    deleted = _deleted(program, node)
    for level, owner in enumerate(_owners(program, node)):
        _, owner_end = program.lines(owner)
        text = program.shifted(node, program.indent(owner))
        if owner_end == end:
            yield one(weight + 0.3 * level, "nesting", (start, end, deleted[2] + text))
        else:
            yield weight + 0.3 * level, "nesting", (deleted, (owner_end, owner_end, text))


def _owners(program: Program, node: Statement) -> Iterator[cst.CSTNode]:
    """The compound statements around a statement within its function, innermost first."""
    for above in program.tree.above(node):
        if isinstance(above, cst.FunctionDef | cst.ClassDef):
            return
        if isinstance(above, cst.If) and program.is_elif(above):
            continue
        if isinstance(above, cst.If | cst.For | cst.While | cst.With | cst.Try) and program.own_lines(above):
            yield above


def _indented(program: Program, node: Statement, before: Statement, weight: float) -> Drafts:
    if not isinstance(before, cst.If | cst.For | cst.While | cst.With):
        return
    start, end = program.lines(node)
    last: cst.CSTNode = before
    while isinstance(last, cst.If) and last.orelse is not None:
        last = last.orelse
    body = getattr(last, "body", None)
    if getattr(before, "orelse", None) is not None and isinstance(before, LOOPS):
        return
    if not isinstance(body, cst.IndentedBlock) or not body.body:
        return
    inner = body.body[-1]
    if not isinstance(inner, cst.SimpleStatementLine | cst.BaseCompoundStatement) or not program.own_lines(
        inner
    ):
        return
    if isinstance(small(inner), cst.Return | cst.Break | cst.Continue | cst.Raise):
        return
    yield one(weight, "nesting", (start, end, program.shifted(node, program.indent(inner))))
    block = program.block(node)
    if len(block) > block.index(node) + 1:
        # And with all that follows it.
        _, last_end = program.lines(block[-1])
        if all(program.own_lines(s) for s in block):
            rest = block[block.index(node) :]
            text = "".join(program.shifted(s, program.indent(inner)) for s in rest)
            yield one(weight + 0.3, "nesting", (start, last_end, text))


def _loop_else(program: Program, node: cst.If) -> Drafts:
    """The `else` of an `if` that is last in a loop becomes the loop's, or what follows the loop."""
    branch = node.orelse
    parent = program.tree.parent(node)
    loop = program.tree.parent(parent) if parent is not None else None
    if (
        not isinstance(branch, cst.Else)
        or not isinstance(loop, cst.For | cst.While)
        or loop.orelse is not None
    ):
        return
    block = program.block(node)
    if not block or block[-1] is not node or not isinstance(branch.body, cst.IndentedBlock):
        return
    start, end = program.lines(branch)
    indent = program.indent(loop)
    yield one(1.6, "loop else", (start, end, program.shifted(branch, indent)))
    statements = list(branch.body.body)
    if all(program.own_lines(s) for s in statements):
        text = "".join(program.shifted(s, indent) for s in statements)
        yield one(1.6, "loop else", (start, end, text))


def _else_after(program: Program, node: cst.For | cst.While) -> Drafts:
    """The `else` of a loop becomes plain statements after it, or goes."""
    branch = node.orelse
    if branch is None or not isinstance(branch.body, cst.IndentedBlock):
        return
    start, end = program.lines(branch)
    statements = list(branch.body.body)
    if all(program.own_lines(s) for s in statements):
        text = "".join(program.shifted(s, program.indent(node)) for s in statements)
        yield one(1.7, "loop else", (start, end, text))
    yield one(2.2, "loop else", (start, end, ""))


def _elif(program: Program, node: cst.If) -> Drafts:
    start, _ = program.tree.span(node)
    if program.is_elif(node):
        if program.tree.slice(start, start + 4) == "elif":
            yield one(1.6, "branch", (start, start + 4, "if"))
        return
    block = program.block(node)
    place = block.index(node) if node in block else 0
    if place > 0 and isinstance(block[place - 1], cst.If) and program.own_lines(node):
        before = block[place - 1]
        while isinstance(before, cst.If) and isinstance(before.orelse, cst.If):
            before = before.orelse
        if isinstance(before, cst.If) and before.orelse is None:
            yield one(1.6, "branch", (start, start + 2, "elif"))
    if node.orelse is None:
        yield one(2.0, "branch", (start, start + 2, "while"))


def loops(program: Program) -> Drafts:
    """`break` for `continue`, `while` for `if`, a jump put at the end of a loop's body."""
    for node in program.nodes:
        match node:
            case cst.Break():
                start, end = program.tree.span(node)
                yield one(1.6, "jump", (start, end, "continue"))
                yield one(2.2, "jump", (start, end, "pass"))
            case cst.Continue():
                start, end = program.tree.span(node)
                yield one(1.6, "jump", (start, end, "break"))
                yield one(2.0, "jump", (start, end, "pass"))
            case cst.While() if node.orelse is None:
                start, _ = program.tree.span(node)
                yield one(2.2, "branch", (start, start + 5, "if"))
            case _:
                pass
    for node in program.statements:
        if not program.loops(node) or not isinstance(small(node), cst.Assign | cst.AugAssign | cst.Expr):
            continue
        block = program.block(node)
        if node in block and block[-1] is node:
            yield one(2.2, "jump", program.after(node, "break"))
            yield one(2.3, "jump", program.after(node, "continue"))


def returns(program: Program) -> Drafts:
    """A result that is not returned; a function that ends without a return; another thing returned."""
    for node in program.statements:
        inner = small(node)
        start, _ = program.tree.span(node)
        plain = isinstance(inner, cst.Expr) and not isinstance(inner.value, cst.Yield | cst.Await)
        if plain and not _is_docstring(node) and program.owner(node) is not None:
            yield one(1.4, "return", (start, start, "return "))
        if isinstance(inner, cst.Return) and inner.value is None:
            end = program.tree.span(inner)[1]
            for text in _results(program, node):
                yield one(1.9, "return", (end, end, f" {text}"))
        if (
            isinstance(inner, cst.Return)
            and inner.value is not None
            and not isinstance(inner.value, cst.Name)
        ):
            for name in program.visible(node):
                if program.of(inner.value) != name:
                    yield one(2.2, "return", program.put(inner.value, name))
        if isinstance(inner, cst.Return) and inner.value is not None:
            present = program.of(inner.value)
            for text in _results(program, node):
                if text != present and text not in program.visible(node):
                    yield one(2.3, "return", program.put(inner.value, text))
    for root in program.nodes:
        if isinstance(root, cst.FunctionDef) and isinstance(root.body, cst.IndentedBlock) and root.body.body:
            last = root.body.body[-1]
            if not isinstance(last, cst.SimpleStatementLine | cst.BaseCompoundStatement):
                continue
            if not program.own_lines(last) or isinstance(small(last), cst.Return | cst.Raise):
                continue
            for text in _results(program, last, inside=True):
                yield one(1.6, "return", program.after(last, f"return {text}"))
            inner = small(last)
            if isinstance(inner, cst.Assign) and len(inner.targets) == 1:
                yield one(1.4, "return", program.after(last, f"return {program.of(inner.targets[0].target)}"))


def _results(program: Program, node: Statement, inside: bool = False) -> list[str]:
    """What a function may plausibly return."""
    names = program.visible(node)
    if inside:
        scope = program.scope(node)
        names = [name for name in scope.bound if name not in ("self", "cls")]
    expected = program.expected_literals((int, float, str, bool, type(None), list, tuple, dict))
    return list(dict.fromkeys([*names, "0", "1", "-1", "None", "True", "False", "[]", "''", *expected]))


def base_cases(program: Program) -> Drafts:
    """`if n == 0: return 1` at the start of a function, and before any statement that is run."""
    for node in program.nodes:
        if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
            continue
        body = [
            s for s in node.body.body if isinstance(s, cst.SimpleStatementLine | cst.BaseCompoundStatement)
        ]
        first = next((s for s in body if not _is_docstring(s)), None)
        if first is None or not program.own_lines(first):
            continue
        scope = program.scope(first)
        for parameter in scope.parameters:
            if parameter in ("self", "cls"):
                continue
            for weight, condition in _base_conditions(program, parameter, scope.type(parameter)):
                for text in _base_results(program, node, parameter):
                    lines = (f"if {condition}:", f"{program.unit}return {text}")
                    yield one(2.0 + weight, "base case", program.before(first, *lines))


def _base_conditions(program: Program, name: str, kind: str) -> Iterator[tuple[float, str]]:
    if kind in (NUMBER, UNKNOWN):
        extra = 0.0 if kind == NUMBER else 0.4
        for text in (
            f"{name} == 0",
            f"{name} <= 0",
            f"{name} < 0",
            f"{name} <= 1",
            f"{name} == 1",
            f"{name} < 2",
        ):
            yield extra, text
    if kind in (SEQUENCE, TEXT, MAPPING, UNKNOWN):
        yield 0.0, f"not {name}"
        yield 0.5, f"len({name}) == 1"
        yield 0.5, f"len({name}) <= 1"
        yield 0.6, f"len({name}) < 2"
    if kind == UNKNOWN:
        yield 0.4, f"{name} is None"
    if kind == TRUTH:
        yield 0.3, name
        yield 0.3, f"not {name}"


def _base_results(program: Program, node: cst.FunctionDef, parameter: str) -> list[str]:
    seen: dict[str, None] = {}
    for inner in program.nodes:
        if not isinstance(inner, cst.Return) or program.owner(inner) is not node:
            continue
        if isinstance(
            inner.value, cst.Integer | cst.Float | cst.SimpleString | cst.List | cst.Tuple | cst.Dict
        ):
            text = program.of(inner.value)
            if len(text) < 20 and "\n" not in text:
                seen[text] = None
    expected = program.expected_literals((int, float, str, bool, type(None), list, tuple, dict))
    return list(
        dict.fromkeys(
            [*seen, "0", "1", "None", "[]", parameter, "''", "True", "False", "-1", "{}", *expected]
        )
    )


def defaults(program: Program) -> Drafts:
    """A mutable default that all calls share."""
    for node in program.nodes:
        if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
            continue
        first = next(
            (
                s
                for s in node.body.body
                if isinstance(s, cst.SimpleStatementLine | cst.BaseCompoundStatement) and not _is_docstring(s)
            ),
            None,
        )
        if first is None or not program.own_lines(first):
            continue
        for parameter in [*node.params.params, *node.params.kwonly_params]:
            value = parameter.default
            if isinstance(value, cst.List | cst.Dict | cst.Set) or (
                isinstance(value, cst.Call) and program.of(value.func) in ("list", "dict", "set")
            ):
                name = parameter.name.value
                guard = program.before(
                    first, f"if {name} is None:", f"{program.unit}{name} = {program.of(value)}"
                )
                yield 1.2, "default", (program.put(value, "None"), guard)


def accumulators(program: Program) -> Drafts:
    """The first value of what a loop changes, and that it is set in the right place."""
    for node in program.statements:
        inner = small(node)
        if not isinstance(inner, cst.Assign) or len(inner.targets) != 1:
            continue
        target = inner.targets[0].target
        if not isinstance(target, cst.Name):
            continue
        present = program.of(inner.value)
        follows = _loop_after(program, node)
        if follows is not None:
            for text in FIRST_VALUES:
                if text != present:
                    yield one(
                        1.5, "first value", program.put(inner.value, text, 11 if text[0] == "-" else 13)
                    )
            if isinstance(follows, cst.For) and isinstance(follows.iter, cst.Name):
                for part in ("[0]", "[-1]"):
                    yield one(1.5, "first value", program.put(inner.value, f"{follows.iter.value}{part}"))
            for name in program.visible(node):
                if program.name_type(name, node) in (SEQUENCE, TEXT, UNKNOWN) and name != target.value:
                    yield one(1.8, "first value", program.put(inner.value, f"{name}[0]"))
            # Set anew for each round instead of once.
            if isinstance(follows.body, cst.IndentedBlock) and follows.body.body:
                first = follows.body.body[0]
                if program.own_lines(first):
                    moved = program.before(first, program.tree.slice(*program.tree.span(node)))
                    yield 1.8, "first value", (_deleted(program, node), moved)
        for loop in program.loops(node)[:1]:
            if program.own_lines(loop) and loop in program.statements:
                moved = program.before(loop, program.tree.slice(*program.tree.span(node)))
                yield 1.7, "first value", (moved, _deleted(program, node))


def _loop_after(program: Program, node: Statement) -> cst.For | cst.While | None:
    block = program.block(node)
    if node not in block:
        return None
    for after in block[block.index(node) + 1 :]:
        if isinstance(after, cst.For | cst.While):
            return after
    return None


def insertions(program: Program) -> Drafts:
    """A small step that was forgotten: `i += 1`, `previous = x`, `xs.append(x)`, an early return."""
    for node in program.statements:
        if program.owner(node) is None and program.function is not None:
            continue
        if isinstance(node, cst.FunctionDef | cst.ClassDef) or _is_docstring(node):
            continue
        looped = bool(program.loops(node))
        visible = program.visible(node)
        scope = program.scope(node)
        locals_ = [name for name in visible if name in scope.bound]
        places = [program.before]
        block = program.block(node)
        if (
            node in block
            and block[-1] is node
            and not isinstance(small(node), cst.Return | cst.Break | cst.Continue)
        ):
            places.append(program.after)
        for place in places:
            for name in locals_:
                kind = scope.type(name)
                if kind == NUMBER:
                    for sign in ("+=", "-="):
                        yield one(2.4 if looped else 2.9, "insert", place(node, f"{name} {sign} 1"))
                for other in visible:
                    if other == name:
                        continue
                    other_kind = program.name_type(other, node)
                    same = kind == other_kind and kind != UNKNOWN
                    if (same or (UNKNOWN in (kind, other_kind) and looped)) and name not in scope.parameters:
                        yield one(2.7 if looped else 3.1, "insert", place(node, f"{name} = {other}"))
                        if kind == NUMBER:
                            for sign in ("+=", "-=", "*="):
                                yield one(2.9, "insert", place(node, f"{name} {sign} {other}"))
                    if kind == SEQUENCE and other_kind != CALLABLE:
                        yield one(2.7, "insert", place(node, f"{name}.append({other})"))
                if kind == SEQUENCE:
                    yield one(2.9, "insert", place(node, f"{name}.sort()"))
                    yield one(2.9, "insert", place(node, f"{name} = sorted({name})"))
                    yield one(3.0, "insert", place(node, f"{name} = list({name})"))
                if kind == TEXT:
                    for method in ("strip", "lower", "upper"):
                        yield one(2.8, "insert", place(node, f"{name} = {name}.{method}()"))


EARLY = 0.6
"""Early returns go with the likelier conditions only: there are very many."""


def guards(program: Program) -> Drafts:
    """A statement that is done only if something holds; an early way out before it."""
    for node in program.statements:
        if program.owner(node) is None and program.function is not None:
            continue
        if not _movable(program, node) or _is_docstring(node):
            continue
        looped = bool(program.loops(node))
        known = atoms(program, node)
        start, end = program.lines(node)
        indent = program.indent(node)
        body = program.shifted(node, indent + program.unit)
        results = _guard_results(program, node)
        for weight, atom in known:
            if isinstance(
                small(node),
                cst.Assign | cst.AugAssign | cst.Expr | cst.Return | cst.Break | cst.Continue | cst.Raise,
            ):
                yield one(
                    3.0 + weight, "guard", (start, end, f"{indent}if {atom}:{program.tree.newline}{body}")
                )
            if program.owner(node) is not None and weight < EARLY:
                for result in results:
                    lines = (f"if {atom}:", f"{program.unit}return {result}")
                    yield one(3.3 + weight, "early return", program.before(node, *lines))
            if looped:
                for jump in ("continue", "break"):
                    yield one(
                        3.2 + weight, "guard", program.before(node, f"if {atom}:", f"{program.unit}{jump}")
                    )


def _guard_results(program: Program, node: Statement) -> list[str]:
    """Few, since each goes with every condition: what the function returns elsewhere and what is expected."""
    found: dict[str, None] = {}
    owner = program.owner(node)
    for inner in program.nodes:
        if isinstance(inner, cst.Return) and inner.value is not None and program.owner(inner) is owner:
            text = program.of(inner.value)
            if len(text) < 20 and isinstance(
                inner.value, cst.Integer | cst.Float | cst.SimpleString | cst.List | cst.Name
            ):
                found[text] = None
    for text in program.expected_literals((int, float, str, bool, type(None), list, tuple)):
        found[text] = None
    known = {*program.visible(node), "True", "False", "None"}
    return [text for text in found if not text.isidentifier() or text in known][:3]

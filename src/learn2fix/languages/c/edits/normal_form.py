"""The statements of a C program in the normal form that GenProg edits (CIL's), as edits of the source.

There a condition with `&&`, `||` or `?:` is a tree of `if`s, a loop is endless and has a guard that leaves
it, the first and last part of a `for` and the first value of a variable are statements by themselves, and an
`if` always has an `else`. The source is never rewritten as a whole: an edit of such a statement writes out no
more than the one statement of the source that it is a part of.

As in GenProg only what computes, calls, returns, decides or loops is deleted, copied or swapped, never a jump
or a `switch`. Unlike in CIL, calls inside expressions do not become statements of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from learn2fix.languages.c.edits.places import Point, is_block_child, is_body, own, separator
from learn2fix.languages.c.edits.program import Program
from learn2fix.languages.c.tree import Node
from learn2fix.languages.c.words import LOOPS, strip
from learn2fix.model import Edit

Edits = tuple[Edit, ...]
Put = Callable[[str], Edits]
"""The edits of the source that put statements somewhere."""
Inner = tuple[str, Callable[[str], str]]
"""A statement inside another one: as written, and the other one with something in its place."""
JUMPS = ("break_statement", "continue_statement", "goto_statement", "switch_statement")
LEAVING = ("break_statement", "continue_statement")
A_LOOP = "break"
"""Stands among the names that a statement needs where it leaves a loop."""
LABELS = ("labeled_statement", "case_statement")
SHORT_CIRCUIT = ("&&", "||")
FIXED = ("static", "const", "extern")
TEMPORARY = "chosen"


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement in normal form."""

    node: Node
    """The part of the source that edits of it change, or stand beside."""
    text: str
    """What a copy of it looks like; empty where there is nothing to copy."""
    put: Put | None
    """Something in its place, or nothing; no edits where that is not possible."""
    append: Put | None
    """Something after it."""
    names: frozenset[str]
    """Variables that a copy of it needs."""
    local: Node | None = None
    """The statement whose own variable it needs: copies of it make sense inside this one alone."""
    inside: Node | None = None
    """The body of the loop that it is a part of."""

    @property
    def offset(self) -> int:
        """Where to look for what it can use: a declaration declares things for what follows."""
        if self.inside is not None:
            return self.inside.start
        return self.node.end if self.node.type == "declaration" else self.node.start


def statements(program: Program) -> list[Statement]:
    """In the order of the source, the statement itself before what it consists of."""
    found: list[Statement] = []
    for node in program.statements:
        if node.type == "declaration":
            found += _first_values(program, node)
        elif node in own(program) and node.type not in JUMPS and program.of(node) != ";":
            found += _whole(program, node)
            if node.type == "if_statement":
                found += _parts_of_if(program, node)
            elif node.type in LOOPS:
                found += _parts_of_loop(program, node)
            else:
                found += _choices(program, node)
    return found


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _edits(*pieces: tuple[int, int, str]) -> Edits:
    return tuple(Edit(start, end, _bytes(text)) for start, end, text in pieces)


def _replace(node: Node) -> Put:
    return lambda text: _edits((node.start, node.end, text or ("" if is_block_child(node) else ";")))


def _after(program: Program, node: Node) -> Put:
    point = Point(node, True, separator(program, node), is_body(node), frozenset())
    return lambda text: _edits(*point.insert(text))


def _names(program: Program, node: Node) -> frozenset[str]:
    leaves = any(each.type in LEAVING and _leaves(each, node) for each in node.walk())
    return frozenset(program.free_names(node)) | ({A_LOOP} if leaves else set())


def _leaves(jump: Node, node: Node) -> bool:
    """Whether a jump leaves a loop that is not inside the node."""
    held = (*LOOPS, "switch_statement") if jump.type == "break_statement" else LOOPS
    return not any(
        node.start <= above.start and above.end <= node.end for above in jump.above() if above.type in held
    )


def _whole(program: Program, node: Node) -> Iterator[Statement]:
    """A statement of the source; one with commas is several."""
    expression = node.inner()[0] if node.type == "expression_statement" and node.inner() else None
    parts = _separated(expression) if expression is not None else []
    if len(parts) < 2:
        yield Statement(node, program.of(node), _replace(node), _after(program, node), _names(program, node))
        return
    texts = [f"{program.of(part)};" for part in parts]
    for place, text in enumerate(texts):

        def put(other: str, place: int = place) -> Edits:
            rest = " ".join(filter(None, [*texts[:place], other, *texts[place + 1 :]]))
            return _edits((node.start, node.end, rest if is_block_child(node) else f"{{ {rest} }}"))

        yield _inside(program, node, text, put, names=_names(program, parts[place]))


def _separated(node: Node) -> list[Node]:
    """The parts of an expression with commas."""
    if node.type != "comma_expression":
        return [node]
    return [part for child in node.inner() for part in _separated(child)]


# Decisions.


def written_if(condition: str, then: str, otherwise: str) -> str:
    if not then and otherwise:
        return f"if (!({condition})) {_braced(otherwise)}"
    return f"if ({condition}) {_braced(then)}" + (f" else {_braced(otherwise)}" if otherwise else "")


def _braced(text: str) -> str:
    return text if text.startswith("{") and text.endswith("}") and text.count("{") == 1 else f"{{ {text} }}"


def decisions(program: Program, condition: Node, then: str, otherwise: str) -> Iterator[Inner]:
    """The `if`s inside `if (condition) then else otherwise`, where every one asks for no more than needed."""
    node = strip(condition)
    operator = program.operator(node) if node.type in ("binary_expression", "unary_expression") else ""
    if operator == "!":
        yield from decisions(program, node.of("argument"), otherwise, then)
    if operator not in SHORT_CIRCUIT:
        return
    left, right = node.of("left"), node.of("right")
    first, second = program.of(strip(left)), program.of(strip(right))
    inner = written_if(second, then, otherwise)

    def around(text: str) -> str:
        return written_if(first, text, otherwise) if operator == "&&" else written_if(first, then, text)

    yield inner, around
    if not otherwise and operator == "&&":
        # Each `if` has an `else` of its own; where there is one in the source, both lead to it.
        yield "", lambda text: around(written_if(second, then, text))
        yield "", lambda text: written_if(first, inner, text)
    for text, wrap in decisions(program, right, then, otherwise):
        yield text, _nested(around, wrap)
    if operator == "&&":
        yield from decisions(program, left, inner, otherwise)
    else:
        yield from decisions(program, left, then, inner)


def _nested(outer: Callable[[str], str], inner: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: outer(inner(text))


def _parts_of_if(program: Program, node: Node) -> Iterator[Statement]:
    then, alternative = node.of("consequence"), node.child("alternative")
    if alternative is None:
        # What ends with an `if` of its own would take the `else`.
        around = ("", "") if then.type == "compound_statement" else ("{ ", " }")

        def otherwise(text: str) -> Edits:
            pieces = [(then.end, then.end, f"{around[1]} else {{ {text} }}")]
            return _edits(*([(then.start, then.start, around[0])] if around[0] else []), *pieces)

        yield Statement(node, "", None, otherwise, frozenset())
    if any(inner.type in LABELS for inner in node.walk()):
        return  # A label that is written twice is none.
    other = alternative.inner()[0] if alternative is not None and alternative.inner() else None
    texts = (program.of(then), program.of(other) if other is not None else "")
    for text, wrap in decisions(program, node.of("condition"), *texts):
        yield _inside(program, node, text, _around(node, "", "", wrap))


def _inside(
    program: Program,
    node: Node,
    text: str,
    put: Put,
    local: Node | None = None,
    names: frozenset[str] | None = None,
    inside: Node | None = None,
) -> Statement:
    """A part of a statement: what comes after it is put in its place together with it."""
    needs = _names(program, node) if names is None else names
    if not text:
        return Statement(node, "", None, put, frozenset(), local, inside)
    return Statement(node, text, put, lambda other: put(f"{text} {other}"), needs, local, inside)


# Loops.


def _parts_of_loop(program: Program, node: Node) -> Iterator[Statement]:
    body = node.child("body")
    if body is None or any(child.type == "loop_macro" for child in node.children):
        return
    goes_on = any(_belongs(inner, node) for inner in body.walk() if inner.type == "continue_statement")
    if node.type == "for_statement":
        yield from _beginning(program, node)
    condition = node.child("condition")
    if condition is not None and (node.type != "do_statement" or not goes_on):
        yield from _guard(program, node, condition, body)
    if node.type == "for_statement" and not goes_on:
        yield from _steps(program, node, body)


def _belongs(jump: Node, loop: Node) -> bool:
    return next(above for above in jump.above() if above.type in LOOPS) is loop


def _guard(program: Program, node: Node, condition: Node, body: Node) -> Iterator[Statement]:
    """The `if` that leaves a loop: at the beginning of its body, or at the end."""
    endless = {"for_statement": "", "while_statement": "(1)", "do_statement": "(1)"}[node.type]
    at_end = node.type == "do_statement"

    def put(text: str) -> Edits:
        head = (condition.start, condition.end, endless)
        return _edits(head, *_in_body(body, text, at_end)) if text else _edits(head)

    guard = written_if(program.of(strip(condition)), "", "break;")
    names = _names(program, condition) | {A_LOOP}
    if at_end:
        yield _inside(program, node, guard, put, None, names, body)
    else:
        # What follows it is at the beginning of the body.
        yield Statement(
            node, guard, put, lambda other: _edits(*_in_body(body, other, at_end)), names, inside=body
        )
    for text, wrap in decisions(program, condition, "", "break;"):
        yield _inside(program, node, text, _wrapped(put, wrap), None, names, body)


def _in_body(body: Node, text: str, at_end: bool) -> list[tuple[int, int, str]]:
    """Statements at the beginning or at the end of a body."""
    if body.type == "compound_statement":
        return [
            (body.end - 1, body.end - 1, f" {text} ") if at_end else (body.start + 1,) * 2 + (f" {text}",)
        ]
    before, after = ("", f" {text} }}") if at_end else (f"{text} ", " }")
    return [(body.start, body.start, f"{{ {before}"), (body.end, body.end, after)]


def _beginning(program: Program, node: Node) -> Iterator[Statement]:
    first = node.child("initializer")
    if first is None or first.type == "declaration":
        return
    parts = _separated(first)
    texts = [f"{program.of(part)};" for part in parts]
    for place, text in enumerate(texts):

        def put(other: str, place: int = place) -> Edits:
            rest = [*texts[:place], other, *texts[place + 1 :]]
            if not other:
                return _edits((first.start, first.end, ", ".join(each[:-1] for each in rest if each)))
            before, after = ("", "") if is_block_child(node) else ("{ ", " }")
            head = (node.start, first.end, f"{before}{' '.join(rest)} for (")
            return _edits(head, *([(node.end, node.end, after)] if after else []))

        yield _inside(program, node, text, put, names=_names(program, parts[place]))


def _steps(program: Program, node: Node, body: Node) -> Iterator[Statement]:
    last = node.child("update")
    if last is None:
        return
    parts = _separated(last)
    texts = [f"{program.of(part)};" for part in parts]
    for place, text in enumerate(texts):

        def put(other: str, place: int = place) -> Edits:
            rest = [*texts[:place], other, *texts[place + 1 :]]
            if not other:
                return _edits((last.start, last.end, ", ".join(each[:-1] for each in rest if each)))
            return _edits((last.start, last.end, ""), *_in_body(body, " ".join(rest), at_end=True))

        yield _inside(program, node, text, put, names=_names(program, parts[place]), inside=body)


# Values.


def _choices(program: Program, node: Node) -> Iterator[Statement]:
    """A value that is chosen (`?:`), or a truth (`&&`, `||`), is decided on before the statement."""
    for chosen in _chosen(program, node):
        found = _destination(program, node, chosen)
        if found is None:
            continue
        target, before, after = found
        local = node if after.strip(" }") else None
        for text, wrap in _deciding(program, chosen, target)[1]:
            yield _inside(program, node, text, _around(node, before, after, wrap), local)


def _around(node: Node, before: str, after: str, wrap: Callable[[str], str]) -> Put:
    return lambda new: _edits((node.start, node.end, f"{before}{wrap(new)}{after}"))


def _chosen(program: Program, node: Node) -> list[Node]:
    """The outermost choices in a statement that are made whenever it is executed."""
    found: list[Node] = []
    todo = list(node.children)
    while todo:
        each = todo.pop(0)
        if each.type == "conditional_expression" or _short(program, each):
            found.append(each)
        elif each.type not in ("sizeof_expression", "string_literal"):
            todo += each.children
    return found


def _short(program: Program, node: Node) -> bool:
    return node.type == "binary_expression" and program.operator(node) in SHORT_CIRCUIT


def _destination(program: Program, node: Node, chosen: Node) -> tuple[str, str, str] | None:
    """What a chosen value is assigned to, and what stands before and after the decision."""
    outer = chosen
    while outer.parent is not None and outer.parent.type == "parenthesized_expression":
        outer = outer.parent
    above = outer.parent
    if above is not None and above.type == "assignment_expression" and above.parent is node:
        left = above.of("left")
        calm = not any(inner.type in ("call_expression", "update_expression") for inner in left.walk())
        if outer.field == "right" and program.operator(above) == "=" and calm:
            return program.of(left), *(("", "") if is_block_child(node) else ("{ ", " }"))
    kind = "int " if _short(program, chosen) else _written_type(program, chosen)
    if not kind:
        return None
    name = TEMPORARY
    while name in program.text:
        name += "_"
    rest = f"{program.text[node.start : outer.start]}{name}{program.text[outer.end : node.end]}"
    return name, f"{{ {kind}{name} = 0; ", f" {rest} }}"


def _written_type(program: Program, node: Node) -> str:
    found = program.type_of(node)
    if found.name and found.numeric:
        return f"{found.name} "
    return f"{found.name} *" if found.name and found.depth == 1 else ""


def _deciding(program: Program, value: Node, target: str) -> tuple[str, list[Inner]]:
    """The statement that gives a variable its value, and all that it consists of, itself included."""
    node = strip(value)
    if node.type == "conditional_expression" and node.child("consequence") is not None:
        condition = node.of("condition")
        branches = (node.of("consequence"), node.of("alternative"))
        (then, inside), (otherwise, beside) = (_deciding(program, each, target) for each in branches)
    elif _short(program, node):
        condition = node
        then, otherwise = f"{target} = 1;", f"{target} = 0;"
        inside, beside = [(then, str)], [(otherwise, str)]
    else:
        text = f"{target} = {program.of(node)};"
        return text, [(text, str)]
    asked = program.of(strip(condition))
    text = written_if(asked, then, otherwise)
    found: list[Inner] = [(text, str)]
    found += [(own, _nested(lambda new: written_if(asked, new, otherwise), wrap)) for own, wrap in inside]
    found += [(own, _nested(lambda new: written_if(asked, then, new), wrap)) for own, wrap in beside]
    found += decisions(program, condition, then, otherwise)
    return text, found


def _first_values(program: Program, node: Node) -> Iterator[Statement]:
    """`int a = 1;` is a declaration and a statement, an array of values one statement for each."""
    if not is_block_child(node) or any(program.of(child) in FIXED for child in node.children):
        return
    after = _after(program, node)
    declarators = node.each("declarator")
    for declared in declarators:
        name, value = declared.child("declarator"), declared.child("value")
        if declared.type != "init_declarator" or name is None or value is None:
            continue
        if value.type == "initializer_list":
            yield from _elements(program, node, name, value, after)
            continue
        while name is not None and name.type == "pointer_declarator":
            name = name.child("declarator")
        if name is None or name.type != "identifier":
            continue
        # What a later part of the declaration uses cannot wait until after it.
        later = any(
            other.start > declared.end and program.of(name) in _names(program, other) for other in declarators
        )
        put = _without(declared.of("declarator").end, value.end, "", None if later else after)
        text, names = (
            f"{program.of(name)} = {program.of(value)};",
            _names(program, value) | {program.of(name)},
        )
        yield Statement(node, text, put, after, names)
        if strip(value).type == "conditional_expression" or _short(program, strip(value)):
            for inner, wrap in _deciding(program, value, program.of(name))[1][1:]:
                yield _inside(program, node, inner, _wrapped(put, wrap), names=names)


def _elements(program: Program, node: Node, name: Node, values: Node, after: Put) -> Iterator[Statement]:
    array = name.child("declarator") if name.type == "array_declarator" else None
    items: Sequence[Node] = values.inner()
    if array is None or array.type != "identifier":
        return
    if any(item.type in ("initializer_list", "initializer_pair") for item in items):
        return
    for place, item in enumerate(items):
        text = f"{program.of(array)}[{place}] = {program.of(item)};"
        put, names = _without(item.start, item.end, "0", after), _names(program, item) | {program.of(array)}
        yield Statement(node, text, put, after if item is items[-1] else None, names)


def _wrapped(put: Put, wrap: Callable[[str], str]) -> Put:
    return lambda text: put(wrap(text))


def _without(start: int, end: int, left: str, after: Put | None) -> Put:
    """Something after a declaration that a first value is taken from."""

    def put(text: str) -> Edits:
        if text and after is None:
            return ()
        return (*_edits((start, end, left)), *(after(text) if text and after is not None else ()))

    return put

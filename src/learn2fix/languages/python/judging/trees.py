"""Python's syntax trees: reading them, and what a statement is made of."""

from __future__ import annotations

import ast
import copy
import gc
from collections.abc import Iterator
from contextlib import contextmanager

from learn2fix.errors import BuildError

LOOPS = (ast.For, ast.While, ast.AsyncFor)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def parse(source: bytes, name: str) -> ast.Module:
    try:
        return ast.parse(source, filename=name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = f" (line {problem.lineno})" if isinstance(problem, SyntaxError) and problem.lineno else ""
        raise BuildError(f"{name} is not valid Python: {problem}{line}") from None


def is_plain(source: bytes) -> bool:
    """UTF-8 with usual line ends: places that the parser reports are places in the file."""
    if source.startswith(b"\xef\xbb\xbf") or b"\f" in source or b"\0" in source:
        return False
    if b"\r" in source.replace(b"\r\n", b""):
        return False
    head = b"".join(source.splitlines(keepends=True)[:2])
    if b"coding" in head and b"utf-8" not in head.lower():
        return False
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_text(node: ast.AST) -> bool:
    """A docstring or another statement that does nothing."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_future(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_block(node: ast.AST) -> bool:
    return isinstance(getattr(node, "body", None), list) or isinstance(node, ast.Match)


def first_inner(node: ast.AST) -> ast.stmt | None:
    body = getattr(node, "body", None)
    if isinstance(node, ast.Try):
        return None
    return body[0] if isinstance(body, list) and body and isinstance(body[0], ast.stmt) else None


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            yield node


def scopes(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            yield node


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a statement that are not in a statement inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield child
            yield from own_nodes(child)


def inside_loops(tree: ast.AST) -> set[int]:
    """Statements that a loop of the same function holds (not its `else`)."""
    found: set[int] = set()

    def visit(node: ast.AST, inside: bool) -> None:
        for name, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for child in children:
                if not isinstance(child, ast.AST):
                    continue
                now = inside
                if isinstance(node, LOOPS):
                    now = True if name == "body" else inside
                if isinstance(node, SCOPES):
                    now = False
                if now and isinstance(child, ast.stmt):
                    found.add(id(child))
                visit(child, now)

    visit(tree, False)
    return found


def header_of(node: ast.stmt) -> ast.stmt:
    """A compound statement without its blocks, as it is read from its header alone."""
    head = copy.copy(node)
    head.body = [ast.Pass()]  # type: ignore[attr-defined]
    if hasattr(head, "orelse"):
        head.orelse = []
    return head


def parse_block(text: bytes, lead: bytes) -> list[ast.stmt] | None:
    """Statements of this indentation; None when the text is no whole block of them."""
    # Deeper statements would be another block's: that of the statement before.
    first = next(
        (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(b"#")), b""
    )
    inner = first.lstrip(b" \t")
    if first[: len(first) - len(inner)] != lead or inner.startswith(b"\\"):
        return None
    try:
        found = ast.parse(b"if 1:\n" + text if lead else text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not lead:
        return found
    if len(found) != 1 or not isinstance(found[0], ast.If) or found[0].orelse:
        return None
    return found[0].body


@contextmanager
def without_collection() -> Iterator[None]:
    """Trees are many small objects without cycles: looking for garbage in them costs more than all else."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

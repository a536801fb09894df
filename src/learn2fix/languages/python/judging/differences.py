"""Where two syntax trees differ."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

POSITIONS = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "type_comment", "kind"})


def condition_around(old: ast.stmt, new: Sequence[ast.stmt]) -> ast.expr | None:
    """The condition, when all that is new is an `if` around the statement."""
    if len(new) == 1 and isinstance(new[0], ast.If) and not new[0].orelse and len(new[0].body) == 1:
        return new[0].test if differences(old, new[0].body[0]) == [] else None
    return None


def differences(old: ast.AST, new: ast.AST) -> list[tuple[ast.expr, ast.expr]] | None:
    """The smallest expressions that differ; None when something differs that is in no expression."""
    if type(old) is not type(new):
        return None
    found: list[tuple[ast.expr, ast.expr]] = []
    for name in old._fields:
        if name in POSITIONS:
            continue
        one, other = getattr(old, name, None), getattr(new, name, None)
        if isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return None
            pairs: Iterable[tuple[object, object]] = zip(one, other, strict=True)
        else:
            pairs = [(one, other)]
        for a, b in pairs:
            inner = _difference(old, name, a, b)
            if inner is None:
                return None
            found += inner
    return found


def _difference(
    parent: ast.AST, name: str, one: object, other: object
) -> list[tuple[ast.expr, ast.expr]] | None:
    if not isinstance(one, ast.AST) or not isinstance(other, ast.AST):
        return [] if _equal(one, other) else None
    found = differences(one, other)
    if found is None and _replaceable(parent, name, one, other):
        assert isinstance(one, ast.expr)
        assert isinstance(other, ast.expr)
        return [(one, other)]
    return found


def _equal(one: object, other: object) -> bool:
    return type(one) is type(other) and (one is other or repr(one) == repr(other))


def _replaceable(parent: ast.AST, name: str, one: ast.AST, other: ast.AST) -> bool:
    """Whether a conditional expression may stand in this place."""
    if isinstance(parent, ast.JoinedStr | ast.pattern) or name in ("annotation", "returns", "format_spec"):
        return False
    for node in (one, other):
        if not isinstance(node, ast.expr) or isinstance(node, ast.Slice | ast.Starred | ast.FormattedValue):
            return False
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice | ast.Starred) for e in node.elts):
            return not isinstance(parent, ast.Subscript)
    return True

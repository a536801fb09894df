"""A Python program for `symbolic`: as it is, with what it reads from standard input marked."""

from __future__ import annotations

import ast

from learn2fix.languages.symbolic import Meaning

SOURCES = frozenset(("input", "stdin"))


def meaning(source: bytes) -> Meaning | None:
    try:
        return Meaning(_Marked().visit(ast.parse(source)), truncates=False)
    except (SyntaxError, ValueError):
        return None  # several files in one text


class _Marked(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        used = {each.id if isinstance(each, ast.Name) else each.attr for each in ast.walk(node.value)
                if isinstance(each, ast.Name | ast.Attribute)}  # fmt: skip
        targets = [each for target in node.targets for each in ast.walk(target)]
        names = [each.id for each in targets if isinstance(each, ast.Name)]
        return ast.Global(names) if used & SOURCES and names else node

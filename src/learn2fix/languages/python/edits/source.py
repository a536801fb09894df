"""The text of one Python file, and how expressions and statements in it are replaced."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from learn2fix.edits.catalogue import Change, Piece
from learn2fix.languages.python.edits.precedence import ATOM, level, parentheses, slot, stands_alone
from learn2fix.languages.python.tree import Tree

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


class Source:
    """Knows the file's layout; what may be edited, and why, is known to others."""

    def __init__(self, source: bytes) -> None:
        self.tree = Tree(source)

    @property
    def text(self) -> str:
        return self.tree.text

    # -- expressions ----------------------------------------------------------------------------------------

    def of(self, node: cst.CSTNode) -> str:
        return self.tree.code(node)

    def wrap(self, node: cst.CSTNode, least: int) -> str:
        """The text of a node, in parentheses when it holds together less than a level asks."""
        if parentheses(node):
            return self.tree.outer_code(node)
        text = self.of(node)
        return text if level(node) >= least else f"({text})"

    def put(self, node: cst.CSTNode, text: str, tightness: int = ATOM) -> Piece:
        """Replace an expression by text of some level; parentheses come and go as the place needs them."""
        start, end = self.tree.span(node)
        parent = self.tree.parent(node)
        alone = stands_alone(text)
        bare = not parentheses(node)
        if parentheses(node) == 1 and tightness == ATOM and alone:
            # `(a + b) * c` becomes `a * c`.
            start, end = self.tree.outer(node)
            bare = True
        # A number before a dot would swallow it.
        number = isinstance(parent, cst.Attribute) and text[:1].isdigit()
        if bare and (number or not alone or tightness < slot(node, parent)):
            text = f"({text})"
        return self.piece(start, end, text)

    def put_node(self, node: cst.CSTNode, other: cst.CSTNode) -> Piece:
        """Replace an expression by another one of the program."""
        return self.put(node, self.of(other), level(other))

    def exchange(self, first: cst.CSTNode, second: cst.CSTNode) -> Change:
        return self.put_node(first, second), self.put_node(second, first)

    def piece(self, start: int, end: int, text: str) -> Piece:
        """Replace tokens, with a blank wherever two words would become one."""
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if not text:
            return start, end, " " if _word(before) and _word(after) else ""
        if (_word(before) and _word(text[0])) or before == text[0] == "{":
            text = " " + text
        if _word(text[-1]) and _word(after):
            text += " "
        return start, end, text

    # -- statements -----------------------------------------------------------------------------------------

    def own_lines(self, node: cst.CSTNode) -> bool:
        """Whether a statement stands on lines of its own, so that lines can be moved and put beside it."""
        start, end = self.tree.span(node)
        before = self.tree.slice(self.tree.line_start(start), start)
        after = self.tree.slice(end, self.tree.line_end(end)).strip()
        return not before.strip() and (not after or after.startswith("#"))

    def is_elif(self, node: cst.CSTNode) -> bool:
        return isinstance(self.tree.parent(node), cst.If)

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end of the whole lines of a statement, its decorators included."""
        start, end = self.tree.span(node)
        if isinstance(node, cst.FunctionDef | cst.ClassDef) and node.decorators:
            start = self.tree.span(node.decorators[0])[0]
        return self.tree.line_start(start), self.tree.line_end(max(start, end - 1))

    def indent(self, node: cst.CSTNode) -> str:
        return self.tree.indent(self.tree.span(node)[0])

    @cached_property
    def unit(self) -> str:
        """One level of indentation."""
        return self.tree.module.default_indent

    def lines_text(self, node: cst.CSTNode) -> str:
        """The statement's lines; the last one always ends in a line break."""
        text = self.tree.slice(*self.lines(node))
        return text if text.endswith("\n") else text + self.tree.newline

    def before(self, node: cst.CSTNode, *lines: str) -> Piece:
        """Lines put before a statement, with its indentation."""
        start, _ = self.lines(node)
        indent = self.indent(node)
        return start, start, "".join(indent + line + self.tree.newline for line in lines)

    def after(self, node: cst.CSTNode, *lines: str) -> Piece:
        """Lines put after a statement, with its indentation."""
        indent = self.indent(node)
        return self.below(node, "".join(indent + line + self.tree.newline for line in lines))

    def below(self, node: cst.CSTNode, text: str) -> Piece:
        """Whole lines put after a statement."""
        _, end = self.lines(node)
        if not self.text[:end].endswith("\n"):
            text = self.tree.newline + text.rstrip("\r\n")
        return end, end, text

    def shifted(self, node: cst.CSTNode, indent: str) -> str:
        """A statement's lines with another indentation."""
        old = self.indent(node)
        return "".join(
            indent + line[len(old) :] if line.startswith(old) and line.strip() else line
            for line in self.lines_text(node).splitlines(keepends=True)
        )

    def block(self, node: cst.CSTNode) -> list[Statement]:
        """The statements of the block that a statement stands in."""
        parent = self.tree.parent(node)
        if isinstance(parent, cst.IndentedBlock | cst.Module):
            return [
                s for s in parent.body if isinstance(s, cst.SimpleStatementLine | cst.BaseCompoundStatement)
            ]
        return []


def _word(character: str) -> bool:
    return character.isalnum() or character == "_"

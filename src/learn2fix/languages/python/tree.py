"""A Python file as a libcst tree whose nodes know their exact place in the user's bytes."""

from __future__ import annotations

import bisect
import io
import re
import tokenize
from collections.abc import Iterator

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper, ParentNodeProvider

from learn2fix.errors import BuildError
from learn2fix.model import Edit

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Tree:
    """Offsets count characters of the text; `edit` turns them into bytes of the file in its encoding."""

    def __init__(self, source: bytes) -> None:
        try:
            self.encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
            self._mark = len(BYTE_ORDER_MARK) if source.startswith(BYTE_ORDER_MARK) else 0
            if self._mark:
                self.encoding = "utf-8"
            self.text = source[self._mark :].decode(self.encoding)
            self.module = cst.parse_module(self.text)
        # A TypeError is libcst's way to trip over a parenthesis right after a word: `else(lambda: 0)`.
        except (
            SyntaxError,
            cst.ParserSyntaxError,
            ValueError,
            LookupError,
            RecursionError,
            TypeError,
        ) as problem:
            reason = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
            raise BuildError(f"cannot be read as Python: {reason}") from None
        self._size = len(source) - self._mark
        wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
        self._spans = wrapper.resolve(ByteSpanPositionProvider)
        self._parents = wrapper.resolve(ParentNodeProvider)
        # The spans are those of UTF-8; without an entry for every byte where they are the same.
        self._characters = [] if self.text.isascii() else _characters(self.text)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        """Offset of the first character of every line."""

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end, without the node's own parentheses and the white space around it."""
        found = self._spans[node]
        start, end = found.start, found.start + found.length
        return (self._characters[start], self._characters[end]) if self._characters else (start, end)

    def outer(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end with the node's own parentheses."""
        start, end = self.span(node)
        left, right = getattr(node, "lpar", ()), getattr(node, "rpar", ())
        return (self.span(left[0])[0], self.span(right[-1])[1]) if left and right else (start, end)

    def code(self, node: cst.CSTNode) -> str:
        return self.slice(*self.span(node))

    def outer_code(self, node: cst.CSTNode) -> str:
        return self.slice(*self.outer(node))

    def slice(self, start: int, end: int) -> str:
        return self.text[start:end]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self._parents.get(node)

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Parents, innermost first."""
        found = self._parents.get(node)
        while found is not None:
            yield found
            found = self._parents.get(found)

    def line(self, offset: int) -> int:
        """1-based line of an offset."""
        return bisect.bisect_right(self.starts, offset)

    def line_start(self, offset: int) -> int:
        return self.starts[self.line(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Just after the line break of the line that the offset is in."""
        line = self.line(offset)
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def indent(self, offset: int) -> str:
        """The white space at the start of a line."""
        start = self.line_start(offset)
        text = self.slice(start, self.line_end(offset))
        return text[: len(text) - len(text.lstrip(" \t"))]

    def edit(self, start: int, end: int, text: str) -> Edit | None:
        """An edit of the user's file; None when the file's encoding has no way to write it."""
        try:
            new = text.encode(self.encoding)
        except UnicodeEncodeError:
            return None
        return Edit(self.byte(start), self.byte(end), new)

    def byte(self, offset: int) -> int:
        """Where a character begins in the user's file."""
        if self._size == len(self.text):
            return self._mark + offset
        return self._mark + len(self.text[:offset].encode(self.encoding))


def _characters(text: str) -> list[int]:
    """For every byte of the UTF-8 text, which character it belongs to."""
    found = [place for place, character in enumerate(text) for _ in character.encode("utf-8")]
    return [*found, len(text)]


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The node and everything in it, in the order of the text."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(reversed(found.children))

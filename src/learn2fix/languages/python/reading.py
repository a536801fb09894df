"""What a Python script reads: it is run with a recorder in place of its standard input."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from learn2fix.domain.reading import Read, Trace
from learn2fix.languages.python.copies import as_module, copied
from learn2fix.languages.records import KINDS, LIMITS, Recording, recorded
from learn2fix.model import Outcome
from learn2fix.sandbox import NO_SURROUNDINGS, Limits, Sandbox, Surroundings

RECORDER = Path(__file__).parent / "runtime" / "reads.py"
MODULE = "learn2fix_reads"
ADDING = frozenset(("append", "appendleft", "add", "extend", "insert", "update", "push", "put"))
"""Methods that store what they are given."""
ARGUMENTS = frozenset(("argparse", "optparse", "getopt"))


class PythonReader:
    """Of a script that reads its standard input; made ready when first asked."""

    def __init__(
        self,
        path: Path,
        text: bytes,
        sandbox: Sandbox,
        limits: Limits = LIMITS,
        words: tuple[str, ...] = (),
        around: Surroundings = NO_SURROUNDINGS,
    ) -> None:
        """`words`: the arguments of the script."""
        self._words, self._around = words, around
        self._path, self._text, self._sandbox, self._limits = path.absolute(), text, sandbox, limits
        self._tree = ast.Module([], [])
        self._environment: tuple[str, ...] = ()
        self._arguments = False
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._recording: Recording | None = None

    def record(self, inputs: Sequence[bytes]) -> list[Trace]:
        """A trace for each input; none at all where the script cannot be changed in this way."""
        return [trace for _, trace in self.run(inputs)]

    def run(self, inputs: Sequence[bytes]) -> list[tuple[Outcome, Trace]]:
        """What the script did while it was recorded, too."""
        if self._recording is None:
            self._recording = self._start()
        if self._recording is None:
            return []
        outcomes = self._recording.run(inputs)
        return [(outcome, self._trace(data, outcome)) for data, outcome in zip(inputs, outcomes, strict=True)]

    def close(self) -> None:
        if self._recording is not None:
            self._recording.close()
            self._recording = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _start(self) -> Recording | None:
        text = with_recorder(as_module(self._path, self._text))
        if text is None:
            return None
        self._tree = ast.parse(text)
        self._environment, self._arguments = tuple(asked_for(self._tree)), takes_arguments(self._tree)
        self._folder = tempfile.TemporaryDirectory(prefix="learn2fix-")
        copy = copied(self._path, text, Path(self._folder.name))
        copy.with_name(f"{MODULE}.py").write_bytes(RECORDER.read_bytes())
        start = partial(self._sandbox.python, copy, None, around=self._around, origin=self._path)
        return Recording(start, self._limits, self._words)

    def _trace(self, data: bytes, outcome: Outcome) -> Trace:
        trace = recorded(data, outcome, self._site)
        return replace(trace, environment=self._environment, arguments=self._arguments)

    def _site(self, text: str, files: list[str]) -> Read:
        kind, width, calls = text.split(" ")
        frames = [call.split(":") for call in calls.split(",") if call]
        name = next(filter(None, map(self._name, frames)), "")
        place = "<".join(f"{function}:{line}+{offset}" for function, offset, _, line, _ in frames)
        return Read(place, KINDS[kind], 0, 0, name, width=int(width) or None, skips=False, file=files[0])

    def _name(self, frame: Sequence[str]) -> str:
        """The variable that takes what a call returns."""
        _, _, file, line, column = frame
        return target(self._tree, int(line), int(column)) if file == "main" else ""


def with_recorder(text: bytes) -> bytes | None:
    """The script with an import of the recorder before its first statement; None where that has no line of
    its own."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    before = 0
    for statement in tree.body:
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if docstring or future:
            before = statement.end_lineno or statement.lineno
            continue
        decorators = getattr(statement, "decorator_list", [])
        line = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        if line <= before:
            return None
        lines = text.split(b"\n")
        lines.insert(line - 1, f"import {MODULE}; del {MODULE}".encode())
        return b"\n".join(lines)
    return None


def target(tree: ast.Module, line: int, column: int) -> str:
    """What is assigned at a place of the source: `n`, or `a, b`; nothing where nothing is."""
    found = ""
    for node in ast.walk(tree):  # outer ones first
        value, targets = assignment(node)
        # Up to Python 3.11 the next turn of a loop stands where the loop does.
        turn = isinstance(node, ast.For) and (node.lineno, node.col_offset) == (line, column)
        if value is not None and (turn or holds(value, line, column)):
            found = ", ".join(map(variable, targets)) if all(map(variable, targets)) else ""
    return found


def assignment(node: ast.AST) -> tuple[ast.expr | None, list[ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=elements) | ast.List(elts=elements)], value=value):
            return value, elements
        case ast.Assign(targets=[one, *_], value=value):
            return value, [one]
        case ast.AnnAssign(target=one, value=value) | ast.AugAssign(target=one, value=value):
            return value, [one]
        case ast.NamedExpr(target=one, value=value):
            return value, [one]
        case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
            return None, []
        case ast.For(target=ast.Tuple(elts=elements), iter=value):
            return value, elements
        case ast.For(target=one, iter=value):
            return value, [one]
        case ast.Call(func=ast.Attribute(value=one, attr=method), args=[*_, value]) if method in ADDING:
            return value, [one]
        case _:
            return None, []


def variable(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner):
            return variable(inner)
        case ast.Starred(value=inner):
            return f"*{variable(inner)}"
        case _:
            return ""


def holds(node: ast.expr, line: int, column: int) -> bool:
    start, end = (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)
    # Before Python 3.11 only the line is known.
    return start <= (line, column) < end if column >= 0 else start[0] <= line <= end[0]


def takes_arguments(tree: ast.Module) -> bool:
    """Whether a script looks at the arguments of its command line."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="sys"), attr="argv"):
                return True
            case ast.ImportFrom(module="sys") if any(alias.name == "argv" for alias in node.names):
                return True
            case ast.Import() if any(alias.name in ARGUMENTS for alias in node.names):
                return True
            case ast.ImportFrom(module=str(module)) if module in ARGUMENTS:
                return True
    return False


def asked_for(tree: ast.Module) -> Iterator[str]:
    """The environment variables that a script names: `os.environ["HOME"]`, `os.getenv("HOME")`."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name))):
                yield name
            case ast.Call(func=ast.Attribute(attr="getenv"), args=[ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="environ"), attr="get"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name

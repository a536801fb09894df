"""The files of a project that a Python program imports, laid into one text: a bug may be in any of them.

Every file is preceded by a line that marks it; the file that was named comes last. All of them share one
module then: an import of one from another binds what is there already. Files that cannot share a module,
because two of them give one name to different things, say, stay apart: then only the file that was named is
repaired.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from learn2fix.edits.parts import Part, part_at
from learn2fix.languages.python.modules import find_module
from learn2fix.model import Edit
from learn2fix.sandbox.imports import absolute_name, package_of

MARK = "_l2f_file "
MODULE = "_l2f_module"
"""The name by which the text knows its own module."""
MOST_FILES, MOST_BYTES = 12, 100_000
Meaning = tuple[str, ...]
"""What a name stands for, so that two files may both bind it."""


@dataclass(frozen=True, slots=True)
class Bundle:
    text: bytes
    parts: tuple[Part, ...]

    @property
    def files(self) -> list[Path]:
        return [Path(part.path) for part in self.parts]

    def join(self, tree: ast.Module) -> None:
        """Imports of one part from another become assignments, and relative ones absolute, in place.

        `tree` may be that of a changed text: the marks say where the parts begin.
        """
        joined: list[ast.stmt] = []
        future: list[ast.stmt] = []
        file = self.files[0]
        for node in tree.body:
            marked = _marked(node)
            if marked is not None:
                file = self.files[marked]
            elif isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level:
                future.append(node)
            else:
                visited = _Joining(file, self.files).visit(node)
                joined += visited if isinstance(visited, list) else [visited]
        tree.body = future + joined

    def named(self, text: bytes) -> bytes:
        """The file that was named, in an unchanged text."""
        return self.parts[-1].content(text)

    def runnable(self, text: bytes) -> bytes:
        """The text, maybe a changed one, as a module that Python runs as it is."""
        tree = ast.parse(text)
        self.join(tree)
        place = sum(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
        own = ast.parse(f"{MODULE} = __import__('sys').modules[__name__]").body
        tree.body[place:place] = own
        return ast.unparse(ast.fix_missing_locations(tree)).encode("utf-8", "surrogatepass")


def bundle_of(path: Path, source: bytes) -> Bundle | None:
    """None for a program that imports no file of its project, or none that can share its module."""
    sources = _gathered(path.absolute(), source)
    if len(sources) < 2:
        return None
    text = b""
    parts = []
    for number, (file, content) in enumerate(sources.items()):
        text += f'"{MARK}{number}"\n'.encode()
        bare = not content.endswith(b"\n")
        start = len(text)
        text += content + b"\n" * bare
        parts.append(Part(str(file), start, len(text), bare))
    made = Bundle(text, tuple(parts))
    try:
        made.join(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return made


def whole_part(parts: Sequence[Part], edit: Edit) -> bool:
    """Whether an edit is inside of one file."""
    part = part_at(parts, edit.start)
    return part is not None and edit.end <= part.end - part.bare


def _gathered(path: Path, source: bytes) -> dict[Path, bytes]:
    """The files to lay together, each after those that it imports; the one alone when they do not fit."""
    trees: dict[Path, ast.Module] = {}
    sources: dict[Path, bytes] = {}
    alone = {path: source}
    if not _take(path, source, trees, sources, []):
        return alone
    meanings: dict[str, Meaning] = {}
    for file, tree in trees.items():
        for name, meaning in _bound(tree, file, list(trees)):
            if hasattr(builtins, name) or meanings.setdefault(name, meaning) != meaning:
                return alone
    return sources


def _take(
    file: Path, source: bytes, trees: dict[Path, ast.Module], sources: dict[Path, bytes], above: list[Path]
) -> bool:
    """Takes what a file imports, then the file; False when there is too much of it, or something odd."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for found in _imported_files(node, file):
            if found in above or found == file:
                return False  # in a circle: the order of execution would change
            if found in trees:
                continue
            if node not in tree.body or (isinstance(node, ast.Import) and _dotted(node)):
                return False
            if len(trees) >= MOST_FILES or sum(map(len, sources.values())) > MOST_BYTES:
                return False
            try:
                content = found.read_bytes()
            except OSError:
                return False
            if not _take(found, content, trees, sources, [*above, file]):
                return False
    trees[file], sources[file] = tree, source
    return True


def _dotted(node: ast.Import) -> bool:
    return any("." in alias.name and not alias.asname for alias in node.names)


def _imported_files(node: ast.Import | ast.ImportFrom, file: Path) -> Iterator[Path]:
    """Files of the project that an import leads to."""
    if isinstance(node, ast.Import):
        wanted = [(alias.name, 0) for alias in node.names]
    else:
        module = node.module or ""
        inner = [(f"{module}.{alias.name}" if module else alias.name, node.level) for alias in node.names]
        submodules = [each for each in inner if find_module(file, *each) is not None]
        wanted = submodules if len(submodules) == len(inner) else [(module, node.level), *submodules]
    for name, level in wanted:
        found = find_module(file, name, level)
        if found is not None:
            yield found.absolute()


def _bound(tree: ast.Module, file: Path, files: Sequence[Path]) -> Iterator[tuple[str, Meaning]]:
    """Names that the top of a file binds, and what they stand for."""
    for node in _executed(tree.body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, ("own", str(file), node.name)
            case ast.Import():
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    if not any(found in files for found in _imported_files(node, file)):
                        yield name, ("import", alias.name if alias.asname else name)
            case ast.ImportFrom():
                if not any(found in files for found in _imported_files(node, file)):
                    for alias in node.names:
                        yield alias.asname or alias.name, ("from", node.module or "", alias.name)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in _names(targets):
                    yield name, ("value", ast.dump(node.value))
            case ast.For() | ast.With():
                yield from ((name, ("own", str(file), name)) for name in _names([node]))


def _names(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node):
            if (
                isinstance(each, ast.Name)
                and isinstance(each.ctx, ast.Store)
                and not each.id.startswith("__")
            ):
                yield each.id


def _executed(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a block, and of the blocks in it that belong to the same scope."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for field in ("body", "orelse", "finalbody"):
                yield from _executed(getattr(node, field, []))
            for handler in getattr(node, "handlers", []):
                yield from _executed(handler.body)


def _marked(node: ast.stmt) -> int | None:
    """The number of the part that begins here."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        text = node.value.value
        if isinstance(text, str) and text.startswith(MARK):
            return int(text.removeprefix(MARK))
    return None


class _Joining(ast.NodeTransformer):
    """Of the statements of one file."""

    def __init__(self, file: Path, files: Sequence[Path]) -> None:
        self._file, self._files = file, files
        package = package_of(file)
        self._package = package.name if package else ""

    def visit_Import(self, node: ast.Import) -> ast.stmt | list[ast.stmt]:
        ours = [each for each in node.names if self._ours(each.name)]
        if not ours:
            return node
        others = [each for each in node.names if each not in ours]
        made: list[ast.stmt] = [_assign(each.asname or each.name, MODULE, node) for each in ours]
        return [*([ast.copy_location(ast.Import(others), node)] if others else []), *made]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        module, level = node.module or "", node.level
        if self._ours(module, level) or self._module_of(node):
            made: list[ast.stmt] = []
            for each in node.names:
                inner = self._ours(f"{module}.{each.name}" if module else each.name, level)
                if inner or (each.asname and each.asname != each.name):
                    made.append(_assign(each.asname or each.name, MODULE if inner else each.name, node))
            return made or ast.copy_location(ast.Pass(), node)
        if level:
            node.module, node.level = absolute_name(node, self._package), 0
        return node

    def _module_of(self, node: ast.ImportFrom) -> bool:
        """`from shop import rates`, where both are modules and the first is no file of ours."""
        base = f"{node.module}." if node.module else ""
        return all(self._ours(base + each.name, node.level) for each in node.names)

    def _ours(self, module: str, level: int = 0) -> bool:
        found = find_module(self._file, module, level)
        return found is not None and found.absolute() in self._files


def _assign(name: str, value: str, place: ast.stmt) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), place)
    made = ast.Assign([target], ast.copy_location(ast.Name(value, ast.Load()), place))
    return ast.copy_location(made, place)

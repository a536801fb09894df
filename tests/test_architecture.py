"""ARCHITECTURE.md is true: the graph in it is the one there is, and every package has its charter."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tools.import_graph import DOCUMENT, document, packages

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "learn2fix"
PLAIN = ("property", "cached_property", "classmethod", "staticmethod", "cache")
"""Decorators that do not hand a function to anybody."""


def test_the_graph_is_the_one_there_is() -> None:
    assert DOCUMENT.read_text("utf-8") == document()


def test_every_package_has_a_charter_and_every_named_file_exists() -> None:
    text = DOCUMENT.read_text("utf-8")
    for package in packages():
        assert package == "__main__" or re.search(rf"^\| \d+ \| `{package}` \|", text, re.M), package
    walk = text.partition("## The walk")[2].partition("\n## ")[0]
    files = re.findall(r"`([\w/]+\.py)`", walk)
    assert len(set(files)) <= 15
    for file in files:
        assert (SOURCE / file).is_file(), file


def test_no_file_is_longer_than_500_lines() -> None:
    for folder in ("src", "tests", "tools", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".c", ".h", ".js", ".css", ".html"):
                assert len(path.read_text("utf-8").splitlines()) <= 500, path


def test_every_private_name_is_used_in_its_module() -> None:
    """What nothing in its own module uses, nothing uses: it is dead."""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
            if isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            for name in names:
                if re.match(r"_[^_]", name) and not getattr(node, "decorator_list", ()):
                    assert len(re.findall(rf"\b{name}\b", text)) > 1, f"{path}: {name}"


CALLED_BY_OTHERS = re.compile(
    r"__\w+__|visit_\w+|pytest_\w+|connection_made|connection_lost|data_received"  # of what is handed on
    r"|list_commands|get_command|format_commands|is_interactive"  # of click and rich
    r"|read1|peek|writelines"  # of a file
)


def test_every_name_is_used_outside_of_its_tests() -> None:
    """What only tests use, nobody gets anything from."""
    used: Counter[str] = Counter()
    for folder in ("src", "tools", "benchmarks"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".html", ".js", ".toml"):
                used.update(re.findall(r"\w+", path.read_text("utf-8")))
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            for name in _defined(node):
                inside = text.splitlines()[node.lineno - 1 : node.end_lineno]
                own = len(re.findall(rf"\b{name}\b", "\n".join(inside)))
                assert used[name] > own or CALLED_BY_OTHERS.fullmatch(name), f"{path}: {name}"


def _defined(node: ast.AST) -> list[str]:
    """The names that a statement defines, without what a decorator enters somewhere."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        plain = all(isinstance(each, ast.Name) and each.id in PLAIN for each in node.decorator_list)
        return [node.name] if plain else []
    if isinstance(node, ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_no_import_in_a_function_hides_a_cycle() -> None:
    """Also counting imports inside functions, no module is imported by what it imports."""
    modules = {
        ".".join(("learn2fix", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path
        for path in SOURCE.rglob("*.py")
    }
    imports = {name: _imported(name, path, modules) for name, path in modules.items()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " → ".join((*above[above.index(name) :], name))
        if name not in done:
            for lower in sorted(imports[name]):
                visit(lower, (*above, name))
            done.add(name)

    for name in sorted(modules):
        visit(name, ())


def _imported(module: str, path: Path, modules: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} & modules.keys() or {node.module}
    return {name for name in found if name in modules and name != module}

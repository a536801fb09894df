"""Documents that go stale fail here: commands, options, targets of make, tables of figures."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import click
import pytest

from learn2fix.cli.app import app

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "results/README.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)


def called(text: str) -> list[str]:
    """Every command line in a document, from `learn2fix` on."""
    text = text.replace("\\\n", " ")
    blocks = re.findall(r"(?m)^ {4,}(?:\$ )?learn2fix ((?:.(?! {3}))*.)", text)
    return blocks + re.findall(r"`learn2fix ([^`]*)`", text)


def lines_of(words: str) -> list[list[str]]:
    """`sessions | show` is two commands, `repair SESSION | PROGRAM` is one."""
    parts = re.split(r" \| (?=[a-z])", words)
    return [re.sub(r"(\"[^\"]*\")", "TEXT", part).split() for part in parts]


COMMANDS = [
    pytest.param(line, id=f"{path.name}: {' '.join(line)}")
    for path in DOCUMENTS
    for words in called(path.read_text())
    for line in lines_of(words)
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_in_documents_exist_with_their_options(line: list[str]) -> None:
    words = iter(line)
    command: click.Command = app
    if line[0] != "COMMAND" and not line[0].startswith("--"):
        while isinstance(command, click.Group):
            name = next(words)
            found = command.get_command(click.Context(command), name)
            assert found is not None, f"there is no command {name}"
            command = found
    known = {"--help"} | {
        option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
    }
    given = [word for word in line[: line.index("--") if "--" in line else None] if word.startswith("--")]
    assert [option for option in given if option not in known] == []


def test_the_readme_names_every_command() -> None:
    named = {line[0] for words in called((ROOT / "README.md").read_text()) for line in lines_of(words)}
    assert set(app.list_commands(click.Context(app))) - named <= {"completion"}


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"tools/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return tool("readme_tables")


def test_tables_of_the_paper_are_those_of_the_results() -> None:
    """`python tools/paper_tables.py --write` writes them."""
    made, text = tool("paper_tables"), (ROOT / "docs/paper.md").read_text()
    for name, tables in made.DOCUMENTS.items():
        document = (ROOT / name).read_text()
        assert made.updated(document, tables) == document
    spoilt = text.replace("| qualify |", "| qualified |")
    assert spoilt != text
    assert made.updated(spoilt) == text


def test_the_table_of_the_triangle() -> None:
    lines = [("1", ".99", "1", "a == b"), ("2", ".99", ".5", "a"), ("3", ".9", ".3", "x")]
    rows = [
        {"seed": seed, "labels": "10", "accuracy": a, "recall": r, "condition": c, "seconds": "4"}
        for seed, a, r, c in lines
    ]
    assert tool("paper_tables").triangle_table(rows).rows == (
        ("10", "3", "0.960 (0.900 to 0.990)", "0.60 (0.30 to 1.00)", "2 of 3", "4", "`a`"),
    )


@pytest.mark.parametrize("name", ["README.md", "results/README.md"])
def test_figures_are_those_of_the_results(tables: ModuleType, name: str) -> None:
    """`python tools/readme_tables.py` writes them."""
    text = (ROOT / name).read_text()
    assert tables.updated(text) == text


def test_every_experiment_has_its_row(tables: ModuleType) -> None:
    text = (ROOT / "results/README.md").read_text()
    for cells in tables.experiments():
        assert f"| {' | '.join(cells)} |" in text


def test_a_wrong_figure_is_noticed(tables: ModuleType) -> None:
    text = (ROOT / "README.md").read_text()
    row = next(line for line in text.split("\n") if line.startswith("| learn2fix, first sample"))
    assert tables.updated(text.replace(row, re.sub(r"\d+ of", "0 of", row))) == text


# make


def targets() -> set[str]:
    (phony,) = re.findall(r"(?m)^\.PHONY: (.*)$", (ROOT / "Makefile").read_text())
    return set(phony.split())


def test_make_lists_every_target() -> None:
    printed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"(?m)^  make ([a-z]+)  +\S", printed)) == targets()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_targets_in_documents_exist(path: Path) -> None:
    named = set(re.findall(r"(?m)(?:^ {4,}|`)make ([a-z]+)", path.read_text()))
    assert named <= targets()


def test_security_names_tests_that_exist() -> None:
    rows = re.findall(
        r"^\| (\d*) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", (ROOT / "SECURITY.md").read_text(), re.MULTILINE
    )
    assert [int(number) for number, _, _ in rows if number] == list(range(1, 50))
    for _, files, names in rows:
        text = "".join((ROOT / "tests" / name).read_text() for name in re.findall(r"`(\w+\.py)`", files))
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"^ *(?:def|class) {name}\b", text, re.MULTILINE), name

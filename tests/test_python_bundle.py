"""Files of a project that are repaired together."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.edits.parts import part_at
from learn2fix.edits.protocol import Hints
from learn2fix.languages.python.bundle import bundle_of
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Input, Requirement, Response
from learn2fix.repair.offering import Offer, offer
from learn2fix.sandbox import Sandbox

RATES = """
from __future__ import annotations

import math

VAT = {"book": 5}

def rate(kind):
    return VAT.get(kind, 20)

def with_tax(cents, kind):
    return cents + math.floor(cents * rate(kind) / 100)
"""
CART = """
from __future__ import annotations

{imported}

def total(items):
    cost = 0
    for kind, cents in items:
        cost += {called}(cents, kind)
    return cost
"""
WAYS = {
    "from": ("from rates import with_tax", "with_tax"),
    "renamed": ("from rates import with_tax as taxed, rate", "taxed"),
    "module": ("import rates, math", "rates.with_tax"),
    "module renamed": ("import rates as r", "r.with_tax"),
    "everything": ("from rates import *", "with_tax"),
    "of a package": ("from .rates import with_tax", "with_tax"),
    "module of a package": ("from . import rates", "rates.with_tax"),
}


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.mark.parametrize("way", WAYS)
def test_a_bug_in_another_file_is_repaired_there(
    way: str, tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    imported, called = WAYS[way]
    folder = tmp_path / "src" / "shop" if "package" in way else tmp_path
    write(folder, {"rates.py": RATES, "cart.py": CART.format(imported=imported, called=called)})
    if "package" in way:
        write(folder, {"__init__.py": ""})
    subject = PythonSubject(folder / "cart.py", "total", sandbox)
    failing = Input("[('book', 110), ('other', 100)]")
    evaluator = subject.evaluator(time.monotonic)
    try:
        # As the user runs it, as candidates are run, and as a patch is checked.
        assert [str(o.response) for o in subject.run([failing])] == ["235"]
        assert evaluator.pure
        assert [str(answer) for answer in evaluator.original([failing])] == ["235"]
        candidates = list(subject.edits(Hints(function="total")))
        need = Requirement(failing, Response.read("236"))
        other = Requirement(Input("[('other', 100)]"), Response.read("120"))
        ids = evaluator.add(candidates)
        left = evaluator.judge([need, other], ids).survivors
        right = [candidates[n] for n in left if b"ceil" in candidates[n].edits[0].text]
        (patch,) = offer(subject, [Offer(right[0], 0.5)], [need, other])
    finally:
        evaluator.close()
        subject.close()
    path = (folder / "rates.py").relative_to(tmp_path).as_posix()
    assert patch.diff.startswith(f"--- a/{path}\n+++ b/{path}\n")
    assert "-    return cents + math.floor(" in patch.diff
    assert patch.location.path == path
    assert "\n".join(RATES.split("\n")[: patch.location.line]).endswith("/ 100)")


@pytest.mark.parametrize(
    "files",
    [
        {"cart.py": "import math\ndef f(): return math.pi\n"},
        {"cart.py": "import rates\nLIMIT = 3\n", "rates.py": "LIMIT = 4\n"},
        {"cart.py": "import rates\n", "rates.py": "def sum(x): return x\n"},
        {"cart.py": "import rates\n", "rates.py": "import cart\n"},
        {"cart.py": "def f():\n    import rates\n", "rates.py": "X = 1\n"},
        {"cart.py": "import rates\n", "rates.py": "def broken(:\n"},
    ],
)
def test_files_that_cannot_share_a_module_stay_apart(files: dict[str, str], tmp_path: Path) -> None:
    write(tmp_path, files)
    assert bundle_of(tmp_path / "cart.py", (tmp_path / "cart.py").read_bytes()) is None


@given(st.lists(st.sampled_from("abc"), max_size=3), st.booleans(), st.booleans())
def test_every_byte_of_every_file_is_in_its_part(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], first: bool, second: bool
) -> None:
    folder = tmp_path_factory.mktemp("project")
    texts = {
        "rates.py": "X = 1" + "\n" * first + "".join(f"\n{name}1 = 2" for name in lines),
        "cart.py": "from rates import X\n" + "\n".join(f"{name} = X" for name in lines) + "\n" * second,
    }
    write(folder, texts)
    made = bundle_of(folder / "cart.py", texts["cart.py"].encode())
    assert made is not None
    assert {Path(p.path).name: p.content(made.text).decode() for p in made.parts} == texts
    for part in made.parts:
        assert part_at(made.parts, part.start) is part
    space: dict[str, object] = {"__name__": "builtins"}
    exec(made.runnable(made.text), space)
    assert space["X"] == 1

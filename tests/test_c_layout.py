"""A program of several files as one text, and the units that compilers get of it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import UsageError
from learn2fix.languages.c.calls import Unit
from learn2fix.languages.c.files import defined_names, defining, gather
from learn2fix.languages.c.layout import SourceFile, joined, once, parts, translation_units, visible_until
from learn2fix.languages.c.scope import build
from learn2fix.languages.c.syntax import parse

LINES = st.lists(
    st.sampled_from(
        [b"int a;", b"", b"#define N 3", b"/* x */", b"#pragma once", b"static int f(void) { return N; }"]
    )
)
CONTENTS = st.builds(lambda lines, last: b"\n".join(lines) + last, LINES, st.sampled_from([b"", b"\n", b"x"]))


@given(st.lists(st.tuples(CONTENTS, st.booleans()), max_size=4))
def test_files_come_out_of_the_text_as_they_went_in(contents: list[tuple[bytes, bool]]) -> None:
    files = [SourceFile(f"d/{n}.c", content, unit) for n, (content, unit) in enumerate(contents)]
    text = joined(files)
    assert [(part.path, part.content(text)) for part in parts(text)] == [(f.path, f.content) for f in files]
    assert len(translation_units(text)) == (sum(f.unit for f in files) if files else 1)


@given(CONTENTS)
def test_one_file_is_left_alone(content: bytes) -> None:
    assert parts(content) == ()
    assert translation_units(content) == [content]
    assert once(content, b"int x;", b"extern int x;") == b"int x;"
    assert visible_until(content)(0) == len(content)


def preprocessed(folder: Path, path: Path, *flags: str) -> list[str]:
    words = ["gcc", "-E", "-P", *flags, str(path)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return re.findall(r"\w+|[^\w\s]", done.stdout)


def project(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return [folder / name for name in files if name.endswith(".c")]


PROJECTS = {
    "guards": {
        "main.c": '#include "a.h"\n#include "b.h"\nint main(void) { return A + B; }\n',
        "a.h": "#ifndef A_H\n#define A_H\n#define A 1\n#endif\n",
        "b.h": '#pragma once\n#include "a.h"\n#define B (A + 1)\nint b(void);\n',
        "b.c": '#include "b.h"\n#include "b.h"\n#undef A\n#define A 7\nint b(void) { return B; }\n',
    },
    "folders": {
        "Makefile": "# the top of the project\n",
        "src/main.c": '#include "../include/x.h"\nint main(void) { return x; }\n',
        "src/x.c": '#include "sub/y.h"\n#include "../include/x.h"\nint x = Y;\n',
        "src/sub/y.h": "#define Y 2\n",
        "include/x.h": "extern int x;\n",
    },
    "table": {
        "main.c": 'enum { \n#define X(n) n,\n#include "t.def"\n#undef X\n};\n'
        'int main(void) { return 0\n#define X(n) + n\n#include "t.def"\n; }\n',
        "t.def": "X(one)\nX(two)\n",
    },
    "conditional": {
        "main.c": '#ifdef NEVER\n#include "a.h"\n#endif\n#include "a.h"\nint main(void) { return A; }\n',
        "a.h": "#ifndef A_H\n#define A_H\n#define A 1\n#endif\n",
    },
}


@pytest.mark.parametrize("name", PROJECTS)
def test_units_are_what_the_compiler_makes_of_the_files(tmp_path: Path, name: str) -> None:
    units = project(tmp_path, PROJECTS[name])
    sources = gather([*map(Unit, units)])
    order = [sources.root / file.path for file in sources.files if file.unit]
    for path, unit in zip(order, translation_units(sources.text), strict=True):
        (tmp_path / "unit.c").write_bytes(unit)
        assert preprocessed(tmp_path, tmp_path / "unit.c") == preprocessed(tmp_path, path)


def test_lines_are_counted_as_in_the_one_text(tmp_path: Path) -> None:
    files = PROJECTS["folders"] | {"src/x.c": '#include "sub/y.h"\n\nint x = oops;\n'}
    sources = gather([*map(Unit, project(tmp_path, files))])
    found = set()
    for number, unit in enumerate(translation_units(b"int before;\n" + sources.text)):
        (tmp_path / f"u{number}.c").write_bytes(unit)
        words = ["gcc", "-fsyntax-only", f"u{number}.c"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        found |= set(re.findall(r":(\d+):\d+: error", done.stderr))
    lines = (b"int before;\n" + sources.text).decode().split("\n")
    assert [lines[int(line) - 1] for line in found] == ["int x = oops;"]


def test_names_of_a_unit_end_with_it_and_those_of_a_header_do_not(tmp_path: Path) -> None:
    files = {"main.c": '#include "h.h"\nint own; int main(void) { return 0; }\n', "h.h": "int shared;\n",
             "other.c": "static int hidden; int f(void) { return hidden; }\n"}  # fmt: skip
    text = gather([*map(Unit, project(tmp_path, files))]).text
    scope = build(parse(text), text.decode("latin-1"))
    inside = text.index(b"return 0")
    assert scope.find("own", inside) is not None
    assert scope.find("shared", inside) is not None
    assert scope.find("hidden", inside) is None


def test_a_file_defines_what_it_does_not_keep_to_itself() -> None:
    text = b"static int a; extern int b; int c = 1; int d(void); int e(void) { int f; } static int g(void) {}"
    assert defined_names(text) == {"c", "e"}


def test_who_defines_what_is_missing(tmp_path: Path) -> None:
    project(tmp_path, {"main.c": '#include "util.h"\nint main(void) { return f(); }\n',
                       "util.h": "int f(void);\n", "util.c": "int f(void) { return 0; }\n",
                       "old/util.c": "int f(void) { return 1; }\n",
                       "other.c": "int f(void) { return 1; }\nint main(void) { return 2; }\n"})  # fmt: skip
    sources = gather([Unit(tmp_path / "main.c")])
    said = "main.c: undefined reference to `f'"
    assert defining(said, sources, tmp_path / "main.c") == [tmp_path / "util.c"]
    assert defining("undefined reference to `g'", sources, tmp_path / "main.c") == []
    (tmp_path / "util.c").unlink()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "util.c").write_text("int f(void) { return 2; }\n")
    with pytest.raises(
        UsageError, match=r"main.c needs f, which is defined in .*deep/util.c and .*old/util.c"
    ):
        defining(said, sources, tmp_path / "main.c")


@pytest.mark.parametrize(
    "line", [b"#pragma learn2fix ", b"#pragma learn2fix {x}\n", b'#pragma learn2fix {"file": 1}\n']
)
def test_a_pragma_that_somebody_else_wrote_is_no_mark(line: bytes) -> None:
    text = line + b"int main(void) { return 0; }\n"
    assert parts(text) == ()
    assert translation_units(text) == [text]

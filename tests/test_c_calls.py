"""What is read off the calls of compilers that a build makes, and the copy that a build runs in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.errors import BuildFailed, UsageError
from learn2fix.languages.c.calls import Build, Call, Unit, parse_compiler
from learn2fix.languages.c.databases import database, read_database
from learn2fix.languages.c.project import Project
from learn2fix.languages.project_copy import put_files
from learn2fix.sandbox import Sandbox

HERE = Path("/w")
FLAGS = st.sampled_from(["-O2", "-Wall", "-DX", "-DY=2", "-std=c99", "-Iinc", "-UZ", "-fno-common", "-MMD"])


def calls(*lines: str) -> list[Call]:
    return [Call(HERE, tuple(line.split())) for line in lines]


@given(st.lists(FLAGS), st.lists(FLAGS))
def test_a_unit_has_the_flags_that_are_not_about_files(before: list[str], after: list[str]) -> None:
    parsed = parse_compiler(Call(HERE, ("gcc", *before, "-c", "a.c", "-o", "a.o", *after, "-MF", "a.d")))
    assert parsed.sources == (HERE / "a.c",)
    assert parsed.output == HERE / "a.o"
    expected = [f"-I{HERE}/inc" if f == "-Iinc" else f for f in (*before, *after) if f != "-MMD"]
    assert list(parsed.flags) == expected
    unit = Unit(HERE / "a.c", parsed.flags)
    assert list(unit.macros) == [f for f in expected if f[:2] in ("-D", "-U")]
    assert list(unit.folders) == [HERE / "inc" for f in expected if f.startswith("-I")]


def test_an_executable_is_made_of_what_its_objects_and_libraries_are_made_of() -> None:
    build = Build(
        calls(
            "gcc -DMAIN -c main.c -o main.o",
            "gcc -O2 -c lib/a.c -o lib/a.o",
            "gcc -c lib/b.c -o lib/b.o",
            "g++ -c old.cpp -o old.o",
            "gcc -c unused.c -o unused.o",
            "ar rcs lib/libab.a lib/a.o lib/b.o",
            "gcc -E main.c -o main.i",
            "gcc main.o old.o -Llib -lab -lm -o tool",
            "gcc unused.o -o other",
        )
    )
    assert build.executables == ["/w/tool", "/w/other"]
    linked = build.linked("/w/tool")
    assert [(unit.path.name, unit.flags) for unit in linked.units] == [
        ("main.c", ("-DMAIN",)),
        ("a.c", ("-O2",)),
        ("b.c", ()),
    ]
    assert linked.objects == ("/w/old.o",)
    assert "-lm" in linked.link
    assert "-lab" not in linked.link


def test_what_is_linked_as_another_language_has_its_library() -> None:
    build = Build(calls("gcc -c a.c", "g++ -c b.cpp", "g++ a.o b.o -o tool"))
    assert build.linked("/w/tool").link == ("-lstdc++",)
    assert build.linked("/w/tool").objects == ("/w/b.o",)


def test_compiling_and_linking_in_one_call() -> None:
    linked = Build(calls("cc -DX=1 a.c sub/b.c -o tool -lm")).linked("/w/tool")
    assert [unit.path for unit in linked.units] == [HERE / "a.c", HERE / "sub/b.c"]
    assert {unit.flags for unit in linked.units} == {("-DX=1",)}


def test_flags_in_a_database_are_seen_from_its_folders(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    entries = [
        {"directory": "..", "file": "a.c", "command": "cc -Iinc '-DS=\"x y\"' -c a.c"},
        {"directory": str(tmp_path), "file": "b.c", "arguments": ["cc", "-c", "b.c"]},
    ]
    (tmp_path / "build/compile_commands.json").write_text(json.dumps(entries))
    found = database(tmp_path / "a.c")
    assert found[tmp_path / "a.c"].flags == (f"-I{tmp_path}/inc", '-DS="x y"')
    assert found[tmp_path / "b.c"].flags == ()


@pytest.mark.parametrize("content", ["", "[1]", '[{"file": "a.c"}]', '{"a": 1}'])
def test_a_database_that_makes_no_sense(tmp_path: Path, content: str) -> None:
    path = tmp_path / "compile_commands.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"cannot read .*compile_commands.json"):
        read_database(path)


def test_what_compilers_made_is_older_than_what_it_is_made_of(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / ".git").mkdir(parents=True)
    (source / "old").mkdir()
    (source / "old/CMakeCache.txt").write_text("")
    (source / "a.o").write_bytes(b"\x7fELF...")
    (source / "a.c").write_text("int a;\n")
    (source / "gone").symlink_to("nowhere")
    (tmp_path / "secret").write_text("mine")
    (source / "planted.h").symlink_to(tmp_path / "secret")
    os.utime(source / "a.c", (1, 1))
    with Sandbox() as sandbox, sandbox.workshop() as workshop:
        put_files(source, workshop)
        copy = workshop.folder
        assert sorted(path.name for path in copy.iterdir()) == ["a.c", "a.o"]
        assert (copy / "a.o").stat().st_mtime < (copy / "a.c").stat().st_mtime


def test_a_build_is_shut_in_and_what_it_says_is_told(tmp_path: Path) -> None:
    folder, outside = tmp_path / "work", tmp_path / "outside"
    folder.mkdir()
    (folder / "main.c").write_text("int main(void) { return oops; }\n")
    with Sandbox() as sandbox:
        with pytest.raises(BuildFailed, match=r"`cc main.c -o tool` in a copy of work failed") as failed:
            Project(folder, "cc main.c -o tool", sandbox).open("./tool")
        assert "main.c:1:" in failed.value.diagnostics
        assert failed.value.exit_code == 3
        with pytest.raises(BuildFailed):
            Project(folder, f"echo x > {outside} && cp main.c tool", sandbox).open("./tool")
    assert not outside.exists()
    assert [path.name for path in folder.iterdir()] == ["main.c"]


def test_without_o_the_executable_is_a_out() -> None:
    build = Build(calls("gcc -c a.c", "gcc a.o b.c", "gcc --version"))
    assert build.executables == ["/w/a.out"]
    assert [unit.path.name for unit in build.linked("/w/a.out").units] == ["b.c", "a.c"]

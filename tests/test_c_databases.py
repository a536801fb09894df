"""Where the flags of each file come from when nobody says them: make and CMake are asked, in a copy."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from learn2fix.languages.c.databases import database, made_database
from learn2fix.languages.opening import open_subject
from learn2fix.model import Input
from learn2fix.sandbox import Sandbox

MAIN = """#include <stdio.h>
int limit(int n);
int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    printf("%d\\n", limit(n));
    return 0;
}
"""
LIMIT = "int limit(int n) { return n < LIMIT ? n : LIMIT; }\n"


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def flags_of(file: Path) -> dict[str, list[str]]:
    with Sandbox() as sandbox:
        found, _ = made_database(file, sandbox)
    return {path.name: [flag for flag in unit.flags if flag.startswith("-D")] for path, unit in found.items()}


def test_make_is_asked(tmp_path: Path) -> None:
    makefile = "tool: main.o limit.o\n\tcc -o $@ $^\nlimit.o: limit.c\n\tcc -DLIMIT=7 -Werror -c limit.c\n"
    written(tmp_path, main_c=MAIN, limit_c=LIMIT, Makefile=makefile)
    before = sorted(tmp_path.rglob("*"))
    assert flags_of(tmp_path / "main.c") == {"main.c": [], "limit.c": ["-DLIMIT=7"]}
    with Sandbox() as sandbox:
        subject = open_subject(str(tmp_path / "main.c"), sandbox)
        assert [str(outcome.response) for outcome in subject.run([Input("3"), Input("9")])] == ["3", "7"]
        assert subject.notes[0].startswith("Compiled with the flags of ")
        subject.close()
    assert sorted(tmp_path.rglob("*")) == before


def test_make_that_goes_into_folders_is_followed(tmp_path: Path) -> None:
    written(
        tmp_path,
        Makefile="all:\n\t$(MAKE) -C lib\n\tcd app && cc -DAPP \\\n\t  -c main.c; echo done\n",
        lib__Makefile="limit.o: limit.c\n\tgcc -DLIMIT=2 -c -o limit.o limit.c\n",
        lib__limit_c=LIMIT,
        app__main_c=MAIN,
    )
    (tmp_path / ".git").mkdir()
    assert flags_of(tmp_path / "app/main.c") == {"main.c": ["-DAPP"], "limit.c": ["-DLIMIT=2"]}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_cmake_is_asked(tmp_path: Path) -> None:
    cmake = "cmake_minimum_required(VERSION 3.10)\nproject(tool C)\nadd_executable(tool main.c limit.c)\n"
    cmake += "target_compile_definitions(tool PRIVATE LIMIT=5)\n"
    written(tmp_path, main_c=MAIN, limit_c=LIMIT)
    (tmp_path / "CMakeLists.txt").write_text(cmake)
    assert flags_of(tmp_path / "main.c") == {"main.c": ["-DLIMIT=5"], "limit.c": ["-DLIMIT=5"]}
    assert not (tmp_path / "build").exists()


def test_a_makefile_that_is_about_something_else_is_left_alone(tmp_path: Path) -> None:
    written(
        tmp_path, main_c="int main(void) { return 0; }\n", Makefile="docs:\n\ttouch $(shell touch seen) x\n"
    )
    assert flags_of(tmp_path / "main.c") == {}
    written(tmp_path, Makefile="all: other.c\n\tcc -DX -c other.c\nX := $(shell touch seen)\n")
    assert flags_of(tmp_path / "main.c") == {}
    assert not (tmp_path / "seen").exists()
    assert database(tmp_path / "main.c") == {}

"""Headers that a C program includes: part of its content, or a line of the compiler's."""

from __future__ import annotations

from pathlib import Path

import pytest

from learn2fix.errors import BuildError
from learn2fix.languages.c.building import MOST_HEADERS, BuildOptions, build_c, local_headers
from learn2fix.sandbox import Sandbox


def test_headers_are_followed_all_the_way_down(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "a.h").write_text('#include "below/b.h"\n#include "a.h"\n')
    (tmp_path / "below" / "b.h").write_text('#include "c.h"\n#include <stdio.h>\n#include "none.h"\n')
    (tmp_path / "below" / "c.h").write_text("int c;\n")
    found = local_headers(b'#include "a.h"\nint main(void) { return 0; }', tmp_path)
    assert {path.name for path in found} == {"a.h", "b.h", "c.h"}
    assert found[Path("below/c.h")] == b"int c;\n"


def test_a_long_chain_of_headers_ends(tmp_path: Path) -> None:
    for number in range(MOST_HEADERS + 50):
        (tmp_path / f"{number}.h").write_text(f'#include "{number + 1}.h"\n')
    assert len(local_headers(b'#include "0.h"\n', tmp_path)) == MOST_HEADERS


@pytest.mark.parametrize("name", ["x" * 300 + ".h", "/proc/self/mem", "/proc/kmsg", "/dev/zero", ".", "a\0b"])
def test_what_is_no_header_is_left_to_the_compiler(name: str, tmp_path: Path) -> None:
    assert local_headers(f'#include "{name}"\n'.encode(), tmp_path) == {}


@pytest.mark.parametrize("name", ["x" * 300 + ".h", "."])
def test_a_header_that_cannot_be_read_is_an_error_of_the_program(name: str, tmp_path: Path) -> None:
    source = f'#include "{name}"\nint main(void) {{ return 0; }}\n'.encode()
    with Sandbox() as sandbox, pytest.raises(BuildError, match=r"^p\.c does not compile"):
        build_c(source, tmp_path, "p.c", BuildOptions(), sandbox)


def test_what_does_not_compile_is_told_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "p.h").write_text("int x;\n")
    source = b'#include "p.h"\nint main(void) { return y; }\n'
    with Sandbox() as sandbox, pytest.raises(BuildError) as refused:
        build_c(source, tmp_path, "p.c", BuildOptions.parse(None, "-O1 -DN=3"), sandbox)
    command, *said = refused.value.diagnostics.splitlines()
    assert " -O1 -DN=3 p.c -o " in command
    assert any(line.startswith("p.c:2:") for line in said)

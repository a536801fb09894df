"""Patches bring the headers that they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator_conformance import change
from learn2fix.languages.c.headers import with_headers
from learn2fix.languages.c.layout import SourceFile, joined
from learn2fix.languages.opening import open_subject
from learn2fix.model import Input, Requirement, Response
from learn2fix.repair.offering import Offer, offer
from learn2fix.sandbox import Sandbox

SOURCE = b"""#include <stdio.h>
#include "own.h"

int main(void) {
    int n;
    scanf("%d", &n);
    printf("%d", n);
}
"""


@pytest.mark.parametrize(
    ("text", "header"),
    [
        (b", abs(n))", b"stdlib.h"),
        (b", (int)ceil(n))", b"math.h"),
        (b", toupper(n))", b"ctype.h"),
        (b", n + 1)", b""),
        (b', n), printf("x")', b""),
    ],
)
def test_the_header_of_a_new_function_is_included_once(text: bytes, header: bytes) -> None:
    candidate = change(SOURCE, b", n)", text)
    expected = candidate.apply(SOURCE)
    if header:
        expected = expected.replace(b"<stdio.h>\n", b"<stdio.h>\n#include <%s>\n" % header)
    assert with_headers(SOURCE, candidate).apply(SOURCE) == expected


@pytest.mark.parametrize("there", [b"#include <stdlib.h>\n", b"int abs(int);\n"])
def test_what_is_declared_already_needs_no_header(there: bytes) -> None:
    source = there + SOURCE
    candidate = change(source, b", n)", b", abs(n))")
    assert with_headers(source, candidate) == candidate


@pytest.mark.parametrize("own", [b"", b"#include <stdlib.h>\n"])
def test_each_file_gets_its_own_header_and_headers_of_the_program_count(own: bytes) -> None:
    unit = b"int half(int n) {\n    return n / 2;\n}\n"
    text = joined(
        [
            SourceFile("own.h", own + b"int half(int n);\n", unit=False),
            SourceFile("half.c", unit, unit=True),
            SourceFile("main.c", SOURCE, unit=True, includes={"own.h": "own.h"}),
        ]
    )
    patched = with_headers(text, change(text, b"n / 2", b"abs(n) / 2")).apply(text)
    line = b"" if own else b"#include <stdlib.h>\n"
    assert b"\n" + line + unit.replace(b"n / 2", b"abs(n) / 2") in patched
    assert patched.count(b"stdlib.h") == 1


def test_an_offered_patch_has_the_header_and_is_where_the_bug_is(tmp_path: Path, sandbox: Sandbox) -> None:
    source = SOURCE.replace(b'#include "own.h"\n', b"")
    (tmp_path / "size.c").write_bytes(source)
    subject = open_subject(str(tmp_path / "size.c"), sandbox).repairable
    assert subject is not None
    wanted = [Requirement(Input("-3"), Response.read("3")), Requirement(Input("4"), Response.read("4"))]
    (patch,) = offer(subject, [Offer(change(source, b", n)", b", abs(n))"), 0.9)], wanted)
    subject.close()
    assert "+#include <stdlib.h>\n" in patch.diff
    assert patch.location.line == 6
    assert patch.description.startswith("line 2: inserts `#include <stdlib.h>`; line 6: ")

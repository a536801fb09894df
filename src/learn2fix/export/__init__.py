"""Labelled tests and results as files that other tools read: values in, names and contents out.

Nothing is written here; the caller puts the files where the user wants them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from learn2fix.errors import UsageError
from learn2fix.export.cases import Case, Files, Program, is_surrounded
from learn2fix.export.parametrized import pytest_files
from learn2fix.languages.protocol import RunKind
from learn2fix.model import Patch, Verdict

__all__ = [
    "Case",
    "Files",
    "Program",
    "genprog_files",
    "json_files",
    "junit_files",
    "patch_files",
    "pytest_files",
    "smtlib_files",
]

# JUnit


def junit_files(session: str, program: Program, cases: Sequence[Case]) -> Files:
    """How the program as it was does on the labelled tests: the form that build servers show."""
    tests, failures, skipped = [], 0, 0
    for case in cases:
        name, verdict = quoteattr(_xml(case.name)), case.label.answer.verdict
        if verdict is Verdict.BUG:
            failures += 1
            wanted = "something else" if case.expected is None else case.expected
            message = quoteattr(_xml(f"printed {case.printed}, should print {wanted}"))
            inner = f"<failure message={message}/>"
        elif verdict is Verdict.OK:
            inner = ""
        else:
            skipped += 1
            inner = f'<skipped message="{verdict.value}"/>'
        where = quoteattr(_xml(program.name))
        tests.append(f"  <testcase classname={where} name={name}>{inner}</testcase>\n")
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f"<testsuite name={quoteattr(_xml(f'learn2fix {session}'))} "
        f'tests="{len(tests)}" failures="{failures}" errors="0" skipped="{skipped}">\n'
    )
    return {"junit.xml": (head + "".join(tests) + "</testsuite>\n").encode()}


def _xml(text: str) -> str:
    """XML has no place for control characters and lone surrogates, not even escaped."""
    return re.sub(
        "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
        lambda found: ascii(found[0])[1:-1],
        text,
    )


# GenProg and Codeflaws

GENPROG_SCRIPT = """\
#!/bin/bash
# usage: test-genprog.sh p1|n1|... : runs ./{binary} on one labelled test (GenProg: p passes, n fails).
run_test() {{
    ./{binary} < "$1" 2>/dev/null |
        sed -e '/^[[:space:]]*$/d' -e 's/^[[:space:]]*//' > "my_output$1"
    diff --brief --ignore-trailing-space "my_output$1" "$2" && exit 0
    exit 1
}}
case $1 in
{cases}*) echo "no test $1" >&2; exit 2;;
esac
"""


def genprog_files(session: str, program: Program, cases: Sequence[Case]) -> Files:
    """Files as Codeflaws has them: input-pos1, output-pos1, input-neg1, …; the script that GenProg calls."""
    files: Files = {}
    counts = {"pos": 0, "neg": 0}
    script = []
    for case in cases:
        wanted = case.requirement.expected if case.requirement is not None else None
        if wanted is None or program.recipe.kind is RunKind.FUNCTION or is_surrounded(program, case):
            continue
        kind = "pos" if case.label.answer.verdict is Verdict.OK else "neg"
        counts[kind] += 1
        name = f"{kind}{counts[kind]}"
        files[f"input-{name}"] = case.stdin.encode("utf-8", "surrogateescape")
        # GenProg looks at the output alone.
        output = wanted.text if wanted.completed else str(wanted)
        files[f"output-{name}"] = f"{output}\n".encode("utf-8", "surrogateescape")
        script.append(f"{kind[0]}{counts[kind]}) run_test input-{name} output-{name};;\n")
    if not files:
        raise UsageError(
            f"session {session} has no test that GenProg can use",
            "it needs programs that read stdin, and expected outputs (--feedback output)",
        )
    binary = re.sub(r"[^\w.-]", "_", program.path.rsplit("/", 1)[-1].removesuffix(".c")) or "program"
    files["test-genprog.sh"] = GENPROG_SCRIPT.format(binary=binary, cases="".join(script)).encode()
    return files


# Results


def smtlib_files(session: str, document: Mapping[str, Any]) -> Files:
    text = (document.get("oracle") or {}).get("smtlib")
    if not text:
        raise UsageError(f"session {session} has no condition yet", f"learn2fix resume {session}")
    return {"condition.smt2": f"{str(text).rstrip()}\n".encode("utf-8", "surrogateescape")}


def patch_files(session: str, patches: Sequence[Patch]) -> Files:
    if not patches:
        raise UsageError(f"session {session} has no patch", f"learn2fix repair {session}")
    return {
        f"{rank:02}-{patch.id}.patch": patch.diff.encode("utf-8", "surrogateescape")
        for rank, patch in enumerate(patches, start=1)
    }


def json_files(document: Mapping[str, Any]) -> Files:
    return {"result.json": (json.dumps(document, indent=2) + "\n").encode()}

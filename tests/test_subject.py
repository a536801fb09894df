"""Every kind of program passes the same suite; what cannot be opened or built is one clear line."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.responses import printed, texts

from learn2fix.errors import BuildError, Learn2FixError, NotDeterministic, NotFailing, UsageError
from learn2fix.languages.c.building import BuildOptions
from learn2fix.languages.c.harness import find_function
from learn2fix.languages.c.judging.evaluator import CEvaluator
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.opening import open_subject
from learn2fix.languages.protocol import Subject
from learn2fix.languages.proving import prove_repeatable
from learn2fix.languages.python.judging.evaluator import PythonEvaluator
from learn2fix.languages.python.subject import PythonSubject
from learn2fix.model import Candidate, Edit, Ending, Input, Kind
from learn2fix.sandbox import Sandbox
from learn2fix.sandbox.imports import absolute_text

C_PROGRAM = r"""
#include <stdio.h>
int main(void) { long a, b; if (scanf("%ld %ld", &a, &b) == 2) printf("%ld\n", a - b); return 0; }
"""
C_FUNCTION = r"""
static int twice(int x) { return 2 * x; }
long minus(long a, const long b) { return twice(a - b) / 2; }
int main(void) { return 1; }
"""
PYTHON = """
def minus(a, b):
    return a - b

if __name__ == "__main__":
    a, b = map(int, input().split())
    print(minus(a, b))
"""
SHELL = """#!/bin/sh
echo $(($1 - $2))
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    (folder / "program.c").write_text(C_PROGRAM)
    (folder / "function.c").write_text(C_FUNCTION)
    (folder / "code.py").write_text(PYTHON)
    (folder / "tool").write_text(SHELL)
    (folder / "tool").chmod(0o755)
    return folder


KINDS = {
    "c program": lambda folder: str(folder / "program.c"),
    "c function": lambda folder: f"{folder / 'function.c'}:minus",
    "python function": lambda folder: f"{folder / 'code.py'}:minus",
    "python script": lambda folder: str(folder / "code.py"),
    "executable with arguments": lambda folder: [str(folder / "tool"), "{a}", "{b}"],
}


@pytest.fixture(params=KINDS)
def subject(request: pytest.FixtureRequest, folder: Path, sandbox: Sandbox) -> Iterator[Subject]:
    made = open_subject(KINDS[request.param](folder), sandbox)
    yield made
    made.close()


def example(subject: Subject, a: int, b: int) -> str:
    return f"{a}, {b}" if subject.function else f"{a} {b}"


def test_a_program_of_each_kind_runs(subject: Subject) -> None:
    domain = subject.domain([example(subject, 7, 5)])
    pairs = [(7, 5), (-3, 4), (10**9, -(10**9)), (0, 0)]
    outcomes = subject.run([domain.render(pair) for pair in pairs])
    assert [str(outcome.response) for outcome in outcomes] == [str(a - b) for a, b in pairs]
    assert all(outcome.ending is Ending.EXITED for outcome in outcomes)


def test_each_kind_names_its_two_whole_numbers(subject: Subject) -> None:
    domain = subject.domain([example(subject, 7, 5)])
    assert [variable.kind for variable in domain.variables] == [Kind.INT, Kind.INT]
    assert [variable.name for variable in domain.variables] == ["a", "b"]


def test_each_kind_repeats_itself_and_can_be_closed_twice(subject: Subject, sandbox: Sandbox) -> None:
    given_input = subject.domain([example(subject, 7, 5)]).parse(example(subject, 7, 5))
    assert str(prove_repeatable(subject, [given_input])[0].response) == "2"
    subject.close()
    assert str(subject.run([given_input])[0].response) == "2"
    subject.close()
    subject.close()


@pytest.fixture(scope="module")
def identities(tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox) -> Iterator[list[CSubject]]:
    folder = tmp_path_factory.mktemp("identity")
    made = []
    for kind in ("double", "long long"):
        path = folder / f"same-{kind.split()[0]}.c"
        path.write_text(f"{kind} same({kind} x) {{ return x; }}\n")
        made.append(CSubject(path, "same", sandbox))
    yield made
    for subject in made:
        subject.close()


@settings(max_examples=30, deadline=None)
@given(x=st.floats(allow_nan=False, allow_infinity=False), n=st.integers(-(2**63), 2**63 - 1))
def test_numbers_pass_through_a_c_function_unchanged(identities: list[CSubject], x: float, n: int) -> None:
    real, whole = identities
    shown = str(real.run([real.domain(["1.5"]).parse(repr(x))])[0].response)
    assert float(shown) == x
    assert int(whole.run([whole.domain(["1"]).parse(str(n))])[0].response.text) == n


@pytest.mark.parametrize("name", ["-o", "with space.c", "new\nline.c", "-DX.c", "quote'\".c"])
def test_a_strange_file_name_is_no_option(
    name: str, tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(C_PROGRAM)
    monkeypatch.chdir(tmp_path)
    if name == "-o":
        with pytest.raises(UsageError):
            open_subject(name, sandbox)
        return
    subject = open_subject(name, sandbox)
    assert str(subject.run([subject.domain(["3 1"]).parse("3 1")])[0].response) == "2"
    subject.close()


def test_what_cannot_be_read_is_one_clear_line(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "empty.c").write_bytes(b"")
    (tmp_path / "folder.c").mkdir()
    (tmp_path / "nul.c").write_bytes(b"int main(void){}\0")
    (tmp_path / "garbage.c").write_bytes(b"\xff\xfe\x80garbage")
    (tmp_path / "garbage.py").write_bytes(b"x = '\xff'\n")
    with open(tmp_path / "huge.c", "wb") as huge:
        huge.truncate(5 << 20)
    names = ["missing.c", "empty.c", "folder.c", "nul.c", "garbage.c", "garbage.py", "huge.c", "missing", ""]
    for name in names:
        with pytest.raises(Learn2FixError) as caught:
            open_subject(str(tmp_path / name) if name else "", sandbox)
        assert caught.value.exit_code == 2
        assert "\n" not in str(caught.value)


def test_a_call_that_leaves_something_out_is_a_slip_of_the_pen(folder: Path, sandbox: Sandbox) -> None:
    (folder / "some.py").write_text("def f(a, b, c=1, *, d, e=2):\n    return a\n")
    (folder / "some.c").write_text("int f(int a, int b) { return a; }\n")
    python, c = (open_subject(str(folder / name), sandbox) for name in ("some.py:f", "some.c:f"))
    for text in ("1", "1, 2", "1, d=2", "a=1, d=3", "1, 2, e=3"):
        with pytest.raises(UsageError, match=r"f takes a, b, c, d, e; .* has no "):
            python.domain([text])
    for text in ("1, 2, d=3", "1, b=2, d=3, e=4"):
        assert python.domain([text]).parse(text).text == text
    for text in ("1", "a=1", "b=2"):
        with pytest.raises(UsageError, match=r"f takes a, b; .* has no "):
            c.domain([text])


def test_arguments_of_a_c_function_may_stand_apart_by_blanks(folder: Path, sandbox: Sandbox) -> None:
    (folder / "minus.c").write_text("int minus(int a, int b) { return a - b; }\n")
    subject = open_subject(str(folder / "minus.c:minus"), sandbox)
    domain = subject.domain(["7 2"])
    outcomes = subject.run([domain.parse(text) for text in ("7 2", "7, 2", "b=2, a=7", " 7   2 ")])
    assert {outcome.output.strip() for outcome in outcomes} == {b"5"}
    subject.close()


def test_a_letter_for_a_char_is_told_its_number(folder: Path, sandbox: Sandbox) -> None:
    (folder / "vowel.c").write_text("int vowel(char c) { return c == 'a'; }\n")
    with closing(open_subject(str(folder / "vowel.c:vowel"), sandbox)) as subject:
        with pytest.raises(UsageError) as caught:
            subject.domain(["'u'"])
        assert caught.value.hint == "for the letter 'u' write 117"


def test_a_c_file_without_main_names_what_can_be_tried(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "parts.c").write_text("int one(int a) { return a; }\nint two(int a) { return a; }\n")
    with pytest.raises(BuildError, match=r"parts\.c:one"):
        open_subject(str(tmp_path / "parts.c"), sandbox)


def test_the_compilers_words_reach_the_user(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "wrong.c").write_text("int main(void) { return undeclared_name; }\n")
    with pytest.raises(BuildError) as caught:
        open_subject(str(tmp_path / "wrong.c"), sandbox)
    assert "wrong.c:1" in caught.value.diagnostics
    assert "undeclared_name" in caught.value.diagnostics


def test_a_build_is_made_once_for_each_content(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "p.c"
    (tmp_path / "value.h").write_text("#define VALUE 1\n")
    path.write_text(
        '#include <stdio.h>\n#include "value.h"\nint main(void) { printf("%d", VALUE); return 0; }\n'
    )
    first = CSubject(path, None, sandbox)
    stamp = first.binary.stat().st_mtime_ns
    assert CSubject(path, None, sandbox).binary == first.binary
    assert first.binary.stat().st_mtime_ns == stamp
    (tmp_path / "value.h").write_text("#define VALUE 2\n")
    second = CSubject(path, None, sandbox)
    assert second.binary != first.binary
    assert str(second.run([second.domain(["0"]).parse("0")])[0].response) == "2"
    assert CSubject(path, None, sandbox, BuildOptions(flags=("-O2",))).binary != second.binary


def test_the_users_own_build_command_decides(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "p.c"
    path.write_text('#include <stdio.h>\nint main(void) { printf("%d", WHICH); return 0; }\n')
    for command in ("gcc -DWHICH=7 {source} -o {output}", "gcc -DWHICH=7"):
        subject = CSubject(path, None, sandbox, BuildOptions.parse(command, None))
        assert str(subject.run([subject.domain(["0"]).parse("0")])[0].response) == "7"
    with pytest.raises(UsageError, match="no such compiler"):
        CSubject(path, None, sandbox, BuildOptions.parse("no-such-compiler-anywhere", None))
    with pytest.raises(UsageError):
        BuildOptions.parse("gcc 'unclosed", None)


@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("int f(int x) { return x; }", "g", "it defines: f"),
        ("char *f(int x) { return 0; }", "f", "not a number"),
        ("int f(int *x) { return *x; }", "f", "not a number"),
        ("int f(void) { return 1; }", "f", "takes no parameters"),
        ("int f(int x, ...) { return x; }", "f", "not a number"),
        ("struct s { int x; }; struct s f(int x) { struct s r; return r; }", "f", "not a number"),
    ],
)
def test_a_function_that_cannot_be_called_with_numbers_is_refused(source: str, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        find_function(source.encode(), name, "f.c")


def test_a_program_that_does_not_repeat_itself_is_refused(tmp_path: Path, sandbox: Sandbox) -> None:
    clock = tmp_path / "clock.c"
    clock.write_text(
        "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t;"
        ' clock_gettime(CLOCK_MONOTONIC, &t); printf("%ld", t.tv_nsec); return 0; }\n'
    )
    subject = open_subject(str(clock), sandbox)
    with pytest.raises(NotDeterministic, match="does not repeat itself") as caught:
        prove_repeatable(subject, [subject.domain(["3"]).parse("3")])
    assert caught.value.exit_code == 5


def test_memory_that_is_never_set_is_told_and_fixed_for_the_session(tmp_path: Path, sandbox: Sandbox) -> None:
    unset = tmp_path / "unset.c"
    unset.write_text(
        '#include <stdio.h>\nint main(void) {\n    int n, sum;\n    scanf("%d", &n);\n'
        '    for (int i = 0; i < n; i++)\n        sum += i;\n    printf("%d\\n", sum);\n    return 0;\n}\n'
    )
    subject = open_subject(str(unset), sandbox)
    given_input = subject.domain(["3"]).parse("3")
    outcomes = prove_repeatable(subject, [given_input])
    assert outcomes == prove_repeatable(subject, [given_input])
    assert re.search(r"never set: sum \(unset.c line \d\); for '3' it printed", subject.notes[-1])
    repairable = subject.repairable
    assert repairable is not None
    patched = repairable.patched(repairable.text.replace(b"sum;", b"sum = 0;", 1))
    assert str(patched.run([given_input])[0].response) == "3" != str(outcomes[0].response)
    with closing(repairable.evaluator(time.monotonic)) as evaluator:
        assert evaluator.original([given_input]) == [outcomes[0].response]
    patched.close()
    subject.close()
    fixed = open_subject(str(unset), sandbox, cflags="-O1 -ftrivial-auto-var-init=zero")
    assert str(prove_repeatable(fixed, [fixed.domain(["3"]).parse("3")])[0].response) == "3"


def test_a_compile_bomb_is_stopped(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "zero.c").write_text('#include "/dev/zero"\nint main(void) { return 0; }\n')
    with pytest.raises(BuildError):
        open_subject(str(tmp_path / "zero.c"), sandbox)


def test_a_patched_program_runs_beside_the_original(folder: Path, sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("OFFSET = 100\n")
    main = tmp_path / "main.py"
    main.write_text("import helper\n\ndef f(x):\n    return x + helper.OFFSET\n")
    python = open_subject(f"{main}:f", sandbox)
    c = open_subject(str(folder / "program.c"), sandbox)
    for subject, example, before, after in ((python, "x=1", "101", "99"), (c, "7 5", "2", "12")):
        assert isinstance(subject, CSubject | PythonSubject)
        old, new = (b"a - b", b"a + b") if subject is c else (b"x +", b"- x +")
        patched = subject.patched(subject.text.replace(old, new))
        given_input = subject.domain([example]).parse(example)
        assert str(subject.run([given_input])[0].response) == before
        assert str(patched.run([given_input])[0].response) == after
        patched.close()
        subject.close()
        assert subject.source is not None
        assert subject.text.endswith(subject.source.read_bytes())


INNER = """from .. import rates
from ..rates import FREE as free


def limit(x):
    return x, rates.FREE, free
"""
CART = """from .rates import FREE
from . import rates
from store.rates import FREE as again


def total(amount):
    from .deep.inner import limit
    if amount > FREE:
        return limit(amount)
    return rates.FREE + again
"""
PACKAGE = {
    "src/store/__init__.py": "from .cart import total\n",
    "src/store/rates.py": "FREE = 50\n",
    "src/store/deep/__init__.py": "",
    "src/store/deep/inner.py": INNER,
    "src/store/cart.py": CART,
}


def test_a_module_of_a_package_runs_with_its_relative_imports(tmp_path: Path) -> None:
    for name, text in PACKAGE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    path = tmp_path / "src/store/cart.py"
    inputs = [Input("51", (51,)), Input("50", (50,))]
    with Sandbox() as sandbox:
        subject = PythonSubject(path, "total", sandbox)
        patched = subject.patched(path.read_bytes().replace(b"amount >", b"amount >="))
        evaluator = PythonEvaluator(path, "total", sandbox)
        try:
            assert texts(outcome.response for outcome in subject.run(inputs)) == ["(51, 50, 50)", "100"]
            assert texts(outcome.response for outcome in patched.run(inputs)) == [
                "(51, 50, 50)",
                "(50, 50, 50)",
            ]
            assert texts(evaluator.original(inputs)) == ["(51, 50, 50)", "100"]
            start = path.read_bytes().index(b"amount >") + len(b"amount >")
            evaluator.add([Candidate((Edit(start, start, b"="),), "relational", 1.0)])
            assert printed(evaluator.outputs(inputs[1:], [0])) == [{"(50, 50, 50)": (0,)}]
        finally:
            subject.close()
            patched.close()
            evaluator.close()


@pytest.mark.parametrize(
    ("line", "absolute"),
    [
        ("from .rates import FREE", "from a.b.rates import FREE"),
        ("from . import rates", "from a.b import rates"),
        ("from .import rates", "from a.b import rates"),
        ("from .. import rates as r", "from a import rates as r"),
        ("from ..c.d import (x,", "from a.c.d import (x,"),
        ("if 1: from .reimport import x", "if 1: from a.b.reimport import x"),
        ("from c import x", "from c import x"),
    ],
)
def test_relative_imports_become_absolute_ones(line: str, absolute: str) -> None:
    rest = " y)" if "(" in line else ""
    text = absolute_text(f"# é\n{line}\n{rest}\n".encode(), "a.b")
    assert text.decode() == f"# é\n{absolute}\n{rest}\n"


def test_what_cannot_be_imported_is_said(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text("import nowhere_to_be_found\n\n\ndef f(x):\n    return x\n")
    with Sandbox() as sandbox:
        subject = PythonSubject(path, "f", sandbox)
        try:
            with pytest.raises(NotFailing, match="nowhere_to_be_found"):
                prove_repeatable(subject, [Input("1", (1,))])
        finally:
            subject.close()


def test_libraries_of_cflags_are_linked_where_candidates_are_judged(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "twice.c").write_text("int twice(int n) { return 2 * n; }\n")
    subprocess.run(["gcc", "-c", "twice.c"], cwd=tmp_path, check=True)
    subprocess.run(["ar", "rcs", "libtwice.a", "twice.o"], cwd=tmp_path, check=True)
    source = tmp_path / "user.c"
    source.write_text(
        "#include <stdio.h>\nint twice(int n);\n"
        'int main(void) { int n; scanf("%d", &n); printf("%d\\n", twice(n)); return 0; }\n'
    )
    subject = open_subject(str(source), sandbox, cflags=f"-O1 -L{tmp_path} -ltwice")
    assert subject.repairable is not None
    with closing(subject.repairable.evaluator(time.monotonic)) as evaluator:
        assert str(evaluator.original([Input("21")])[0]) == "42"
    subject.close()


def test_headers_that_are_not_in_our_table_do_not_make_judging_slow() -> None:
    source = b'#include <stdio.h>\n#include <sys/stat.h>\nint main(void) { puts("1"); return 0; }\n'
    with closing(CEvaluator(source)) as evaluator:
        assert evaluator.fast, evaluator.slow_because
        assert str(evaluator.original([Input("")])[0]) == "1"

"""What a C program reads is recorded as it happens, and the program does what it always did."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.reading import Read, ReadKind, Trace
from learn2fix.languages.c.building import BuildOptions
from learn2fix.languages.c.reading import CReader, variable
from learn2fix.languages.c.subject import CSubject
from learn2fix.languages.c.symbols import Functions, functions_of
from learn2fix.model import Ending, Input
from learn2fix.sandbox import Limits, Sandbox, Surroundings

ZOO = Path(__file__).parent / "zoo"
INTEGER, REAL, WORD, CHARACTER, LINE, BYTES = ReadKind
Record = Callable[..., Trace]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


def opened(folder: Path, sandbox: Sandbox, text: str, flags: str | None = None) -> CSubject:
    path = folder / "program.c"
    path.write_text(text)
    return CSubject(path, None, sandbox, BuildOptions.parse(None, flags))


@pytest.fixture
def record(folder: Path, sandbox: Sandbox) -> Iterator[Record]:
    """Records a program with this body of main(), or this whole program."""
    readers = []

    def run(text: str, given: str, flags: str | None = None, before: str = "") -> Trace:
        if "main(" not in text:
            text = f"#include <stdio.h>\n#include <stdlib.h>\n{before}\nint main(void) {{ {text} }}\n"
        readers.append(CReader(opened(folder, sandbox, text, flags), sandbox, Limits(seconds=0.5)))
        [trace] = readers[-1].record([given.encode()])
        return trace

    yield run
    for reader in readers:
        reader.close()


def taken(trace: Trace) -> list[str]:
    return [trace.text[read.start : read.end] for read in trace.reads if read.found]


def names(trace: Trace) -> list[str]:
    return [read.name for read in trace.reads]


def places(trace: Trace) -> int:
    return len({read.place for read in trace.reads})


def test_a_count_and_a_list(record: Record) -> None:
    trace = record(
        'int n, a[9]; scanf("%d", &n); for (int i = 0; i < n; i++) scanf("%d", &a[i]);', "3\n10 -2\n\n 7\n"
    )
    assert taken(trace) == ["3", "10", "-2", "7"]
    assert names(trace) == ["n", "a", "a", "a"]
    assert places(trace) == 2
    assert trace.ended
    assert not trace.cut
    assert [read.start for read in trace.reads] == [0, 2, 5, 10]
    assert all(read.kind is INTEGER and read.skips and read.width is None for read in trace.reads)


def test_each_conversion_of_a_format_is_a_read_of_its_own(record: Record) -> None:
    trace = record(
        'scanf("%2d%lf %3s,%c %*d%[a-z];%[^:]", &d, &x, s, &c, t, u);',
        "123.5 abc,x -17def;g h:",
        before="int d; double x; char s[9], c, t[9], u[9];",
    )
    assert taken(trace) == ["12", "3.5", "abc", "x", "-17", "def", "g h"]
    assert names(trace) == ["d", "x", "s", "c", "", "t", "u"]
    assert [read.kind for read in trace.reads] == [INTEGER, REAL, WORD, CHARACTER, INTEGER, WORD, WORD]
    assert [read.width for read in trace.reads] == [2, None, 3, None, None, None, None]
    assert [read.skips for read in trace.reads] == [True, True, True, False, True, False, False]
    assert [read.until for read in trace.reads] == ["", "", "", "", "", "", ":"]
    assert places(trace) == 7


def test_blanks_before_a_character_are_skipped_where_the_format_says_so(record: Record) -> None:
    trace = record('char c[3]; scanf(" %c%c %c", c, c + 1, c + 2);', " \na b")
    assert taken(trace) == ["a", " ", "b"]
    assert [read.skips for read in trace.reads] == [True, False, True]
    assert names(trace) == ["c", "c", "c"]


@pytest.mark.parametrize(
    ("body", "kind", "expected", "name"),
    [
        ("char s[9]; gets(s);", LINE, ["a b"], "s"),
        ("char s[9]; fgets(s, 9, stdin); fgets(s, 9, stdin);", LINE, ["a b", "c"], "s"),
        ("char s[9]; while (fgets(s, 3, stdin));", LINE, ["a ", "b", "c"], "s"),
        ("char *s = 0; size_t n = 0; while (getline(&s, &n, stdin) > 0);", LINE, ["a b", "c"], "s"),
        ("char *s = 0; size_t n = 0; getdelim(&s, &n, 'b', stdin);", WORD, ["a "], "s"),
        ('char s[9]; scanf("%[^\\n]", s);', LINE, ["a b"], "s"),
        ("getchar(); getc(stdin); fgetc(stdin); getchar_unlocked();", CHARACTER, ["a", " ", "b", "\n"], ""),
        ("char s[9]; fread(s, 2, 2, stdin);", BYTES, ["a b\n"], "s"),
        ("char s[9]; read(0, s, 9);", BYTES, ["a b\nc"], ""),
        ('char s[9]; scanf("%3c", s);', BYTES, ["a b"], "s"),
        ('char s[9]; fscanf(stdin, "%s", s);', WORD, ["a"], "s"),
        ('char s[9]; char *t = s + 1; sscanf("1 2", "%s", t); scanf("%8s", t);', WORD, ["a"], "t"),
    ],
)
def test_every_reading_function(
    record: Record, body: str, kind: ReadKind, expected: list[str], name: str
) -> None:
    trace = record(body, "a b\nc", "-std=gnu89 -w")
    assert taken(trace) == expected
    assert {read.kind for read in trace.reads} == {kind}
    assert {read.name for read in trace.reads} == {name}
    assert trace.ended


def test_a_program_that_passes_its_arguments_on(record: Record) -> None:
    passing = "static void in(const char *f, ...) { va_list v; va_start(v, f); vscanf(f, v); va_end(v); }"
    trace = record('int x, y; in("%d,%d", &x, &y);', "1,2", before=f"#include <stdarg.h>\n{passing}")
    assert taken(trace) == ["1", "2"]


def test_a_function_that_reads_is_another_place_for_each_call(record: Record) -> None:
    helper = 'static int number(void) { int x; scanf("%d", &x); return x; }'
    trace = record("int n = number(), m = number(); while (n-- > 0) number();", "2 5 6 7", before=helper)
    assert taken(trace) == ["2", "5", "6", "7"]
    found = [read.place for read in trace.reads]
    assert len(set(found)) == 3
    assert found[2] == found[3]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("int c; while ((c = getchar()) != EOF);", "c"),
        ("char s[3][9]; int i = 0; s[i][ 1 ] = (char) getc(stdin);", "s"),
        ("int c, d;\nc = getchar_unlocked();\nd = c;", "c"),
        ("int a = fgetc(stdin), b = fgetc(stdin);", ""),
        ("putchar(getchar());", ""),
    ],
)
def test_the_variable_that_takes_a_character(record: Record, body: str, name: str) -> None:
    assert set(names(record(body, "xy"))) == {name}


def test_recursion_adds_no_places(record: Record) -> None:
    tree = 'static void tree(void) { int x; scanf("%d", &x); if (x > 0) { tree(); tree(); } }'
    trace = record("tree();", "1 1 1 0 0 0 1 0 0", before=tree)
    assert len(taken(trace)) == 9
    assert places(trace) == 1
    even = 'int odd(void); int even(void) { int x; return scanf("%d", &x) == 1 && odd(); }'
    odd = "int odd(void) { return even(); }"
    trace = record("even();", " ".join(map(str, range(600))), before=even + odd)
    assert len(taken(trace)) == 600
    assert places(trace) == 1


def test_what_is_not_there_is_not_found(record: Record) -> None:
    body = 'int a, b; char s[9]; scanf("%d%d", &a, &b); scanf("%s", s); scanf("%d", &a);'
    trace = record(body, "4 x\n")
    assert [read.found for read in trace.reads] == [True, False, True, False]
    assert [(read.start, read.end) for read in trace.reads] == [(0, 1), (2, 2), (2, 3), (4, 4)]


def test_a_character_that_is_put_back_was_not_read(record: Record) -> None:
    body = """
        int x = 0, c;
        while ((c = getchar()) >= '0') x = 10 * x + c - '0';
        ungetc(c, stdin); getchar(); getchar();"""
    trace = record(body, "12+3")
    assert taken(trace) == ["1", "2", "+", "3"]
    assert len(trace.reads) == 4


def test_a_crash_keeps_what_was_read_before(record: Record) -> None:
    trace = record('int n; scanf("%d", &n); *(volatile int *)8 = n; scanf("%d", &n);', "1 2")
    assert taken(trace) == ["1"]
    assert not trace.ended
    assert not trace.cut


def test_a_program_without_end_keeps_what_was_read_before(record: Record) -> None:
    trace = record('int n; scanf("%d", &n); for (;;) n++;', "1 2")
    assert taken(trace) == ["1"]
    assert not trace.ended
    assert not trace.cut


def test_a_slow_program_is_given_more_time(folder: Path, sandbox: Sandbox) -> None:
    text = "#include <stdio.h>\nint usleep(unsigned);\nint main(void) { usleep(300000); return getchar(); }"
    reader = CReader(opened(folder, sandbox, text), sandbox, Limits(seconds=0.1))
    traces = [*reader.record([b"a", b"b"]), *reader.record([b"c"])]
    assert [taken(trace) for trace in traces] == [["a"], ["b"], ["c"]]
    assert all(trace.ended for trace in traces)
    reader.close()


def test_a_program_that_reads_without_end_is_stopped(record: Record) -> None:
    trace = record('int n = 0; while (n != 9) scanf("%d", &n);', "1 2 3")
    assert taken(trace) == ["1", "2", "3"]
    assert not trace.ended
    assert trace.cut


def test_long_inputs_are_recorded_whole_or_said_to_be_cut(record: Record) -> None:
    body = 'int n; while (scanf("%d", &n) == 1);'
    trace = record(body, "7 " * 5_000)
    assert len(taken(trace)) == 5_000
    assert trace.ended
    trace = record(body, "7 " * 50_000)
    assert trace.cut
    assert not trace.ended


def test_what_the_program_writes_to_stderr_is_no_record(record: Record) -> None:
    body = r'int n; fprintf(stderr, "0 0 9\nC\n"); scanf("%d", &n); write(2, "0 0 9\n", 6); perror("U");'
    trace = record(body, "1\n", "-std=gnu89 -w")
    assert taken(trace) == ["1"]
    assert not trace.cut


@pytest.mark.parametrize("named", ["read", "getline", "scanfs", "write", "strlen", "gets"])
def test_functions_of_the_programs_own(record: Record, named: str) -> None:
    text = f"""
        #include <stdio.h>
        int {named}(int *to, char c) {{ return c + scanf("%d", to); }}
        int (*in)(const char *, ...) = scanf;
        int main(void) {{ int n; {named}(&n, 0); in("%d", &n); return n != 6; }}"""
    trace = record(text, "5 6", "-std=c11 -fno-builtin")
    assert taken(trace) == ["5", "6"]
    assert trace.ended
    assert names(trace) == ["to", ""]


def test_features_are_those_that_the_program_wants(record: Record) -> None:
    text = r"""
        #define _POSIX_C_SOURCE 200809L
        #include <stdio.h>
        #include <string.h>
        int main(void) { char *s = 0; size_t n = 0; getline(&s, &n, stdin); puts(strdup(s)); return 0; }"""
    trace = record(text, "a b\n", "-std=c99 -Wall -Werror")
    assert taken(trace) == ["a b"]
    assert names(trace) == ["s"]


@pytest.mark.parametrize(("member", "name"), [("fgets", "x"), ("scanf", "")])
def test_a_program_that_our_header_is_in_the_way_of(record: Record, member: str, name: str) -> None:
    """Names are the first thing to go without."""
    kept = f"int f(int x) {{ return x; }} struct {{ int (*{member})(int); }} v = {{f}};"
    trace = record(f'int x; scanf("%d", &x); return v.{member}(0);', "3", before=kept)
    assert taken(trace) == ["3"]
    assert names(trace) == [name]


def test_a_program_that_cannot_be_built_so_has_no_traces(folder: Path, sandbox: Sandbox) -> None:
    text = "int __wrap_scanf(void) { return 1; }\nint main(void) { return 0; }"
    reader = CReader(opened(folder, sandbox, text), sandbox)
    assert reader.record([b"1", b"2"]) == []


def test_characters_of_several_bytes(record: Record) -> None:
    trace = record('char s[9]; int n; scanf("%s%d", s, &n); getchar(); getchar(); getchar();', "añb 7\nñ")
    assert taken(trace) == ["añb", "7", "\n", "", "ñ"]


def test_what_was_not_given_is_named(record: Record) -> None:
    trace = record(
        r"""
        #include <stdio.h>
        #include <stdlib.h>
        int main(int count, char **words) {
            int n = 0;
            FILE *data = fopen("data.txt", "r"), *kept = fopen("kept.txt", "w");
            if (getenv("LIMIT")) n = 1;
            fprintf(kept, "4 5\n"), fclose(kept);
            kept = fopen("kept.txt", "rt"), fscanf(kept, "%d", &n);
            if (count > 1) n = atoi(words[1]);
            freopen("in.txt", "r", stdin), scanf("%d", &n);
            return 0;
        }""",
        "8",
    )
    assert trace.opened == ("data.txt", "kept.txt", "in.txt")
    assert trace.environment == ("LIMIT",)
    assert trace.arguments
    assert [(read.file, read.start, read.end, read.found) for read in trace.reads] == [
        ("kept.txt", 0, 1, True),
        ("", 0, 0, False),
    ]


def test_a_file_in_place_of_standard_input(record: Record) -> None:
    body = 'int n; FILE *f = fopen("in.txt", "w"); fputs("17 4", f), fclose(f); '
    trace = record(body + 'freopen("in.txt", "r", stdin); while (scanf("%d", &n) == 1);', "8")
    assert [(read.file, read.start, read.end) for read in trace.reads if read.found] == [
        ("in.txt", 0, 2),
        ("in.txt", 3, 4),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int main(int argc, char **argv) { return argv[1][0]; }", True),
        ("int main(int argc, char *argv[]) { return 0; }", False),
        ("int main(int i, char *argv[]) { for (i = 0; i < 3; i++); return 0; }", False),
        ("int main() { char *argv[2]; return sizeof argv; }", False),
    ],
)
def test_arguments_of_the_command_line(record: Record, text: str, expected: bool) -> None:
    assert record(text, "").arguments is expected


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("&n", "n"),
        (" &a[i]", "a"),
        ("a + i", "a"),
        ("&p[i].x", "x"),
        ("&p->next->key", "key"),
        ("s", "s"),
        ("s[b[i]-1]", "s"),
        ("&m[i][j+1]", "m"),
        ("(char *) &(x)", "x"),
        ("*q", "q"),
        ("0", ""),
    ],
)
def test_the_variable_of_an_argument(argument: str, name: str) -> None:
    assert variable(rf'"%d, \"%s", f(1, 2),{argument}', 2) == name


def test_functions_of_a_binary(folder: Path, sandbox: Sandbox) -> None:
    text = "static int f(void) { return 1; }\nint main(void) { return f(); }"
    subject = opened(folder, sandbox, text, "-O0")
    found = functions_of(subject.binary.read_bytes())
    assert {"f", "main"} <= set(found.names)
    start = dict(zip(found.names, found.starts, strict=True))["f"]
    assert found.at(start + 3) == ("f", 3)
    assert functions_of(b"\x7fELF\x02\x01 cut") == functions_of(b"no program") == Functions()


@pytest.mark.parametrize("subject", sorted(ZOO.glob("*/buggy.c")), ids=lambda path: path.parent.name)
def test_a_recorded_program_prints_what_it_always_prints(subject: Path, sandbox: Sandbox) -> None:
    about = tomllib.loads((subject.parent / "subject.toml").read_text())
    plain = CSubject(subject, None, sandbox, around=Surroundings(input_file=about.get("input_file", "")))
    reader = CReader(plain, sandbox, Limits(seconds=3.0))
    try:
        inputs = [Input(text) for text in (*about["failing"], *about.get("passing", ()))]
        recorded = reader.run([plain.feed(one).data for one in inputs])
        for one, expected, (outcome, trace) in zip(inputs, plain.run(inputs), recorded, strict=True):
            if expected.ending is not Ending.TIMEOUT:
                assert outcome.response == expected.response, one
            assert "".join(taken(trace)).split() or not trace.ended or trace.arguments
    finally:
        reader.close()
        plain.close()


MACHINE = r"""
#include <stdio.h>
int main(void) {
    char steps[200], line[200], word[200], c;
    int i, d;
    double x;
    fgets(steps, 200, stdin);
    for (i = 0; steps[i] != '\n'; i++)
        switch (steps[i]) {
        case 'd': scanf("%d", &d); break;
        case 'f': scanf("%lf", &x); break;
        case 's': scanf("%s", word); break;
        case 'c': scanf(" %c", &c); break;
        case 'l': scanf("%*[ \t]"), getchar(), fgets(line, 200, stdin); break;
        }
    return 0;
}
"""
BLANKS = st.text(" \n\t", min_size=1, max_size=3)
WORDS = st.text("abcXYZ019-+.", min_size=1, max_size=8)
ITEMS = {
    "d": st.integers(-(10**9), 10**9).map(str),
    "f": st.decimals(-1000, 1000, places=3).map(str),
    "s": WORDS,
    "c": st.sampled_from("abc01%"),
    "l": st.text("ab 01\t,", max_size=8),
}


@st.composite
def layouts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Items for the machine above, printed in some layout, with the text that holds them."""
    steps = draw(st.lists(st.sampled_from("dfscl"), max_size=12))
    items = [draw(ITEMS[step]) for step in steps]
    text = "".join(steps) + "\n"
    for step, item in zip(steps, items, strict=True):
        if step == "l":  # it begins after the end of another
            text += draw(st.sampled_from(["\n", " \n", "\t\n"])) + item + "\n"
        else:
            text += draw(BLANKS) + item + " "
    return text, items


@pytest.fixture(scope="module")
def machine(folder: Path, sandbox: Sandbox) -> Iterator[CReader]:
    reader = CReader(opened(folder, sandbox, MACHINE), sandbox)
    yield reader
    reader.close()


@given(layouts())
def test_the_reads_are_what_was_printed(machine: CReader, given: tuple[str, list[str]]) -> None:
    text, items = given
    [trace] = machine.record([text.encode()])
    helpers = {CHARACTER: False, WORD: False}
    kept: list[Read] = [read for read in trace.reads[1:] if helpers.get(read.kind, True) or read.name]
    assert [text[read.start : read.end] for read in kept] == items
    assert all(read.found or not text[read.start : read.end] for read in kept)
    assert trace.ended


SCANNER = r"""
#include <stdio.h>
int main(void) {
    char format[200], to[6][64] = {{0}};
    fgets(format, 200, stdin);
    int i, result = scanf(format, to[0], to[1], to[2], to[3], to[4], to[5]);
    printf("%d %d|", result, feof(stdin) != 0);
    for (i = 0; i < 6 * 64; i++) printf("%02x", (unsigned char)to[i / 64][i % 64]);
    while ((i = getchar()) != EOF) putchar(i);
    return 0;
}
"""
CONVERSIONS = "d 3d i u x lld hd lf 2f s 4s c 2c [ab1] 3[^,] *d *s *c *[a-c] n hhn % I64d p []a] [^]1]"
PIECES = [" ", ",", "a", "x1", *(f"%{conversion}" for conversion in CONVERSIONS.split(" "))]
INPUT = st.text("ab1 2-+,.x%\n0e]", max_size=24)


@pytest.fixture(scope="module")
def scanners(folder: Path, sandbox: Sandbox) -> Iterator[tuple[CSubject, CReader]]:
    subject = opened(folder, sandbox, SCANNER, "-w")
    reader = CReader(subject, sandbox)
    yield subject, reader
    reader.close()
    subject.close()


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), INPUT)
def test_scanf_returns_and_stores_what_it_always_does(
    scanners: tuple[CSubject, CReader], format: str, text: str
) -> None:
    subject, reader = scanners
    given = Input(f"{format}\n{text}")
    [(outcome, trace)] = reader.run([subject.feed(given).data])
    assert outcome.output == subject.run([given])[0].output
    ends = [0]
    for read in trace.reads:
        assert ends[-1] <= read.start <= read.end
        ends.append(read.end)

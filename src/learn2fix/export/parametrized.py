"""Labelled tests as a parametrized file for pytest."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from learn2fix.domain.outputs import NUMBER
from learn2fix.domain.values import NOTHING, literal_value, meant_exception
from learn2fix.errors import UsageError
from learn2fix.export.cases import Case, Files, Program, is_surrounded
from learn2fix.export.code import code_file
from learn2fix.languages.protocol import RunKind
from learn2fix.model import OUTPUT_ONLY, Label, Response, Verdict

CANONICAL = '''

def canonical(text):
    """Output as it is compared: blank lines and white space around lines do not count."""
    lines = (line.strip() for line in text.split("\\n"))
    return "\\n".join(line for line in lines if line)
'''

LAID_OUT = CANONICAL.partition("    lines =")[0].replace(
    "blank lines and white space around", "white space at the ends of"
) + ('    return "\\n".join(line.rstrip() for line in text.split("\\n")).rstrip("\\n")\n')

RUN_PROCESS = '''

def answer(command, given):
    """What the program prints, or in ⟨…⟩ how it ends otherwise."""
    try:
        data = given.encode("utf-8", "surrogateescape")
        run = subprocess.run(command, input=data, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "⟨no answer in time⟩"
    if run.returncode < 0:
        return f"⟨crash: {signal.Signals(-run.returncode).name}⟩"
    return canonical(run.stdout.decode("utf-8", "surrogateescape"))
'''

PRINTED = '    return canonical(run.stdout.decode("utf-8", "surrogateescape"))\n'
PRINTED_AND_MORE = """\
    texts = (text.decode("utf-8", "surrogateescape") for text in (run.stdout, run.stderr))
    printed, error = map(canonical, texts)
    return "\\n".join(filter(None, (printed, {more})))
"""
STATUS = 'f"⟨exit status {run.returncode}⟩"'
STDERR = 'f"⟨standard error: {error}⟩"'

SAME = '''

TOLERANCE = {tolerance!r}
NUMBER = {number!r}


def same(expected, printed):
    """Numbers with a fraction are compared by value; what was left open of ⟨…⟩ may be anything."""
    for mark in ("⟨standard error: ", "⟨exit status "):
        if mark not in expected:
            printed = printed.partition(mark)[0].rstrip("\\n")
    wanted, found = (re.split(NUMBER, text) for text in (expected, printed))
    return wanted[::2] == found[::2] and all(map(near, wanted[1::2], found[1::2]))


def near(right, number):
    places = len(right.partition(".")[2])
    error = TOLERANCE or (0.5 / 10**places if places > 1 else 0)
    close = pytest.approx(float(right), rel=TOLERANCE, abs=error)
    return right == number or ("." in right + number and float(number) == close)
'''

RUN_SURROUNDED = '''

FILES = {files!r}
INPUT_FILE = {input_file!r}
ENVIRONMENT = {environment!r}


def answer(command, given):
    """`given`: the arguments of the program, and what it reads."""
    words, text = given
    files = {{**FILES, INPUT_FILE: text.encode("utf-8", "surrogateescape")}} if INPUT_FILE else FILES
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            pathlib.Path(folder, name).write_bytes(content)
        stdin = "" if INPUT_FILE else text
        return run([*command, *words], stdin, cwd=folder, env={{**os.environ, **ENVIRONMENT}})
'''

C_PROGRAM = """
# Another version of the program can be tested: LEARN2FIX_PROGRAM=patched.c pytest …
SOURCE = pathlib.Path(os.environ.get("LEARN2FIX_PROGRAM") or pathlib.Path(__file__).parent / {path!r})
BUILD = {build!r}
HARNESS = {harness!r}


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("build")
    copy, output = folder / "program.c", folder / "program"
    copy.write_bytes(SOURCE.read_bytes() + HARNESS.encode())
    words = [word.replace("{{source}}", str(copy)).replace("{{output}}", str(output)) for word in BUILD]
    subprocess.run([*words, f"-I{{SOURCE.parent.resolve()}}"], check=True)
    return [str(output)]
"""

SCRIPT = """
# Another version of the program can be tested: LEARN2FIX_PROGRAM=patched.py pytest …
SOURCE = pathlib.Path(os.environ.get("LEARN2FIX_PROGRAM") or pathlib.Path(__file__).parent / {path!r})


@pytest.fixture
def program():
    return [sys.executable, str(SOURCE.resolve())]
"""

COMMAND = """

@pytest.fixture
def program():
    return [{command!r}]
"""

FUNCTION = """
# Another version of the program can be tested: LEARN2FIX_PROGRAM=patched.py pytest …
SOURCE = pathlib.Path(os.environ.get("LEARN2FIX_PROGRAM") or pathlib.Path(__file__).parent / {path!r})


@pytest.fixture
def program(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE.parent.resolve())
    spec = importlib.util.spec_from_file_location({module!r}, SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, {function!r})


def call(*positional, **named):
    return positional, named
"""

RETURNS = """def test_returns(program, given, expected):
    positional, named = copy.deepcopy(given)
    assert program(*positional, **named) == expected
"""

RAISES = """def test_raises(program, given, error):
    positional, named = copy.deepcopy(given)
    with pytest.raises(Exception) as caught:
        program(*positional, **named)
    assert type(caught.value).__name__ == error
"""

PRINTS = """def test_prints(program, given, expected):
    assert answer(program, given) == expected
"""

PRINTS_NEARLY = """def test_prints(program, given, expected):
    assert same(expected, answer(program, given))
"""

PRINTS_SOMETHING_ELSE = """def test_prints_something_else(program, given, wrong):
    assert answer(program, given) not in wrong
"""

ANSWER = '''

def answer(function, given):
    """What the call returns, as Python writes it, or in ⟨…⟩ what it raises."""
    positional, named = copy.deepcopy(given)
    try:
        return repr(function(*positional, **named))
    except Exception as error:
        return f"⟨raises {type(error).__name__}{f': {error}' if str(error) else ''}⟩"
'''

IMPORTS = {
    RunKind.BUILT: ("os", "pathlib", "signal", "subprocess"),
    RunKind.SCRIPT: ("os", "pathlib", "signal", "subprocess", "sys"),
    RunKind.COMMAND: ("signal", "subprocess"),
    RunKind.FUNCTION: ("copy", "importlib.util", "os", "pathlib"),
}


def pytest_files(session: str, program: Program, cases: Sequence[Case]) -> Files:
    """A parametrized file: green where the program does what the person said, red where it does not."""
    name = re.sub(r"\W+", "_", program.recipe.function or program.name.rsplit("/", 1)[-1]).strip("_")
    if program.recipe.lazy or (program.recipe.kind is RunKind.FUNCTION and not all(map(_is_plain, cases))):
        content = code_file(
            session,
            _words(program.name),
            program.path,
            program.recipe.function,
            [(case.stdin, wanted) for case in cases if (wanted := _wanted(case)) is not None],
        )
        if not content:
            raise UsageError(
                f"session {session} has no answer that a pytest test can say", "write --to json DIR"
            )
        return {f"test_{name}_learn2fix.py": content}
    surrounded = any(is_surrounded(program, case) for case in cases)
    rows = _rows(program, cases, surrounded)
    if not any(rows.values()):
        raise UsageError(f"session {session} has no answer that says what the program should do")
    does = "return" if program.recipe.kind is RunKind.FUNCTION else "print"
    told = f"What {_words(program.name)} should {does}, as answered in session {session} of learn2fix."
    by_value = _compares_by_value(program, cases)
    imported = {*IMPORTS[program.recipe.kind], *(["re"] if by_value else [])}
    imported |= {"os", "pathlib", "tempfile"} if surrounded else set()
    parts = [f'"""{told}"""\n\n', *(f"import {name}\n" for name in sorted(imported))]
    parts += ["\nimport pytest\n", _runner(program, cases, surrounded)]
    if by_value:
        parts.append(SAME.format(tolerance=program.tolerance or 0, number=NUMBER.pattern))
    if program.recipe.kind is RunKind.FUNCTION and (rows["prints"] or rows["wrong"]):
        parts.append(ANSWER)
    tests = {
        "returns": ("expected", RETURNS),
        "raises": ("error", RAISES),
        "prints": ("expected", PRINTS_NEARLY if by_value else PRINTS),
        "wrong": ("wrong", PRINTS_SOMETHING_ELSE),
    }
    parts += [
        _parametrized(second, rows[form]) + test for form, (second, test) in tests.items() if rows[form]
    ]
    return {f"test_{name}_learn2fix.py": "".join(parts).encode("utf-8", "surrogatepass")}


def _rows(program: Program, cases: Sequence[Case], surrounded: bool) -> dict[str, list[str]]:
    """The parameters of each test, by what it demands."""
    rows: dict[str, list[str]] = {"returns": [], "raises": [], "prints": [], "wrong": []}
    for case in cases:
        requirement = case.requirement
        if requirement is None:
            continue
        form, wish = "wrong", repr(sorted(map(str, requirement.forbidden)))
        if requirement.expected is not None:
            form, wish = "prints", repr(str(requirement.expected))
            if program.recipe.kind is RunKind.FUNCTION:
                form, wish = _value_row(requirement.expected, case.label)
        given = _python_argument(program, case, surrounded)
        rows[form].append(f"pytest.param({given}, {wish}, id={case.name!r}),")
    return rows


def _value_row(expected: Response, label: Label) -> tuple[str, str]:
    """What a Python function should do, as a Python programmer would write the test."""
    error = meant_exception(expected)
    if error is not None:
        return "raises", repr(error[0].rpartition(".")[2])
    value, shown = literal_value(expected.text), literal_value(label.observation.outcome.response.text)
    if value is NOTHING or not expected.completed:
        unquoted = isinstance(shown, str) and expected.completed
        return "returns" if unquoted else "prints", repr(str(expected))
    if label.answer.verdict is Verdict.BUG and shown == value:
        return "prints", repr(repr(value))  # 3.0 where 3 is right: equal in Python, and still the bug
    return "returns", repr(value)


def _compares_by_value(program: Program, cases: Sequence[Case]) -> bool:
    """Whether a comparison of texts does not do."""
    if program.recipe.kind is RunKind.FUNCTION:
        return False
    counted = any(case.label.observation.outcome.counted != OUTPUT_ONLY for case in cases)
    texts = (text for case in cases for text in (case.printed, case.expected or ""))
    return counted or (program.tolerance != 0 and any(re.search(r"[0-9]\.[0-9]", text) for text in texts))


def _process(program: Program, cases: Sequence[Case], surrounded: bool) -> str:
    """What runs a program and says all of it that counts, as source."""
    counted = cases[0].label.observation.outcome.counted if cases else OUTPUT_ONLY
    more = ", ".join(part for part, counts in ((STATUS, counted.status), (STDERR, counted.stderr)) if counts)
    text = RUN_PROCESS.replace(PRINTED, PRINTED_AND_MORE.replace("{more}", more)) if more else RUN_PROCESS
    text = (LAID_OUT if counted.layout else CANONICAL) + text
    if not surrounded:
        return text
    around = program.recipe.around
    text = text.replace("def answer(command, given)", "def run(command, given, **where)")
    text = text.replace("timeout=60)", "timeout=60, **where)")
    return text + RUN_SURROUNDED.format(
        files=dict(around.files), input_file=around.input_file, environment=around.environment
    )


def _runner(program: Program, cases: Sequence[Case], surrounded: bool) -> str:
    recipe = program.recipe
    process = _process(program, cases, surrounded)
    match recipe.kind:
        case RunKind.BUILT:
            text = C_PROGRAM.format(path=program.path, build=list(recipe.build), harness=recipe.harness)
            return text + process
        case RunKind.SCRIPT:
            return SCRIPT.format(path=program.path) + process
        case RunKind.COMMAND:
            return COMMAND.format(command=recipe.command) + process
        case RunKind.FUNCTION:
            module = re.sub(r"\W+", "_", program.path.rsplit("/", 1)[-1].removesuffix(".py"))
            return FUNCTION.format(path=program.path, module=module, function=recipe.function)


def _parametrized(second: str, rows: Iterable[str]) -> str:
    listed = "".join(f"        {row}\n" for row in rows)
    return f'\n\n@pytest.mark.parametrize(\n    ("given", "{second}"),\n    [\n{listed}    ],\n)\n'


def _python_argument(program: Program, case: Case, surrounded: bool) -> str:
    if program.recipe.kind is not RunKind.FUNCTION:
        return repr((list(case.arguments), case.stdin)) if surrounded else repr(case.stdin)
    text = f"call({case.stdin.strip()})"
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        parsed = None
    if not isinstance(parsed, ast.Call) or "\n" in text or "\r" in text:
        raise UsageError(f"the input {case.name!r} is not a call in Python")
    return text


def _wanted(case: Case) -> Response | None:
    return case.requirement.expected if case.requirement is not None else None


EFFECTS = re.compile(r"returns |prints:|[A-Za-z_][\w.]* = ")
"""How answers begin that are more than a value."""


def _is_plain(case: Case) -> bool:
    """Whether a call with literals says all of it: no objects, no code around it, no effects."""
    try:
        call = ast.parse(f"call({case.stdin.strip()})", mode="eval").body
    except (SyntaxError, ValueError):
        return ";" not in case.stdin
    values = [*call.args, *(word.value for word in call.keywords)] if isinstance(call, ast.Call) else []
    if any(isinstance(node, ast.Call | ast.Name) for value in values for node in ast.walk(value)):
        return False
    return not any(map(EFFECTS.match, (case.printed, case.expected or "")))


def _words(text: str) -> str:
    """A name that can stand in a docstring."""
    return re.sub(r'[\\"\x00-\x1f]', "?", text)

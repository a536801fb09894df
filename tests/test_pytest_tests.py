"""Calls and expectations are read off pytest tests as people write them, and nothing of them is run."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learn2fix.domain.values import alike, literal_value
from learn2fix.errors import UsageError
from learn2fix.languages.python.pytest_tests import read_test
from learn2fix.languages.python.same import normal_value, same_value
from learn2fix.languages.python.wishes import Equal, Near, Raises, Truth, Wish, expected_output, holds
from learn2fix.model import Response

SHOP = "def discount(price, qty=1):\n    return price * qty\n\n\ndef fine(x):\n    return x > 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "tests").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(folder: Path, text: str, test: str = "::test_it") -> list[tuple[str, str, Wish]]:
    (folder / "tests/test_shop.py").write_text(textwrap.dedent(text))
    found = read_test(f"tests/test_shop.py{test}")
    return [(f"{each.call.file}:{each.call.function}", each.call.arguments, each.wish) for each in found]


HEAD = "import pytest\nimport shop\nfrom shop import discount, fine as good\nTEN = 10\n"


@pytest.mark.parametrize(
    ("body", "arguments", "wish"),
    [
        ("assert discount(100, 3) == 270", "100, 3", Equal("270")),
        ("assert 270 == discount(100, qty=3)", "100, qty=3", Equal("270")),
        ("assert shop.discount(-1.5, qty=TEN) == -TEN", "-1.5, qty=10", Equal("-10")),
        ("x = [1, 2] * 2; assert discount(x) == {'a': (1, None)}", "[1, 2, 1, 2]", Equal("{'a': (1, None)}")),
        ("got = discount(100, 3)\n    want = 300 - 30\n    assert got == want", "100, 3", Equal("270")),
        ("assert good(7)", "7", Truth(True)),
        ("assert not good(TEN)", "10", Truth(False)),
        ("assert good(1) is False", "1", Equal("False")),
        ("assert discount(0.1, 3) == pytest.approx(0.3, abs=0.01)", "0.1, 3", Near(0.3, 0.01)),
        ("with pytest.raises(ValueError):\n        discount(-1, 3)", "-1, 3", Raises("ValueError")),
        ("n = 1\n    n += 1\n    assert discount(n) == 4", "2", Equal("4")),
    ],
)
def test_what_people_write(folder: Path, body: str, arguments: str, wish: Wish) -> None:
    function = "fine" if "good" in body else "discount"
    assert read(folder, f"{HEAD}def test_it():\n    {body}\n") == [(f"shop.py:{function}", arguments, wish)]


def test_rows_loops_and_classes(folder: Path) -> None:
    text = """
        import pytest, unittest
        from shop import discount

        @pytest.mark.parametrize("qty", [1, 2])
        @pytest.mark.parametrize(("price", "want"), [(10, 20), pytest.param(5, 10, id="half")])
        def test_it(price, qty, want):
            assert discount(price, qty) == want

        def test_loop():
            for price, want in [(1, 2), (3, 4)]:
                assert discount(price) == want

        class TestOld(unittest.TestCase):
            def test_old(self):
                self.assertEqual(discount(7), 8)
                with self.assertRaises(KeyError):
                    discount(None)
    """
    rows = read(folder, text)
    assert [row[1] for row in rows] == ["10, 1", "10, 2", "5, 1", "5, 2"]
    assert read(folder, text, "::test_it[half-2]") == [("shop.py:discount", "5, 2", Equal("10"))]
    assert [row[1] for row in read(folder, text, "::test_loop")] == ["1", "3"]
    assert read(folder, text, "::TestOld::test_old") == [
        ("shop.py:discount", "7", Equal("8")),
        ("shop.py:discount", "None", Raises("KeyError")),
    ]
    assert len(read(folder, text, "")) == 8


def test_imports_say_where_the_function_is(folder: Path) -> None:
    package = folder / "src/store"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .prices import total as sum_up\n")
    (package / "prices.py").write_text("def total(xs):\n    return sum(xs)\n")
    asserts = [
        "from store import sum_up\ndef test_it(): assert sum_up([1]) == 2",
        "from store.prices import total\ndef test_it(): assert total([1]) == 2",
        "from store import prices\ndef test_it(): assert prices.total([1]) == 2",
        "import store.prices\ndef test_it(): assert store.prices.total([1]) == 2",
        "import store.prices as p\ndef test_it(): assert p.total([1]) == 2",
        "def test_it():\n    from store.prices import total\n    assert total([1]) == 2",
    ]
    for text in asserts:
        assert read(folder, text) == [("src/store/prices.py:total", "[1]", Equal("2"))], text
    own = "def double(x):\n    return x\n\ndef test_it():\n    assert double(2) == 4\n"
    assert read(folder, own) == [("tests/test_shop.py:double", "2", Equal("4"))]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("assert discount(price) == 3", "price is no constant"),
        ("assert shop.total == 3", "calls no function that the test imports"),
        ("x = [1]\n    x.append(2)\n    assert discount(x) == 3", "x is no constant"),
        ("while True:\n        assert discount(1) == 3", "depends on a run"),
        ("assert discount(1) > 3 > 2", "is not f(…) == value"),
        ("assert discount(open('/etc/passwd').read()) == 3", "is no constant"),
        ("assert discount(*[1]) == 3", "is no constant"),
        ("assert discount('a' * 10**9) == 3", "is no constant"),
        ("pass", "asserts nothing"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line(folder: Path, body: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(folder, f"{HEAD}def test_it(price):\n    {body}\n")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "--failing" in str(caught.value)


@pytest.mark.parametrize("name", ["tests/nowhere.py::test_it", "tests/test_shop.py::test_no", "x"])
def test_no_such_test(folder: Path, name: str) -> None:
    (folder / "tests/test_shop.py").write_text("def test_it():\n    assert True\n")
    with pytest.raises(UsageError):
        read_test(name)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.lists(PLAIN, min_size=1, max_size=3), PLAIN)
def test_any_plain_values_are_read_exactly(
    tmp_path_factory: pytest.TempPathFactory, arguments: list[Any], value: Any
) -> None:
    folder = tmp_path_factory.mktemp("project")
    (folder / "shop.py").write_text("def discount(*values):\n    pass\n")
    path = folder / "test_shop.py"
    call = ", ".join(map(repr, arguments))
    text = f"from shop import discount\n\ndef test_it():\n    assert discount({call}) == {value!r}\n"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        compile(path.read_bytes(), "x", "exec")
    except (SyntaxError, UnicodeDecodeError):
        return  # no file that Python reads
    (found,) = read_test(f"{path}::test_it")
    assert found.call.arguments == call
    assert found.wish == Equal(repr(value))
    assert holds(found.wish, Response.read(repr(value)))


def same(expected: str, found: str) -> bool:
    return same_value(Response.read(expected), Response.read(found))


def normal(text: str) -> Response:
    return normal_value(Response.read(text))


@given(PLAIN, PLAIN)
def test_values_are_the_same_however_they_are_spelled(one: Any, other: Any) -> None:
    assert same(repr(one), repr(one))
    assert same(repr(one), repr(other)) == alike(one, other)
    assert (normal(repr(one)) == normal(repr(other))) == alike(one, other)
    assert alike(one, other) == alike(other, one)
    assert literal_value(repr(one)) == one


@pytest.mark.parametrize(
    ("wanted", "found", "meant"),
    [
        ("[1,2]", "[1, 2]", True),
        ("3", "3.0", True),
        ('"AL"', "'AL'", True),
        ("AL", "'AL'", True),
        ("1", "True", False),
        ("[1]", "(1,)", False),
        ("raises ValueError", "⟨raises ValueError: too small⟩", True),
        ("⟨raises ValueError⟩", "⟨raises ValueError⟩", True),
        ("⟨raises ValueError: a⟩", "⟨raises ValueError: b⟩", False),
        ("⟨raises KeyError⟩", "⟨raises ValueError: b⟩", False),
        ("raises ValueError", "'raises ValueError'", True),
        ("3", "⟨raises ValueError⟩", False),
        ("⟨no answer in time⟩", "3", False),
    ],
)
def test_what_a_person_means(wanted: str, found: str, meant: bool) -> None:
    assert same(wanted, found) is meant


@pytest.mark.parametrize(
    ("wish", "answer", "held", "expected"),
    [
        (Equal("270"), "270.0", True, "270"),
        (Equal("True"), "1", True, "True"),
        (Equal("2"), "⟨raises KeyError: 1⟩", False, "2"),
        (Truth(True), "[1]", True, None),
        (Truth(True), "False", False, "True"),
        (Truth(False), "⟨raises KeyError: 1⟩", False, None),
        (Near(0.3, 1e-6), "0.30000000000000004", True, None),
        (Near(0.3, 1e-6), "0.4", False, None),
        (Raises("ValueError"), "⟨raises ValueError: no⟩", True, "⟨raises ValueError⟩"),
        (Raises("ValueError"), "3", False, "⟨raises ValueError⟩"),
    ],
)
def test_wishes(wish: Wish, answer: str, held: bool, expected: str | None) -> None:
    assert holds(wish, Response.read(answer)) is held
    assert expected_output(wish, Response.read(answer)) == expected

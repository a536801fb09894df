"""A formula as an SMT-LIB 2 script that other solvers read.

A variable is Int, Real or String by its kind. One that the formula compares with text although numbers
are expected of it (an output that may be a crash) becomes three: its number, `name.text`, and
`name.is-text`, which says which of the two counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learn2fix.model import Kind, Variable
from learn2fix.oracles.formula import And, Formula, Is, Linear, Mod, Not, Number, Op, Or, Terms

PREDICATE = "shows-bug"

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
# Names that the standard theories or the language own; a variable called so gets a trailing underscore.
_TAKEN = frozenset(
    re.findall(
        r"\S+",
        """and or not xor ite let forall exists match par as true false mod div abs distinct to_real to_int
        is_int select store Int Real Bool String Array RegLan BINARY DECIMAL HEXADECIMAL NUMERAL STRING""",
    )
)


@dataclass(frozen=True, slots=True)
class Symbol:
    """How one variable appears in the script."""

    plain: str
    sort: str
    """Int, Real or String; with `tagged` there is a String beside the number."""
    tagged: bool = False

    @property
    def name(self) -> str:
        return _quoted(self.plain)

    @property
    def text(self) -> str:
        return _quoted(f"{self.plain}.text") if self.tagged else self.name

    @property
    def tag(self) -> str:
        return _quoted(f"{self.plain}.is-text")

    def parts(self) -> Iterator[tuple[str, str]]:
        """Every constant to declare, with its sort, in the order of the predicate's parameters."""
        yield self.name, self.sort
        if self.tagged:
            yield self.text, "String"
            yield self.tag, "Bool"


def symbols(formula: Formula, variables: Sequence[Variable]) -> tuple[Symbol, ...]:
    """One for each variable, whether or not the formula uses it."""
    as_text: set[int] = set()
    as_number: set[int] = set()
    for literal in formula.literals():
        match literal:
            case Is(text_index, _, _):
                as_text.add(text_index)
            case Linear(terms, _, _) | Mod(terms, _, _, _):
                as_number.update(index for _, index in terms)
            case _:
                pass
    found: list[Symbol] = []
    used: set[str] = set()
    for index, variable in enumerate(variables):
        name = _fresh(variable.name, used)
        used.update((name, f"{name}.text", f"{name}.is-text"))
        if variable.kind is Kind.TEXT and index not in as_number:
            found.append(Symbol(name, "String"))
        else:
            sort = "Int" if variable.kind in (Kind.INT, Kind.BOOL) else "Real"
            found.append(Symbol(name, sort, tagged=index in as_text or variable.kind is Kind.TEXT))
    return tuple(found)


def script(formula: Formula, variables: Sequence[Variable]) -> str:
    """Defines the predicate, declares the variables, asserts that the bug shows and checks."""
    table = symbols(formula, variables)
    constants = [part for symbol in table for part in symbol.parts()]
    parameters = " ".join(f"({name} {sort})" for name, sort in constants)
    body = expression(formula, table)
    call = f"({PREDICATE} {' '.join(name for name, _ in constants)})" if constants else PREDICATE
    return "\n".join(
        [
            f"(set-logic {_logic(formula, [sort for _, sort in constants])})",
            f"(define-fun {PREDICATE} ({parameters}) Bool\n  {body})",
            *(f"(declare-const {name} {sort})" for name, sort in constants),
            f"(assert {call})",
            "(check-sat)",
            "",
        ]
    )


def expression(formula: Formula, table: Sequence[Symbol]) -> str:
    match formula:
        case And(()):
            return "true"
        case Or(()):
            return "false"
        case And(parts) | Or(parts) if len(parts) == 1:
            return expression(parts[0], table)
        case And(parts):
            return f"(and {' '.join(expression(part, table) for part in parts)})"
        case Or(parts):
            return f"(or {' '.join(expression(part, table) for part in parts)})"
        case Not(part):
            return f"(not {expression(part, table)})"
        case Linear(terms, op, limit):
            return _guarded(
                terms, table, op != "!=", _comparison(terms, "==" if op == "!=" else op, limit, table)
            )
        case Mod(terms, modulus, rest, equal):
            total, real = _sum(terms, table)
            inner = f"(= (mod {total} {modulus}) {rest})"
            if real:
                inner = f"(and (is_int {total}) (= (mod (to_int {total}) {modulus}) {rest}))"
            return _guarded(terms, table, equal, inner)
        case Is(variable, value, equal):
            symbol = table[variable]
            inner = f"(= {symbol.text} {string(value)})"
            if symbol.tagged:
                inner = f"(and {symbol.tag} {inner})"
            return inner if equal else f"(not {inner})"
        case _:
            raise TypeError(f"no such formula: {formula!r}")


def string(value: str) -> str:
    """An SMT-LIB 2.6 string literal: printable ASCII as it is, anything else escaped."""
    pieces = []
    for character in value:
        if character == '"':
            pieces.append('""')
        elif character == "\\" or not " " <= character <= "~":
            # Code points above 0x2FFFF do not exist in SMT-LIB; they share the last one.
            pieces.append(f"\\u{{{min(ord(character), 0x2FFFF):x}}}")
        else:
            pieces.append(character)
    return f'"{"".join(pieces)}"'


def number(value: Number, real: bool) -> str:
    top = f"{abs(value.numerator)}{'.0' if real else ''}"
    size = top if value.denominator == 1 else f"(/ {top} {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size


def _comparison(terms: Terms, op: Op, limit: Number, table: Sequence[Symbol]) -> str:
    if limit.denominator != 1:
        terms, limit = tuple((c * limit.denominator, i) for c, i in terms), limit.numerator
    total, real = _sum(terms, table)
    return f"({'=' if op == '==' else op} {total} {number(limit, real)})"


def _sum(terms: Terms, table: Sequence[Symbol]) -> tuple[str, bool]:
    real = any(table[index].sort == "Real" for _, index in terms)
    pieces = []
    for coefficient, index in terms:
        name = table[index].name
        if real and table[index].sort == "Int":
            name = f"(to_real {name})"
        pieces.append(name if coefficient == 1 else f"(* {number(coefficient, real)} {name})")
    return (pieces[0] if len(pieces) == 1 else f"(+ {' '.join(pieces)})"), real


def _guarded(terms: Terms, table: Sequence[Symbol], positive: bool, inner: str) -> str:
    """The literal is about numbers: text makes it false, and its negation true."""
    tags = [f"(not {table[index].tag})" for _, index in terms if table[index].tagged]
    if tags:
        inner = f"(and {' '.join([*tags, inner])})"
    return inner if positive else f"(not {inner})"


def _quoted(name: str) -> str:
    return name if _SIMPLE.match(name) else f"|{name}|"


def _fresh(name: str, used: set[str]) -> str:
    plain = "".join(c if " " <= c <= "~" and c not in "|\\" else f"_u{ord(c):x}" for c in name) or "_"
    while plain in _TAKEN or plain == PREDICATE or used & {plain, f"{plain}.text", f"{plain}.is-text"}:
        plain += "_"
    return plain


def _logic(formula: Formula, sorts: Sequence[str]) -> str:
    if "String" in sorts or not sorts:
        return "ALL"
    if "Real" not in sorts:
        return "QF_LIA"
    whole = any(isinstance(literal, Mod) for literal in formula.literals())
    return "QF_LRA" if set(sorts) == {"Real"} and not whole else "QF_LIRA"

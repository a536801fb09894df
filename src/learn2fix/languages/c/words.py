"""The words of C: kinds of nodes, operators and how tightly they bind, numbers as they are written."""

from __future__ import annotations

import re

from learn2fix.languages.c.tree import Node

RELATIONAL = ("<", "<=", ">", ">=", "==", "!=")
ARITHMETIC = ("+", "-", "*", "/", "%")
LOOPS = ("for_statement", "while_statement", "do_statement")
STATEMENTS = frozenset(
    (
        "expression_statement",
        "if_statement",
        "for_statement",
        "while_statement",
        "do_statement",
        "return_statement",
        "break_statement",
        "continue_statement",
        "switch_statement",
        "goto_statement",
        "compound_statement",
        "declaration",
        "labeled_statement",
        "case_statement",
    )
)
EXPRESSIONS = frozenset(
    (
        "identifier",
        "number_literal",
        "char_literal",
        "string_literal",
        "binary_expression",
        "unary_expression",
        "pointer_expression",
        "update_expression",
        "assignment_expression",
        "conditional_expression",
        "call_expression",
        "subscript_expression",
        "field_expression",
        "cast_expression",
        "parenthesized_expression",
        "sizeof_expression",
        "comma_expression",
        "concatenated_string",
        "true",
        "false",
    )
)
LEVEL = {
    "*": 12,
    "/": 12,
    "%": 12,
    "+": 11,
    "-": 11,
    "<<": 10,
    ">>": 10,
    "<": 9,
    "<=": 9,
    ">": 9,
    ">=": 9,
    "==": 8,
    "!=": 8,
    "&": 7,
    "^": 6,
    "|": 5,
    "&&": 4,
    "||": 3,
}
TERNARY, ASSIGN, COMMA, UNARY, POSTFIX, ATOM = 2, 1, 0, 13, 14, 15
READERS = frozenset(("scanf", "fscanf", "sscanf"))
WRITERS = frozenset(("printf", "fprintf", "sprintf"))
NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?[uUlLfF]*|0[xX][0-9a-fA-F]+[uUlL]*")


def strip(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression":
        inner = node.inner()
        if len(inner) != 1:
            return node
        node = inner[0]
    return node


def parse_number(word: str) -> int | None:
    """The value of an integer literal; None for anything else."""
    digits = word.rstrip("uUlL")
    try:
        if re.fullmatch(r"-?0[0-7]+", digits):
            return int(digits, 8)
        return int(digits, 0)
    except ValueError:
        return None


def suffix_of(word: str) -> str:
    return word[len(word.rstrip("uUlL")) :]


def operator_of(node: Node) -> str:
    found = node.child("operator")
    return found.type if found is not None else ""

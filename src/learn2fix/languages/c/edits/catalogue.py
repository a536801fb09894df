"""The catalogue of C edits. Its operators stand in the modules that `generator` imports."""

from __future__ import annotations

from learn2fix.edits.catalogue import Catalogue
from learn2fix.languages.c.edits.program import Program


def _framed(example: str) -> str:
    """An example without a main function is a part of its body."""
    if "main(" in example:
        return example
    return f"int main(void) {{ int a, b, c, t[9]; double x; {example} }}"


CATALOGUE: Catalogue[Program] = Catalogue("c", _framed)
operator = CATALOGUE.operator

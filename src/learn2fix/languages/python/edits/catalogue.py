"""The edit operators of Python; the modules beside this one enter them."""

from __future__ import annotations

from learn2fix.edits.catalogue import Catalogue
from learn2fix.languages.python.edits.program import Program

CATALOGUE: Catalogue[Program] = Catalogue("python")

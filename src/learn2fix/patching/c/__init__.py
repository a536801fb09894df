"""Candidate patches for C programs, on the bytes of the user's own file."""

from learn2fix.patching.c.edits import CEdits
from learn2fix.patching.c.genprog import GenProgEdits
from learn2fix.patching.c.pairs import CPairs
from learn2fix.patching.c.synthesis import CSynthesis

__all__ = ["CEdits", "CPairs", "CSynthesis", "GenProgEdits"]

"""Candidate patches for C programs, on the bytes of the user's own file."""

from learn2fix.patching.c.edits import CEdits

__all__ = ["CEdits"]

"""Edits of Python programs: on the user's own bytes, so that comments and layout stay."""

from learn2fix.patching.python.generator import PythonEdits, PythonPairs

__all__ = ["PythonEdits", "PythonPairs"]

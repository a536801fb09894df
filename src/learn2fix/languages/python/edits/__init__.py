"""Edits of Python programs, on the user's own bytes, so that comments and layout stay."""

"""Candidate patches for C programs, on the bytes of the user's own file."""

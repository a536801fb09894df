"""Thousands of candidates of a C file judged in one process, forked where they diverge."""

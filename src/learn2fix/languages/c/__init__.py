"""C programs and functions."""

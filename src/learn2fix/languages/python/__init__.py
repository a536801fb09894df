"""Python functions and scripts."""

"""Expressions made from the values that they must have."""

"""Marks of a class."""


def average(marks):
    """The mean of the marks; 0 when there are none."""
    if not marks:
        return 0
    total = 0
    for mark in marks:
        total += mark
    return total / len(marks)

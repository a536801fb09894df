from datetime import date


def overdue(due, today):
    """Whether it should have been done before today."""
    return due <= today

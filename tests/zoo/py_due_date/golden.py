from datetime import date, timedelta


def due_date(year: int, month: int, day: int, weeks: int) -> str:
    """When a book is due that was lent for some weeks, as 2024-02-06."""
    lent = date(year, month, day)
    due = lent + timedelta(weeks=weeks)
    return due.isoformat()

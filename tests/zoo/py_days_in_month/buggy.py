def days_in_month(month: int, year: int) -> int:
    """How many days a month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    if month in (4, 6, 10, 11):
        return 30
    return 31

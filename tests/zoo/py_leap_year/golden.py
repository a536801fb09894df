def leap_year(year: int) -> bool:
    """Whether a year of the Gregorian calendar has 366 days."""
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0

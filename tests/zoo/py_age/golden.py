def age(year: int, month: int, day: int, now_year: int, now_month: int, now_day: int) -> int:
    """Full years between a birthday and now."""
    years = now_year - year
    if (now_month, now_day) < (month, day):
        years -= 1
    return years

DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def weekday_after(today: int, days: int) -> str:
    """The name of the day some days after today (0 is Monday)."""
    place = today + days
    while place >= len(DAYS):
        place -= len(DAYS)
    return DAYS[place]

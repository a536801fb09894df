def shipping(weight: int, zone: int) -> int:
    """Price of a parcel: by weight in kilograms, and more for each zone."""
    if weight <= 0:
        return 0
    if weight <= 2:
        base = 4
    elif 2 < weight < 5:
        base = 7
    elif weight <= 20:
        base = 12
    else:
        base = 25
    return base + 3 * (zone - 1)

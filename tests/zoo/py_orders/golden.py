def orders(values):
    """All orders of some values."""
    if not values:
        return [[]]
    found = []
    for i, value in enumerate(values):
        for rest in orders(values[:i] + values[i + 1:]):
            found.append([value] + rest)
    return found

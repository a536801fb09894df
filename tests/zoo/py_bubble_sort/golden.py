def bubble_sort(values):
    """A sorted copy."""
    values = list(values)
    for done in range(len(values)):
        for place in range(len(values) - done - 1):
            if values[place] > values[place + 1]:
                values[place], values[place + 1] = values[place + 1], values[place]
    return values

def averages(values, size):
    """The average of each window."""
    found = []
    for i in range(len(values)):
        found.append(sum(values[i:i + size]) / size)
    return found

def averages(values, size):
    """The average of each window."""
    found = []
    for i in range(len(values) - size + 1):
        found.append(sum(values[i:i + size]) / size)
    return found

def rooms(stays):
    """How many rooms are needed so that no two guests share one at the same time."""
    changes = []
    for arrival, departure in stays:
        changes.append((arrival, 1))
        changes.append((departure, 0))
    needed = most = 0
    for _when, change in sorted(changes):
        needed += change
        most = max(most, needed)
    return most

def longest_rise(values):
    """Length of the longest strictly rising subsequence."""
    if not values:
        return 0
    best = [1] * len(values)
    for i in range(1, len(values)):
        for j in range(i):
            if values[j] < values[i]:
                best[i] = best[j] + 1
    return best[-1]

def ones(n):
    """How many bits of n are set."""
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count

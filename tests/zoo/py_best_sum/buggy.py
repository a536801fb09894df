def best_sum(numbers):
    """The largest sum of numbers that stand together."""
    best = 0
    current = 0
    for number in numbers:
        current = max(number, current + number)
        best = max(best, current)
    return best

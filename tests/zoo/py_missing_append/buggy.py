def cumulative(numbers):
    """The sum up to each number."""
    sums = []
    total = 0
    for number in numbers:
        total += number
    return sums

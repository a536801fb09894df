def odd_sum(n):
    """Sum of the odd numbers below n."""
    total = 0
    i = 1
    while i != n:
        total += i
        i += 2
    return total

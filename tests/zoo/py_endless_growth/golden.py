def hailstone(n):
    """Steps from n down to 1: halve what is even, triple what is odd and add one."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

def steps_down(n):
    """How often n can be halved until nothing is left."""
    steps = 0
    while n > 0:
        n = -(-n // 2)
        steps += 1
    return steps

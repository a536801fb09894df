def gcd(a, b):
    """Greatest common divisor, after Euclid."""
    while b:
        a, b = b, a % b
    return abs(a)

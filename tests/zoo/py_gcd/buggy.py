def gcd(a, b):
    """Greatest common divisor, after Euclid."""
    while b:
        a, b = b, b % a
    return abs(a)

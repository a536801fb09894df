def power(base: int, exponent: int) -> int:
    """base to the power of exponent, by squaring."""
    if exponent == 0:
        return 1
    half = power(base, exponent // 2)
    if exponent % 2 == 0:
        return half * half * base
    return half * half

def power(base, n):
    """base to the power of n, by repeated squaring."""
    if n == 1:
        return base
    half = power(base, n // 2)
    if n % 2:
        return half * half * base
    return half * half

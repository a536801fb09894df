def power(base, n):
    """base to the power of n, by repeated squaring."""
    if n == 0:
        return 1
    half = power(base, n // 2)
    if n % 2:
        return half * half * base
    return half * half

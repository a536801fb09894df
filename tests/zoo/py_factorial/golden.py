def factorial(n: int) -> int:
    """n * (n - 1) * … * 1."""
    if n == 0:
        return 1
    return n * factorial(n - 1)

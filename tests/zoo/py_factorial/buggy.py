def factorial(n: int) -> int:
    """n * (n - 1) * … * 1."""
    return n * factorial(n - 1)

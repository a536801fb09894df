def fibonacci(n: int) -> int:
    """0, 1, 1, 2, 3, 5 …"""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)

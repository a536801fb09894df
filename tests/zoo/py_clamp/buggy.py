def clamp(value: int, low: int, high: int) -> int:
    """The nearest number to the value that lies between low and high."""
    return min(low, min(value, high))

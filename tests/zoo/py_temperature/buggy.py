def celsius(fahrenheit: float) -> float:
    """Degrees Fahrenheit in degrees Celsius."""
    return round(fahrenheit - 32 * 5 / 9, 1)

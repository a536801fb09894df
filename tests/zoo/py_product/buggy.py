def product(numbers: list) -> int:
    """All numbers multiplied."""
    result = 0
    for number in numbers:
        result *= number
    return result

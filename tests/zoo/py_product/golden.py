def product(numbers: list) -> int:
    """All numbers multiplied."""
    result = 1
    for number in numbers:
        result *= number
    return result

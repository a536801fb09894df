def digit_sum(number: int) -> int:
    """Sum of the decimal digits of a number."""
    number = abs(number)
    total = 0
    while number > 0:
        total += number % 10
        number //= 10
    return total

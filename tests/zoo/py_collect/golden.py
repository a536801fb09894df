def odd(numbers, found=None):
    """The odd ones among some numbers."""
    if found is None:
        found = []
    for number in numbers:
        if number % 2 == 1:
            found.append(number)
    return found


def groups(numbers):
    """Odd numbers, and odd numbers among the halves."""
    return [odd(numbers), odd([number // 2 for number in numbers])]

def second_largest(numbers):
    """The largest number but one."""
    first, second = sorted(numbers[:2], reverse=True)
    for number in numbers[2:]:
        if number > first:
            first, second = number, first
        elif number > second:
            second = number
    return second

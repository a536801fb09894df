def differences(numbers):
    """From each number to the next."""
    previous = numbers[0]
    for number in numbers[1:]:
        yield number - previous
        previous = number

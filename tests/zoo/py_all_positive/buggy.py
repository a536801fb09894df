def all_positive(numbers):
    """Whether every number is larger than zero."""
    for number in numbers:
        if number <= 0:
            return False
        return True

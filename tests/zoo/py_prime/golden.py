def prime(number: int) -> bool:
    """Whether a number (from 2 on) is prime."""
    for divisor in range(2, number):
        if number % divisor == 0:
            return False
    else:
        return True

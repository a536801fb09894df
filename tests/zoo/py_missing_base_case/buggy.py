def sum_digits(n):
    return n % 10 + sum_digits(n // 10)

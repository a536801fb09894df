def from_binary(digits):
    value = 0
    for digit in digits:
        value = value * 2 + int(digit)
    return value

def powers(base):
    """1, base, base squared and so on."""
    value = 1
    while True:
        yield value
        value *= base

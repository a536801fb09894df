def powers(base):
    """1, base, base squared and so on."""
    value = base
    while True:
        yield value
        value *= base

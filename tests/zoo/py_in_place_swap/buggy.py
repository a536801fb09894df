def reverse(items):
    """Turn the list around, in place."""
    for i in range(len(items)):
        j = len(items) - 1 - i
        items[i], items[j] = items[j], items[i]

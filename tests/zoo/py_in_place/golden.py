def drop_negatives(items):
    """Remove what is below zero, in place."""
    for item in list(items):
        if item < 0:
            items.remove(item)

def overlap(first, second):
    """Whether two half-open intervals [start, end) have a point in common."""
    return first[0] < second[1] and second[0] < first[1]

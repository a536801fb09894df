def drain(queue):
    """Take out everything; the sum of what was in it."""
    total = 0
    while queue:
        total += queue.pop()
    return total

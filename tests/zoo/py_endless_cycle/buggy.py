def has_cycle(follows):
    """Whether following arrows from some node leads back to it."""
    for start in follows:
        seen = set()
        node = start
        while node in follows:
            seen.add(node)
            node = follows[node]
        if node in seen:
            return True
    return False

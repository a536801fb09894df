def evens(n):
    """Even numbers from 0 up to n."""
    i = 0
    while i < n:
        yield i
        i += 2

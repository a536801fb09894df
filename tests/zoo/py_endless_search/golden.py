def place(xs, x):
    """Where x belongs in the sorted list xs: before the first item that is not smaller."""
    low, high = 0, len(xs)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low

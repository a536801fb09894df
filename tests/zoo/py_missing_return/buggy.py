def absolute(n):
    if n < 0:
        return -n

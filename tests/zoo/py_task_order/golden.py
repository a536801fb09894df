def order(needs):
    """Tasks so that each comes after what it needs; None when that is impossible."""
    done = []
    left = dict(needs)
    while left:
        ready = sorted(task for task in left if all(other in done for other in left[task]))
        if not ready:
            return None
        for task in ready:
            done.append(task)
            del left[task]
    return done

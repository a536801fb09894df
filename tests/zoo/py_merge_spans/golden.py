def merge(spans):
    """Joins overlapping or touching spans."""
    spans = sorted(spans)
    joined = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            last = joined[-1]
            joined[-1] = (last[0], max(last[1], end))
        else:
            joined.append((start, end))
    return joined

def is_peak(heights: list, place: int) -> bool:
    """Whether a height is larger than both of its neighbours."""
    left = heights[place - 1]
    right = heights[place + 1]
    return heights[place] > left or heights[place] > right

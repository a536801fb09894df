class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def move(point, steps):
    """The point so many steps higher."""
    return Point(point.x, point.y - steps)

def classify(a: int, b: int, c: int) -> int:
    """Steve's triangle: 1 equilateral, 2 isosceles, 3 scalene, 4 not a triangle."""
    if a <= 0 or b <= 0 or c <= 0:
        return 4
    if a <= c - b or b <= a - c or c <= b - a:
        return 4
    if (a == b) == c:
        return 1
    if a == b or b == c or c == a:
        return 2
    return 3

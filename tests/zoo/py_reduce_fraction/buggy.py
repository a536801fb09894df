def reduce_fraction(top, bottom):
    a, b = top, bottom
    while a % b:
        a, b = b, a % b
    return top // a, bottom // a

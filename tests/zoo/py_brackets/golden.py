def balanced(text):
    """Whether brackets close in the order in which they were opened."""
    pairs = {")": "(", "]": "[", "}": "{"}
    opened = []
    for sign in text:
        if sign in "([{":
            opened.append(sign)
        elif sign in pairs:
            if not opened or opened.pop() != pairs[sign]:
                return False
    return not opened

def encode(text: str) -> str:
    """Runs of a letter as the letter and its number: aaab becomes a3b1."""
    encoded = ""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or text[place] != text[start]:
            encoded += text[start] + str(place - start)
            start = place
    return encoded

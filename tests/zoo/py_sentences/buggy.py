def sentences(text):
    """Sentences of a text, without blanks around them."""
    found = []
    current = ""
    for letter in text:
        current += letter
        if letter in ".!?":
            found.append(current.strip())
            current = ""
    return found

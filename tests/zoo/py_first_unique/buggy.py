def first_unique(text: str) -> str:
    """The first letter that occurs only once; nothing when there is none."""
    for letter in text:
        if text.count(text[0]) == 1:
            return letter
    return ""

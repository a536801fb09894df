def word_count(text: str) -> dict:
    """How often each word occurs."""
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] = 1
        else:
            counts[word] = 1
    return counts

def by_length(words):
    """Words by length, and by alphabet among those of one length."""
    return sorted(words, key=lambda word: (len(word), len(word)))

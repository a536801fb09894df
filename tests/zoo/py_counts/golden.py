def count_words(counts, words):
    """Add the words to the counts, whatever their case."""
    for word in words:
        word = word.lower()
        counts[word] = counts.get(word, 0) + 1

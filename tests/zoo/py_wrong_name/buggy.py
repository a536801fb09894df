def longest(words):
    best = ""
    for word in words:
        if len(item) > len(best):
            best = word
    return best

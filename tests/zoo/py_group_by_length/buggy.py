def group_by_length(words):
    groups = {}
    for word in words:
        groups[len(word)] = []
        groups[len(word)].append(word)
    return groups

def group_anagrams(words):
    groups = {}
    for word in words:
        key = word
        if key in groups:
            groups[key].append(word)
        else:
            groups[key] = [word]
    return sorted(groups.values())

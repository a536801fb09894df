def say(text):
    """The next term: how many of each digit in a row."""
    made = ""
    i = 0
    while i < len(text):
        count = 1
        while i + count < len(text) and text[i + count] == text[i]:
            count += 1
        made += str(count) + text[i]
        i += 1
    return made

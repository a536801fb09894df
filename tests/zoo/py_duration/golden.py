def seconds(text):
    """How many seconds `1h20m5s` is."""
    units = {"h": 3600, "m": 60, "s": 1}
    total = 0
    digits = ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        else:
            total += int(digits) * units[letter]
            digits = ""
    return total

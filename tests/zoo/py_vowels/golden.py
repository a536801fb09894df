def count_vowels(text: str) -> int:
    """How many vowels a text has."""
    count = 0
    for letter in text.lower():
        if letter in "aeiou":
            count += 1
    return count

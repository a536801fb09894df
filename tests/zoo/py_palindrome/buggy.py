def palindrome(text: str) -> bool:
    """Whether a text reads the same both ways; capitals and signs do not count."""
    letters = [letter for letter in text if letter.isalnum()]
    return letters == letters[::-1]

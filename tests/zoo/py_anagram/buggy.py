def anagram(first: str, second: str) -> bool:
    """Whether two texts are made of the same letters."""
    if len(first) != len(second):
        return False
    return sorted(first) == sorted(first)

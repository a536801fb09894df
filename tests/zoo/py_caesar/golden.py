def caesar(text: str, shift: int) -> str:
    """Each small letter moved on in the alphabet; all else stays."""
    moved = ""
    for letter in text:
        if "a" <= letter <= "z":
            place = (ord(letter) - ord("a") + shift) % 26
            moved += chr(ord("a") + place)
        else:
            moved += letter
    return moved
